#!/usr/bin/env python3
"""Checks the vectors of this family with two libraries that are not ours.

    pip install cryptography
    python3 vectors/chacha20-blake2b/cross_check.py

BLAKE2b comes from Python's `hashlib`, ChaCha20 from OpenSSL through
`cryptography`. Every vector of `aead.json`, of `../chacha20/chacha20.json` and of
`../blake2b/keyed.json` is computed again; the first difference ends the run. The
vectors of the three AEADs are written by our oracle:

    cargo run -p sivka-oracle --example chacha20_blake2b_vectors > vectors/chacha20-blake2b/aead.json
"""
import hashlib
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

HERE = pathlib.Path(__file__).resolve().parent
AEAD = HERE / "aead.json"
CHACHA20 = HERE.parent / "chacha20" / "chacha20.json"
BLAKE2B = HERE.parent / "blake2b" / "keyed.json"

sys.path.insert(0, str(HERE.parents[1] / "docs/spec/reference"))

from chacha20_blake2b import CONTEXTS  # noqa: E402


def blake2b(key, size, data):
    return hashlib.blake2b(data, key=key, digest_size=size).digest()


def chacha20(key, nonce, counter, data):
    """The original layout: 64-bit counter, then 64-bit nonce.

    OpenSSL counts the first 32 bits only, so a crossing is cut in two.
    """
    left = (2**32 - counter % 2**32) * 64
    head, tail = data[:left], data[left:]
    start = struct.pack("<Q", counter) + nonce
    out = Cipher(algorithms.ChaCha20(key, start), None).encryptor().update(head)
    if tail:
        out += chacha20(key, nonce, counter + len(head) // 64, tail)
    return out


def hchacha20(key, nonce):
    """A keystream block less its starting matrix is the matrix after the rounds."""
    block = Cipher(algorithms.ChaCha20(key, nonce), None).encryptor().update(bytes(64))
    start = struct.unpack("<16I", b"expand 32-byte k" + key + nonce)
    end = struct.unpack("<16I", block)
    rounds = [(e - s) % 2**32 for e, s in zip(end, start)]
    return struct.pack("<8I", *rounds[:4], *rounds[12:])


def xchacha20(key, nonce, data):
    return chacha20(hchacha20(key, nonce[:16]), nonce[16:], 0, data)


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
        ciphertext = chacha20(ke, nonce, 0, plaintext)
    else:
        ciphertext = xchacha20(ke, nonce, plaintext)
    return ciphertext + blake2b(km, tag_len, framed(aad, ciphertext))


def bytes_of(test, *names):
    return (bytes.fromhex(test[name]) for name in names)


def check_aead(algorithm, test):
    key, nonce, aad, plaintext, tag = bytes_of(test, "key", "nonce", "aad", "plaintext", "tag")
    sealed = seal(algorithm, key, nonce, aad, plaintext, len(tag))
    return sealed.hex() == test["ciphertext"] + test["tag"]


def check_chacha20(algorithm, test):
    key, nonce, counter, data = bytes_of(test, "key", "nonce", "counter", "input")
    if algorithm == "HChaCha20":
        output = hchacha20(key, nonce)
    elif algorithm == "XChaCha20":
        # The counter of the draft's example is 0; the draft's is 32 bits wide.
        output = xchacha20(key, nonce, data)
    else:
        output = chacha20(key, nonce, int.from_bytes(counter, "big"), data)
    return output.hex() == test["output"]


def check_blake2b(_algorithm, test):
    key, data, expected = bytes_of(test, "key", "input", "output")
    return blake2b(key, len(expected), data) == expected


def main():
    for path, check in ((BLAKE2B, check_blake2b), (CHACHA20, check_chacha20), (AEAD, check_aead)):
        checked = 0
        for group in json.loads(path.read_text())["groups"]:
            for test in group["cases"]:
                if not check(group["algorithm"], test):
                    sys.exit(f"{path.name}: {group['section']}: {test['name']} differs")
                checked += 1
        if checked == 0:
            sys.exit(f"{path.name}: no cases")
        print(f"{path.name}: {checked} cases agree")


if __name__ == "__main__":
    main()
