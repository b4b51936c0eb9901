"""Tink keysets: made, read, written, encrypted, rotated and used."""

from __future__ import annotations

import array
import base64
import copy
import json
import pickle
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import pytest

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
    wrong: Any
    for wrong in ("text", None, 3):
        with pytest.raises(TypeError, match="data: a bytes-like object expected"):
            keyset.seal(wrong)
    with pytest.raises(TypeError, match="associated_data"):
        keyset.open(sealed, wrong)


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
    with pytest.raises(ValueError, match=f"key {old} is not enabled"):
        keyset.promote(old)
    keyset.enable(old)
    assert opens(keyset, by_old)
    keyset.destroy(old)
    assert keyset.info.keys[0] == sivka.KeysetKey(old, None, "destroyed", "tink")
    with pytest.raises(ValueError, match=f"key {old} is destroyed"):
        keyset.enable(old)
    keyset.remove(old)
    for change in (keyset.remove, keyset.promote, keyset.enable, keyset.disable, keyset.destroy):
        with pytest.raises(ValueError, match=f"there is no key {old}"):
            change(old)
    with pytest.raises(ValueError, match=f"key {added} is the primary"):
        keyset.remove(added)
    third = keyset.rotate("AES128_GCM")
    assert [key.key_id for key in keyset.info.keys] == [added, third]


def test_a_refused_change_leaves_the_keyset_as_it_was() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    before, sealed = keyset.to_insecure("binary"), keyset.seal(b"text")
    for name in sivka.templates():
        assert len(sivka.Keyset.generate(name).info.keys) == 1
    for change in (keyset.add, keyset.rotate):
        with pytest.raises(ValueError, match="the keyset is for AEAD"):
            change("AES256_SIV")
    wrong: Any
    for call in (keyset.add, sivka.Keyset.generate):
        for wrong in ("AES256", "", "AES256_GCM_SIV\0", "\ud800"):
            with pytest.raises(ValueError, match="^template: .* expected, |surrogates"):
                call(wrong)
        for wrong in (b"AES256_GCM_SIV", None):
            with pytest.raises(TypeError, match="template: a str expected"):
                call(wrong)
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
        return self._answer() or self._key.seal(plaintext, associated_data)

    def decrypt(self, ciphertext: bytes, associated_data: bytes, /) -> bytes:
        return self._answer() or self._key.open(ciphertext, associated_data)

    def _answer(self) -> Any:
        self.calls += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return None if self.answer is self else self.answer


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
    with pytest.raises(sivka.KeysetError, match="an encrypted keyset"):
        sivka.Keyset.from_insecure(encrypted, form)
    with pytest.raises(sivka.KeysetError, match="a keyset in the clear"):
        sivka.Keyset.decrypt(keyset.to_insecure(form), form, key)
    with pytest.raises(ValueError, match="the keyset is for deterministic AEAD"):
        keyset.encrypt(form, keyset)
    with pytest.raises(ValueError, match="the keyset is for deterministic AEAD"):
        sivka.Keyset.decrypt(encrypted, form, keyset)


@pytest.mark.parametrize("form", FORMS)
def test_a_service_that_answers_something_else(form: Form) -> None:
    keyset, service = sivka.Keyset.generate("AES256_GCM_SIV"), _Service()
    encrypted = keyset.encrypt(form, service)
    refusals: list[tuple[Any, type[Exception], str]] = [
        (ConnectionError("not reached"), ConnectionError, "not reached"),
        ("text", TypeError, "the answer of the master"),
        (bytes(2**20 + 1), ValueError, "answered 1048577 bytes"),
    ]
    for service.answer, error, text in refusals:
        with pytest.raises(error, match=text):
            sivka.Keyset.decrypt(encrypted, form, service)
        with pytest.raises(error, match=text):
            keyset.encrypt(form, service)
    service.answer = b"no keyset"
    with pytest.raises(sivka.KeysetError):
        sivka.Keyset.decrypt(encrypted, form, service)


