#!/usr/bin/env python3
"""Checks the vectors of this family with two libraries that are not ours.

    pip install cryptography
    python3 vectors/chacha20-blake2b/cross_check.py

BLAKE2b comes from Python's `hashlib`, ChaCha20 from OpenSSL through
`cryptography`. Every vector of `aead.json`, of `../chacha20/chacha20.json` and of
`../blake2b/keyed.json` is computed again; the first difference ends the run.

`--write-blake2b` and `--write-chacha20` write those two files instead: their
inputs are the published ones, stated below, and their outputs these libraries'.
The vectors of the three AEADs are written by our oracle:

    cargo run -p sivka-oracle --example chacha20_blake2b_vectors > vectors/chacha20-blake2b/aead.json
"""
import hashlib
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

HERE = pathlib.Path(__file__).parent
AEAD = HERE / "aead.json"
CHACHA20 = HERE.parent / "chacha20" / "chacha20.json"
BLAKE2B = HERE.parent / "blake2b" / "keyed.json"

CONTEXTS = {
    "ChaCha20-BLAKE2b": (
        b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()",
        b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()",
    ),
    "XChaCha20-BLAKE2b": (
        b"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()",
        b"XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()",
    ),
    "XChaCha20-BLAKE2b-SIV": (
        b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()",
        b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()",
    ),
}


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


def cipher_output(algorithm, key, nonce, counter, data):
    if algorithm == "HChaCha20":
        return hchacha20(key, nonce)
    if algorithm == "XChaCha20":
        # The counter of the draft's example is 0; the draft's is 32 bits wide.
        return xchacha20(key, nonce, data)
    return chacha20(key, nonce, counter, data)


def check_chacha20(algorithm, test):
    key, nonce, counter, data = bytes_of(test, "key", "nonce", "counter", "input")
    counter = int.from_bytes(counter, "big")
    return cipher_output(algorithm, key, nonce, counter, data).hex() == test["output"]


def check_blake2b(_algorithm, test):
    key, data, expected = bytes_of(test, "key", "input", "output")
    return blake2b(key, len(expected), data) == expected


def write(path, source, groups):
    """`groups` are (algorithm, section, cases)."""
    groups = [
        {"algorithm": algorithm, "section": section, "case_count": len(cases), "cases": cases}
        for algorithm, section, cases in groups
    ]
    path.write_text(json.dumps({"source": source, "groups": groups}, indent=1) + "\n")


def write_blake2b():
    """The inputs of `blake2-kat.json` in the BLAKE2 reference repository (CC0):
    the key is 00 01 .. 3f, the inputs are the prefixes of 00 01 .. fe."""
    key = bytes(range(64))

    def cases(output_len, lengths):
        return [
            {
                "name": f"input of {length} bytes", "key": key.hex(),
                "input": bytes(range(length)).hex(),
                "output": blake2b(key, output_len, bytes(range(length))).hex(),
            }
            for length in lengths
        ]

    write(BLAKE2B, "keyed BLAKE2b, computed by Python's hashlib", [
        ("BLAKE2b", "blake2-kat.json of the BLAKE2 reference repository", cases(64, range(256))),
        ("BLAKE2b", "ours: 48 bytes of output", cases(48, range(0, 256, 17))),
        ("BLAKE2b", "ours: 32 bytes of output", cases(32, range(0, 256, 15))),
    ])


def write_chacha20():
    """Test cases 1 to 8 of draft-strombergson-chacha-test-vectors-01, 256-bit keys,
    20 rounds; HChaCha20 and XChaCha20 of draft-irtf-cfrg-xchacha-03, sections 2.2.1
    and A.3.2; then our own around the carry of the 64-bit counter."""

    def case(algorithm, name, key, nonce, counter, data):
        return {
            "name": name, "key": key.hex(), "nonce": nonce.hex(),
            "counter": counter.to_bytes(8, "big").hex(), "input": data.hex(),
            "output": cipher_output(algorithm, key, nonce, counter, data).hex(),
        }

    published = [
        (bytes(32), bytes(8)),
        (b"\x01" + bytes(31), bytes(8)),
        (bytes(32), b"\x01" + bytes(7)),
        (b"\xff" * 32, b"\xff" * 8),
        (b"\x55" * 32, b"\x55" * 8),
        (b"\xaa" * 32, b"\xaa" * 8),
        (bytes.fromhex("00112233445566778899aabbccddeeffffeeddccbbaa99887766554433221100"),
         bytes.fromhex("0f1e2d3c4b596877")),
        (bytes.fromhex("c46ec1b18ce8a878725a37e780dfb7351f68ed2e194c79fbc6aebee1a667975d"),
         bytes.fromhex("1ada31d5cf688221")),
    ]
    published = [
        case("ChaCha20", f"TC{number}", key, nonce, 0, bytes(128))
        for number, (key, nonce) in enumerate(published, 1)
    ]
    counting = bytes(range(32))
    crossings = [
        case("ChaCha20", f"from block {counter}", counting, bytes(range(8)), counter, bytes(64 * 48))
        for counter in (2**32 - 40, 2**32 - 1, 2**32, 2**33 - 9, 2**63 - 2)
    ]
    hchacha = case("HChaCha20", "the example", counting,
                   bytes.fromhex("000000090000004a0000000031415927"), 0, b"")
    dhole = (b"The dhole (pronounced \"dole\") is also known as the Asiatic wild dog, red dog, "
             b"and whistling dog. It is about the size of a German shepherd but looks more like "
             b"a long-legged fox. This highly elusive and skilled jumper is classified with "
             b"wolves, coyotes, jackals, and foxes in the taxonomic family Canidae.")
    xchacha = case("XChaCha20", "the example", bytes(range(0x80, 0xa0)),
                   bytes(range(0x40, 0x57)) + b"\x58", 0, dhole)
    write(CHACHA20, "inputs from the section named; outputs computed by OpenSSL", [
        ("ChaCha20", "draft-strombergson-chacha-test-vectors-01, 256-bit keys", published),
        ("ChaCha20", "ours: OpenSSL's 32-bit counter in two parts", crossings),
        ("HChaCha20", "draft-irtf-cfrg-xchacha-03 section 2.2.1", [hchacha]),
        ("XChaCha20", "draft-irtf-cfrg-xchacha-03 section A.3.2.1", [xchacha]),
    ])


def main():
    if "--write-blake2b" in sys.argv:
        write_blake2b()
    if "--write-chacha20" in sys.argv:
        write_chacha20()
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
