#!/usr/bin/env python3
"""A reader and a writer of Sivka files, from docs/spec/file-format-v1.md alone.

    python3 sivka_file.py seal KEY_FILE [SUITE] < plaintext > file
    python3 sivka_file.py open KEY_FILE < file > plaintext

A recipient, or an identity, may be in the place of a key file.

Slow, not constant-time, and wipes nothing: it shows what the text says.
"""
import hashlib
import hmac
import itertools
import os
import struct
import sys
import unicodedata

import aes_gcm_siv
import chacha20_blake2b
import kuznyechik_mgm
import recipients
from argon2id import argon2id

MAGIC = bytes.fromhex("935349564b410d0a")
CHUNK_LEN = 16384
DEFAULT_LIMIT = (1048576, 16, 255)


class Failure(Exception):
    """An error of section 9: its name, and the plaintext that was released before it."""

    def __init__(self, name, released=b""):
        super().__init__(name)
        self.name, self.released = name, released


def mac(key, message):
    return hmac.new(key, message, hashlib.sha512).digest()


def expand(prk, info, size):
    """HKDF-Expand (RFC 5869 section 2.3)."""
    out, block = b"", b""
    for counter in range(1, size // 64 + 2):
        block = mac(prk, block + info + bytes([counter]))
        out += block
    return out[:size]


class Suite:
    """Section 3."""

    def __init__(self, number, aead_name, nonce_len, tag_len, aad, seal, open_):
        self.number, self.aead_name, self.aad = number, aead_name, aad
        self.nonce_len, self.tag_len = nonce_len, tag_len
        self.seal, self.open_ = seal, open_


SUITES = {
    1: Suite(1, b"AEAD_AES_256_GCM_SIV", 12, 16, b"", aes_gcm_siv.seal, aes_gcm_siv.open_),
    2: Suite(2, b"private.sivka.AEAD_XCHACHA20_BLAKE2B_32", 24, 32, b"",
             lambda *message: chacha20_blake2b.seal("XChaCha20-BLAKE2b", *message),
             lambda *message: chacha20_blake2b.open_("XChaCha20-BLAKE2b", *message)),
    3: Suite(3, b"private.sivka.AEAD_KUZNYECHIK_MGM", 16, 16, b"sivka.file.v1 chunk",
             kuznyechik_mgm.seal, kuznyechik_mgm.open_),
}


# Section 5.1: the lengths of the bodies, and section 5.4: the KEMs.
BODY_LENS = {1: 120, 2: 124, 3: 112, 4: 1200}
KEMS = {3: recipients.X25519, 4: recipients.MLKEM768_X25519}
PREFIX_LEN = 20


def slots_of(data):
    """Sections 4.2 and 5: the slots, whose form is checked."""
    slots = []
    while any(data):
        kind, body_len = data[0], int.from_bytes(data[1:3], "big")
        slot = data[:3 + body_len]
        is_whole = len(data) >= 3 and len(slot) == 3 + body_len
        if kind == 0 or not is_whole or body_len != BODY_LENS.get(kind, body_len):
            raise Failure("header-damaged")
        if kind == 2:
            memory, passes, lanes = struct.unpack(">3I", slot[3:15])
            if not 1 <= lanes <= 255 or passes < 1 or memory < 8 * lanes:
                raise Failure("header-damaged")
        slots.append(slot)
        data = data[len(slot):]
    if not 1 <= len(slots) <= 64:
        raise Failure("header-damaged")
    return slots


def parse(file):
    """Section 4.4, steps 1 to 6: the suite, the header and the slots."""
    if file[:8] != MAGIC:
        raise Failure("not-sivka")
    if len(file) < 12:
        raise Failure("truncated")
    if file[8:12] != struct.pack(">I", 1):
        raise Failure("unknown-version")
    if len(file) < 16:
        raise Failure("truncated")
    suite = SUITES.get(int.from_bytes(file[12:16], "big"))
    if suite is None:
        raise Failure("unknown-suite")
    if len(file) < PREFIX_LEN:
        raise Failure("truncated")
    size = int.from_bytes(file[16:20], "big")
    if not 2048 <= size <= 65536:
        raise Failure("header-damaged")
    if len(file) < size:
        raise Failure("truncated")
    return suite, file[:size], slots_of(file[PREFIX_LEN:size - 32])


def wrapping(kind, salt, secret):
    okm = expand(mac(salt, secret), b"sivka.file.v1 slot" + bytes([kind]), 64)
    return okm[:32], okm[32:]


def keys_of(slot, key, passphrase, identity):
    """The wrapping key and the commitment that a slot has for one of these; None for none."""
    kind, parameters = slot[0], slot[3:-80]
    if kind == 1 and key is not None:
        return wrapping(kind, parameters[8:], key)
    if kind == 2 and passphrase is not None:
        cost, salt = struct.unpack(">3I", parameters[:12]), parameters[12:]
        return wrapping(kind, salt, argon2id(passphrase, salt, *cost, 32))
    if kind in KEMS and identity is not None and identity[0] == KEMS[kind]:
        secret = recipients.decapsulate(*identity, parameters)
        return exported(kind, secret) if secret is not None else None
    return None


def exported(kind, secret):
    """Section 5.4."""
    keys = recipients.export(KEMS[kind], secret, b"sivka.file.v1 slot" + bytes([kind]))
    return keys[:32], keys[32:]


def forms_of(passphrase):
    """Section 5.3: normalised, and as typed if that differs."""
    normalised = unicodedata.normalize("NFC", passphrase.decode()).encode()
    return list(dict.fromkeys((normalised, passphrase)))


def file_key_of(header, slots, key, passphrase, identity, limit):
    """Section 5.5."""
    obstacle = None
    work_left = limit[0] * limit[1]
    forms = forms_of(passphrase) if passphrase is not None else [None]
    for passphrase, slot in itertools.product(forms, slots):
        if slot[0] == 2 and passphrase is not None:
            cost = struct.unpack(">3I", slot[3:15])
            too_high = any(asked > most for asked, most in zip(cost, limit))
            if too_high or cost[0] * cost[1] > work_left:
                obstacle = obstacle or "cost-too-high"
                continue
            work_left -= cost[0] * cost[1]
        keys = keys_of(slot, key, passphrase, identity)
        if keys is None or not hmac.compare_digest(keys[1], slot[-80:-48]):
            continue
        aad = header[:PREFIX_LEN] + slot[:-48]
        file_key = aes_gcm_siv.open_(keys[0], bytes(12), aad, slot[-48:])
        if file_key is not None:
            return file_key
        obstacle = obstacle or "header-damaged"
    if any(slot[0] not in BODY_LENS for slot in slots):
        obstacle = obstacle or "unknown-slot"
    raise Failure(obstacle or "no-slot-opens")


def header_mac(file_key, before):
    return mac(expand(file_key, b"sivka.file.v1 header mac", 64), before)[:32]


def payload_keys(suite, file_key, salt):
    """Section 6: the key, the base nonce and the commitment."""
    info = b"c2sp.org/chunked-encryption@v1+" + suite.aead_name + b"\0" + salt
    okm = expand(file_key, info, 32 + suite.nonce_len + 32)
    nonce = bytearray(okm[32:-32])
    if suite.number == 3:
        nonce[0] &= 0x7F
    return okm[:32], bytes(nonce), okm[-32:]


def nonce_of(base_nonce, chunk):
    number = int.from_bytes(base_nonce, "big") ^ chunk
    return number.to_bytes(len(base_nonce), "big")


def open_file(file, key=None, passphrase=None, identity=None, limit=DEFAULT_LIMIT):
    """The plaintext; a Failure has what a streaming reader released."""
    suite, header, slots = parse(file)
    file_key = file_key_of(header, slots, key, passphrase, identity, limit)
    if not hmac.compare_digest(header_mac(file_key, header[:-32]), header[-32:]):
        raise Failure("header-damaged")
    payload = file[len(header):]
    if len(payload) < 56:
        raise Failure("truncated")
    chunk_key, base_nonce, commitment = payload_keys(suite, file_key, payload[:24])
    if not hmac.compare_digest(commitment, payload[24:56]):
        raise Failure("payload-mismatch")
    plaintext, rest, chunk = b"", payload[56:], 0
    while True:
        is_inner = len(rest) >= CHUNK_LEN + suite.tag_len
        if len(rest) < suite.tag_len:
            raise Failure("truncated", plaintext)
        sealed = rest[:CHUNK_LEN + suite.tag_len]
        opened = suite.open_(chunk_key, nonce_of(base_nonce, chunk), suite.aad, sealed)
        if opened is None:
            raise Failure("damaged" if is_inner else "damaged-end", plaintext)
        plaintext += opened
        if not is_inner:
            return plaintext
        rest, chunk = rest[len(sealed):], chunk + 1


def make_slot(prefix, file_key, key, passphrase, recipient, cost):
    salt = os.urandom(32)
    if key is not None:
        kind, parameters = 1, key_id(key) + salt
        wrapping_key, commitment = wrapping(kind, salt, key)
    elif passphrase is not None:
        kind, parameters = 2, struct.pack(">3I", *cost) + salt
        passphrase = forms_of(passphrase)[0]
        wrapping_key, commitment = wrapping(kind, salt, argon2id(passphrase, salt, *cost, 32))
    else:
        kind = {kem: kind for kind, kem in KEMS.items()}[recipient[0]]
        parameters, secret = recipients.encapsulate(*recipient, os.urandom(64))
        wrapping_key, commitment = exported(kind, secret)
    slot = struct.pack(">BH", kind, BODY_LENS[kind]) + parameters + commitment
    return slot + aes_gcm_siv.seal(wrapping_key, bytes(12), prefix + slot, file_key)


def seal_file(plaintext, key=None, passphrase=None, recipient=None, suite=1, cost=(64, 1, 1)):
    """A file with one slot. The cost is far below the text's default: this is no program."""
    suite, file_key, salt = SUITES[suite], os.urandom(32), os.urandom(24)
    prefix = MAGIC + struct.pack(">III", 1, suite.number, 2048)
    header = prefix + make_slot(prefix, file_key, key, passphrase, recipient, cost)
    header = header.ljust(2016, b"\0")
    header += header_mac(file_key, header)
    chunk_key, base_nonce, commitment = payload_keys(suite, file_key, salt)
    # The last chunk is never whole, and may be empty.
    chunks = [plaintext[at:at + CHUNK_LEN] for at in range(0, len(plaintext) + 1, CHUNK_LEN)]
    sealed = [suite.seal(chunk_key, nonce_of(base_nonce, i), suite.aad, chunk)
              for i, chunk in enumerate(chunks)]
    return header + salt + commitment + b"".join(sealed)


def key_id(key):
    """Section 8.2."""
    return expand(key, b"sivka.key.v1 id", 8)


def key_text(key, name):
    """Section 8.1."""
    text = f"sivka key file, version 1\nname: {name}\nid: {key_id(key).hex()}\nkey: {key.hex()}\n"
    return text + f"check: {hashlib.sha512(text.encode()).hexdigest()[:16]}\n"


def parse_key(data):
    """Section 8.1: the key, or a ValueError."""
    if len(data) > 1024:
        raise ValueError("too long")
    text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n") + "\n"
    lines = text.split("\n")
    name, key = lines[1].removeprefix("name: "), bytes.fromhex(lines[3].removeprefix("key: "))
    if len(key) != 32 or not 1 <= len(name.encode()) <= 64 or key_text(key, name) != text:
        raise ValueError("not a key file")
    return key


def main(command, key_file, suite="1"):
    age_key = key = None
    if key_file.lower().startswith("age"):
        age_key = recipients.decode(key_file)
    else:
        with open(key_file, "rb") as file:
            key = parse_key(file.read())
    data = sys.stdin.buffer.read()
    if command == "seal":
        sys.stdout.buffer.write(seal_file(data, key, recipient=age_key, suite=int(suite)))
    elif command == "open":
        sys.stdout.buffer.write(open_file(data, key, identity=age_key))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
