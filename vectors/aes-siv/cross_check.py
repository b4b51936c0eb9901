"""Computes every case of this folder again with OpenSSL, through the package `cryptography`:

    python -m pip install cryptography
    python vectors/aes-siv/cross_check.py
"""

import json
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESSIV

HERE = Path(__file__).parent


def main():
    checked = 0
    for name in ("aead.json", "lists.json"):
        for group in json.loads((HERE / name).read_text())["groups"]:
            for case in group["cases"]:
                key, plaintext, expected = (
                    bytes.fromhex(text)
                    for text in (case["key"], case["plaintext"], case["tag"] + case["ciphertext"])
                )
                strings = case.get("associated_data", [case.get("aad")])
                strings = [bytes.fromhex(string) for string in strings]
                assert f"AES-SIV-{8 * len(key)}" == group["algorithm"], case["name"]
                aead = AESSIV(key)
                assert aead.encrypt(plaintext, strings) == expected, case["name"]
                assert aead.decrypt(expected, strings) == plaintext, case["name"]
                checked += 1
    print(f"{checked} cases are what OpenSSL makes")


if __name__ == "__main__":
    main()
