"""Sealed files, and streams of keysets, from and to file objects of any kind."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from conftest import CHUNK, refused, sealed_bytes

import sivka

DATA = b"backup of monday"
TEMPLATE = "AES256_GCM_HKDF_4KB"
# Bytes that a sealed file that is being written does not hold back: it has two buffers of 4 MiB.
MORE_THAN_IS_HELD = 9 << 20


class Way(NamedTuple):
    """A key file, or a keyset."""

    seal_to: Callable[[Any], sivka.SealingFile]
    open_from: Callable[[Any], sivka.OpeningFile]
    # What is damaged, or cut, raises it.
    error: type[Exception]


@pytest.fixture(params=["a key file", "a keyset"])
def way(request: pytest.FixtureRequest, key: Path) -> Way:
    if request.param == "a key file":
        return Way(
            lambda out: sivka.seal_to(out, key=key),
            lambda source: sivka.open_from(source, key=key),
            sivka.DamagedError,
        )
    keyset = sivka.Keyset.generate(TEMPLATE)
    return Way(
        lambda out: keyset.seal_to(out, DATA),
        lambda source: keyset.open_from(source, DATA),
        sivka.InvalidTag,
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
    text, out = os.urandom(20_000), io.BytesIO()
    here, there = socket.socketpair()
    with there:
        with here:
            sivka.seal_stream(io.BytesIO(text), here, key=key, suite="xchacha20-blake2b")
        assert sivka.open_stream(there, out, key=key) == len(text)
    assert out.getvalue() == text


def test_the_other_file_stays_open(way: Way) -> None:
    text, out = os.urandom(50_000), io.BytesIO()
    with way.seal_to(out) as sealing:
        for at in range(0, len(text), 10_001):
            sealing.write(text[at : at + 10_001])
    with way.open_from(Body(out.getvalue())) as opening:
        assert opening.read() == text and opening.read() == b""
    assert sealing.closed and opening.closed and not out.closed
    refused(ValueError, {"closed file": [lambda: sealing.write(b""), lambda: opening.read(1)]})
    sealing.close()
    assert not sealing.readable() and not opening.writable() and not opening.seekable()


def test_nothing_that_is_not_authentic_comes_out(way: Way) -> None:
    """The matrix asks all damage of vectors; here what comes before it, and after the error."""
    text, out = os.urandom(3 * CHUNK), io.BytesIO()
    with way.seal_to(out) as file:
        file.write(text)
    sealed = out.getvalue()
    flipped = bytearray(sealed)
    flipped[-CHUNK] ^= 4
    for changed in (flipped, sealed[:-1], sealed[: -CHUNK - 99], sealed + b"\0"):
        done, opening = b"", way.open_from(io.BytesIO(changed))
        with pytest.raises(way.error):
            while piece := opening.read(777):
                done += piece
        assert text.startswith(done)
        with pytest.raises(OSError, match="an earlier read failed"):
            opening.read(1)


def test_progress_stops(key: Path) -> None:
    text, sealing, opening = os.urandom(2_000_000), io.BytesIO(), io.BytesIO()
    sealed = sealed_bytes(text, key)

    def stop(done: int) -> None:
        if done > 700_000:
            raise KeyError(done)

    calls: list[Callable[[], object]] = [
        lambda: sivka.seal_stream(io.BytesIO(text), sealing, key=key, progress=stop),
        lambda: sivka.open_stream(io.BytesIO(sealed), opening, key=key, progress=stop),
        lambda: sivka.verify_stream(io.BytesIO(sealed), key=key, progress=stop),
    ]
    refused(KeyError, {"": calls})
    assert 700_000 < len(opening.getvalue()) < 800_000 and text.startswith(opening.getvalue())
    with pytest.raises(sivka.TruncatedError):
        sivka.verify_stream(io.BytesIO(sealing.getvalue()), key=key)


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
    refused(ConnectionResetError, {"the line is dead": calls})
    assert text.startswith(opened.getvalue())


def test_the_keyset_may_be_closed_and_changed_meanwhile() -> None:
    text, data, out = os.urandom(50_000), bytearray(DATA), io.BytesIO()
    keyset = sivka.Keyset.generate(TEMPLATE)
    read = keyset.copy()
    file = keyset.seal_to(out, data)
    data[:] = bytes(len(data))
    keyset.rotate("AES128_CTR_HMAC_SHA256_4KB")
    keyset.close()
    with file:
        file.write(text)
    opening = read.open_from(io.BytesIO(out.getvalue()), DATA)
    read.rotate("AES128_CTR_HMAC_SHA256_4KB")
    read.close()
    assert opening.read() == text


class Nothing(io.RawIOBase):
    """Has nothing yet, and takes nothing now."""

    def read(self, size: int = -1, /) -> None:
        return None

    def write(self, data: Any, /) -> None:
        return None


def test_what_is_no_file(key: Path, way: Way) -> None:
    text, out, no_file = io.StringIO("text"), io.BytesIO(), 5
    strange: Any
    for strange in (None, no_file, text):
        taken = "bytes expected from|an object with" if strange is text else "an object with"
        opens = [
            lambda: way.open_from(strange).read(),
            lambda: sivka.seal_stream(strange, out, key=key),
        ]
        refused(TypeError, {rf"source: ({taken}) read\(\)": opens})
        if strange is not text:
            refused(TypeError, {r"out: an object with write\(\)": [lambda: way.seal_to(strange)]})
    with pytest.raises(TypeError):
        sivka.seal_stream(io.BytesIO(b"text"), text, key=key)  # type: ignore[arg-type]
    blocked = [lambda: way.open_from(Nothing()).read(), lambda: way.seal_to(Nothing()).finish()]
    refused(BlockingIOError, {"": blocked})
    refused(
        ValueError,
        {
            "suite": [lambda: sivka.seal_to(io.BytesIO(), key=key, suite="rot13")],
            "at least one key slot": [lambda: sivka.seal_to(io.BytesIO())],
        },
    )
    with pytest.raises(sivka.NotSivkaError):
        sivka.open_from(io.BytesIO(b"something else"), key=key)


def test_keysets_of_another_purpose() -> None:
    names = (TEMPLATE, "AES256_GCM_SIV", "AES256_SIV")
    streams, messages, tokens = (sivka.Keyset.generate(of) for of in names)
    out, strange = io.BytesIO(), "text"
    refused(
        ValueError,
        {
            "the keyset is for AEAD": [
                lambda: messages.seal_to(out, DATA),
                lambda: messages.open_from(out, DATA),
                lambda: messages.seal_deterministically(DATA),
                lambda: messages.open_deterministically(bytes(50)),
            ],
            "the keyset is for streaming AEAD": [
                lambda: streams.seal(DATA),
                lambda: streams.open(DATA),
                lambda: messages.encrypt("json", streams),
            ],
            "the keyset is for deterministic AEAD": [
                lambda: tokens.seal(DATA),
                lambda: tokens.open(bytes(50)),
                lambda: messages.encrypt("json", tokens),
            ],
        },
    )
    with pytest.raises(TypeError, match="associated_data"):
        streams.seal_to(out, strange)  # type: ignore[arg-type]
    streams.close()
    closed = [lambda: streams.seal_to(out), lambda: streams.open_from(out)]
    refused(ValueError, {"closed": closed})
    assert out.getvalue() == b""


class Counting:
    """A sink that says of each piece after the first ones what it is told, and takes nothing."""

    def __init__(self, answer: Callable[[int], object], honest: int = 0) -> None:
        self._answer, self._honest, self.calls = answer, honest, 0

    def write(self, data: bytes) -> Any:
        self.calls += 1
        return len(data) if self.calls <= self._honest else self._answer(len(data))


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
    calls: list[tuple[int, Callable[[Counting], object]]] = [
        (0, lambda out: sivka.open_stream(io.BytesIO(sealed), out, key=key)),
        (0, lambda out: sivka.seal_to(out, key=key)),
        # After the header, too.
        (1, lambda out: sivka.seal_to(out, key=key).finish()),
        (1, lambda out: sivka.seal_to(out, key=key).write(bytes(MORE_THAN_IS_HELD))),
    ]
    for honest, call in calls:
        out = Counting(told, honest)
        refused(error, {text: [lambda: call(out)]})
        assert out.calls == honest + 1


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
        calls: list[Callable[[], object]] = [
            lambda: sivka.seal_stream(Saying(given), io.BytesIO(), key=key),
            lambda: sivka.open_from(Saying(given), key=key),
            lambda: sivka.inspect(Saying(given)),
        ]
        refused(TypeError, {refusal: calls})
    # More than was asked for is no less authentic.
    for much in (sealed, bytearray(sealed), memoryview(sealed)):
        assert sivka.verify_stream(Saying(much), key=key) == 3 * CHUNK
        assert sivka.inspect(Saying(much)) == sivka.inspect(sealed)
    out = io.BytesIO()
    assert sivka.seal_stream(Saying(bytes(1 << 20), b"end"), out, key=key) == (1 << 20) + 3
    assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == bytes(1 << 20) + b"end"


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
