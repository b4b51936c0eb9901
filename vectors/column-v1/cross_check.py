#!/usr/bin/env python3
"""Checks the rows of `rows.csv` with libraries that are not ours; `--write` writes them.

    pip install cryptography
    python3 vectors/column-v1/cross_check.py

AES-256-GCM-SIV comes from OpenSSL 3.2 or later through `cryptography`, HKDF-Expand from
Python's `hmac`, XChaCha20-BLAKE2b-SIV from `../chacha20-blake2b/cross_check.py`.
"""
import csv
import hmac
import importlib.util
import pathlib
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

HERE = pathlib.Path(__file__).parent
ROWS = HERE / "rows.csv"
# The key of the example in docs/spec/file-format-v1.md, section 8.
SECRET = bytes(range(32))
VALUES = [
    ("", ""), ("a", ""), ("", "people.email"), ("alice@example.com", "people.email"),
    ("Grüße", "people.name"), ("exactly sixteen.", "c"), ("x" * 300, "a context, " * 9),
]


def siv(key, aad, plaintext):
    path = HERE.parent / "chacha20-blake2b" / "cross_check.py"
    spec = importlib.util.spec_from_file_location("chacha20_blake2b", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.seal("XChaCha20-BLAKE2b-SIV", key, b"", aad, plaintext, 32)


def key(algorithm):
    return hmac.digest(SECRET, f"sivka.column.v1 {algorithm}".encode() + b"\1", "sha512")[:32]


def sealed(function, nonce, context, value):
    if function == "sivka_token":
        return siv(key("XChaCha20-BLAKE2b-SIV"), context, value)
    return nonce + AESGCMSIV(key("AES-256-GCM-SIV")).encrypt(nonce, value, context)


def rows():
    for number, (value, context) in enumerate(VALUES):
        for function in ("sivka_seal", "sivka_token"):
            given = context.encode(), value.encode()
            result = sealed(function, bytes([number]) * 12, *given)
            yield [function, given[0].hex(), given[1].hex(), result.hex()]


def main():
    wanted = [["function", "context", "value", "sealed"], *rows()]
    if "--write" in sys.argv:
        with ROWS.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(wanted)
    with ROWS.open(newline="") as file:
        if list(csv.reader(file)) != wanted:
            sys.exit(f"{ROWS.name} differs")
    print(f"{ROWS.name}: {len(wanted) - 1} rows agree")


if __name__ == "__main__":
    main()
