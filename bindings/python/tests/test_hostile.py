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
from conftest import WithNonce, nonce_of

import sivka
import sivka.arrow

KEY = sivka.AESGCMSIV(bytes(32))


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
            self.content = content
            self.then = then
            self.reads = 0

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
        parts = [[Fickle(each) for each in one] for one in (nonces, texts, texts)]
        assert aead.encrypt_batch(*parts) == sealed
        assert {each.reads for one in parts for each in one} == {1}
        parts = [[Fickle(each) for each in one] for one in (nonces, sealed, texts)]
        assert aead.decrypt_batch(*parts) == texts
        assert {each.reads for one in parts for each in one} == {1}

    def test_strings_of_a_list_are_read_once() -> None:
        key = sivka.AESSIV(bytes(64))
        strings = [bytes([number]) * number for number in range(50)]
        fickle = [Fickle(each, lambda: fickle.clear()) for each in strings]
        given = list(fickle)
        assert key.encrypt_with_list(b"data", fickle) == key.encrypt_with_list(b"data", strings)
        assert {each.reads for each in given} == {1}

    def test_lists_that_change_while_they_are_read() -> None:
        texts: list[Any] = [bytes(100)] * 2000
        texts[3] = Fickle(b"third", lambda: texts.__setitem__(slice(4, 6), [b"4", b"5"]))
        texts[7] = Fickle(b"seventh", lambda: texts.extend([b"more"] * 5000))
        sealed = KEY.encrypt_batch(bytes(12 * 2000), texts)
        opened = KEY.decrypt_batch(bytes(12 * 2000), sealed)
        assert opened[3:8] == [b"third", b"4", b"5", bytes(100), b"seventh"] and len(opened) == 2000
        for at in (0, 5, 1999):
            shrinking: list[Any] = [bytes(100)] * 2000
            shrinking[at] = Fickle(b"last", lambda: shrinking.clear())
            if at < 1999:
                with pytest.raises(IndexError):
                    KEY.encrypt_batch(bytes(12 * 2000), shrinking)
            else:
                assert len(KEY.encrypt_batch(bytes(12 * 2000), shrinking)) == 2000

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
        assert KEY.encrypt(bytes(12), data, Fickle(b"aad", grow)) == KEY.encrypt(
            bytes(12), bytes(100), b"aad"
        )
        assert refused == 3 and len(data) == 100


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
    siv = sivka.AESSIV(bytes(64))
    with_list = siv.encrypt_with_list(b"", [b"one", b"two"])
    assert siv.encrypt_with_list(b"", Liar([b"x"])) == with_list


