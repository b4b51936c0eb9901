#!/usr/bin/env python3
"""A reader and a writer of Sivka files, from docs/spec/file-format-v1.md alone.

    python3 sivka_file.py seal KEY_FILE [SUITE] < plaintext > file
    python3 sivka_file.py open KEY_FILE < file > plaintext

Slow, not constant-time, and wipes nothing: it shows what the text says.
"""
import hashlib
import hmac
import os
import struct
import sys

import aes_gcm_siv
import chacha20_blake2b
import kuznyechik_mgm
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


def check_slot(slot):
    """Sections 4.2 and 5: the form of a slot."""
    kind = slot[0]
    if kind == 0 and any(slot):
        raise Failure("header-damaged")
    if kind == 1 and any(slot[9:13]):
        raise Failure("header-damaged")
    if kind == 2:
        memory, passes, lanes = struct.unpack(">3I", slot[1:13])
        if not 1 <= lanes <= 255 or passes < 1 or memory < 8 * lanes:
            raise Failure("header-damaged")
    if kind > 2:
        raise Failure("unknown-slot")


def parse(file):
    """Section 4.4, steps 1 to 5: the suite and the used slots."""
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
    if len(file) < 2048:
        raise Failure("truncated")
    slots = [file[16 + 125 * i:141 + 125 * i] for i in range(16)]
    used = []
    for i, slot in enumerate(slots):
        check_slot(slot)
        if slot[0] and len(used) < i:
            raise Failure("header-damaged")
        if slot[0]:
            used.append(slot)
    if not used:
        raise Failure("header-damaged")
    return suite, used


def wrapping(kind, salt, secret):
    okm = expand(mac(salt, secret), b"sivka.file.v1 slot" + bytes([kind]), 64)
    return okm[:32], okm[32:]


def file_key_of(file, slots, key, passphrase, limit):
    """Section 5.4."""
    obstacle = None
    work_left = limit[0] * limit[1]
    for slot in slots:
        kind, salt = slot[0], slot[13:45]
        if kind == 1 and key is not None:
            secret = key
        elif kind == 2 and passphrase is not None:
            cost = struct.unpack(">3I", slot[1:13])
            too_high = any(asked > most for asked, most in zip(cost, limit))
            if too_high or cost[0] * cost[1] > work_left:
                obstacle = obstacle or "cost-too-high"
                continue
            work_left -= cost[0] * cost[1]
            secret = argon2id(passphrase, salt, *cost, 32)
        else:
            continue
        wrapping_key, commitment = wrapping(kind, salt, secret)
        if not hmac.compare_digest(commitment, slot[45:77]):
            continue
        file_key = aes_gcm_siv.open_(wrapping_key, bytes(12), file[:16] + slot[:77], slot[77:])
        if file_key is not None:
            return file_key
        obstacle = obstacle or "header-damaged"
    raise Failure(obstacle or "no-slot-opens")


def header_mac(file_key, header):
    return mac(expand(file_key, b"sivka.file.v1 header mac", 64), header[:2016])[:32]


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


def open_file(file, key=None, passphrase=None, limit=DEFAULT_LIMIT):
    """The plaintext; a Failure has what a streaming reader released."""
    suite, slots = parse(file)
    file_key = file_key_of(file, slots, key, passphrase, limit)
    if not hmac.compare_digest(header_mac(file_key, file), file[2016:2048]):
        raise Failure("header-damaged")
    payload = file[2048:]
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


def make_slot(prefix, file_key, key, passphrase, cost):
    salt = os.urandom(32)
    if key is not None:
        head, secret = b"\1" + key_id(key) + bytes(4), key
    else:
        head = b"\2" + struct.pack(">3I", *cost)
        secret = argon2id(passphrase, salt, *cost, 32)
    wrapping_key, commitment = wrapping(head[0], salt, secret)
    slot = head + salt + commitment
    return slot + aes_gcm_siv.seal(wrapping_key, bytes(12), prefix + slot, file_key)


def seal_file(plaintext, key=None, passphrase=None, suite=1, cost=(64, 1, 1)):
    """A file with one slot. The cost is far below the text's default: this is no program."""
    suite, file_key, salt = SUITES[suite], os.urandom(32), os.urandom(24)
    prefix = MAGIC + struct.pack(">II", 1, suite.number)
    header = prefix + make_slot(prefix, file_key, key, passphrase, cost)
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
    with open(key_file, "rb") as file:
        key = parse_key(file.read())
    data = sys.stdin.buffer.read()
    if command == "seal":
        sys.stdout.buffer.write(seal_file(data, key, suite=int(suite)))
    elif command == "open":
        sys.stdout.buffer.write(open_file(data, key))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
