"""Callers that change what they gave while it is read: nothing breaks, and nothing is mixed."""

from __future__ import annotations

import ctypes
import io
import mmap
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import WithNonce, nonce_of, refused, sealed_bytes

import sivka
import sivka.arrow

KEY, SIV = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))


if sys.version_info >= (3, 12):

    class Fickle:
        """A buffer that does something each time it is read, and is another one the next time."""

        def __init__(self, content: bytes, then: Callable[[], object] = lambda: None) -> None:
            self.content, self.then, self.reads = content, then, 0

        def __buffer__(self, flags: int, /) -> memoryview:
            self.reads += 1
            self.then()
            return memoryview(self.content if self.reads == 1 else b"another" * self.reads)

    # More than a chunk of this package, by their number and by their length.
    COUNT = 2500

    def test_every_message_is_read_once(aead: WithNonce) -> None:
        texts = [bytes([number % 256]) * (number % 700 + 1) for number in range(COUNT)]
        nonces = [nonce_of(aead, number) for number in range(COUNT)]
        sealed = aead.encrypt_batch(nonces, texts, texts)
        for call, given, expected in (
            (aead.encrypt_batch, texts, sealed),
            (aead.decrypt_batch, sealed, texts),
        ):
            parts = [[Fickle(each) for each in one] for one in (nonces, given, texts)]
            assert call(*parts) == expected
            assert {each.reads for one in parts for each in one} == {1}

    def test_a_list_is_read_as_it_was_at_first() -> None:
        texts: list[Any] = [bytes(100)] * 2000
        texts[3] = Fickle(b"third", lambda: texts.__setitem__(slice(4, 6), [b"4", b"5"]))
        texts[7] = Fickle(b"seventh", lambda: texts.clear())
        sealed = KEY.encrypt_batch(bytes(12 * 2000), texts)
        opened = KEY.decrypt_batch(bytes(12 * 2000), sealed)
        assert opened[3:8] == [b"third", *[bytes(100)] * 3, b"seventh"] and len(opened) == 2000

    def test_arguments_that_change_one_another() -> None:
        data, kept = bytearray(100), 0

        def grow() -> None:
            nonlocal kept
            try:
                data.extend(bytes(1 << 20))
            except BufferError:
                kept += 1

        offsets = memoryview(bytes(8)).cast("q")
        assert KEY.seal_column(data, offsets, Fickle(b"aad", grow))[0] == b""
        sealed = KEY.encrypt(bytes(12), data, Fickle(b"aad", grow))
        assert sealed == KEY.encrypt(bytes(12), bytes(100), b"aad")
        assert kept == 2 and len(data) == 100

    class Refusing:
        """A buffer that raises instead."""

        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __buffer__(self, flags: int, /) -> memoryview:
            raise self.error

    def test_what_an_exporter_raises_itself_goes_on() -> None:
        for error, kind, text in (
            (ValueError("gone"), ValueError, "^data: gone"),
            (BufferError("gone"), BufferError, "^data: gone"),
        ):
            with pytest.raises(kind, match=text):
                KEY.seal(Refusing(error))
            with pytest.raises(kind):
                KEY.encrypt_into(bytes(12), b"", b"", Refusing(error))
        for other in (SystemExit(3), OSError(2, "no", "f"), KeyError("k")):
            for call in (
                lambda: KEY.seal(Refusing(other)),
                lambda: KEY.encrypt_batch([bytes(12)], [Refusing(other)]),
            ):
                with pytest.raises(type(other)) as raised:
                    call()
                assert raised.value is other
        with pytest.raises(BufferError, match="gone.*number 0"):
            KEY.encrypt_batch([bytes(12)], [Refusing(BufferError("gone"))])


