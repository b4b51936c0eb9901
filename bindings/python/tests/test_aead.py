"""One message: arguments, buffers, errors."""

from __future__ import annotations

import array
import copy
import mmap
import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import WITH_NONCE, WITHOUT_NONCE, WithNonce, nonce_of

import sivka


def test_names_are_those_of_the_library() -> None:
    for name, make in {**WITH_NONCE, **WITHOUT_NONCE}.items():
        assert make().algorithm == name


def test_none_is_empty_associated_data(aead: WithNonce) -> None:
    nonce = nonce_of(aead)
    sealed = aead.encrypt(nonce, b"a", None)
    assert sealed == aead.encrypt(nonce, b"a", b"") == aead.encrypt(nonce, b"a")
    assert aead.decrypt(nonce=nonce, data=sealed, associated_data=None) == b"a"


def buffers(data: bytes, folder: Path) -> list[Any]:
    """The same bytes in every kind of buffer that the standard library has."""
    path = folder / "mapped"
    path.write_bytes(data)
    with path.open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 0)
    view = memoryview(b"x" + data + b"y")[1:-1]
    square = memoryview(data).cast("B", (4, len(data) // 4))
    return [data, bytearray(data), view, array.array("I", data), mapped, square]


def test_any_buffer(aead: WithNonce, tmp_path: Path) -> None:
    data, aad, nonce = bytes(range(64)), b"some", nonce_of(aead)
    sealed = aead.encrypt(nonce, data, aad)
    for given in buffers(data, tmp_path):
        assert aead.encrypt(bytearray(nonce), given, memoryview(aad)) == sealed
        assert aead.encrypt(nonce, b"text", given) == aead.encrypt(nonce, b"text", data)
    for given in (sealed, bytearray(sealed), memoryview(sealed)):
        assert aead.decrypt(nonce, given, aad) == data
    out = array.array("I", bytes(64))
    assert aead.decrypt_into(nonce, sealed, aad, out) == 64
    assert out.tobytes() == data


def test_what_is_no_contiguous_buffer_is_refused(aead: WithNonce) -> None:
    nonce = nonce_of(aead)
    wrongs: list[Any] = ["text", 5, None, [1, 2], object()]
    for wrong in wrongs:
        with pytest.raises(TypeError, match=f"data: a bytes-like object.*{type(wrong).__name__}"):
            aead.encrypt(nonce, wrong)
        with pytest.raises(TypeError, match="nonce: a bytes-like object"):
            aead.encrypt(wrong, b"")
        with pytest.raises(TypeError, match="buf: a bytes-like object"):
            aead.encrypt_into(nonce, b"", None, wrong)
        if wrong is not None:
            with pytest.raises(TypeError, match="associated_data: a bytes-like object"):
                aead.encrypt(nonce, b"", wrong)
    strided = memoryview(bytes(40))[::2]
    with pytest.raises(
        BufferError, match="data: a contiguous buffer expected, one with gaps given"
    ):
        aead.encrypt(nonce, strided)
    with pytest.raises(BufferError, match="associated_data: a contiguous buffer"):
        aead.encrypt(nonce, b"", strided)
    with pytest.raises(BufferError, match="buf: a contiguous buffer"):
        aead.encrypt_into(nonce, b"a", b"", memoryview(bytearray(40))[::2])
    with pytest.raises(TypeError, match="buf: a writable buffer expected, bytes given"):
        aead.encrypt_into(nonce, b"", b"a", bytes(aead.tag_length))
    released = memoryview(bytearray(3))
    released.release()
    with pytest.raises(ValueError, match="data: operation forbidden on released memoryview"):
        aead.encrypt(nonce, released)


def test_wrong_lengths_say_what_was_expected(aead: WithNonce) -> None:
    expected = f"nonce: {aead.nonce_length} expected, {aead.nonce_length + 1} given"
    with pytest.raises(ValueError, match=expected):
        aead.encrypt(bytes(aead.nonce_length + 1), b"")
    with pytest.raises(ValueError, match=expected):
        aead.decrypt(bytes(aead.nonce_length + 1), b"")
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
    assert aead.encrypt_into(nonce, memoryview(buf)[: len(text)], b"x", buf) == len(sealed)
    assert buf == sealed
    assert aead.decrypt_into(nonce, buf, b"x", memoryview(buf)[: len(text)]) == len(text)
    assert buf[: len(text)] == text
    with pytest.raises(ValueError, match="^buf overlaps data$"):
        aead.encrypt_into(nonce, memoryview(buf)[1 : 1 + len(text)], b"x", buf)
    with pytest.raises(ValueError, match="^buf overlaps associated_data$"):
        aead.encrypt_into(nonce, text, memoryview(buf)[:1], buf)
    with pytest.raises(ValueError, match="^buf overlaps data$"):
        aead.decrypt_into(nonce, buf, b"x", memoryview(buf)[1 : 1 + len(text)])


def test_decrypt_into_of_what_is_too_short(aead: WithNonce) -> None:
    nonce = nonce_of(aead)
    sealed = aead.encrypt(nonce, b"", b"x")
    # Forged, whatever the buffer is.
    with pytest.raises(sivka.InvalidTag):
        aead.decrypt_into(nonce, sealed[:7], b"x", bytearray(9))
    assert aead.decrypt_into(nonce, sealed, b"x", bytearray()) == 0
    with pytest.raises(ValueError, match="buf: 0 bytes expected, 9 given"):
        aead.decrypt_into(nonce, sealed, b"x", bytearray(9))


def test_what_is_too_long_is_an_overflow() -> None:
    # Memory that is promised and never touched: RFC 8452 allows 2^36 bytes of AAD.
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
    with mmap.mmap(-1, 2**36 + 1, flags=flags) as much:
        with pytest.raises(OverflowError, match="68719476737"):
            sivka.AESGCMSIV(bytes(32)).encrypt(bytes(12), b"", much)


def test_wrong_arguments(aead: WithNonce) -> None:
    encrypt: Any = aead.encrypt
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'data'"):
        encrypt(b"")
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 4 were given"):
        encrypt(b"", b"", b"", b"")
    with pytest.raises(TypeError, match="unexpected keyword argument 'aad'"):
        encrypt(b"", b"", aad=b"")
    with pytest.raises(TypeError, match="multiple values for argument 'nonce'"):
        encrypt(b"", b"", nonce=b"")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'buf'"):
        encrypt_into: Any = aead.encrypt_into
        encrypt_into(b"", b"", None)


def test_keys() -> None:
    for length in (0, 15, 24, 31, 33):
        with pytest.raises(ValueError, match=f"key: 16 or 32 bytes expected, {length} given"):
            sivka.AESGCMSIV(bytes(length))
    text: Any = "k" * 32
    for algorithm in (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV):
        with pytest.raises(ValueError, match="key: 32 expected, 16 given"):
            algorithm(bytes(16))
        with pytest.raises(ValueError, match="tag_length: one of 32, 48, 64 bytes expected, 16"):
            algorithm(bytes(32), tag_length=16)
        assert len(algorithm.generate_key()) == 32
    for other in (sivka.KuznyechikMGM, sivka.Kuznyechik):
        with pytest.raises(ValueError, match="key: 32 expected, 16 given"):
            other(bytes(16))
        assert len(other.generate_key()) == 32
        assert other.generate_key() != other.generate_key()
    for every in (sivka.AESGCMSIV, sivka.KuznyechikMGM, sivka.Kuznyechik, sivka.XChaCha20BLAKE2b):
        with pytest.raises(TypeError):
            every(text)
        with pytest.raises(TypeError):
            getattr(sivka, every.__name__)()
        for copier in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="pickle"):
                copier(every(bytes(32)))
        assert "00" not in repr(every(bytes(32))).split(" at ")[0]


def test_bases_are_public() -> None:
    block: sivka.BlockCipher = sivka.Kuznyechik(bytes(32))
    assert isinstance(block, sivka.BlockCipher) and block.block_size == 16
    for made in WITH_NONCE.values():
        key: sivka.Aead = made()
        assert isinstance(key, sivka.Aead)
        assert isinstance(key, sivka.RandomNonceAead) == hasattr(key, "seal")
    assert all(isinstance(make(), sivka.DeterministicAead) for make in WITHOUT_NONCE.values())
    # Whoever makes one by hand may name an algorithm without nonces; this divided by zero.
    assert sivka.Aead("XChaCha20-BLAKE2b-SIV", bytes(32)).random_nonces(2) == b""


def test_generate_key() -> None:
    assert len(sivka.AESGCMSIV.generate_key(128)) == 16
    assert len(sivka.AESGCMSIV.generate_key(bit_length=256)) == 32
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
        assert not hasattr(aead, "seal")
        return
    nonces = aead.random_nonces(100)
    length = aead.nonce_length
    assert len({nonces[i : i + length] for i in range(0, len(nonces), length)}) == 100
    assert aead.random_nonces(0) == b""
    wrong: Any
    for wrong in (-1, 2**62):
        with pytest.raises(ValueError, match="count"):
            aead.random_nonces(wrong)
    for wrong in ("1", 1.0, None):
        with pytest.raises(TypeError):
            aead.random_nonces(wrong)


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
    with pytest.raises(AttributeError):
        plain.anything = 1
    with pytest.raises(AttributeError):
        plain.tag_length = 1


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