class Once:
    """A number that is another one each time."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        self.number, number = self.number << 40, self.number
        return number


def test_numbers_are_read_once() -> None:
    any_number: Any = Once
    assert len(KEY.random_nonces(any_number(5))) == 60


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


def test_columns_whose_arrays_change() -> None:
    count = 20_000
    values = np.zeros(count * 10, np.uint8)
    right = np.arange(0, count * 10 + 1, 10, dtype=np.int32)
    offsets, validity = right.copy(), np.full(count // 8, 255, np.uint8)
    rows, ends = KEY.seal_column(values, right)
    sealed = np.frombuffer(ends, np.int32)
    row_offsets, source = sealed.copy(), np.random.default_rng(1)

    def change() -> None:
        at = source.integers(1, count)
        offsets[at] = row_offsets[at] = source.integers(-(2**31), 2**31)
        offsets[:], row_offsets[:] = right, sealed
        offsets[at] += 3
        row_offsets[at] -= 3
        validity[:] = source.integers(0, 256, count // 8)

    def seal() -> None:
        data, found = KEY.seal_column(values, offsets, validity=validity)
        assert len(data) == np.frombuffer(found, np.int32)[count]

    def open_rows() -> None:
        data, found, opened = KEY.open_column(rows, row_offsets, validity=validity)
        assert len(data) == np.frombuffer(found, np.int32)[count] and len(opened) == count

    assert against(change, seal) > 0 and against(change, open_rows) > 0


def test_batches_whose_offsets_change() -> None:
    count = 10_000
    right = np.arange(0, count * 10 + 1, 10, dtype=np.int64)
    offsets = right.copy()

    def change() -> None:
        offsets[1:] = np.random.default_rng().integers(-(2**63), 2**63, count)
        offsets[:] = right

    def seal() -> None:
        KEY.encrypt_batch_contiguous(bytes(12 * count), bytes(10 * count), offsets)

    assert against(change, seal) > 0


@pytest.mark.parametrize("code", ["i", "q"])
def test_misaligned_offsets(code: str) -> None:
    width = memoryview(bytes(8)).cast("i" if code == "i" else "q").itemsize
    numbers = np.array([0, 3, 8], f"i{width}").tobytes()
    misaligned: Any = np.frombuffer(b"x" + numbers, np.dtype(f"i{width}"), offset=1)
    assert not misaligned.flags.aligned
    siv = sivka.AESSIV(bytes(64))
    rows, ends = siv.seal_column(b"onetwo..", misaligned)
    assert rows == siv.seal(b"one") + siv.seal(b"two..")
    shifted: Any = np.frombuffer(b"x" + ends, np.dtype(f"i{width}"), offset=1)
    assert siv.open_column(rows, shifted) == (b"onetwo..", numbers, b"\1\1")
    aligned: Any = np.array([0, 3, 8], f"i{width}")
    sealed = siv.encrypt_batch_contiguous(b"onetwo..", aligned)
    assert siv.encrypt_batch_contiguous(b"onetwo..", misaligned) == sealed


def test_an_empty_array_is_empty(tmp_path: Path) -> None:
    empty: Any = np.zeros((0, 5), np.uint8)
    assert KEY.encrypt(bytes(12), empty, empty) == KEY.encrypt(bytes(12), b"")
    assert KEY.encrypt_batch(bytes(12), [empty], [empty]) == [KEY.encrypt(bytes(12), b"")]
    assert (
        KEY.seal_column(empty, np.zeros(3, np.int32), empty)[1]
        == np.array([0, 28, 56], np.int32).tobytes()
    )
    siv = sivka.AESSIV(bytes(64))
    assert siv.encrypt_with_list(empty, [empty]) == siv.encrypt(b"")
    key_file, sink = tmp_path / "key", io.BytesIO()
    sivka.generate_key_file(key_file)
    with sivka.seal_to(sink, key=key_file) as file:
        assert file.write(empty) == 0
    assert sivka.open_stream(io.BytesIO(sink.getvalue()), io.BytesIO(), key=key_file) == 0
    for none in (np.zeros((0, 3), np.int64), np.zeros(0, np.int32)):
        with pytest.raises(ValueError, match="one more than messages expected, 0 given"):
            KEY.encrypt_batch_contiguous(b"", b"", none)
        with pytest.raises(ValueError, match="one more than messages expected, 0 given"):
            KEY.seal_column(b"", none)
    with pytest.raises(ValueError, match="expected, 0 given"):
        sivka.AESGCMSIV(empty)


NAMES: Any = (b"a", b"b")


class PointerStruct(ctypes.Structure):
    """A struct with an object in it, of which NumPy knows nothing."""

    _fields_ = [("number", ctypes.c_long), ("object", ctypes.py_object)]


OBJECTS: dict[str, Any] = {
    "an array": np.array([b"a", b"b"], dtype=object),
    "no objects": np.zeros(0, object),
    "one object": np.array(b"a", dtype=object),
    "a view of an array": np.array([b"a", b"b"], dtype=object).data,
    "a column": np.array([[b"a"], [b"b"]], dtype=object),
    "a struct": np.zeros(1, [("number", "i8"), ("object", object)]),
    "a struct in a struct": np.zeros(1, [("outer", [("n", "i8"), ("o", object, (3,))])]),
    "a name that no format has": np.zeros(2, [("a:b", object)]),
    "a struct of C": PointerStruct(1, b"a"),
    "objects of C": (ctypes.py_object * 2)(*NAMES),
}
if hasattr(np.dtypes, "StringDType"):
    # Short strings are in the array, longer ones are not; it names no format.
    OBJECTS["strings"] = np.array(["a" * 40], dtype=np.dtypes.StringDType())


def _calls_with(given: Any, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every argument that is a buffer, by its name in messages."""
    siv, offsets = sivka.AESSIV(bytes(64)), np.array([0, 1], np.int32)
    nonce, tags = bytes(12), bytes(16)
    yield "data", lambda: KEY.seal(given)
    yield "data", lambda: KEY.open(given)
    yield "associated_data", lambda: KEY.seal(b"a", given)
    yield "nonce", lambda: KEY.encrypt(given, b"a")
    yield "nonce", lambda: KEY.decrypt(given, bytes(16))
    yield "data", lambda: KEY.encrypt(nonce, given)
    yield "data", lambda: KEY.encrypt_into(nonce, given, b"", bytearray(99))
    yield "buf", lambda: KEY.encrypt_into(nonce, b"a", b"", given)
    yield "buf", lambda: KEY.decrypt_into(nonce, KEY.encrypt(nonce, b"a"), b"", given)
    yield "nonces", lambda: KEY.encrypt_batch(given, [b"a"])
    yield "messages", lambda: KEY.encrypt_batch(nonce, [given])
    yield "associated_data", lambda: KEY.encrypt_batch(nonce, [b"a"], given)
    yield "associated_data", lambda: KEY.encrypt_batch(nonce, [b"a"], [given])
    yield "messages", lambda: KEY.decrypt_batch(nonce, [given])
    yield "nonces", lambda: KEY.encrypt_batch_contiguous(given, b"a", offsets)
    yield "data", lambda: KEY.encrypt_batch_contiguous(nonce, given, offsets)
    yield "offsets", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", given)
    yield "out", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", offsets, out=given)
    yield "tags", lambda: KEY.encrypt_batch_contiguous(nonce, b"a", offsets, tags=given)
    yield "tags", lambda: KEY.decrypt_batch_contiguous(nonce, b"a", given, offsets)
    yield "out", lambda: KEY.decrypt_batch_contiguous(nonce, b"a", tags, offsets, out=given)
    yield "data", lambda: KEY.seal_column(given, offsets)
    yield "offsets", lambda: KEY.seal_column(b"a", given)
    yield "associated_data", lambda: KEY.seal_column(b"a", offsets, given)
    yield "validity", lambda: KEY.seal_column(b"a", offsets, validity=given)
    yield "data", lambda: KEY.open_column(given, offsets)
    yield "associated_data", lambda: siv.encrypt_with_list(b"a", [given])
    yield "key", lambda: sivka.AESGCMSIV(given)
    yield "key", lambda: sivka.XChaCha20BLAKE2b(given)
    yield "key", lambda: sivka.AESSIV(given)
    yield "key", lambda: sivka.Kuznyechik(given)
    yield "key_file", lambda: sivka.AESGCMSIV.for_columns(given)
    yield "data", lambda: sivka.Kuznyechik(bytes(32)).encrypt_blocks(given)
    yield "data", lambda: sivka.Keyset.from_insecure(given, "binary")
    yield "data", lambda: sivka.Keyset.generate("AES256_GCM_SIV").seal(given)
    yield "", lambda: sivka.seal_to(io.BytesIO(), key=given)
    yield "", lambda: sivka.seal_to(io.BytesIO(), passphrase=given)
    yield "", lambda: sivka.inspect(given)
    yield "", lambda: sivka.key_file_id(given)
    key_file = folder / "key"
    if not key_file.exists():
        sivka.generate_key_file(key_file)
    file = sivka.seal_to(io.BytesIO(), key=key_file)
    yield "data", lambda: file.write(given)
    file.abandon()
    sealed = folder / "sealed"
    sealed.write_bytes(b"")
    sivka.seal_file(sealed, folder / "out", key=key_file, overwrite=True)
    opened = sivka.open_file(folder / "out", key=key_file)
    yield "buffer", lambda: opened.readinto(given)
    stream = sivka.open_from(io.BytesIO((folder / "out").read_bytes()), key=key_file)
    yield "buffer", lambda: stream.readinto(given)
    yield "context", lambda: sivka.arrow.seal(KEY, pa.array(["a"]), given)