def test_an_empty_array_is_empty(key: Path) -> None:
    empty: Any = np.zeros((0, 5), np.uint8)
    ends = np.array([0, 28, 56], np.int32).tobytes()
    assert KEY.encrypt(bytes(12), empty, empty) == KEY.encrypt(bytes(12), b"")
    assert KEY.encrypt_batch(bytes(12), [empty], [empty]) == [KEY.encrypt(bytes(12), b"")]
    assert KEY.seal_column(empty, np.zeros(3, np.int32), empty)[1] == ends
    assert SIV.encrypt_with_list(empty, [empty]) == SIV.encrypt(b"")
    sink = io.BytesIO()
    with sivka.seal_to(sink, key=key) as file:
        assert file.write(empty) == 0
    assert sivka.verify_stream(io.BytesIO(sink.getvalue()), key=key) == 0
    for none in (np.zeros((0, 3), np.int64), np.zeros(0, np.int32)):
        calls = [lambda: KEY.seal_column(b"", none)]
        refused(ValueError, {"one more than messages expected, 0 given": calls})
    with pytest.raises(ValueError, match="expected, 0 given"):
        sivka.AESGCMSIV(empty)


class PointerStruct(ctypes.Structure):
    """A struct with an object in it, of which NumPy knows nothing."""

    _fields_ = [("number", ctypes.c_long), ("object", ctypes.py_object)]


NAMES: Any = (b"a", b"b")
OBJECTS: dict[str, Any] = {
    "an array": np.array([b"a", b"b"], dtype=object),
    "no objects": np.zeros(0, object),
    "one object": np.array(b"a", dtype=object),
    "a view of an array": np.array([b"a", b"b"], dtype=object).data,
    "a struct in a struct": np.zeros(1, [("outer", [("n", "i8"), ("o", object, (3,))])]),
    "a name that no format has": np.zeros(2, [("a:b", object)]),
    "a struct of C": PointerStruct(1, b"a"),
    "objects of C": (ctypes.py_object * 2)(*NAMES),
}
if hasattr(np.dtypes, "StringDType"):
    # Short strings are in the array, longer ones are not; it names no format.
    OBJECTS["strings"] = np.array(["a" * 40], dtype=np.dtypes.StringDType())


