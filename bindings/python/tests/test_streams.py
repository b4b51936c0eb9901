"""Sealed files, and streams of keysets, from and to file objects of any kind."""

from __future__ import annotations

import io
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from conftest import CHUNK, sealed_bytes

import sivka

DATA = b"backup of monday"
TEMPLATE = "AES256_GCM_HKDF_4KB"
# Bytes that a sealed file that is being written does not hold back: it has two buffers of 4 MiB.
MORE_THAN_IS_HELD = 9 << 20


class Way(NamedTuple):
    """A key file, or a keyset."""

    seal_to: Callable[[Any], sivka.SealingFile]
    open_from: Callable[[Any], sivka.OpeningFile]
    error: type[Exception]
    # The length of a header, which has two copies in a file.
    header: int


@pytest.fixture(params=["a key file", "a keyset"])
def way(request: pytest.FixtureRequest, key: Path) -> Way:
    if request.param == "a key file":
        opening = sivka.DamagedError, len(sealed_bytes(b"", key))
        return Way(
            lambda out: sivka.seal_to(out, key=key),
            lambda source: sivka.open_from(source, key=key),
            *opening,
        )
    keyset = sivka.Keyset.generate(TEMPLATE)
    return Way(
        lambda out: keyset.seal_to(out, DATA),
        lambda source: keyset.open_from(source, DATA),
        sivka.InvalidTag,
        0,
    )


class Body:
    """What a download is: read() alone, and less than was asked for."""

    def __init__(self, content: bytes, piece: int = 1000) -> None:
        self._source, self._piece = io.BytesIO(content), piece

    def read(self, size: int = -1) -> bytes:
        return self._source.read(min(size, self._piece) if size > 0 else self._piece)


class Short(io.RawIOBase):
    """A raw file that takes less than it is given, and says so with a number of NumPy."""

    def __init__(self) -> None:
        self.content = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> Any:
        self.content += data[:777]
        return np.int16(min(777, len(data)))


