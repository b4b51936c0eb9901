"""Sealed files from and to file objects of any kind."""

from __future__ import annotations

import io
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sivka

CHUNK = 16384
LENGTHS = (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 1_000_003)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "my.key"
    sivka.generate_key_file(path)
    return path


class Body:
    """What a download is: read() alone, and less than was asked for."""

    def __init__(self, content: bytes, piece: int = 1000) -> None:
        self._source, self._piece = io.BytesIO(content), piece

    def read(self, size: int = -1) -> bytes:
        return self._source.read(min(size, self._piece) if size > 0 else self._piece)


class Short(io.RawIOBase):
    """A raw file that takes less than it is given."""

    def __init__(self) -> None:
        self.content = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.content += data[:777]
        return min(777, len(data))


class Parts:
    """What an upload is: write() alone, which says nothing."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: bytes) -> None:
        assert isinstance(data, bytes)
        self.content += data


def sealed_bytes(text: bytes, key: Path) -> bytes:
    out = io.BytesIO()
    assert sivka.seal_stream(io.BytesIO(text), out, key=key) == len(text)
    return out.getvalue()


@pytest.mark.parametrize("length", LENGTHS)
def test_any_file_object(tmp_path: Path, key: Path, length: int) -> None:
    text = os.urandom(length)
    for sink in (io.BytesIO(), Short(), Parts()):
        done: list[int] = []
        assert sivka.seal_stream(Body(text), sink, key=key, progress=done.append) == length
        assert done == sorted(done) and (done[-1:] or [0]) == [length]
        sealed = sink.getvalue() if isinstance(sink, io.BytesIO) else bytes(sink.content)
        for source in (io.BytesIO(sealed), Body(sealed), Body(sealed, 50_000)):
            back, done = io.BytesIO(), []
            assert sivka.open_stream(source, back, key=key, progress=done.append) == length
            assert back.getvalue() == text and (done[-1:] or [0]) == [length]
        assert sivka.verify_stream(Body(sealed), key=key) == length
        with sivka.open_from(Body(sealed), key=key) as file:
            assert file.read() == text and file.read() == b""
    # The same files as by path.
    path, out = tmp_path / "sealed", tmp_path / "out"
    path.write_bytes(sealed)
    sivka.open_file_into(path, out, key=key)
    assert out.read_bytes() == text
    with path.open("rb") as file:
        assert sivka.verify_stream(file, key=key) == length


def test_sockets(key: Path) -> None:
    text = os.urandom(500_000)
    here, there = socket.socketpair()

    def send() -> None:
        with here:
            sivka.seal_stream(io.BytesIO(text), here, key=key, suite="xchacha20-blake2b")

    thread = threading.Thread(target=send)
    thread.start()
    out = io.BytesIO()
    with there:
        assert sivka.open_stream(there, out, key=key) == len(text)
    thread.join()
    assert out.getvalue() == text


def test_the_other_file_stays_open(key: Path) -> None:
    out = io.BytesIO()
    with sivka.seal_to(out, key=key) as sealing:
        sealing.write(b"text")
    out.seek(0)
    with sivka.open_from(out, key=key) as opening:
        assert opening.read() == b"text"
    assert sealing.closed and opening.closed and not out.closed
    with pytest.raises(ValueError, match="closed file"):
        sealing.write(b"")
    with pytest.raises(ValueError, match="closed file"):
        opening.read(1)
    sealing.close()
    assert not sealing.readable() and not opening.writable() and not opening.seekable()


class Stop(Exception):
    """What a caller raises to stop."""


def test_progress_stops(key: Path) -> None:
    text = os.urandom(2_000_000)
    sealed = sealed_bytes(text, key)

    def stop(done: int) -> None:
        if done > 700_000:
            raise Stop

    out = io.BytesIO()
    with pytest.raises(Stop):
        sivka.seal_stream(io.BytesIO(text), out, key=key, progress=stop)
    with pytest.raises(sivka.TruncatedError):
        sivka.verify_stream(io.BytesIO(out.getvalue()), key=key)
    out = io.BytesIO()
    with pytest.raises(Stop):
        sivka.open_stream(io.BytesIO(sealed), out, key=key, progress=stop)
    assert 700_000 < len(out.getvalue()) < 800_000 and text.startswith(out.getvalue())
    with pytest.raises(Stop):
        sivka.verify_stream(io.BytesIO(sealed), key=key, progress=stop)


class Failing:
    """Reads, and takes, so many bytes, and then cannot."""

    def __init__(self, content: bytes, limit: int) -> None:
        self._source, self._limit = io.BytesIO(content), limit

    def read(self, size: int = -1) -> bytes:
        if self._source.tell() >= self._limit:
            raise ConnectionResetError("the line is dead")
        return self._source.read(min(size, 5000) if size > 0 else 5000)

    def write(self, data: bytes) -> int:
        if self._source.tell() + len(data) > self._limit:
            raise ConnectionResetError("the line is dead")
        return self._source.write(data)


@pytest.mark.parametrize("limit", [0, 1000, 50_000])
def test_what_the_other_file_raises_goes_on(key: Path, limit: int) -> None:
    text = os.urandom(200_000)
    sealed = sealed_bytes(text, key)
    with pytest.raises(ConnectionResetError, match="the line is dead"):
        sivka.seal_stream(Failing(text, limit), io.BytesIO(), key=key)
    with pytest.raises(ConnectionResetError, match="the line is dead"):
        sivka.seal_stream(io.BytesIO(text), Failing(b"", limit), key=key)
    out = io.BytesIO()
    with pytest.raises(ConnectionResetError, match="the line is dead"):
        sivka.open_stream(Failing(sealed, limit), out, key=key)
    assert text.startswith(out.getvalue())
    with pytest.raises(ConnectionResetError, match="the line is dead"):
        sivka.open_stream(io.BytesIO(sealed), Failing(b"", limit), key=key)


def test_damage(key: Path) -> None:
    text = os.urandom(10 * CHUNK)
    sealed = bytearray(sealed_bytes(text, key))
    sealed[-6 * CHUNK] ^= 1
    out = io.BytesIO()
    with pytest.raises(sivka.DamagedError):
        sivka.open_stream(io.BytesIO(sealed), out, key=key)
    opened = out.getvalue()
    assert text.startswith(opened) and len(opened) == 4 * CHUNK
    with sivka.open_from(io.BytesIO(sealed), key=key) as file:
        with pytest.raises(sivka.DamagedError):
            file.read()
        # It stays.
        with pytest.raises(OSError):
            file.read(1)
    for length in (100, 3000):
        with pytest.raises(sivka.TruncatedError):
            sivka.open_stream(io.BytesIO(sealed[:length]), out, key=key)
    assert out.getvalue() == opened
    with pytest.raises(sivka.NotSivkaError):
        sivka.open_from(io.BytesIO(b"something else"), key=key)


def test_what_is_no_file(key: Path) -> None:
    sealed = sealed_bytes(bytes(CHUNK), key)
    number: Any = 5
    text: Any = io.StringIO("text")
    with pytest.raises(TypeError, match=r"source: an object with read\(\) expected, int given"):
        sivka.seal_stream(number, io.BytesIO(), key=key)
    with pytest.raises(TypeError, match=r"out: an object with write\(\) expected, int given"):
        sivka.open_stream(io.BytesIO(sealed), number, key=key)
    with pytest.raises(TypeError, match=r"bytes expected from read\(\), str given"):
        sivka.open_from(text, key=key)
    with pytest.raises(TypeError):
        sivka.seal_stream(io.StringIO("text"), io.BytesIO(), key=key)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        sivka.seal_stream(io.BytesIO(b"text"), text, key=key)

    class Nothing(io.RawIOBase):
        def read(self, size: int = -1, /) -> None:
            return None

        def write(self, data: Any, /) -> None:
            return None

    with pytest.raises(BlockingIOError):
        sivka.open_from(Nothing(), key=key)
    with pytest.raises(BlockingIOError):
        sivka.seal_to(Nothing(), key=key)
    with pytest.raises(ValueError, match="suite"):
        sivka.seal_to(io.BytesIO(), key=key, suite="rot13")
    with pytest.raises(ValueError, match="at least one key slot"):
        sivka.seal_to(io.BytesIO())


# Bytes that a sealed file that is being written does not hold back: it has two buffers of 4 MiB.
MORE_THAN_IS_HELD = 9 << 20


class Counting:
    """A sink that says of each piece what it is told to say, and takes nothing."""

    def __init__(self, answer: Callable[[int], object]) -> None:
        self._answer, self.calls = answer, 0

    def write(self, data: bytes) -> Any:
        self.calls += 1
        return self._answer(len(data))


class RawCounting(Counting, io.RawIOBase):  # type: ignore[misc]
    """The same as a raw file."""


COUNTS: dict[str, tuple[Callable[[int], object], type[Exception], str]] = {
    "nothing": (lambda _: 0, OSError, "out: write.. took 0 of [0-9]+ bytes"),
    "less than nothing": (lambda _: -1, ValueError, "a count from 0 to [0-9]+ .*, -1 given"),
    "far less": (lambda _: -(2**63), ValueError, "a count from 0 to [0-9]+ .*, -9223"),
    "one more": (lambda n: n + 1, ValueError, "a count from 0 to [0-9]+ expected"),
    "wrapped": (lambda n: 2**64 + n, ValueError, "a count from 0 to [0-9]+ .*, 18446744"),
    "a fraction": (lambda n: float(n), TypeError, r"a count expected from write\(\), float given"),
    "a text": (lambda _: "x", TypeError, r"a count expected from write\(\), str given"),
}


@pytest.mark.parametrize("sink", [Counting, RawCounting])
@pytest.mark.parametrize("answer", COUNTS)
def test_counts_of_what_a_sink_took_are_checked(
    key: Path, answer: str, sink: type[Counting]
) -> None:
    told, error, text = COUNTS[answer]
    sealed = sealed_bytes(bytes(3 * CHUNK), key)
    calls: list[Callable[[Any], object]] = [
        lambda out: sivka.seal_stream(io.BytesIO(bytes(100)), out, key=key),
        lambda out: sivka.open_stream(io.BytesIO(sealed), out, key=key),
        lambda out: sivka.seal_to(out, key=key),
    ]
    for call in calls:
        out = sink(told)
        with pytest.raises(error, match=text):
            call(out)
        assert out.calls == 1
    # After the header, too.
    ends: list[Callable[[sivka.SealingFile], object]] = [
        lambda file: file.finish(),
        lambda file: file.write(bytes(MORE_THAN_IS_HELD)),
    ]
    for end in ends:
        late = sink(lambda n: n if late.calls == 1 else told(n))
        file = sivka.seal_to(late, key=key)
        with pytest.raises(error, match=text):
            end(file)
        assert late.calls == 2 and file.closed


def test_any_whole_number_counts(key: Path) -> None:
    class Whole(Short):
        def write(self, data: Any, /) -> Any:
            return np.int16(super().write(data))

    out = Whole()
    assert sivka.seal_stream(Body(bytes(5 * CHUNK)), out, key=key) == 5 * CHUNK
    assert sivka.verify_stream(Body(bytes(out.content)), key=key) == 5 * CHUNK


def test_what_a_source_gives_is_checked(key: Path) -> None:
    sealed = sealed_bytes(bytes(3 * CHUNK), key)

    class Saying:
        def __init__(self, given: object, whole: bytes = b"") -> None:
            self._given, self._whole = given, whole

        def read(self, size: int = -1) -> Any:
            given, self._given = self._given, self._whole
            self._whole = b""
            return given

    no_bytes: tuple[object, ...] = ("", "text", 0, -1, 5, 1.0, False, [], [65], Saying(b""))
    for given in no_bytes:
        name = type(given).__qualname__
        for call in (
            lambda source: sivka.seal_stream(source, io.BytesIO(), key=key),
            lambda source: sivka.open_stream(source, io.BytesIO(), key=key),
            lambda source: sivka.verify_stream(source, key=key),
            lambda source: sivka.open_from(source, key=key),
            sivka.inspect,
        ):
            with pytest.raises(
                TypeError, match=f"source: bytes expected from read.., {name} given"
            ):
                call(Saying(given))
    with pytest.raises(BlockingIOError):
        sivka.inspect(Saying(None))
    objects = np.array([b"a"], dtype=object).data
    with pytest.raises(TypeError, match="source: .*objects"):
        sivka.seal_stream(Saying(objects), io.BytesIO(), key=key)
    # More than was asked for is no less authentic.
    for much in (sealed, bytearray(sealed), memoryview(sealed)):
        assert sivka.verify_stream(Saying(much), key=key) == 3 * CHUNK
        assert sivka.inspect(Saying(much)) == sivka.inspect(io.BytesIO(sealed))
        out = io.BytesIO()
        assert sivka.seal_stream(Saying(much), out, key=key) == len(sealed)
    big = Saying(bytes(1 << 20), b"end")
    out = io.BytesIO()
    assert sivka.seal_stream(big, out, key=key) == (1 << 20) + 3
    assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == bytes(1 << 20) + b"end"


def test_a_source_that_reads_its_own_file_is_told(key: Path) -> None:
    sealed = sealed_bytes(bytes(5 * CHUNK), key)

    class Inward(Body):
        file: sivka.OpeningFile | None = None

        def read(self, size: int = -1) -> bytes:
            if self.file is not None:
                self.file.read(1)
            return super().read(size)

    source = Inward(sealed)
    with sivka.open_from(source, key=key) as file:
        source.file = file
        with pytest.raises(RuntimeError, match="in use"):
            file.read()
        source.file = None


def test_one_thread_writes_at_a_time(key: Path) -> None:
    class Slow(io.BytesIO):
        def __init__(self) -> None:
            super().__init__()
            self.is_reached = threading.Event()
            self.may_go_on = threading.Event()
            self.may_go_on.set()

        def write(self, data: Any, /) -> int:
            self.is_reached.set()
            assert self.may_go_on.wait(60)
            return super().write(data)

    out = Slow()
    file = sivka.seal_to(out, key=key)
    out.is_reached.clear()
    out.may_go_on.clear()
    thread = threading.Thread(target=file.write, args=(b"a" * MORE_THAN_IS_HELD,))
    thread.start()
    assert out.is_reached.wait(60)
    for call in (lambda: file.write(b"b" * CHUNK), file.finish, file.close):
        with pytest.raises(RuntimeError, match="in use"):
            call()
    out.may_go_on.set()
    thread.join()
    file.write(b"c")
    file.finish()
    opened = sivka.open_from(io.BytesIO(out.getvalue()), key=key).read()
    assert opened == b"a" * MORE_THAN_IS_HELD + b"c"


def test_a_sink_that_writes_to_its_own_file_is_told(key: Path) -> None:
    class Inward(io.BytesIO):
        file: sivka.SealingFile | None = None

        def write(self, data: Any, /) -> int:
            if self.file is not None:
                with pytest.raises(RuntimeError, match="in use"):
                    self.file.write(b"more")
                for call in (self.file.finish, self.file.close):
                    with pytest.raises(RuntimeError, match="in use"):
                        call()
            return super().write(data)

    out = Inward()
    with sivka.seal_to(out, key=key) as file:
        out.file = file
        file.write(bytes(3 * CHUNK))
    assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == bytes(3 * CHUNK)
