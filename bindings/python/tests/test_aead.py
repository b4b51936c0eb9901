"""One message: arguments, buffers, errors; and the block cipher. The vectors, the matrix plays."""

from __future__ import annotations

import array
import copy
import mmap
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from conftest import WITH_NONCE, WITHOUT_NONCE, WithNonce, nonce_of, refused

import sivka


def buffers(data: bytes) -> list[Any]:
    """The same bytes in every kind of buffer that there is."""
    mapped = mmap.mmap(-1, len(data))
    mapped.write(data)
    view = memoryview(b"x" + data + b"y")[1:-1]
    square = memoryview(data).cast("B", (4, len(data) // 4))
    numbers = np.frombuffer(data, np.float64)
    return [data, bytearray(data), view, array.array("I", data), mapped, square, numbers]


def test_any_buffer(aead: WithNonce) -> None:
    data, aad, nonce = bytes(range(64)), b"some", nonce_of(aead)
    sealed = aead.encrypt(nonce, data, aad)
    for given in buffers(data):
        assert aead.encrypt(bytearray(nonce), given, memoryview(aad)) == sealed
        assert aead.encrypt(nonce, b"text", given) == aead.encrypt(nonce, b"text", data)
    for given in (sealed, bytearray(sealed), memoryview(sealed)):
        assert aead.decrypt(nonce, given, aad) == data
    for out in (array.array("I", bytes(64)), np.zeros(8)):
        assert aead.decrypt_into(nonce, sealed, aad, out) == 64
        assert out.tobytes() == data
    sealed = aead.encrypt(nonce, b"a", None)
    assert sealed == aead.encrypt(nonce, b"a", b"") == aead.encrypt(nonce, b"a")
    assert aead.decrypt(nonce=nonce, data=sealed, associated_data=None) == b"a"


def test_into_in_place(aead: WithNonce) -> None:
    nonce, text = nonce_of(aead), b"text that is sealed where it stands"
    sealed = aead.encrypt(nonce, text, b"x")
    buf = bytearray(text + bytes(aead.tag_length))
    view = memoryview(buf)
    assert aead.encrypt_into(nonce, view[: len(text)], b"x", buf) == len(sealed)
    assert buf == sealed
    assert aead.decrypt_into(nonce, buf, b"x", view[: len(text)]) == len(text)
    assert buf[: len(text)] == text
    shifted = view[1 : 1 + len(text)]
    overlapping: list[Callable[[], object]] = [
        lambda: aead.encrypt_into(nonce, shifted, b"x", buf),
        lambda: aead.decrypt_into(nonce, buf, b"x", shifted),
        lambda: aead.encrypt_into(nonce, text, view[:1], buf),
    ]
    refused(ValueError, {"^buf overlaps (data|associated_data)$": overlapping})
    # What is too short is forged, whatever the buffer is.
    with pytest.raises(sivka.InvalidTag):
        aead.decrypt_into(nonce, sealed[:7], b"x", bytearray(9))
    sealed = aead.encrypt(nonce, b"", b"x")
    assert aead.decrypt_into(nonce, sealed, b"x", bytearray()) == 0
    with pytest.raises(ValueError, match="buf: 0 bytes expected, 9 given"):
        aead.decrypt_into(nonce, sealed, b"x", bytearray(9))


def test_what_is_too_long_is_an_overflow() -> None:
    # Memory that is promised and never touched: RFC 8452 allows 2^36 bytes of AAD.
    flags, key = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, sivka.AESGCMSIV(bytes(32))
    with mmap.mmap(-1, 2**36 + 1, flags=flags) as much:
        with pytest.raises(OverflowError, match="68719476737"):
            key.encrypt(bytes(12), b"", much)
        with pytest.raises(OverflowError, match="column is too long: .* 2147483675 given"):
            key.seal_column(much, np.array([0, 2**31 - 1], np.int32))


def test_bases_are_public() -> None:
    for name, make in {**WITH_NONCE, **WITHOUT_NONCE}.items():
        assert make().algorithm == name
    for made in WITH_NONCE.values():
        assert isinstance(made(), sivka.RandomNonceAead) == hasattr(made(), "seal")
    assert all(isinstance(make(), sivka.DeterministicAead) for make in WITHOUT_NONCE.values())
    # Whoever makes one by hand may name an algorithm without nonces; this divided by zero.
    assert sivka.Aead("XChaCha20-BLAKE2b-SIV", bytes(32)).random_nonces(2) == b""


def test_random_nonces(aead: WithNonce) -> None:
    if isinstance(aead, sivka.ChaCha20BLAKE2b):
        with pytest.raises(ValueError, match="too short to be random"):
            aead.random_nonces(1)
        return
    nonces, length = aead.random_nonces(100), aead.nonce_length
    assert len({nonces[i : i + length] for i in range(0, len(nonces), length)}) == 100
    assert aead.random_nonces(0) == b""
    with pytest.raises(ValueError, match="count"):
        aead.random_nonces(2**62)


def test_an_invalid_tag_survives_pickling() -> None:
    with pytest.raises(sivka.InvalidTag, match="does not open") as caught:
        sivka.AESGCMSIV(bytes(32)).decrypt(bytes(12), bytes(16))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is sivka.InvalidTag and again.args == caught.value.args


def test_wrong_lengths_say_what_was_expected(aead: WithNonce) -> None:
    nonce, tag, buf = nonce_of(aead), aead.tag_length, bytearray(b"\x55" * 200)
    into = aead.encrypt_into
    refused(
        ValueError,
        {
            f"buf: {tag + 1} bytes expected, 200 given": [lambda: into(nonce, b"a", b"b", buf)],
            f"buf: {tag + 1} bytes expected, 0": [lambda: into(nonce, b"a", b"", bytearray())],
        },
    )
    assert buf == b"\x55" * 200


TAGGED = (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV)
OF_32_BYTES: tuple[Any, ...] = (*TAGGED, sivka.KuznyechikMGM, sivka.Kuznyechik)


def test_keys() -> None:
    for length in (0, 15, 24, 31, 33):
        key, given = bytes(length), f"{length} given"
        refused(
            ValueError,
            {
                f"key: 16 or 32 bytes expected, {given}": [lambda: sivka.AESGCMSIV(key)],
                f"key: 64, 48 or 32 bytes expected, {given}": [lambda: sivka.AESSIV(key)],
                f"key: 32 expected, {given}": [partial(of, key) for of in OF_32_BYTES],
            },
        )
    tags = [partial(of, bytes(32), tag_length=16) for of in TAGGED]
    refused(ValueError, {"tag_length: one of 32, 48, 64 bytes expected, 16": tags})
    assert all(len({of.generate_key(), of.generate_key(), bytes(32)}) == 3 for of in OF_32_BYTES)
    assert [len(sivka.AESGCMSIV.generate_key(bits)) for bits in (128, 256)] == [16, 32]
    assert [len(sivka.AESSIV.generate_key(bits)) for bits in (512, 384, 256)] == [64, 48, 32]
    every: list[Any] = [*OF_32_BYTES, sivka.AESGCMSIV, sivka.AESSIV]
    for make in every:
        made = make(bytes(32))
        refused(TypeError, {"": [make, lambda: make("k" * 32)]})
        copiers = [partial(way, made) for way in (pickle.dumps, copy.copy, copy.deepcopy)]
        refused(TypeError, {"pickle": copiers})
        assert "00" not in repr(made).split(" at ")[0]


def test_a_closed_key_is_refused(aead: WithNonce) -> None:
    with aead as same:
        assert same is aead
    siv, block, nonce = sivka.AESSIV(bytes(64)), sivka.Kuznyechik(bytes(32)), nonce_of(aead)
    siv.close()
    block.close()
    calls: list[Callable[[], object]] = [
        lambda: aead.encrypt(nonce, b"a"),
        lambda: aead.decrypt_into(nonce, bytes(99), None, bytearray(99)),
        lambda: aead.encrypt_batch([nonce], [b"a"]),
        lambda: aead.random_nonces(1),
        lambda: siv.encrypt_with_list(b"text", []),
        lambda: block.decrypt_blocks(b""),
        lambda: aead.close() or aead.encrypt(nonce, b"a"),
    ]
    refused(ValueError, {"the key is closed": calls})


def test_lists_and_blocks() -> None:
    siv, block = sivka.AESSIV(bytes(64)), sivka.Kuznyechik(key=bytes(32))
    assert siv.encrypt_with_list(b"text", [b""]) == siv.encrypt(b"text")
    assert siv.encrypt_with_list(b"text", []) != siv.encrypt(b"text")
    with pytest.raises(sivka.InvalidTag):
        siv.decrypt_with_list(bytes(15), [])
    strange: list[Any] = [b"one", None, 3, [b"one", "two"]]
    lists = [partial(siv.encrypt_with_list, b"", each) for each in strange]
    refused(TypeError, {"associated_data|iterable": lists})
    assert isinstance(block, sivka.BlockCipher) and block.block_size == 16
    refused(
        ValueError,
        {"^data: a multiple of 16 expected, 17": [lambda: block.encrypt_blocks(bytes(17))]},
    )