class Parts:
    """What an upload is: write() alone, which says nothing."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: bytes) -> None:
        assert isinstance(data, bytes)
        self.content += data


@pytest.mark.parametrize("length", [0, 1, CHUNK, CHUNK + 1, 1_000_003])
def test_any_file_object(tmp_path: Path, key: Path, length: int) -> None:
    text = os.urandom(length)
    for sink in (Short(), Parts()):
        done: list[int] = []
        assert sivka.seal_stream(Body(text), sink, key=key, progress=done.append) == length
        assert done == sorted(done) and (done[-1:] or [0]) == [length]
        sealed = bytes(sink.content)
        for source in (io.BytesIO(sealed), Body(sealed), Body(sealed, 50_000)):
            back, done = io.BytesIO(), []
            assert sivka.open_stream(source, back, key=key, progress=done.append) == length
            assert back.getvalue() == text and (done[-1:] or [0]) == [length]
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


def test_the_other_file_stays_open(way: Way) -> None:
    text, out = os.urandom(50_000), io.BytesIO()
    with way.seal_to(out) as sealing:
        for at in range(0, len(text), 10_001):
            sealing.write(text[at : at + 10_001])
    with way.open_from(Body(out.getvalue())) as opening:
        assert opening.read() == text and opening.read() == b""
    assert sealing.closed and opening.closed and not out.closed
    for call in (lambda: sealing.write(b""), lambda: opening.read(1)):
        with pytest.raises(ValueError, match="closed file"):
            call()
    sealing.close()
    assert not sealing.readable() and not opening.writable() and not opening.seekable()


def does_not_open(way: Way, sealed: bytes, text: bytes, error: type[Exception]) -> int:
    """How much comes out before the error; nothing else may."""
    done = bytearray()
    with pytest.raises(error):
        with way.open_from(io.BytesIO(sealed)) as file:
            try:
                while piece := file.read(777):
                    done += piece
            except error:
                with pytest.raises(OSError, match="an earlier read failed"):
                    file.read(1)
                raise
    assert text.startswith(done)
    return len(done)


def test_nothing_that_is_not_authentic_comes_out(way: Way) -> None:
    text, out = os.urandom(3 * CHUNK), io.BytesIO()
    with way.seal_to(out) as file:
        file.write(text)
    sealed = out.getvalue()
    cut = sivka.InvalidTag if way.error is sivka.InvalidTag else sivka.TruncatedError
    for at in range(way.header, len(sealed), 499):
        changed = bytearray(sealed)
        changed[at] ^= 4
        assert does_not_open(way, bytes(changed), text, way.error) <= at
        does_not_open(way, sealed[:at], text, cut)
    does_not_open(way, sealed[:-1], text, cut)
    does_not_open(way, sealed + b"\0", text, way.error)
    other = sivka.Keyset.generate(TEMPLATE)
    with pytest.raises(sivka.InvalidTag):
        other.open_from(io.BytesIO(sealed), DATA).read()


class Stop(Exception):
    """What a caller raises to stop."""


def test_progress_stops(key: Path) -> None:
    text = os.urandom(2_000_000)

    def stop(done: int) -> None:
        if done > 700_000:
            raise Stop

    out = io.BytesIO()
    with pytest.raises(Stop):
        sivka.seal_stream(io.BytesIO(text), out, key=key, progress=stop)
    with pytest.raises(sivka.TruncatedError):
        sivka.verify_stream(io.BytesIO(out.getvalue()), key=key)
    sealed, out = sealed_bytes(text, key), io.BytesIO()
    with pytest.raises(Stop):
        sivka.open_stream(io.BytesIO(sealed), out, key=key, progress=stop)
    assert 700_000 < len(out.getvalue()) < 800_000 and text.startswith(out.getvalue())
    with pytest.raises(Stop):
        sivka.verify_stream(io.BytesIO(sealed), key=key, progress=stop)


class Failing(io.BytesIO):
    """Reads, and takes, so many bytes, and then cannot."""

    def __init__(self, content: bytes, limit: int) -> None:
        super().__init__(content)
        self._limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= self._limit:
            raise ConnectionResetError("the line is dead")
        return super().read(5000)

    read1 = read

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > self._limit:
            raise ConnectionResetError("the line is dead")
        return super().write(data)


@pytest.mark.parametrize("limit", [0, 1000, 50_000])
def test_what_the_other_file_raises_goes_on(key: Path, way: Way, limit: int) -> None:
    text, out, opened = os.urandom(200_000), io.BytesIO(), io.BytesIO()
    with way.seal_to(out) as file:
        file.write(text)
    sealed = sealed_bytes(text, key)

    def write(sink: Failing) -> None:
        with way.seal_to(sink) as file:
            try:
                file.write(text * 50)
            finally:
                assert file.closed

    calls: list[Callable[[], object]] = [
        lambda: way.open_from(Failing(out.getvalue(), limit)).read(),
        lambda: write(Failing(b"", limit)),
        lambda: sivka.seal_stream(Failing(text, limit), io.BytesIO(), key=key),
        lambda: sivka.open_stream(Failing(sealed, limit), opened, key=key),
        lambda: sivka.open_stream(io.BytesIO(sealed), Failing(b"", limit), key=key),
    ]
    for call in calls:
        with pytest.raises(ConnectionResetError, match="the line is dead"):
            call()
    assert text.startswith(opened.getvalue())


def test_the_keyset_may_be_closed_and_changed_meanwhile() -> None:
    text, data, out = os.urandom(50_000), bytearray(DATA), io.BytesIO()
    keyset = sivka.Keyset.generate(TEMPLATE)
    kept = keyset.to_insecure("binary")
    file = keyset.seal_to(out, data)
    data[:] = bytes(len(data))
    keyset.rotate("AES128_CTR_HMAC_SHA256_4KB")
    keyset.close()
    with file:
        file.write(text)
    read = sivka.Keyset.from_insecure(kept, "binary")
    back = read.open_from(io.BytesIO(out.getvalue()), DATA)
    read.rotate("AES128_CTR_HMAC_SHA256_4KB")
    assert read.open_from(io.BytesIO(out.getvalue()), DATA).read() == text
    read.close()
    with back:
        assert back.read() == text


def test_what_is_no_file(key: Path, way: Way) -> None:
    streams, messages = (sivka.Keyset.generate(of) for of in (TEMPLATE, "AES256_GCM_SIV"))
    strange: Any

    class Nothing(io.RawIOBase):
        def read(self, size: int = -1, /) -> None:
            return None

        def write(self, data: Any, /) -> None:
            return None

    for strange in (None, 5):
        with pytest.raises(TypeError, match=r"out: an object with write\(\) expected"):
            way.seal_to(strange)
        with pytest.raises(TypeError, match=r"source: an object with read\(\) expected"):
            way.open_from(strange)
    strange = io.StringIO("text")
    with pytest.raises(TypeError, match=r"bytes expected from read\(\), str given"):
        way.open_from(strange).read()
    for source, sink in ((strange, io.BytesIO()), (io.BytesIO(b"text"), strange)):
        with pytest.raises(TypeError):
            sivka.seal_stream(source, sink, key=key)
    with pytest.raises(BlockingIOError):
        way.open_from(Nothing()).read()
    with pytest.raises(BlockingIOError):
        with way.seal_to(Nothing()) as file:
            file.write(b"")
    with pytest.raises(ValueError, match="suite"):
        sivka.seal_to(io.BytesIO(), key=key, suite="rot13")
    with pytest.raises(ValueError, match="at least one key slot"):
        sivka.seal_to(io.BytesIO())
    with pytest.raises(sivka.NotSivkaError):
        sivka.open_from(io.BytesIO(b"something else"), key=key)
    out = io.BytesIO()
    for call in (
        lambda: messages.seal_to(out, DATA),
        lambda: messages.open_from(out, DATA),
        lambda: streams.seal(DATA),
        lambda: streams.open(DATA),
        lambda: streams.seal_deterministically(DATA),
        lambda: messages.encrypt("json", streams),
    ):
        with pytest.raises(ValueError, match="the keyset is for "):
            call()
    strange = "text"
    with pytest.raises(TypeError, match="associated_data"):
        streams.seal_to(out, strange)
    streams.close()
    for closed in (lambda: streams.seal_to(out), lambda: streams.open_from(out)):
        with pytest.raises(ValueError, match="closed"):
            closed()
    assert out.getvalue() == b""


class Counting:
    """A sink that says of each piece what it is told to say, and takes nothing."""

    def __init__(self, answer: Callable[[int], object]) -> None:
        self._answer, self.calls = answer, 0

    def write(self, data: bytes) -> Any:
        self.calls += 1
        return self._answer(len(data))


COUNTS: dict[str, tuple[Callable[[int], object], type[Exception], str]] = {
    "nothing": (lambda _: 0, OSError, "out: write.. took 0 of [0-9]+ bytes"),
    "less than nothing": (lambda _: -1, ValueError, "a count from 0 to [0-9]+ .*, -1 given"),
    "one more": (lambda n: n + 1, ValueError, "a count from 0 to [0-9]+ expected"),
    "wrapped": (lambda n: 2**64 + n, ValueError, "a count from 0 to [0-9]+ .*, 18446744"),
    "a fraction": (lambda n: float(n), TypeError, r"a count expected from write\(\), float given"),
}


@pytest.mark.parametrize("answer", COUNTS)
def test_counts_of_what_a_sink_took_are_checked(key: Path, answer: str) -> None:
    told, error, text = COUNTS[answer]
    sealed = sealed_bytes(bytes(3 * CHUNK), key)
    for call in (
        lambda out: sivka.open_stream(io.BytesIO(sealed), out, key=key),
        lambda out: sivka.seal_to(out, key=key),
    ):
        out = Counting(told)
        with pytest.raises(error, match=text):
            call(out)
        assert out.calls == 1
    # After the header, too.
    ends: list[Callable[[sivka.SealingFile], object]] = [
        lambda file: file.finish(),
        lambda file: file.write(bytes(MORE_THAN_IS_HELD)),
    ]
    for end in ends:
        late = Counting(lambda n: n if late.calls == 1 else told(n))
        file = sivka.seal_to(late, key=key)
        with pytest.raises(error, match=text):
            end(file)
        assert late.calls == 2 and file.closed


class Saying:
    """A source that says one thing, and then another."""

    def __init__(self, *given: object) -> None:
        self._given = [*given, b""]

    def read(self, size: int = -1) -> Any:
        return self._given.pop(0)


def test_what_a_source_gives_is_checked(key: Path) -> None:
    sealed = sealed_bytes(bytes(3 * CHUNK), key)
    for given in ("", "text", 0, 1.0, False, [], [65], Saying()):
        refusal = f"source: bytes expected from read.., {type(given).__qualname__} given"
        for call in (
            lambda source: sivka.seal_stream(source, io.BytesIO(), key=key),
            lambda source: sivka.open_from(source, key=key),
            sivka.inspect,
        ):
            with pytest.raises(TypeError, match=refusal):
                call(Saying(given))
    with pytest.raises(BlockingIOError):
        sivka.inspect(Saying(None))
    objects = np.array([b"a"], dtype=object).data
    with pytest.raises(TypeError, match="source: .*objects"):
        sivka.seal_stream(Saying(objects), io.BytesIO(), key=key)
    # More than was asked for is no less authentic.
    for much in (sealed, bytearray(sealed), memoryview(sealed)):
        assert sivka.verify_stream(Saying(much), key=key) == 3 * CHUNK
        assert sivka.inspect(Saying(much)) == sivka.inspect(sealed)
    out = io.BytesIO()
    assert sivka.seal_stream(Saying(bytes(1 << 20), b"end"), out, key=key) == (1 << 20) + 3
    assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == bytes(1 << 20) + b"end"


def test_one_thread_writes_at_a_time(key: Path) -> None:
    class Slow(io.BytesIO):
        def __init__(self) -> None:
            super().__init__()
            self.is_reached, self.may_go_on = threading.Event(), threading.Event()
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


def test_a_file_object_that_uses_its_own_file_is_told(key: Path) -> None:
    class Inward(io.BytesIO):
        calls: tuple[Callable[[], object], ...] = ()

        def read1(self, size: int | None = -1, /) -> bytes:
            self.call()
            return super().read1(size)

        def write(self, data: Any, /) -> int:
            self.call()
            return super().write(data)

        def call(self) -> None:
            for call in self.calls:
                with pytest.raises(RuntimeError, match="in use"):
                    call()

    out = Inward()
    with sivka.seal_to(out, key=key) as file:
        out.calls = lambda: file.write(b"more"), file.finish, file.close
        file.write(bytes(30 * CHUNK))
    source = Inward(out.getvalue())
    with sivka.open_from(source, key=key) as opening:
        source.calls = lambda: opening.read(1), opening.close
        assert opening.read() == bytes(30 * CHUNK)
