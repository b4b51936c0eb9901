#!/usr/bin/env python3
"""Computes every case of `aead.json` again with two libraries that are not ours.

    pip install cryptography
    python3 vectors/chacha20-blake2b/cross_check.py

BLAKE2b comes from Python's `hashlib`, ChaCha20 from OpenSSL through `cryptography`. Our oracle
wrote the file, which is frozen.
"""
import hashlib
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "docs/spec/reference"))

from chacha20_blake2b import CONTEXTS  # noqa: E402


def blake2b(key, size, data):
    return hashlib.blake2b(data, key=key, digest_size=size).digest()


def chacha20(key, nonce, data):
    """The original layout: 64-bit counter, then 64-bit nonce."""
    return Cipher(algorithms.ChaCha20(key, bytes(8) + nonce), None).encryptor().update(data)


def hchacha20(key, nonce):
    """A keystream block less its starting matrix is the matrix after the rounds."""
    block = Cipher(algorithms.ChaCha20(key, nonce), None).encryptor().update(bytes(64))
    start = struct.unpack("<16I", b"expand 32-byte k" + key + nonce)
    end = struct.unpack("<16I", block)
    rounds = [(e - s) % 2**32 for e, s in zip(end, start)]
    return struct.pack("<8I", *rounds[:4], *rounds[12:])


def xchacha20(key, nonce, data):
    return chacha20(hchacha20(key, nonce[:16]), nonce[16:], data)


def framed(first, second):
    return first + second + struct.pack("<II", len(first), len(second))


def seal(algorithm, key, nonce, aad, plaintext, tag_len):
    encrypt, mac = CONTEXTS[algorithm]
    ke = blake2b(key, 32, framed(b"", encrypt))
    km = blake2b(key, 64, framed(nonce, mac))
    if algorithm == "XChaCha20-BLAKE2b-SIV":
        tag = blake2b(km, tag_len, framed(aad, plaintext))
        return xchacha20(ke, tag[:24], plaintext) + tag
    if algorithm == "ChaCha20-BLAKE2b":
        ciphertext = chacha20(ke, nonce, plaintext)
    else:
        ciphertext = xchacha20(ke, nonce, plaintext)
    return ciphertext + blake2b(km, tag_len, framed(aad, ciphertext))


def main():
    checked = 0
    for group in json.loads((HERE / "aead.json").read_text())["groups"]:
        for case in group["cases"]:
            names = "key", "nonce", "aad", "plaintext", "ciphertext", "tag"
            *message, ciphertext, tag = (bytes.fromhex(case[name]) for name in names)
            if seal(group["algorithm"], *message, len(tag)) != ciphertext + tag:
                sys.exit(f"{group['section']}: {case['name']} differs")
            checked += 1
    print(f"{checked} cases agree")


if __name__ == "__main__":
    main()