def _calls_with(given: Any, key: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Arguments that are buffers, by their names in messages: one for each way of the extension."""
    nonce, offsets = bytes(12), np.array([0, 1], np.int32)
    yield "data", lambda: KEY.seal(given)
    yield "associated_data", lambda: KEY.open(b"a", given)
    yield "nonce", lambda: KEY.encrypt(given, b"a")
    yield "buf", lambda: KEY.encrypt_into(nonce, b"a", b"", given)
    yield "nonces", lambda: KEY.encrypt_batch(given, [b"a"])
    yield "messages", lambda: KEY.decrypt_batch(nonce, [given])
    yield "associated_data", lambda: KEY.encrypt_batch(nonce, [b"a"], [given])
    yield "data", lambda: KEY.seal_column(given, offsets)
    yield "offsets", lambda: KEY.seal_column(b"a", given)
    yield "associated_data", lambda: KEY.seal_column(b"a", offsets, given)
    yield "validity", lambda: KEY.seal_column(b"a", offsets, validity=given)
    yield "associated_data", lambda: SIV.encrypt_with_list(b"a", [given])
    yield "key", lambda: sivka.XChaCha20BLAKE2b(given)
    yield "key", lambda: sivka.Kuznyechik(given)
    yield "key_file", lambda: sivka.AESGCMSIV.for_columns(given)
    yield "data", lambda: sivka.Kuznyechik(bytes(32)).encrypt_blocks(given)
    yield "data", lambda: sivka.Keyset.from_insecure(given, "binary")
    yield "data", lambda: sivka.Keyset.generate("AES256_GCM_SIV").seal(given)
    yield "", lambda: sivka.seal_to(io.BytesIO(), key=given)
    yield "", lambda: sivka.seal_to(io.BytesIO(), passphrase=given)
    yield "", lambda: sivka.inspect(given)
    yield "", lambda: sivka.key_file_id(given)
    file = sivka.seal_to(io.BytesIO(), key=key)
    yield "data", lambda: file.write(given)
    file.abandon()
    out = key.parent / "out"
    out.write_bytes(sealed_bytes(b"", key))
    opened = sivka.open_file(out, key=key)
    yield "buffer", lambda: opened.readinto(given)
    stream = sivka.open_from(io.BytesIO(out.read_bytes()), key=key)
    yield "buffer", lambda: stream.readinto(given)
    # It is named otherwise in a call of pyarrow.
    yield "associated_data", lambda: sivka.arrow.seal(KEY, pa.array(["a"]), given)


@pytest.mark.parametrize("kind", OBJECTS)
def test_addresses_of_objects_are_no_bytes(kind: str, key: Path) -> None:
    given = OBJECTS[kind]
    before = given.tobytes() if isinstance(given, np.ndarray) else bytes(given)
    for what, call in _calls_with(given, key):
        text = f"{what}.*addresses of objects of Python given"
        refused(TypeError, {text + "|offsets: one row of integers" * (what == "offsets"): [call]})
    assert (given.tobytes() if isinstance(given, np.ndarray) else bytes(given)) == before


def test_what_is_no_contiguous_buffer_is_named(key: Path) -> None:
    gaps, strange = memoryview(bytearray(40))[::2], object()
    for what, call in _calls_with(gaps, key):
        refused(BufferError, {f"{what}: a contiguous buffer expected, one with gaps given": [call]})
    for what, call in _calls_with(strange, key):
        kinds = "a sequence of bytes-like objects|" * (what in ("nonces", "associated_data"))
        refused(TypeError, {f"{what}: ({kinds}a.* expected)": [call]})
    for constant in (bytes(16), np.frombuffer(bytes(16), np.uint8)):
        into = [lambda: KEY.encrypt_into(bytes(12), b"", b"", constant)]
        refused(TypeError, {"^buf: a writable buffer expected, .* given": into})


def test_arrays_of_other_things_are_their_bytes() -> None:
    for array in (
        np.zeros(2, [("O", "i8"), ("Object", "i4")]),
        np.zeros(2, [("a:O", "i8")]),
        np.zeros(3, "M8[s]"),
        np.zeros(3, "U5"),
        np.zeros((), "f8"),
        np.zeros((2, 0, 3), "f8"),
        (ctypes.c_long * 3)(1, 2, 3),
        memoryview(bytes(16)).cast("B", (4, 4)),
    ):
        given: Any = array
        content = bytes(given) if not isinstance(array, np.ndarray) else array.tobytes()
        assert KEY.encrypt(bytes(12), given) == KEY.encrypt(bytes(12), content)
        assert KEY.encrypt_batch(bytes(12), [given]) == KEY.encrypt_batch(bytes(12), [content])
    # A sequence, of which each item is a message.
    texts: Any = np.array([b"one", b"two"], dtype=object)
    assert KEY.encrypt_batch(bytes(24), texts) == KEY.encrypt_batch(bytes(24), [b"one", b"two"])


def test_what_has_gone_is_named(tmp_path: Path) -> None:
    """What an exporter refuses for another reason than its layout, it says itself."""
    released, pickled = memoryview(bytearray(16)), pickle.PickleBuffer(b"a")
    released.release()
    pickled.release()
    closed = mmap.mmap(-1, 16)
    closed.close()
    for given, text in (
        (released, "operation forbidden on released memoryview"),
        (closed, "mmap closed or invalid"),
        (pickled, "operation forbidden on released PickleBuffer"),
    ):
        gone: Any = given
        refused(
            ValueError,
            {
                f"^data: {text}": [lambda: KEY.seal(gone)],
                f"^buf: {text}": [lambda: KEY.encrypt_into(bytes(12), b"a", b"", gone)],
                f"^offsets: {text}": [lambda: KEY.seal_column(b"a", gone)],
                rf"^messages: {text}.* \(number 1\)": [
                    lambda: KEY.encrypt_batch(bytes(24), [b"a", gone])
                ],
            },
        )
    # What is there and not contiguous is still called that.
    dates: Any = np.zeros(4, "M8[s]")[::2]
    for spread in (dates, np.zeros((2, 3), order="F"), pickle.PickleBuffer(np.zeros(8)[::2].data)):
        refused(BufferError, {"^data: a contiguous buffer expected": [lambda: KEY.seal(spread)]})
