"""Tink keysets: made, read, written, encrypted, rotated and used."""

from __future__ import annotations

import array
import copy
import json
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import pytest
from conftest import refused

import sivka

Form: TypeAlias = Literal["binary", "json"]
FORMS: tuple[Form, ...] = get_args(Form)


def opens(keyset: sivka.Keyset, sealed: bytes) -> bool:
    try:
        keyset.open(sealed)
    except sivka.InvalidTag:
        return False
    return True


def test_any_buffer_is_taken() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    numbers = array.array("i", [1, 2, 3])
    sealed = keyset.seal(numbers, memoryview(b"--aad--")[2:-2])
    assert keyset.open(bytearray(sealed), associated_data=b"aad") == numbers.tobytes()
    assert keyset.open(keyset.seal(data=b"text", associated_data=None)) == b"text"
    for form in FORMS:
        for kind in (bytearray, memoryview):
            clear = kind(keyset.to_insecure(form))
            assert sivka.Keyset.from_insecure(clear, form).info == keyset.info
    text = keyset.to_insecure("json").decode()
    assert sivka.Keyset.from_insecure(text, "json").info == keyset.info
    text = keyset.encrypt("json", keyset, bytearray(b"aad")).decode()
    assert sivka.Keyset.decrypt(text, "json", keyset, b"aad").info == keyset.info
    wrong: Any = "text"
    refused(TypeError, {"data: a bytes-like object expected": [lambda: keyset.seal(wrong)]})
    refused(TypeError, {"associated_data": [lambda: keyset.open(sealed, wrong)]})


def test_keys_are_added_promoted_disabled_destroyed_and_removed() -> None:
    """What each change does, the crate is asked; here which call is which, and what it raises."""
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    old = keyset.info.primary_key_id
    by_old = keyset.seal(b"old")
    added = keyset.add("XCHACHA20_POLY1305")
    assert keyset.info.primary_key_id == old
    keyset.promote(added)
    assert keyset.info.primary_key_id == added and len(keyset.seal(b"new")) == len(by_old) + 12
    keyset.disable(old)
    assert not opens(keyset, by_old)
    refused(ValueError, {f"key {old} is not enabled": [lambda: keyset.promote(old)]})
    keyset.enable(old)
    assert opens(keyset, by_old)
    keyset.destroy(old)
    assert keyset.info.keys[0] == sivka.KeysetKey(old, None, "destroyed", "tink")
    refused(ValueError, {f"key {old} is destroyed": [lambda: keyset.enable(old)]})
    keyset.remove(old)
    changes = keyset.remove, keyset.promote, keyset.enable, keyset.disable, keyset.destroy
    refused(ValueError, {f"there is no key {old}": [partial(of, old) for of in changes]})
    refused(ValueError, {f"key {added} is the primary": [lambda: keyset.remove(added)]})
    third = keyset.rotate("AES128_GCM")
    assert [key.key_id for key in keyset.info.keys] == [added, third]


def test_a_refused_change_leaves_the_keyset_as_it_was() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    before, sealed = keyset.to_insecure("binary"), keyset.seal(b"text")
    for name in sivka.templates():
        assert len(sivka.Keyset.generate(name).info.keys) == 1
    others = [lambda: keyset.add("AES256_SIV"), lambda: keyset.rotate("AES256_SIV")]
    refused(ValueError, {"the keyset is for AEAD": others})
    wrong: Any
    for wrong in ("AES256", "", "AES256_GCM_SIV\0", "\ud800", b"AES256_GCM_SIV", None):
        calls = [lambda: keyset.add(wrong), lambda: sivka.Keyset.generate(wrong)]
        error = ValueError if isinstance(wrong, str) else TypeError
        refused(error, {"^template: .* expected, |surrogates": calls})
    assert keyset.to_insecure("binary") == before
    assert keyset.open(sealed) == b"text"


def test_a_copy_goes_its_own_way() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    other = keyset.copy()
    added = other.rotate("AES256_GCM_SIV")
    assert [key.key_id for key in keyset.info.keys] == [keyset.info.primary_key_id]
    assert other.info.primary_key_id == added
    sealed = keyset.seal(b"text")
    keyset.close()
    assert other.open(sealed) == b"text"


