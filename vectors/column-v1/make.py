#!/usr/bin/env python3
"""Writes `keys.json` from docs/spec/column-v1.md and Python's standard library alone.

    python3 vectors/column-v1/make.py > vectors/column-v1/keys.json
"""
import hashlib
import hmac
import json

FAMILY = ("ChaCha20-BLAKE2b", "XChaCha20-BLAKE2b", "XChaCha20-BLAKE2b-SIV")
ALGORITHMS = {
    "AES-128-GCM-SIV": 16,
    "AES-256-GCM-SIV": 32,
    **{name + tag: 32 for name in FAMILY for tag in ("", "-Tag48", "-Tag64")},
    "Kuznyechik-MGM": 32,
    "AES-SIV-256": 32,
    "AES-SIV-384": 48,
    "AES-SIV-512": 64,
}


def expand(key: bytes, info: str, length: int) -> bytes:
    """HKDF-Expand (RFC 5869 section 2.3) with SHA-512, of one block."""
    return hmac.digest(key, info.encode() + b"\x01", "sha512")[:length]


def key_file(key: bytes, name: str) -> str:
    """Section 8 of docs/spec/file-format-v1.md."""
    body = f"sivka key file, version 1\nname: {name}\nid: {expand(key, 'sivka.key.v1 id', 8).hex()}\nkey: {key.hex()}\n"
    return body + f"check: {hashlib.sha512(body.encode()).digest()[:8].hex()}\n"


cases = [
    {
        "key_file": key_file(key, name),
        "algorithm": algorithm,
        "column_key": expand(key, f"sivka.column.v1 {algorithm}", length).hex(),
    }
    for name, key in (("patients", bytes(range(32))), ("Größe", bytes([0xFF] * 32)))
    for algorithm, length in ALGORITHMS.items()
]
vectors = {"source": "docs/spec/column-v1.md, section 3", "case_count": len(cases), "cases": cases}
print(json.dumps(vectors, indent=1, ensure_ascii=True))
