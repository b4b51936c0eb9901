#!/usr/bin/env python3
"""Writes `keys.json` from docs/spec/column-v1.md, with docs/spec/reference alone.

    python3 vectors/column-v1/make.py > vectors/column-v1/keys.json
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/spec/reference"))

from sivka_file import expand, key_text  # noqa: E402

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

cases = [
    {
        "key_file": key_text(key, name),
        "algorithm": algorithm,
        "column_key": expand(key, f"sivka.column.v1 {algorithm}".encode(), length).hex(),
    }
    for name, key in (("patients", bytes(range(32))), ("Größe", bytes([0xFF] * 32)))
    for algorithm, length in ALGORITHMS.items()
]
vectors = {"source": "docs/spec/column-v1.md, section 3", "case_count": len(cases), "cases": cases}
print(json.dumps(vectors, indent=1, ensure_ascii=True))