@pytest.mark.parametrize("kind", OBJECTS)
def test_addresses_of_objects_are_no_bytes(kind: str, tmp_path: Path) -> None:
    given = OBJECTS[kind]
    before = given.tobytes() if isinstance(given, np.ndarray) else bytes(given)
    for what, call in _calls_with(given, tmp_path):
        # What is named otherwise in a call of pyarrow, or is among others.
        of = {"context": "associated_data"}.get(what, what)
        text = "addresses of objects of Python given"
        if what == "offsets":
            text += "|offsets: one row of integers"
        with pytest.raises(TypeError, match=f"{of}.*{text}"):
            call()
            pytest.fail(f"{what} was taken")
    assert (given.tobytes() if isinstance(given, np.ndarray) else bytes(given)) == before


def test_arrays_of_other_things_are_their_bytes() -> None:
    for array in (
        np.zeros(2, [("O", "i8"), ("Object", "i4")]),
        np.zeros(2, [("a:O", "i8")]),
        np.zeros(3, "M8[s]"),
        np.zeros(3, "complex128"),
        np.zeros(3, "U5"),
        np.zeros((), "f8"),
        np.zeros((2, 0, 3), "f8"),
        (ctypes.c_long * 3)(1, 2, 3),
        memoryview(bytes(16)).cast("Q"),
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
    released = memoryview(bytearray(16))
    released.release()
    (tmp_path / "file").write_bytes(bytes(16))
    with (tmp_path / "file").open("r+b") as file:
        closed = mmap.mmap(file.fileno(), 16)
    closed.close()
    pickled = pickle.PickleBuffer(b"a")
    pickled.release()
    offsets: Any = np.array([0, 1], np.int32)
    for given, text in (
        (released, "operation forbidden on released memoryview"),
        (closed, "mmap closed or invalid"),
        (pickled, "operation forbidden on released PickleBuffer"),
    ):
        gone: Any = given
        for what, call in (
            ("data", lambda: KEY.seal(gone)),
            ("associated_data", lambda: KEY.seal(b"a", gone)),
            ("buf", lambda: KEY.encrypt_into(bytes(12), b"a", b"", gone)),
            ("key", lambda: sivka.AESGCMSIV(gone)),
            ("offsets", lambda: KEY.seal_column(b"a", gone)),
            ("out", lambda: KEY.encrypt_batch_contiguous(bytes(12), b"a", offsets, out=gone)),
        ):
            with pytest.raises(ValueError, match=f"^{what}: {text}"):
                call()
        with pytest.raises(ValueError, match=rf"^messages: {text}.* \(number 1\)"):
            KEY.encrypt_batch(bytes(24), [b"a", gone])
    # What is there and not contiguous is still called that.
    for there in (
        np.zeros(8)[::2],
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


if sys.version_info >= (3, 12):

    class Refusing:
        """A buffer that raises instead."""

        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __buffer__(self, flags: int, /) -> memoryview:
            raise self.error

    def test_what_an_exporter_raises_itself_goes_on() -> None:
        for error, kind, text in (
            (KeyError("k"), KeyError, "k"),
            (ValueError("gone"), ValueError, "^data: gone"),
            (BufferError("gone"), BufferError, "^data: gone"),
            # Its constructor takes five arguments.
            (UnicodeDecodeError("utf-8", b"", 0, 1, "gone"), ValueError, "^data: .*gone"),
        ):
            with pytest.raises(kind, match=text):
                KEY.seal(Refusing(error))
            with pytest.raises(kind):
                KEY.encrypt_into(bytes(12), b"", b"", Refusing(error))

    def test_what_an_exporter_in_a_list_raises_itself_goes_on() -> None:
        class Two(Exception):
            def __init__(self, one: int, two: int) -> None:
                super().__init__(one, two)

        for error in (SystemExit(3), Two(1, 2), OSError(2, "no", "f"), KeyError("k")):
            with pytest.raises(type(error)) as raised:
                KEY.encrypt_batch([bytes(12)], [Refusing(error)])
            assert raised.value is error
        with pytest.raises(BufferError, match="gone.*number 0"):
            KEY.encrypt_batch([bytes(12)], [Refusing(BufferError("gone"))])
