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
PREFIX_LEN, SALT_AT, SLOTS_AT, MAC_LEN, CHUNK_LEN = 20, 28, 52, 32, 16384
COPY_LENS = range(1024, 65537, 1024)
DEFAULT_LIMIT = (1048576, 16, 255)
KINDS = (0, 1, 2, 3)
# Section 4.4 step 6.
WORST_FIRST = ("cost-too-high", "unknown-slot", "no-slot-opens", "header-damaged")


class Failure(Exception):
    """An error of section 9, by its name."""


def mac(key, message):
    return hmac.digest(key, message, "sha512")


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
BODY_LENS = {1: 121, 2: 125, 3: 113, 4: 1201}
KEMS = {3: recipients.X25519, 4: recipients.MLKEM768_X25519}


class Keys:
    """One key of any kind to open with, and section 5.3's limit and how much of it is left."""

    def __init__(self, key=None, passphrase=None, identity=None, limit=DEFAULT_LIMIT):
        self.key, self.identity, self.limit = key, identity, limit
        self.forms = forms_of(passphrase) if passphrase is not None else [None]
        self.work_left, self.paid = limit[0] * limit[1], set()

    def may_pay(self, passphrase, slot):
        cost = struct.unpack(">3I", slot[3:15])
        if (passphrase, slot) in self.paid:
            return True
        if any(asked > most for asked, most in zip(cost, self.limit)) or cost[0] * cost[1] > self.work_left:
            return False
        self.work_left -= cost[0] * cost[1]
        self.paid.add((passphrase, slot))
        return True


class Outcome:
    """What a streaming reader gives: an error's name, what was released before it, and what the
    header says when it was found."""

    def __init__(self):
        self.name, self.released, self.kind, self.copies = "success", b"", None, None


def copy_len(prefix):
    """Section 4.4: the L of a valid prefix, or None."""
    size, suite = int.from_bytes(prefix[16:20], "big"), int.from_bytes(prefix[12:16], "big")
    has_form = len(prefix) == PREFIX_LEN and prefix[:12] == MAGIC + struct.pack(">I", 1)
    return size if has_form and suite in SUITES and size in COPY_LENS else None


def error_of(prefix):
    """Section 4.4 step 3: why there is no header."""
    if prefix[:8] != MAGIC:
        return "not-sivka"
    if len(prefix) < PREFIX_LEN:
        return "truncated"
    if prefix[8:12] != struct.pack(">I", 1):
        return "unknown-version"
    return "header-damaged" if int.from_bytes(prefix[12:16], "big") in SUITES else "unknown-suite"


def copies_of(file):
    """Section 4.4 steps 1 to 4: the copies to try, in this order, and whether they are equal."""
    says = lambda at: copy_len(file[at:at + PREFIX_LEN])
    first = says(0)
    second = first if first and says(first) == first else next((at for at in COPY_LENS if says(at) == at), None)
    if not first and not second:
        raise Failure(error_of(file[:PREFIX_LEN]))
    found = [file[at:at + size] for at, size in ((0, first), (second, second)) if size and at + size <= len(file)]
    if not found:
        raise Failure("truncated")
    if len(found) == 2 and found[0] == found[1]:
        return found[:1], "equal"
    # Equal counters stay in the order of the file.
    return sorted(found, key=lambda copy: -int.from_bytes(copy[PREFIX_LEN:SALT_AT], "big")), "differ"


def slots_of(data):
    """Section 4.2: the slots, whose form is checked."""
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


def wrapping(kind, salt, secret):
    """Section 5.1: the wrapping key and the commitment."""
    okm = expand(mac(salt, secret), b"sivka.file.v1 slot" + bytes([kind]), 64)
    return okm[:32], okm[32:]


def exported(kind, secret):
    """Section 5.4."""
    keys = recipients.export(KEMS[kind], secret, b"sivka.file.v1 slot" + bytes([kind]))
    return keys[:32], keys[32:]


def keys_of(slot, keys, passphrase):
    """The wrapping key and the commitment that a slot has for one of these; None for none."""
    kind, parameters = slot[0], slot[3:-81]
    if kind == 1 and keys.key is not None:
        return wrapping(kind, parameters[8:], keys.key)
    if kind == 2 and passphrase is not None:
        cost, salt = struct.unpack(">3I", parameters[:12]), parameters[12:]
        return wrapping(kind, salt, argon2id(passphrase, salt, *cost, 32))
    if kind in KEMS and keys.identity is not None and keys.identity[0] == KEMS[kind]:
        secret = recipients.decapsulate(*keys.identity, parameters)
        return exported(kind, secret) if secret is not None else None
    return None


