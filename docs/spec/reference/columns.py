#!/usr/bin/env python3
"""Writes `keys.json` and `rows.csv` of vectors/column-v1, from docs/spec/column-v1.md alone.

    python3 docs/spec/reference/columns.py
"""
import json
import pathlib

import aes_gcm_siv
import chacha20_blake2b
from accumulated import LENS
from sivka_file import expand, key_text

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "vectors/column-v1"
# The key of the example in docs/spec/file-format-v1.md, section 8.
SECRET = bytes(range(32))
VALUES = [
    ("", ""), ("a", ""), ("", "people.email"), ("alice@example.com", "people.email"),
    ("Grüße", "people.name"), ("exactly sixteen.", "c"), ("x" * 300, "a context, " * 9),
]


def key(secret, algorithm):
    return expand(secret, f"sivka.column.v1 {algorithm}".encode(), LENS[algorithm][0])


def keys():
    cases = [
        {"key_file": key_text(secret, name), "algorithm": algorithm, "column_key": key(secret, algorithm).hex()}
        for name, secret in (("patients", SECRET), ("Größe", b"\xff" * 32)) for algorithm in LENS]
    vectors = {"source": "docs/spec/column-v1.md, section 3", "case_count": len(cases), "cases": cases}
    return json.dumps(vectors, indent=1) + "\n"


def rows():
    lines = ["function,context,value,sealed\n"]
    for number, (value, context) in enumerate((value.encode(), context.encode()) for value, context in VALUES):
        nonce = bytes([number]) * 12
        sealed = nonce + aes_gcm_siv.seal(key(SECRET, "AES-256-GCM-SIV"), nonce, context, value)
        siv = "XChaCha20-BLAKE2b-SIV"
        token = chacha20_blake2b.seal(siv, key(SECRET, siv), b"", context, value)
        for function, result in ("sivka_seal", sealed), ("sivka_token", token):
            lines.append(f"{function},{context.hex()},{value.hex()},{result.hex()}\n")
    return "".join(lines)


def files():
    return {"keys.json": keys(), "rows.csv": rows()}


if __name__ == "__main__":
    for file, text in files().items():
        (FOLDER / file).write_text(text)
