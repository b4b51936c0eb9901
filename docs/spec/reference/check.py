#!/usr/bin/env python3
"""Checks this folder's reader and writer: against every vector, and with `sivka` both ways.

    python3 docs/spec/reference/check.py path/to/sivka

Ends with `N passed, M failed`.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

import accumulated
import aes_gcm_siv
import chacha20_blake2b
import columns
import compression
import folder_vectors
import kuznyechik_mgm
import recipients
import vectors
from sivka_file import is_name, key_text, open_file, parse_key, seal_file

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNKNOWN = "key", "passphrase", "identity", "about"
LENS = (0, 1, 16383, 16384, 40000)
NAMES = {1: "aes-256-gcm-siv", 2: "xchacha20-blake2b", 3: "kuznyechik-mgm"}
counts = {True: 0, False: 0}


def check(name, holds):
    counts[bool(holds)] += 1
    if not holds:
        print(f"FAILED: {name}")


def file_vectors():
    """Section 10."""
    paths = sorted((ROOT / "vectors/file-v1").glob("*.vec"))
    assert len(paths) >= 200, "vectors are missing"
    check("vectors/file-v1 is what vectors.py writes", not vectors.differing(vectors.FOLDER, vectors.made()))
    for path in paths:
        head, _, file = path.read_bytes().partition(b"\n\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\n"))
        key = bytes.fromhex(fields["key"]) if "key" in fields else None
        passphrase = fields["passphrase"].encode() if "passphrase" in fields else None
        identity = recipients.decode(fields["identity"]) if "identity" in fields else None
        outcome = open_file(file, key, passphrase, identity)
        known = {"expect": outcome.name, "payload": hashlib.sha256(outcome.released).hexdigest()}
        if outcome.copies:
            known.update(kind=str(outcome.kind), copies=outcome.copies)
        check(path.name, known == {name: value for name, value in fields.items() if name not in UNKNOWN})


def check_table(table):
    """What is written, and what the judge makes of it."""
    text, wrong = table.text()
    check(f"{table.path} is what is written", table.path.read_text() == text)
    for name in (*table.good, *table.bad):
        check(f"{table.path}: {name}", name not in wrong)


def aeads():
    """How to seal and open, by the algorithm's name without its tag's length."""
    def of_family(name):
        return (lambda *message: chacha20_blake2b.seal(name, *message),
                lambda *message: chacha20_blake2b.open_(name, *message))

    aeads = {name: of_family(name) for name in chacha20_blake2b.CONTEXTS}
    aeads["Kuznyechik-MGM"] = (kuznyechik_mgm.seal, kuznyechik_mgm.open_)
    for size in (128, 256):
        aeads[f"AES-{size}-GCM-SIV"] = aes_gcm_siv.seal, aes_gcm_siv.open_
    return aeads


def accumulated_vectors():
    """The first batches of each algorithm; vectors/accumulated/cross_check.py has all of them."""
    file = json.loads((ROOT / "vectors/accumulated/accumulated.json").read_text())
    for row in file["rows"][::2]:
        name, *expected = row.values()
        stem, _, tag = name.partition("-Tag")
        seal, _ = aeads().get(stem, (None, None))
        tag_len = (int(tag or 32),) if "ChaCha" in name else ()
        found = accumulated.row(name, seal and (lambda *message: seal(*message, *tag_len)), 4)
        known = len(found) if seal else 3
        check(f"accumulated vectors of {name}", found[:known] == expected[:known])


def aead_vectors():
    files = ("chacha20-blake2b/aead.json", "aes-gcm-siv/rfc8452.json",
             "aes-gcm-siv/rfc8452-counter-wrap.json", "kuznyechik/rfc9058.json")
    for file in files:
        groups = json.loads((ROOT / "vectors" / file).read_text())["groups"]
        for group in groups:
            seal, open_ = aeads()[group["algorithm"].split("-Tag")[0]]
            for case in group["cases"]:
                field = {k: bytes.fromhex(v) for k, v in case.items() if k != "name"}
                sealed = field["ciphertext"] + field["tag"]
                message = field["key"], field.get("nonce", b""), field.get("aad", b"")
                tag_len = (len(field["tag"]),) if "ChaCha" in group["algorithm"] else ()
                name = f"{file}: {case['name']}"
                check(f"{name}, seal", seal(*message, field["plaintext"], *tag_len) == sealed)
                check(f"{name}, open", open_(*message, sealed, *tag_len) == field["plaintext"])
                forged = sealed[:-1] + bytes([sealed[-1] ^ 1])
                check(f"{name}, forged", open_(*message, forged, *tag_len) is None)


def primitives():
    """The parts of the ChaCha20-BLAKE2b family."""
    outputs = {
        "BLAKE2b": lambda case, size: chacha20_blake2b.keyed_hash(case["key"], size, case["input"]),
        "ChaCha20": lambda case, _: chacha20_blake2b.chacha20(
            case["key"], case["nonce"], case["input"], int.from_bytes(case["counter"], "big")),
        "HChaCha20": lambda case, _: chacha20_blake2b.hchacha20(case["key"], case["nonce"]),
        "XChaCha20": lambda case, _: chacha20_blake2b.xchacha20(case["key"], case["nonce"], case["input"])}
    for file in ("blake2b/keyed.json", "chacha20/chacha20.json"):
        for group in json.loads((ROOT / "vectors" / file).read_text())["groups"]:
            for case in group["cases"]:
                field = {k: bytes.fromhex(v) for k, v in case.items() if k != "name"}
                output = outputs[group["algorithm"]](field, len(field["output"]))
                check(f"{file}: {case['name']}", output == field["output"])


def both_ways(sivka):
    """What Python seals `sivka` opens, and the other way."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        key = hashlib.sha256(b"both ways").digest()
        (folder / "ours.key").write_text(key_text(key, "ours"))
        subprocess.run([sivka, "keygen", "-o", folder / "theirs.key"], check=True, capture_output=True, timeout=120)
        theirs = parse_key((folder / "theirs.key").read_bytes())
        check("names of keys", [*filter(is_name, ("a b", "", "a ", "\u3000a", "a\tb", "a\x85b"))] == ["a b"])
        (folder / "passphrase").write_text("correct horse\n")
        for number, name in NAMES.items():
            for length in LENS:
                text = hashlib.shake_128(b"%d" % length).digest(length)
                run = lambda *words, data: subprocess.run([sivka, *words], input=data, capture_output=True, timeout=120)
                opened = run("open", "--key", folder / "ours.key", "-", data=seal_file(text, key, suite=number))
                check(f"{name}, {length} B: sivka opens Python's", (opened.returncode, opened.stdout) == (0, text))
                sealed = run("seal", "--suite", name, "--key", folder / "theirs.key", "-", data=text)
                check(f"{name}, {length} B: Python opens sivka's", open_file(sealed.stdout, theirs).released == text)
        text = b"under a passphrase"
        file = seal_file(text, passphrase=b"correct horse", suite=2, cost=(256, 2, 2))
        opened = run("open", "--passphrase-file", folder / "passphrase", "-", data=file)
        check("passphrase: sivka opens Python's", (opened.returncode, opened.stdout) == (0, text))