def forms_of(passphrase):
    """Section 5.3: normalised, and as typed if that differs."""
    normalised = unicodedata.normalize("NFC", passphrase.decode()).encode()
    return list(dict.fromkeys((normalised, passphrase)))


def unwrap(copy, slots, keys):
    """Section 5.5: the file key, and after it the kind."""
    obstacle = None
    for passphrase, slot in itertools.product(keys.forms, slots):
        if slot[0] == 2 and passphrase is not None and not keys.may_pay(passphrase, slot):
            obstacle = obstacle or "cost-too-high"
            continue
        found = keys_of(slot, keys, passphrase)
        if found is None or not hmac.compare_digest(found[1], slot[-81:-49]):
            continue
        unwrapped = aes_gcm_siv.open_(found[0], bytes(12), copy[:PREFIX_LEN] + slot[:-49], slot[-49:])
        if unwrapped is not None:
            return unwrapped
        obstacle = obstacle or "header-damaged"
    if any(slot[0] not in BODY_LENS for slot in slots):
        obstacle = obstacle or "unknown-slot"
    raise Failure(obstacle or "no-slot-opens")


def header_mac(file_key, before):
    return mac(expand(file_key, b"sivka.file.v1 header mac", 64), before)[:MAC_LEN]


def find_header(file, keys):
    """Section 4.4: the header, its file key and kind, and whether its copies are equal."""
    (copies, are_equal), errors = copies_of(file), []
    for copy in copies:
        try:
            unwrapped = unwrap(copy, slots_of(copy[SLOTS_AT:-MAC_LEN]), keys)
            if hmac.compare_digest(header_mac(unwrapped[:32], copy[:-MAC_LEN]), copy[-MAC_LEN:]):
                return copy, unwrapped[:32], unwrapped[32], are_equal
            errors.append("header-damaged")
        except Failure as failure:
            errors.append(str(failure))
    raise Failure(min(errors, key=WORST_FIRST.index))


def payload_okm(suite, file_key, salt, context):
    info = b"c2sp.org/chunked-encryption@v1+" + suite.aead_name + b"\0" + salt + context
    return expand(file_key, info, 32 + suite.nonce_len + 32)


def payload_keys(suite, file_key, salt, kind):
    """Section 6: the key, the base nonce and the commitment."""
    okm = payload_okm(suite, file_key, salt, bytes([kind]))
    nonce = bytearray(okm[32:-32])
    if suite.number == 3:
        nonce[0] &= 0x7F
    return okm[:32], bytes(nonce), okm[-32:]


def nonce_of(base_nonce, chunk):
    number = int.from_bytes(base_nonce, "big") ^ chunk
    return number.to_bytes(len(base_nonce), "big")


def read(file, keys, outcome):
    header, file_key, outcome.kind, outcome.copies = find_header(file, keys)
    if outcome.kind not in KINDS:
        raise Failure("unknown-kind")
    suite = SUITES[int.from_bytes(header[12:16], "big")]
    payload = file[2 * len(header):]
    if len(payload) < 56:
        raise Failure("truncated")
    salt = header[SALT_AT:SLOTS_AT]
    chunk_key, base_nonce, commitment = payload_keys(suite, file_key, salt, outcome.kind)
    if not hmac.compare_digest(salt + commitment, payload[:56]):
        raise Failure("payload-mismatch")
    rest = payload[56:]
    for chunk in itertools.count():
        is_inner = len(rest) >= CHUNK_LEN + suite.tag_len
        sealed = rest[:CHUNK_LEN + suite.tag_len]
        opened = None
        if len(rest) >= suite.tag_len:
            opened = suite.open_(chunk_key, nonce_of(base_nonce, chunk), suite.aad, sealed)
        if opened is None:
            raise Failure("damaged" if is_inner else "truncated")
        outcome.released += opened
        if not is_inner:
            return
        rest = rest[len(sealed):]


