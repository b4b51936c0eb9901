"""Every file under vectors/ that the public interface can reach is read and passed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import VECTORS

import sivka
from sivka import _native

# How many cases each file has.
AEAD_FILES = {
    "aes-gcm-siv/rfc8452-counter-wrap.json": 2,
    "aes-gcm-siv/rfc8452.json": 48,
    "aes-siv/aead.json": 26,
    "chacha20-blake2b/aead.json": 180,
    "kuznyechik/rfc9058.json": 2,
}
BLOCK_FILES = {
    "kuznyechik/chain.json",
    "kuznyechik/ctr-acpkm.json",
    "kuznyechik/gost-r-34.13-2015.json",
    "kuznyechik/rfc7801.json",
}
LIST_FILE = "aes-siv/lists.json"
# Which other file of tests reads them.
FILES_ELSEWHERE = {
    "accumulated/accumulated.json": "matrix.py",
    "column-v1/keys.json": "test_columns.py",
    "keyset/tink.json": "test_keyset_vectors.py",
}
# What no public interface of this package reaches, and why.
OTHER_FILES = {
    "blake2b/keyed.json": "the hash inside an AEAD",
    "chacha20/chacha20.json": "the cipher inside an AEAD",
    "kuznyechik/rfc9058-steps.json": "values on the way to a tag",
}
CLASSES: dict[str, Any] = {
    "AES-128-GCM-SIV": sivka.AESGCMSIV,
    "AES-256-GCM-SIV": sivka.AESGCMSIV,
    "ChaCha20-BLAKE2b": sivka.ChaCha20BLAKE2b,
    "XChaCha20-BLAKE2b": sivka.XChaCha20BLAKE2b,
    "XChaCha20-BLAKE2b-SIV": sivka.XChaCha20BLAKE2bSIV,
    "AES-SIV-256": sivka.AESSIV,
    "AES-SIV-384": sivka.AESSIV,
    "AES-SIV-512": sivka.AESSIV,
    "Kuznyechik-MGM": sivka.KuznyechikMGM,
}
FIELDS = ("key", "nonce", "aad", "plaintext", "ciphertext", "tag")
# The exception of each error in section 9 of the file format, and nothing that derives
# from it.
EXPECTED: dict[str, type[Exception]] = {
    "cost-too-high": sivka.CostLimitError,
    "damaged": sivka.DamagedError,
    "damaged-end": sivka.DamagedError,
    "header-damaged": sivka.DamagedError,
    "no-slot-opens": sivka.WrongKeyError,
    "not-sivka": sivka.NotSivkaError,
    "payload-mismatch": sivka.DamagedError,
    "truncated": sivka.TruncatedError,
    "unknown-slot": sivka.NewerVersionError,
    "unknown-suite": sivka.NewerVersionError,
    "unknown-version": sivka.NewerVersionError,
}
SEALED_FILES = sorted((VECTORS / "file-v1").glob("*.vec"))


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def test_no_file_is_forgotten() -> None:
    found = {path.relative_to(VECTORS).as_posix() for path in VECTORS.glob("*/*.json")}
    here = AEAD_FILES.keys() | BLOCK_FILES | {LIST_FILE}
    assert found == here | FILES_ELSEWHERE.keys() | OTHER_FILES.keys()
    assert len(list((VECTORS / "file-v1").iterdir())) == len(SEALED_FILES) + 1
    assert len([path for path in SEALED_FILES if path.name.startswith("ok_")]) == 15
    assert len([path for path in SEALED_FILES if path.name.startswith("fail_")]) == 85


@pytest.mark.parametrize("name", AEAD_FILES)
def test_aead(name: str) -> None:
    checked = 0
    for group in load(name)["groups"]:
        assert set(group) == {"algorithm", "section", "case_count", "cases"}
        assert group["case_count"] == len(group["cases"])
        for case in group["cases"]:
            assert set(case) | {"nonce"} == {"name", *FIELDS}
            fields = (bytes.fromhex(case.get(field, "")) for field in FIELDS)
            check_case(CLASSES[group["algorithm"]], *fields)
            checked += 1
    assert checked == AEAD_FILES[name]


def check_case(
    algorithm: Any, key: bytes, nonce: bytes, aad: bytes, text: bytes, ciphertext: bytes, tag: bytes
) -> None:
    """All levels and both batches, sealing and opening."""
    extra = {"tag_length": len(tag)} if len(tag) > 16 else {}
    made = algorithm(key, **extra)
    nonces = [nonce] if nonce else []
    sealed = tag + ciphertext if algorithm is sivka.AESSIV else ciphertext + tag
    assert made.encrypt(*nonces, text, aad) == sealed
    assert made.decrypt(*nonces, sealed, aad) == text
    buf = bytearray(len(sealed))
    assert made.encrypt_into(*nonces, text, aad, buf) == len(sealed)
    assert buf == sealed
    buf = bytearray(len(text))
    assert made.decrypt_into(*nonces, sealed, aad, buf) == len(text)
    assert buf == text
    if algorithm is not sivka.ChaCha20BLAKE2b:
        assert made.open(nonce + sealed, aad) == text
        assert made.open(made.seal(text, aad), aad) == text
    with pytest.raises(sivka.InvalidTag):
        made.decrypt(*nonces, sealed[:-1] + bytes([sealed[-1] ^ 1]), aad)
    # As many as fill lanes and leave some over.
    many = [[nonce] * 19] if nonce else []
    assert made.encrypt_batch(*many, [text] * 19, aad) == [sealed] * 19
    assert made.decrypt_batch(*many, [sealed] * 19, [aad] * 19) == [text] * 19
    offsets = memoryview(b"".join((i * len(text)).to_bytes(4, "little") for i in range(4))).cast(
        "i"
    )
    joined = [nonce * 3] if nonce else []
    out, tags = made.encrypt_batch_contiguous(*joined, text * 3, offsets, aad)
    assert (out, tags) == (ciphertext * 3, tag * 3)
    out, opened = made.decrypt_batch_contiguous(*joined, out, tags, offsets, aad)
    assert (out, opened) == (text * 3, bytes([1, 1, 1]))


def test_lists() -> None:
    checked = 0
    for group in load(LIST_FILE)["groups"]:
        for case in group["cases"]:
            key = sivka.AESSIV(bytes.fromhex(case["key"]))
            text, ciphertext, tag = (
                bytes.fromhex(case[f]) for f in ("plaintext", "ciphertext", "tag")
            )
            strings = [bytes.fromhex(string) for string in case["associated_data"]]
            assert key.encrypt_with_list(text, strings) == tag + ciphertext
            assert key.decrypt_with_list(tag + ciphertext, map(bytearray, strings)) == text
            if len(strings) < 126:
                with pytest.raises(sivka.InvalidTag):
                    key.decrypt_with_list(tag + ciphertext, [*strings, b""])
            checked += 1
    assert checked == 7


def test_lists_that_are_refused() -> None:
    key = sivka.AESSIV(bytes(64))
    assert key.encrypt_with_list(b"text", [b""]) == key.encrypt(b"text")
    assert key.encrypt_with_list(b"text", []) != key.encrypt(b"text")
    with pytest.raises(ValueError, match="at most 126"):
        key.encrypt_with_list(b"text", [b""] * 127)
    wrong: Any
    for wrong in (b"one", None, 3, [b"one", "two"]):
        with pytest.raises(TypeError, match="associated_data|iterable"):
            key.encrypt_with_list(b"text", wrong)
    with pytest.raises(TypeError, match="associated_data"):
        key.encrypt(b"text", wrong)
    with pytest.raises(sivka.InvalidTag):
        key.decrypt_with_list(bytes(15), [])
    key.close()
    with pytest.raises(ValueError, match="closed"):
        key.encrypt_with_list(b"text", [])


def test_kuznyechik_rfc7801() -> None:
    vector = load("kuznyechik/rfc7801.json")
    key = sivka.Kuznyechik(bytes.fromhex(vector["key"]))
    plaintext, ciphertext = (bytes.fromhex(vector[f]) for f in ("plaintext", "ciphertext"))
    assert key.encrypt_blocks(plaintext) == ciphertext
    assert key.decrypt_blocks(ciphertext) == plaintext


def test_kuznyechik_gost() -> None:
    vector = load("kuznyechik/gost-r-34.13-2015.json")
    key, plaintext = (bytes.fromhex(vector[f]) for f in ("key", "plaintext"))
    ciphertext = bytes.fromhex(vector["ecb"])
    assert sivka.Kuznyechik(key).encrypt_blocks(plaintext) == ciphertext
    assert sivka.Kuznyechik(key).decrypt_blocks(ciphertext) == plaintext
    iv, ciphertext = (bytes.fromhex(vector["ctr"][f]) for f in ("iv", "ciphertext"))
    in_pieces(lambda: sivka.KuznyechikCTR(key, iv), plaintext, ciphertext)
    for name in ("tag", "tag_printed_by_the_standard"):
        tag = bytes.fromhex(vector["omac"][name])
        omac = sivka.KuznyechikOMAC(key, len(tag))
        assert omac.tag(plaintext) == tag
        omac.verify(plaintext, tag)
        for piece in range(1, len(plaintext) + 1):
            for at in range(0, len(plaintext), piece):
                omac.update(plaintext[at : at + piece])
            omac.finalize_and_verify(tag)


def test_kuznyechik_ctr_acpkm() -> None:
    vector = load("kuznyechik/ctr-acpkm.json")
    key, iv = (bytes.fromhex(vector[f]) for f in ("key", "iv"))
    plaintext, ciphertext = (bytes.fromhex(vector[f]) for f in ("plaintext", "ciphertext"))
    length = vector["section_len"]
    in_pieces(lambda: sivka.KuznyechikCTRACPKM(key, iv, length), plaintext, ciphertext)


def in_pieces(
    start: Callable[[], sivka.KuznyechikCTR | sivka.KuznyechikCTRACPKM],
    plaintext: bytes,
    ciphertext: bytes,
) -> None:
    for piece in range(1, len(plaintext) + 1):
        ctr = start()
        pieces = [plaintext[at : at + piece] for at in range(0, len(plaintext), piece)]
        assert b"".join(map(ctr.update, pieces)) == ciphertext
    assert start().update(ciphertext) == plaintext


def test_kuznyechik_chain() -> None:
    vector = load("kuznyechik/chain.json")
    key = sivka.Kuznyechik(bytes.fromhex(vector["key"]))
    lanes = [bytes.fromhex(lane) for lane in vector["lanes"]]
    assert len(lanes) == 32
    blocks = bytearray(b"".join(bytes([lane]) + bytes(15) for lane in range(len(lanes))))
    for _ in range(vector["times"]):
        key.encrypt_blocks_into(blocks, blocks)
    assert blocks == b"".join(lanes)


@pytest.mark.parametrize("path", SEALED_FILES, ids=lambda path: path.stem)
def test_sealed_file(path: Path, tmp_path: Path) -> None:
    head, _, content = path.read_bytes().partition(b"\n\n")
    lines = dict(line.split(": ", 1) for line in head.decode().splitlines())
    sealed, out = tmp_path / "sealed", tmp_path / "out"
    sealed.write_bytes(content)
    secrets: dict[str, Any] = {}
    if "key" in lines:
        secrets["key"] = _native.key_text_from_bytes(bytes.fromhex(lines["key"]), "vector")
    if "passphrase" in lines:
        secrets["passphrase"] = lines["passphrase"]
    assert secrets
    if lines["expect"] == "success":
        sivka.verify_file(sealed, **secrets)
        sivka.open_file_into(sealed, out, **secrets)
        assert hashlib.sha256(out.read_bytes()).hexdigest() == lines["payload"]
        with sivka.open_file(sealed, **secrets) as file:
            assert hashlib.sha256(file.readall()).hexdigest() == lines["payload"]
        return
    expected = EXPECTED[lines["expect"]]
    with pytest.raises(sivka.FileError) as caught:
        sivka.verify_file(sealed, **secrets)
    assert caught.type is expected
    with pytest.raises(sivka.FileError) as caught:
        sivka.open_file_into(sealed, out, **secrets)
    assert caught.type is expected
    assert sorted(tmp_path.iterdir()) == [sealed]
    read_until_failure(sealed, secrets, lines)


def read_until_failure(sealed: Path, secrets: dict[str, Any], lines: dict[str, str]) -> None:
    """A reader that seeks looks at the end first; it too releases nothing damaged."""
    released = hashlib.sha256()
    # What no reader of the whole file may see: the order in which it is read is another.
    with pytest.raises(sivka.FileError):
        with sivka.open_file(sealed, **secrets) as file:
            while block := file.read(16384):
                released.update(block)
    if lines["expect"] == "damaged":
        assert released.hexdigest() == lines["payload"]
