"""Tink keysets of others, and what was sealed under them: vectors/keyset/tink.json, but for
streams and the envelope of a key-management service, which are for Rust alone."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from conftest import VECTORS
from test_keysets import TINK, Form, flipped, is_deterministic, open_, opens

import sivka

VECTOR_FILE = json.loads((VECTORS / "keyset/tink.json").read_text(encoding="utf-8"))


def test_nothing_is_forgotten() -> None:
    here = {"keysets", "raw", "values", "encrypted"}
    assert set(VECTOR_FILE) == here | {"envelope", "streams"}
    assert [len(vector["messages"]) for vector in VECTOR_FILE["keysets"]] == [2, 3, 1, 4]
    assert [len(vector["refused"]) for vector in VECTOR_FILE["keysets"]] == [0, 1, 0, 0]
    assert len(VECTOR_FILE["raw"]) == len(VECTOR_FILE["values"]) == 5


def fields(message: dict[str, Any]) -> tuple[bytes, bytes, bytes]:
    """Associated data, plaintext, and what was sealed."""
    aad, text, sealed = (message[name] for name in ("aad", "plaintext", "ciphertext"))
    return bytes.fromhex(aad), bytes.fromhex(text), bytes.fromhex(sealed)


def keyset_of(kind: str, value: bytes) -> sivka.Keyset:
    """A keyset with one key without a prefix, from its message of protocol buffers."""
    data = {
        "typeUrl": TINK + kind,
        "value": base64.b64encode(value).decode(),
        "keyMaterialType": "SYMMETRIC",
    }
    key = {"keyData": data, "status": "ENABLED", "keyId": 1, "outputPrefixType": "RAW"}
    return sivka.Keyset.from_insecure(json.dumps({"primaryKeyId": 1, "key": [key]}), "json")


@pytest.mark.parametrize("vector", VECTOR_FILE["keysets"], ids=lambda vector: vector["name"])
def test_vectors(vector: dict[str, Any]) -> None:
    keyset = sivka.Keyset.from_insecure(vector["json"], "json")
    assert keyset.to_insecure("json").decode() == vector["json"] + "\n"
    assert keyset.info.purpose == vector["primitive"]
    if vector["binary"]:
        binary = bytes.fromhex(vector["binary"])
        assert keyset.to_insecure("binary") == binary
        same = sivka.Keyset.from_insecure(binary, "binary")
        assert same.to_insecure("json") == keyset.to_insecure("json")
    for message in vector["messages"]:
        aad, text, sealed = fields(message)
        assert open_(keyset, sealed, aad) == text
        if is_deterministic(keyset):
            assert keyset.seal_deterministically(text, aad) == sealed
        for at in range(len(sealed)):
            assert not opens(keyset, flipped(sealed, at), aad)
            assert not opens(keyset, sealed[:at], aad)
    for message in vector["refused"]:
        aad, text, sealed = fields(message)
        assert not opens(keyset, sealed, aad)
        keyset.enable(9)
        assert open_(keyset, sealed, aad) == text


@pytest.mark.parametrize("number", range(5))
def test_vectors_of_keys(number: int) -> None:
    raw, whole = VECTOR_FILE["raw"][number], VECTOR_FILE["values"][number]
    for vector, value in ((raw, value_of(raw)), (whole, bytes.fromhex(whole["value"]))):
        keyset = keyset_of(vector["type"], value)
        aad, text, sealed = fields(vector)
        assert keyset.open(sealed, aad) == text
        assert len(keyset.seal(text, aad)) == len(sealed)
        for at in range(len(sealed)):
            assert not opens(keyset, flipped(sealed, at), aad)
            assert not opens(keyset, sealed[:at], aad)


def value_of(raw: dict[str, Any]) -> bytes:
    """The message of a key: its bytes are field 3, or 2 for ChaCha20-Poly1305; the length of a
    salt stands in field 2."""
    key = bytes.fromhex(raw["key"])
    salt = bytes([0x12, 2, 8, raw["salt_len"]]) if raw["type"] == "XAesGcmKey" else b""
    number = 2 if raw["type"] == "ChaCha20Poly1305Key" else 3
    return salt + bytes([number << 3 | 2, len(key)]) + key


def test_vector_of_an_old_android() -> None:
    # The same key as that of the first keyset, under AES-GCM.
    keyset = sivka.Keyset.from_insecure(VECTOR_FILE["keysets"][0]["json"], "json")
    aad, text, sealed = fields(VECTOR_FILE["raw"][0])
    sealed = bytes.fromhex("01cafebabe") + sealed
    assert not opens(keyset, sealed, aad)
    assert keyset.open_android_aes_gcm(sealed, aad) == text
    for at in range(len(sealed)):
        with pytest.raises(sivka.InvalidTag):
            keyset.open_android_aes_gcm(flipped(sealed, at), aad)
        with pytest.raises(sivka.InvalidTag):
            keyset.open_android_aes_gcm(sealed[:at], aad)


def test_vectors_of_encrypted_keysets() -> None:
    expected = sivka.Keyset.from_insecure(VECTOR_FILE["keysets"][0]["json"], "json")
    encrypted = VECTOR_FILE["encrypted"]
    master = sivka.AESGCMSIV(bytes.fromhex(encrypted["key"]))
    forms: list[tuple[bytes | str, Form]] = [
        (bytes.fromhex(encrypted["binary"]), "binary"),
        (bytes.fromhex(encrypted["binary_with_info"]), "binary"),
        (encrypted["json"], "json"),
    ]
    for data, form in forms:
        read = sivka.Keyset.decrypt(data, form, master)
        assert read.to_insecure("binary") == expected.to_insecure("binary")
        with pytest.raises(sivka.InvalidTag):
            sivka.Keyset.decrypt(data, form, master, b"prod/eu")
    other = encrypted["other"]
    sealed = base64.b64encode(bytes.fromhex(other["encrypted_keyset"])).decode()
    data, aad = json.dumps({"encryptedKeyset": sealed}), bytes.fromhex(other["associated_data"])
    read = sivka.Keyset.decrypt(data, "json", master, aad)
    assert read.to_insecure("binary") == expected.to_insecure("binary")
