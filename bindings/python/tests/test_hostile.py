"""Callers that change what they gave while it is read: nothing breaks, and nothing is mixed."""

from __future__ import annotations

import ctypes
import io
import mmap
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import WithNonce, nonce_of, sealed_bytes

import sivka
import sivka.arrow

KEY, SIV = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))


def against(change: Callable[[], object], call: Callable[[], object]) -> int:
    """Runs a call again and again while another thread changes what it was given; returns how
    often it was not refused."""
    stop, done = threading.Event(), 0

    def run() -> None:
        while not stop.is_set():
            change()

    other = threading.Thread(target=run)
    other.start()
    try:
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            try:
                call()
            except (ValueError, BufferError):
                # What was there just then did not fit.
                continue
            done += 1
    finally:
        stop.set()
        other.join()
    return done


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

    def test_strings_of_a_list_are_read_once() -> None:
        strings = [bytes([number]) * number for number in range(50)]
        fickle = [Fickle(each, lambda: fickle.clear()) for each in strings]
        given = list(fickle)
        assert SIV.encrypt_with_list(b"data", fickle) == SIV.encrypt_with_list(b"data", strings)
        assert {each.reads for each in given} == {1}

    def test_a_list_is_read_as_it_was_at_first() -> None:
        texts: list[Any] = [bytes(100)] * 2000
        texts[3] = Fickle(b"third", lambda: texts.__setitem__(slice(4, 6), [b"4", b"5"]))
        texts[7] = Fickle(b"seventh", lambda: texts.clear())
        sealed = KEY.encrypt_batch(bytes(12 * 2000), texts)
        opened = KEY.decrypt_batch(bytes(12 * 2000), sealed)
        assert opened[3:8] == [b"third", *[bytes(100)] * 3, b"seventh"] and len(opened) == 2000

    def test_arguments_that_change_one_another() -> None:
        data, refused = bytearray(100), 0

        def grow() -> None:
            nonlocal refused
            try:
                data.extend(bytes(1 << 20))
            except BufferError:
                refused += 1

        offsets = memoryview(bytes(8)).cast("q")
        expected = KEY.encrypt_batch_contiguous(b"", data, offsets)
        aad = Fickle(b"aad", grow)
        assert KEY.encrypt_batch_contiguous(b"", data, offsets, aad) == expected
        assert KEY.seal_column(data, offsets, Fickle(b"aad", grow))[0] == b""
        sealed = KEY.encrypt(bytes(12), data, Fickle(b"aad", grow))
        assert sealed == KEY.encrypt(bytes(12), bytes(100), b"aad")
        assert refused == 3 and len(data) == 100

    class Refusing:
        """A buffer that raises instead."""

        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __buffer__(self, flags: int, /) -> memoryview:
            raise self.error

    def test_what_an_exporter_raises_itself_goes_on() -> None:
        class Two(Exception):
            def __init__(self, one: int, two: int) -> None:
                super().__init__(one, two)

        for error, kind, text in (
            (ValueError("gone"), ValueError, "^data: gone"),
            (BufferError("gone"), BufferError, "^data: gone"),
            # Its constructor takes five arguments.
            (UnicodeDecodeError("utf-8", b"", 0, 1, "gone"), ValueError, "^data: .*gone"),
        ):
            with pytest.raises(kind, match=text):
                KEY.seal(Refusing(error))
            with pytest.raises(kind):
                KEY.encrypt_into(bytes(12), b"", b"", Refusing(error))
        for other in (SystemExit(3), Two(1, 2), OSError(2, "no", "f"), KeyError("k")):
            for call in (
                lambda: KEY.seal(Refusing(other)),
                lambda: KEY.encrypt_batch([bytes(12)], [Refusing(other)]),
            ):
                with pytest.raises(type(other)) as raised:
                    call()
                assert raised.value is other
        with pytest.raises(BufferError, match="gone.*number 0"):
            KEY.encrypt_batch([bytes(12)], [Refusing(BufferError("gone"))])


class Liar(list[Any]):
    """A list that says other things of itself than what it has."""

    def __len__(self) -> int:
        return 7

    def __getitem__(self, index: Any) -> Any:
        return b"another"

    def __iter__(self) -> Iterator[Any]:
        yield b"one"
        self.clear()
        yield b"two"


def test_sequences_that_lie() -> None:
    expected = KEY.encrypt_batch(bytes(24), [b"one", b"two"])
    for lying in (Liar([b"x"] * 5), iter(Liar()), (each for each in (b"one", b"two"))):
        assert KEY.encrypt_batch(bytes(24), lying) == expected
    with_list = SIV.encrypt_with_list(b"", [b"one", b"two"])
    assert SIV.encrypt_with_list(b"", Liar([b"x"])) == with_list