def test_other_masters_are_refused() -> None:
    keyset, key = sivka.Keyset.generate("AES256_GCM"), sivka.AESGCMSIV(bytes(32))
    encrypted, other = keyset.encrypt("binary", key), sivka.Keyset.generate("AES256_GCM")

    class Mine(sivka.AESGCMSIV):
        pass

    assert sivka.Keyset.decrypt(encrypted, "binary", Mine(bytes(32))).info == keyset.info
    key.close()
    other.close()
    wrong: Any
    for wrong, error, text in (
        (sivka.ChaCha20BLAKE2b(bytes(32)), ValueError, "too short to be random"),
        (None, TypeError, "master: a Keyset, the key of an AEAD"),
        (bytes(32), TypeError, "master: a Keyset, the key of an AEAD"),
        (sivka.Kuznyechik(bytes(32)), TypeError, "master: a Keyset, the key of an AEAD"),
        (key, ValueError, "the key is closed"),
        (other, ValueError, "the keyset is closed"),
    ):
        with pytest.raises(error, match=text):
            keyset.encrypt("binary", wrong)
        if not isinstance(wrong, sivka.ChaCha20BLAKE2b):
            with pytest.raises(error, match=text):
                sivka.Keyset.decrypt(encrypted, "binary", wrong)


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
        with pytest.raises(error, match=said):
            read(data, form)
    wrong: Any
    for wrong in ("", "JSON", "xml", "binary\0"):
        for call in (lambda: read(b"{}", wrong), lambda: keyset.to_insecure(wrong)):
            with pytest.raises(ValueError, match="form: 'binary' or 'json' expected"):
                call()
    for wrong in (None, 1, b"json"):
        with pytest.raises(TypeError, match="form: a str expected"):
            read(b"{}", wrong)


def test_duplicates_in_an_encrypted_keyset() -> None:
    made, master = sivka.Keyset.generate("AES256_GCM"), sivka.AESGCMSIV(bytes(32))
    parts = json.loads(made.to_insecure("json"))
    (entry,) = parts["key"]
    primary, other, third = 1, 2, 3
    parts["primaryKeyId"] = primary
    parts["key"] = [{**entry, "keyId": number} for number in (primary, other, third)]
    keyset = sivka.Keyset.from_insecure(json.dumps(parts), "json")
    # The id is the field 3 of a key, before its prefix.
    content = keyset.to_insecure("binary").replace(b"\x18\x03\x20", b"\x18\x02\x20")
    sealed = base64.b64encode(master.seal(content)).decode()
    encrypted = json.dumps({"encryptedKeyset": sealed})
    with pytest.raises(sivka.KeysetError, match=rf"key {other} \(key\[2\]\)"):
        sivka.Keyset.decrypt(encrypted, "json", master)
    for read in (
        sivka.Keyset.decrypt(encrypted, "json", master, allow_duplicate_ids=True),
        sivka.Keyset.from_insecure(content, "binary", allow_duplicate_ids=True),
    ):
        assert [key.key_id for key in read.info.keys] == [primary, other, other]
        with pytest.raises(ValueError, match=f"several keys have the id {other}"):
            read.to_insecure("json")
        read.remove(other)
        assert len(read.info.keys) == 1


def test_the_other_purpose_is_refused() -> None:
    keyset, siv = sivka.Keyset.generate("AES256_GCM_SIV"), sivka.Keyset.generate("AES256_SIV")
    for purpose, calls in {
        "deterministic AEAD": (siv.seal, siv.open),
        "AEAD": (keyset.seal_deterministically, keyset.open_deterministically),
    }.items():
        for call in calls:
            with pytest.raises(ValueError, match=f"the keyset is for {purpose}"):
                call(bytes(50))


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
    number = keyset.info.primary_key_id
    expected = f"primary {number}: {number} AesSivKey enabled tink"
    assert str(keyset.info) == expected
    assert repr(keyset) == str(keyset) == f"<sivka.Keyset, {expected}>"
    keyset.rotate("AES256_SIV")
    keyset.destroy(number)
    new = keyset.info.primary_key_id
    assert str(keyset.info) == (
        f"primary {new}: {number} destroyed tink, {new} AesSivKey enabled tink"
    )
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle"):
            way(keyset)
    assert not hasattr(keyset, "__dict__")
    keyset.close()
    assert repr(keyset) == "<sivka.Keyset, closed>"


def test_no_exception_shows_a_key() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM")
    text = keyset.to_insecure("json").decode()
    value = json.loads(text)["key"][0]["keyData"]["value"]
    broken = [
        text[:-3],
        text.replace(value, value[:-4]),
        text.replace(value, value + "="),
        "\ud800",
    ]
    broken += [text.replace('"key"', '"\ud800"'), text.replace(value, f"{value}\N{SNOWMAN}")]
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
    for arguments in ((), ("AES256_GCM_SIV",)):
        with pytest.raises(TypeError, match="make a Keyset by its methods"):
            kind(*arguments)
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (kind,), {})


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
    for call in calls:
        with pytest.raises(ValueError, match="the keyset is closed"):
            call()