def people(sivka):
    """age's keys: of its specification, and those that `sivka` makes, both ways."""
    identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    kem, key = recipients.decode(identity)
    check("age's example", recipients.encode("age", recipients.public_of(kem, key)) == recipient)
    with tempfile.TemporaryDirectory() as folder:
        for words in (), ("--x25519",):
            path = pathlib.Path(folder) / f"{len(words)}.key"
            made = subprocess.run([sivka, "keygen", "--identity", *words, "-o", path], check=True, capture_output=True, timeout=120)
            recipient = made.stdout.decode().strip()
            kem, identity = recipients.decode(path.read_text().split()[-1])
            check(f"{kem:#x}: the public key", recipients.decode(recipient) == (kem, recipients.public_of(kem, identity)))
            run = lambda *words, data: subprocess.run([sivka, *words], input=data, capture_output=True, timeout=120)
            file = seal_file(b"for a person", recipient=recipients.decode(recipient))
            opened = run("open", "--key", path, "-", data=file)
            check(f"{kem:#x}: sivka opens Python's", (opened.returncode, opened.stdout) == (0, b"for a person"))
            sealed = run("seal", "--recipient", recipient, "--spare-slots", "20", "-", data=b"for a person")
            check(f"{kem:#x}: Python opens sivka's", open_file(sealed.stdout, identity=(kem, identity)).released == b"for a person")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    aead_vectors()
    primitives()
    for file, text in columns.files().items():
        check(f"column-v1/{file}", (columns.FOLDER / file).read_text() == text)
    accumulated_vectors()
    file_vectors()
    check_table(folder_vectors.TABLE)
    check_table(compression.TABLE)
    sivka = pathlib.Path(sys.argv[1]).resolve()
    both_ways(sivka)
    people(sivka)
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(bool(counts[False]))


if __name__ == "__main__":
    main()