class _Service:
    """A key-management service with one key, and an answer of its own if it has one."""

    def __init__(self) -> None:
        self.calls = 0
        self.answer: Any = self
        self._key = sivka.AESGCMSIV(bytes(32))

    def encrypt(self, plaintext: bytes, associated_data: bytes, /) -> bytes:
        return self._answer(lambda: self._key.seal(plaintext, associated_data))

    def decrypt(self, ciphertext: bytes, associated_data: bytes, /) -> bytes:
        return self._answer(lambda: self._key.open(ciphertext, associated_data))

    def _answer(self, usual: Callable[[], bytes]) -> bytes:
        self.calls += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: bytes = usual() if self.answer is self else self.answer
        return answer


@pytest.mark.parametrize("form", FORMS)
def test_encrypted_under_a_master(form: Form) -> None:
    keyset, service = sivka.Keyset.generate("AES256_SIV"), _Service()
    clear, encrypted = keyset.to_insecure("binary"), b""
    masters: list[Any] = [
        sivka.Keyset.generate("AES256_GCM"),
        sivka.XChaCha20BLAKE2b(bytes(32)),
        sivka.XChaCha20BLAKE2bSIV(bytes(32)),
        sivka.KuznyechikMGM(bytes(32)),
        sivka.AESSIV(bytes(64)),
        service,
    ]
    for master in masters:
        encrypted = keyset.encrypt(form, master, b"prod/eu")
        read = sivka.Keyset.decrypt(encrypted, form, master, b"prod/eu")
        assert read.to_insecure("binary") == clear
        for aad in (b"prod/us", None):
            with pytest.raises(sivka.InvalidTag):
                sivka.Keyset.decrypt(encrypted, form, master, aad)
    assert service.calls == 4
    # The service sees the same bytes as an AEAD that encrypts: both read both.
    key = sivka.AESGCMSIV(bytes(32))
    assert sivka.Keyset.decrypt(encrypted, form, key, b"prod/eu").to_insecure("binary") == clear
    with pytest.raises(sivka.InvalidTag):
        sivka.Keyset.decrypt(encrypted, form, masters[0], b"prod/eu")
    refused(
        sivka.KeysetError,
        {
            "an encrypted keyset": [lambda: sivka.Keyset.from_insecure(encrypted, form)],
            "a keyset in the clear": [
                lambda: sivka.Keyset.decrypt(keyset.to_insecure(form), form, key)
            ],
        },
    )
    other = [lambda: sivka.Keyset.decrypt(encrypted, form, keyset)]
    refused(ValueError, {"the keyset is for deterministic AEAD": other})


@pytest.mark.parametrize("form", FORMS)
def test_a_service_that_answers_something_else(form: Form) -> None:
    keyset, service = sivka.Keyset.generate("AES256_GCM_SIV"), _Service()
    encrypted = keyset.encrypt(form, service)
    refusals: list[tuple[Any, type[Exception], str]] = [
        (ConnectionError("not reached"), ConnectionError, "not reached"),
        ("text", TypeError, "the answer of the master"),
        (bytes(2**20 + 1), ValueError, "answered 1048577 bytes"),
    ]
    calls: list[Callable[[], object]] = [
        lambda: sivka.Keyset.decrypt(encrypted, form, service),
        lambda: keyset.encrypt(form, service),
    ]
    for service.answer, error, text in refusals:
        refused(error, {text: calls})
    for service.answer in (b"no keyset", bytearray()):
        with pytest.raises(sivka.KeysetError):
            sivka.Keyset.decrypt(encrypted, form, service)
    refused(ValueError, {"an encrypted keyset is not empty": calls[1:]})


def test_other_masters_are_refused() -> None:
    keyset, key = sivka.Keyset.generate("AES256_GCM"), sivka.AESGCMSIV(bytes(32))
    encrypted, other = keyset.encrypt("binary", key), sivka.Keyset.generate("AES256_GCM")
    key.close()
    other.close()

    def calls(master: Any) -> list[Callable[[], object]]:
        return [
            lambda: keyset.encrypt("binary", master),
            lambda: sivka.Keyset.decrypt(encrypted, "binary", master),
        ]

    for wrong in (None, bytes(32), sivka.Kuznyechik(bytes(32))):
        refused(TypeError, {"master: a Keyset, the key of an AEAD": calls(wrong)})
    short = calls(sivka.ChaCha20BLAKE2b(bytes(32)))[:1]
    closed = {"the key is closed": calls(key), "the keyset is closed": calls(other)}
    refused(ValueError, {"too short to be random": short, **closed})