def test_buffers_stay_while_they_are_worked_on() -> None:
    data, aad, refused = bytearray(1 << 18), bytearray(1 << 18), 0
    views = [memoryview(aad)]

    def replace() -> None:
        views[0].release()
        views[0] = memoryview(aad)

    def change() -> None:
        nonlocal refused
        for action in (lambda: data.append(0), data.pop, replace):
            try:
                action()
            except BufferError:
                refused += 1

    def seal() -> None:
        assert len(KEY.encrypt(bytes(12), data, views[0])) >= (1 << 18) + 16

    # On a loaded machine the other thread may not be given a CPU in time.
    assert any(against(change, seal) > 0 and refused > 0 for _ in range(50))
    data.append(1)


def test_arrays_that_change_while_they_are_read() -> None:
    count, source = 20_000, np.random.default_rng(1)
    values = np.zeros(count * 10, np.uint8)
    right = np.arange(0, count * 10 + 1, 10, dtype=np.int32)
    wide: Any = right.astype(np.int64)
    offsets, wide_offsets, validity = right.copy(), wide.copy(), np.full(count // 8, 255, np.uint8)
    rows, ends = KEY.seal_column(values, right)
    sealed = np.frombuffer(ends, np.int32)
    row_offsets = sealed.copy()

    def change() -> None:
        at = source.integers(1, count)
        offsets[at] = row_offsets[at] = source.integers(-(2**31), 2**31)
        wide_offsets[at] = source.integers(-(2**63), 2**63)
        offsets[:], row_offsets[:], wide_offsets[:] = right, sealed, wide
        offsets[at] += 3
        row_offsets[at] -= 3
        validity[:] = source.integers(0, 256, count // 8)

    def seal() -> None:
        data, found = KEY.seal_column(values, offsets, validity=validity)
        assert len(data) == np.frombuffer(found, np.int32)[count]

    def open_rows() -> None:
        data, found, opened = KEY.open_column(rows, row_offsets, validity=validity)
        assert len(data) == np.frombuffer(found, np.int32)[count] and len(opened) == count

    def seal_batch() -> None:
        KEY.encrypt_batch_contiguous(bytes(12 * count), values, wide_offsets)

    for call in (seal, open_rows, seal_batch):
        assert against(change, call) > 0


@pytest.mark.parametrize("width", [4, 8])
def test_misaligned_offsets(width: int) -> None:
    numbers = np.array([0, 3, 8], f"i{width}").tobytes()
    misaligned: Any = np.frombuffer(b"x" + numbers, np.dtype(f"i{width}"), offset=1)
    assert not misaligned.flags.aligned
    rows, ends = SIV.seal_column(b"onetwo..", misaligned)
    assert rows == SIV.seal(b"one") + SIV.seal(b"two..")
    shifted: Any = np.frombuffer(b"x" + ends, np.dtype(f"i{width}"), offset=1)
    assert SIV.open_column(rows, shifted) == (b"onetwo..", numbers, b"\1\1")
    aligned: Any = np.array([0, 3, 8], f"i{width}")
    sealed = SIV.encrypt_batch_contiguous(b"onetwo..", aligned)
    assert SIV.encrypt_batch_contiguous(b"onetwo..", misaligned) == sealed


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
        for call in (KEY.seal_column, SIV.encrypt_batch_contiguous):
            with pytest.raises(ValueError, match="one more than messages expected, 0 given"):
                call(b"", none)
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
    yield "nonces", lambda: KEY.encrypt_batch_contiguous(given, b"a", offsets)
    yield "offsets", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", given)
    yield "out", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", offsets, out=given)
    yield "tags", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", offsets, tags=given)
    yield "tags", lambda: KEY.decrypt_batch_contiguous(nonce, b"a", given, offsets)
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
        if what == "offsets":
            text += "|offsets: one row of integers"
        with pytest.raises(TypeError, match=text):
            call()
            pytest.fail(f"{what} was taken")
    assert (given.tobytes() if isinstance(given, np.ndarray) else bytes(given)) == before


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
        for what, call in (
            ("data", lambda: KEY.seal(gone)),
            ("buf", lambda: KEY.encrypt_into(bytes(12), b"a", b"", gone)),
            ("offsets", lambda: KEY.seal_column(b"a", gone)),
        ):
            with pytest.raises(ValueError, match=f"^{what}: {text}"):
                call()
        with pytest.raises(ValueError, match=rf"^messages: {text}.* \(number 1\)"):
            KEY.encrypt_batch(bytes(24), [b"a", gone])
    # What is there and not contiguous is still called that.
    for there in (
        np.zeros(4, "M8[s]")[::2],
        memoryview(bytes(8))[::2],
        np.zeros((2, 3), order="F"),
        pickle.PickleBuffer(np.zeros(8)[::2].data),
    ):
        spread: Any = there
        with pytest.raises(BufferError, match="^data: a contiguous buffer expected"):
            KEY.seal(spread)
        with pytest.raises((BufferError, TypeError), match="^buf: a (contiguous|writable) buffer"):
            KEY.decrypt_into(bytes(12), bytes(16), b"", spread)
