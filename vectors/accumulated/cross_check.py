"""Computes every row of `accumulated.json` again, the messages by the generator of
docs/spec/reference. AES-GCM-SIV and AES-SIV are by OpenSSL through the package `cryptography`
(from 3.2 on), the others by the ciphers of docs/spec/reference. Twenty minutes of one processor:

    python -m pip install cryptography
    python vectors/accumulated/cross_check.py
"""

import json
import multiprocessing
import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV, AESSIV

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/spec/reference"))

import accumulated  # noqa: E402
import aes_gcm_siv  # noqa: E402
import chacha20_blake2b  # noqa: E402
import kuznyechik_mgm  # noqa: E402


def seal(name, key, nonce, aad, text):
    if name.endswith("GCM-SIV"):
        # OpenSSL seals no empty text.
        return AESGCMSIV(key).encrypt(nonce, text, aad) if text else aes_gcm_siv.seal(key, nonce, aad, text)
    if name.startswith("AES-SIV"):
        return AESSIV(key).encrypt(text, [aad])
    if name == "Kuznyechik-MGM":
        return kuznyechik_mgm.seal(key, nonce, aad, text)
    stem, _, tag_len = name.partition("-Tag")
    return chacha20_blake2b.seal(stem, key, nonce, aad, text, int(tag_len or 32))


def check(row):
    name, *expected = row.values()
    found = accumulated.row(name, lambda *message: seal(name, *message), expected[0])
    assert found == expected, f"{name}: {found}"
    return name


def main():
    rows = json.loads((Path(__file__).parent / "accumulated.json").read_text())["rows"]
    with multiprocessing.Pool() as pool:
        for count, name in enumerate(pool.imap_unordered(check, rows), 1):
            print(f"{count} of {len(rows)} rows are the same: {name}", flush=True)


if __name__ == "__main__":
    main()
