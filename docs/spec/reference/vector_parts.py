"""What the vectors of the file format are made of: one of each part, and how it is changed."""
import hashlib

from sivka_file import chunks_of, key_slot, make_copy, make_payload, make_slot, passphrase_slot, prefix_of

CHEAP = 64, 1, 1
# An error after the header was found; `truncated` may be both.
AFTER = ("success", "unknown-kind", "payload-mismatch", "truncated", "damaged")
found = {}


def fixed(label, size=32):
    return hashlib.sha512(b"sivka file-v1 vectors: " + label.encode()).digest()[:size]


def text(size):
    """Each chunk of it differs."""
    return bytes(i % 251 for i in range(size))


KEY, FILE_KEY, ANOTHER = fixed("key"), fixed("file key"), fixed("another file key")
SALT, ANOTHER_SALT = fixed("payload salt", 24), fixed("another payload salt", 24)
BY_KEY = "key", KEY.hex()
PASSPHRASE = "correct horse battery staple"
BY_PASSPHRASE = "passphrase", PASSPHRASE


def salt(number):
    return fixed(f"slot {number}")


def add(name, expect, file, about, released=0, by=BY_KEY, kind=0, copies="equal"):
    """One vector. `released` is the length of the plaintext; `copies` is None without a header."""
    assert f"{name}.vec" not in found and name.startswith("ok_" if expect == "success" else "fail_"), name
    lines = [("expect", expect), ("payload", hashlib.sha256(text(released)).hexdigest()), by]
    if copies and expect in AFTER:
        lines += [("kind", str(kind)), ("copies", copies)]
    head = "".join(f"{label}: {value}\n" for label, value in (*lines, ("about", about)))
    found[f"{name}.vec"] = head.encode() + b"\n" + file


def payload(size=100, suite=1, kind=0, file_key=FILE_KEY, salt=SALT):
    return b"".join(make_payload(suite, file_key, salt, chunks_of(text(size)), kind))


OURS, OTHERS = key_slot(KEY, salt(0)), key_slot(fixed("another key"), salt(1))
BY_WORDS = passphrase_slot(PASSPHRASE.encode(), CHEAP, salt(0))


def copy(*slots, size=1024, suite=1, kind=0, file_key=FILE_KEY, salt=SALT, counter=0):
    """A copy with these slots, which are parts or bytes."""
    prefix = prefix_of(suite, size)
    slots = [slot if isinstance(slot, bytes) else make_slot(prefix, *slot, file_key, kind) for slot in slots]
    return make_copy(prefix, slots, file_key, salt, counter)


def changed(data, at, *new):
    data = bytearray(data)
    data[at:at + len(new)] = bytes(new)
    return bytes(data)


def flipped(data, at, bit=1):
    return changed(data, at, data[at] ^ bit)


def file(*slots, **more):
    return 2 * copy(*slots, **more) + payload(kind=more.get("kind", 0), suite=more.get("suite", 1))


USUAL = copy(OURS)
PAYLOAD = payload()