def test_what_is_no_keyset_is_said_with_the_place() -> None:
    read, keyset = sivka.Keyset.from_insecure, sivka.Keyset.generate("AES256_GCM")
    number, text = keyset.info.primary_key_id, keyset.to_insecure("json").decode()
    cases: list[tuple[Any, Form, type[Exception], str]] = [
        (b'{"key":3}', "json", sivka.KeysetError, r"at byte 7 \(key\)"),
        (b"", "binary", sivka.KeysetError, "no key"),
        (bytes((1 << 20) + 1), "binary", sivka.KeysetError, "."),
        (
            text.replace("AesGcmKey", "HmacKey"),
            "json",
            sivka.UnsupportedKeyError,
            rf"key {number} \(key\[0\]\).*HmacKey",
        ),
        ("text", "binary", TypeError, "data: a bytes-like object expected, str given"),
    ]
    for data, form, error, said in cases:
        refused(error, {said: [partial(read, data, form)]})
    wrong: Any
    for wrong in ("", "JSON", "binary\0"):
        calls = [lambda: read(b"{}", wrong), lambda: keyset.to_insecure(wrong)]
        refused(ValueError, {"form: 'binary' or 'json' expected": calls})
    for wrong in (None, b"json"):
        refused(TypeError, {"form: a str expected": [lambda: read(b"{}", wrong)]})


def test_keys_that_seal_to_other_lengths() -> None:
    # There is room for the least overhead of the keys that are tried: more than is opened.
    keyset = sivka.Keyset.generate("AES256_GCM_RAW")
    keyset.rotate("XAES_256_GCM_160_BIT_NONCE_RAW")
    sealed = keyset.seal(b"text")
    assert len(sealed) == 4 + 36
    assert keyset.open(sealed) == b"text"
    assert len(keyset.open(keyset.seal(bytes(70_000)))) == 70_000


def test_nothing_shows_a_key() -> None:
    keyset = sivka.Keyset.generate("AES256_SIV")
    old = keyset.info.primary_key_id
    new = keyset.rotate("AES256_SIV")
    keyset.destroy(old)
    expected = f"primary {new}: {old} destroyed tink, {new} AesSivKey enabled tink"
    assert str(keyset.info) == expected
    assert repr(keyset) == str(keyset) == f"<sivka.Keyset, {expected}>"
    ways = [partial(way, keyset) for way in (pickle.dumps, copy.copy, copy.deepcopy)]
    refused(TypeError, {"cannot pickle": ways})
    assert not hasattr(keyset, "__dict__")
    keyset.close()
    assert repr(keyset) == "<sivka.Keyset, closed>"


def test_no_exception_shows_a_key() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM")
    text = keyset.to_insecure("json").decode()
    value = json.loads(text)["key"][0]["keyData"]["value"]
    broken = [text[:-3], "\ud800", text.replace('"key"', '"\ud800"')]
    broken += [text.replace(value, each) for each in (value[:-4], f"{value}=", f"{value}\u2603")]
    for each in broken:
        with pytest.raises((sivka.KeysetError, ValueError)) as caught:
            sivka.Keyset.from_insecure(each, "json")
        error: BaseException | None = caught.value
        while error is not None:
            said = f"{error!r} {error.args} {vars(error)} {getattr(error, 'object', '')}"
            assert value[:8] not in said
            error = error.__context__


def test_made_by_its_methods_only() -> None:
    kind: Any = sivka.Keyset
    made = [kind, lambda: kind("AES256_GCM_SIV")]
    refused(TypeError, {"make a Keyset by its methods": made})
    refused(TypeError, {"not an acceptable base type": [lambda: type("Mine", (kind,), {})]})


def test_a_closed_keyset_is_refused() -> None:
    with sivka.Keyset.generate("AES256_GCM_SIV") as keyset:
        sealed = keyset.seal(b"text")
    keyset.close()
    calls: list[Callable[[], object]] = [
        lambda: keyset.seal(b"text"),
        lambda: keyset.open(sealed),
        lambda: keyset.add("AES256_GCM_SIV"),
        lambda: keyset.promote(1),
        lambda: keyset.to_insecure("json"),
        lambda: keyset.encrypt("json", sivka.AESGCMSIV(bytes(32))),
        lambda: keyset.info,
        lambda: keyset.copy(),
    ]
    refused(ValueError, {"the keyset is closed": calls})
