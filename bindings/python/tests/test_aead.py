"""One message: arguments, buffers, errors; and the block cipher. The vectors, the matrix plays."""

from __future__ import annotations

import array
import copy
import mmap
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import WITH_NONCE, WITHOUT_NONCE, WithNonce, nonce_of

import sivka


def buffers(data: bytes, folder: Path) -> list[Any]:
    """The same bytes in every kind of buffer that there is."""
    path = folder / "mapped"
    path.write_bytes(data)
    with path.open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 0)
    view = memoryview(b"x" + data + b"y")[1:-1]
    square = memoryview(data).cast("B", (4, len(data) // 4))
    numbers = np.frombuffer(data, np.float64)
    return [data, bytearray(data), view, array.array("I", data), mapped, square, numbers]


def test_any_buffer(aead: WithNonce, tmp_path: Path) -> None:
    data, aad, nonce = bytes(range(64)), b"some", nonce_of(aead)
    sealed = aead.encrypt(nonce, data, aad)
    for given in buffers(data, tmp_path):
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


def test_what_is_no_contiguous_buffer_is_refused(aead: WithNonce) -> None:
    nonce, call = nonce_of(aead), aead.encrypt
    into: Any = aead.encrypt_into
    wrongs: list[Any] = ["text", 5, [1, 2], object()]
    strided, fixed = memoryview(bytearray(40))[::2], np.zeros(aead.tag_length, np.uint8)
    fixed.flags.writeable = False
    for wrong in wrongs:
        no_bytes = f"a bytes-like object expected, {type(wrong).__name__} given"
        for what, arguments in (
            ("data", (nonce, wrong)),
            ("nonce", (wrong, b"")),
            ("associated_data", (nonce, b"", wrong)),
        ):
            with pytest.raises(TypeError, match=f"{what}: {no_bytes}"):
                call(*arguments)
        with pytest.raises(TypeError, match=f"buf: {no_bytes}"):
            into(nonce, b"", None, wrong)
    gaps = "a contiguous buffer expected, one with gaps given"
    for what, arguments in (("data", (nonce, strided)), ("associated_data", (nonce, b"", strided))):
        with pytest.raises(BufferError, match=f"{what}: {gaps}"):
            call(*arguments)
    with pytest.raises(BufferError, match=f"buf: {gaps}"):
        into(nonce, b"a", b"", strided)
    for constant in (bytes(aead.tag_length), fixed):
        with pytest.raises(TypeError, match="buf: a writable buffer expected, .* given"):
            into(nonce, b"", b"a", constant)


def test_wrong_lengths_say_what_was_expected(aead: WithNonce) -> None:
    expected = f"nonce: {aead.nonce_length} expected, {aead.nonce_length + 1} given"
    for call in (aead.encrypt, aead.decrypt):
        with pytest.raises(ValueError, match=expected):
            call(bytes(aead.nonce_length + 1), b"")
    with pytest.raises(ValueError, match="nonce: .* 0 given"):
        aead.encrypt(b"", b"")
    for length in (0, aead.tag_length, aead.tag_length + 2):
        buf = bytearray(b"\x55" * length)
        message = f"buf: {aead.tag_length + 1} bytes expected, {length} given"
        with pytest.raises(ValueError, match=message):
            aead.encrypt_into(nonce_of(aead), b"a", b"b", buf)
        assert buf == b"\x55" * length


def test_into_in_place(aead: WithNonce) -> None:
    nonce, text = nonce_of(aead), b"text that is sealed where it stands"
    sealed = aead.encrypt(nonce, text, b"x")
    buf = bytearray(text + bytes(aead.tag_length))
    view = memoryview(buf)
    assert aead.encrypt_into(nonce, view[: len(text)], b"x", buf) == len(sealed)
    assert buf == sealed
    assert aead.decrypt_into(nonce, buf, b"x", view[: len(text)]) == len(text)
    assert buf[: len(text)] == text
    with pytest.raises(ValueError, match="^buf overlaps data$"):
        aead.encrypt_into(nonce, view[1 : 1 + len(text)], b"x", buf)
    with pytest.raises(ValueError, match="^buf overlaps associated_data$"):
        aead.encrypt_into(nonce, text, view[:1], buf)
    with pytest.raises(ValueError, match="^buf overlaps data$"):
        aead.decrypt_into(nonce, buf, b"x", view[1 : 1 + len(text)])
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


def test_keys() -> None:
    for length in (0, 15, 24, 31, 33):
        with pytest.raises(ValueError, match=f"key: 16 or 32 bytes expected, {length} given"):
            sivka.AESGCMSIV(bytes(length))
        with pytest.raises(ValueError, match=f"key: 64, 48 or 32 bytes expected, {length} given"):
            sivka.AESSIV(bytes(length))
    tagged = (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV)
    for algorithm in tagged:
        with pytest.raises(ValueError, match="tag_length: one of 32, 48, 64 bytes expected, 16"):
            algorithm(bytes(32), tag_length=16)
    for other in (*tagged, sivka.KuznyechikMGM, sivka.Kuznyechik):
        with pytest.raises(ValueError, match="key: 32 expected, 16 given"):
            other(bytes(16))
        assert len(other.generate_key()) == 32
        assert other.generate_key() != other.generate_key()
    for every in (*tagged, sivka.AESGCMSIV, sivka.AESSIV, sivka.KuznyechikMGM, sivka.Kuznyechik):
        make: Any = every
        for arguments in ((), ("k" * 32,)):
            with pytest.raises(TypeError):
                make(*arguments)
        for copier in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="pickle"):
                copier(make(bytes(32)))
        assert "00" not in repr(make(bytes(32))).split(" at ")[0]


def test_bases_are_public() -> None:
    for name, make in {**WITH_NONCE, **WITHOUT_NONCE}.items():
        assert make().algorithm == name
    for made in WITH_NONCE.values():
        assert isinstance(made(), sivka.RandomNonceAead) == hasattr(made(), "seal")
    assert all(isinstance(make(), sivka.DeterministicAead) for make in WITHOUT_NONCE.values())
    # Whoever makes one by hand may name an algorithm without nonces; this divided by zero.
    assert sivka.Aead("XChaCha20-BLAKE2b-SIV", bytes(32)).random_nonces(2) == b""


def test_generate_key() -> None:
    assert len(sivka.AESGCMSIV.generate_key(128)) == 16
    assert len(sivka.AESGCMSIV.generate_key(bit_length=256)) == 32
    assert [len(sivka.AESSIV.generate_key(bits)) for bits in (512, 384, 256)] == [64, 48, 32]
    for wrong in (0, 192, 255, -1, True):
        with pytest.raises(ValueError, match="bit_length: 128 or 256 expected"):
            sivka.AESGCMSIV.generate_key(wrong)
    text: Any
    for text in ("256", 256.0, None):
        with pytest.raises(TypeError, match="bit_length: an int expected"):
            sivka.AESGCMSIV.generate_key(text)


def test_a_closed_key_is_refused(aead: WithNonce) -> None:
    with aead as same:
        assert same is aead
    calls: list[Any] = [
        lambda: aead.encrypt(nonce_of(aead), b"a"),
        lambda: aead.decrypt_into(nonce_of(aead), bytes(99), None, bytearray(99)),
        lambda: aead.encrypt_batch([nonce_of(aead)], [b"a"]),
        lambda: aead.random_nonces(1),
        lambda: aead.encrypt_batch_contiguous(b"", b"", memoryview(bytes(8)).cast("q")),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="the key is closed"):
            call()
    aead.close()


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


def test_mgm_refuses_what_its_standard_refuses() -> None:
    key = sivka.KuznyechikMGM(bytes(32))
    with pytest.raises(ValueError, match="first bit"):
        key.encrypt(b"\x80" + bytes(15), b"text")
    with pytest.raises(ValueError, match="empty"):
        key.encrypt(bytes(16), b"")
    assert all(key.random_nonces(50)[i] < 0x80 for i in range(0, 800, 16))


def test_subclasses_and_attributes() -> None:
    class Mine(sivka.AESGCMSIV):
        label = "mine"

    mine = Mine(bytes(32))
    assert mine.open(mine.seal(b"a")) == b"a"
    plain: Any = sivka.AESGCMSIV(bytes(32))
    for name in ("anything", "tag_length"):
        with pytest.raises(AttributeError):
            setattr(plain, name, 1)


def test_an_invalid_tag_survives_pickling() -> None:
    with pytest.raises(sivka.InvalidTag, match="does not open") as caught:
        sivka.AESGCMSIV(bytes(32)).decrypt(bytes(12), bytes(16))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is sivka.InvalidTag and again.args == caught.value.args


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


def test_errors_of_blocks() -> None:
    key = sivka.Kuznyechik(key=bytes(32))
    assert isinstance(key, sivka.BlockCipher) and key.block_size == 16
    with pytest.raises(ValueError, match="^data: a multiple of 16 expected, 17 given"):
        key.encrypt_blocks(bytes(17))
    with pytest.raises(ValueError, match="buf: 16 bytes expected, 32 given"):
        key.encrypt_blocks_into(bytes(16), bytearray(32))
    whole = memoryview(bytearray(48))
    with pytest.raises(ValueError, match="overlaps"):
        key.encrypt_blocks_into(whole[:32], whole[16:])
    text: Any = "text"
    with pytest.raises(TypeError, match="data: a bytes-like object"):
        key.encrypt_blocks(text)
    with pytest.raises(TypeError, match="buf: a writable buffer"):
        key.encrypt_blocks_into(bytes(16), bytes(16))
    with key:
        pass
    with pytest.raises(ValueError, match="the key is closed"):
        key.decrypt_blocks(b"")