def open_file(file, key=None, passphrase=None, identity=None, limit=DEFAULT_LIMIT):
    """The outcome, which has the plaintext."""
    outcome = Outcome()
    try:
        read(file, Keys(key, passphrase, identity, limit), outcome)
    except Failure as failure:
        outcome.name = str(failure)
    return outcome


def prefix_of(suite=1, size=1024, version=1):
    return MAGIC + struct.pack(">III", version, suite, size)


def make_slot(prefix, slot_kind, parameters, keys, file_key, kind=0):
    """Section 5.1, from a wrapping key and a commitment."""
    slot = struct.pack(">BH", slot_kind, len(parameters) + 81) + parameters + keys[1]
    return slot + aes_gcm_siv.seal(keys[0], bytes(12), prefix + slot, file_key + bytes([kind]))


def key_slot(key, salt):
    """Sections 5.2 to 5.4: the slot's kind, its parameters, and its keys."""
    return 1, key_id(key) + salt, wrapping(1, salt, key)


def passphrase_slot(passphrase, cost, salt):
    return 2, struct.pack(">3I", *cost) + salt, wrapping(2, salt, argon2id(passphrase, salt, *cost, 32))


def recipient_slot(kem, public, randomness):
    kind = {kem: kind for kind, kem in KEMS.items()}[kem]
    encapsulated, secret = recipients.encapsulate(kem, public, randomness)
    return kind, encapsulated, exported(kind, secret)


def make_copy(prefix, slots, file_key, salt, counter=0):
    """Section 4, with as much room as the prefix's length leaves."""
    size = int.from_bytes(prefix[16:20], "big")
    copy = (prefix + counter.to_bytes(8, "big") + salt + b"".join(slots)).ljust(size - MAC_LEN, b"\0")
    return copy + header_mac(file_key, copy)


def make_payload(suite, file_key, salt, chunks, kind=0):
    """Section 6: the salt with the commitment, and each chunk sealed."""
    suite = SUITES[suite]
    chunk_key, base_nonce, commitment = payload_keys(suite, file_key, salt, kind)
    return [salt + commitment] + [
        suite.seal(chunk_key, nonce_of(base_nonce, i), suite.aad, chunk) for i, chunk in enumerate(chunks)]


def chunks_of(plaintext):
    """The last chunk is never whole, and may be empty."""
    return [plaintext[at:at + CHUNK_LEN] for at in range(0, len(plaintext) + 1, CHUNK_LEN)]


def seal_file(plaintext, key=None, passphrase=None, recipient=None, suite=1, kind=0, cost=(64, 1, 1)):
    """A file with one slot. The cost is far below the text's default: this is no program."""
    file_key, salt, payload_salt = os.urandom(32), os.urandom(32), os.urandom(24)
    if key is not None:
        parts = key_slot(key, salt)
    elif passphrase is not None:
        parts = passphrase_slot(forms_of(passphrase)[0], cost, salt)
    else:
        parts = recipient_slot(*recipient, os.urandom(64))
    prefix = prefix_of(suite, 2048 if parts[0] == 4 else 1024)
    copy = make_copy(prefix, [make_slot(prefix, *parts, file_key, kind)], file_key, payload_salt)
    payload = make_payload(suite, file_key, payload_salt, chunks_of(plaintext), kind)
    return copy + copy + b"".join(payload)


def key_id(key):
    """Section 8.2."""
    return expand(key, b"sivka.key.v1 id", 8)


def key_text(key, name):
    """Section 8.1."""
    text = f"sivka key file, version 1\nname: {name}\nid: {key_id(key).hex()}\nkey: {key.hex()}\n"
    return text + f"check: {hashlib.sha512(text.encode()).hexdigest()[:16]}\n"


def is_name(name):
    """Section 8.1: whether a key may have it."""
    return 1 <= len(name.encode()) <= 64 and name == name.strip() and "Cc" not in map(unicodedata.category, name)


def parse_key(data):
    """Section 8.1: the key, or a ValueError."""
    if len(data) > 1024:
        raise ValueError("too long")
    text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n") + "\n"
    lines = text.split("\n")
    name, key = lines[1].removeprefix("name: "), bytes.fromhex(lines[3].removeprefix("key: "))
    if len(key) != 32 or not is_name(name) or key_text(key, name) != text:
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
        outcome = open_file(data, key, identity=age_key)
        sys.stdout.buffer.write(outcome.released)
        sys.exit(None if outcome.name == "success" else outcome.name)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
