"""A sealed file has an end only if somebody said that it is whole."""

from __future__ import annotations

import _pyio
import contextlib
import errno
import gc
import io
import os
import pty
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CHUNK, refused, sealed_bytes
from test_streams import Failing

import sivka


def has_no_end(sealed: bytes, key: Path) -> bool:
    with pytest.raises(sivka.TruncatedError):
        sivka.verify_stream(io.BytesIO(sealed), key=key)
    return True


def copied(source: io.BytesIO, file: Any) -> None:
    with file as within:
        shutil.copyfileobj(source, within)


def wrapped(source: io.BytesIO, file: sivka.SealingFile) -> None:
    with file, io.BufferedWriter(file) as buffered:
        shutil.copyfileobj(source, buffered)


@pytest.mark.parametrize("length", [0, CHUNK, 50 * CHUNK + 7])
def test_a_source_that_fails_leaves_no_end(key: Path, length: int) -> None:
    """However the files around it are closed meanwhile."""
    ways: list[Callable[[io.BytesIO, io.BytesIO], object]] = [
        lambda source, out: copied(source, sivka.seal_to(out, key=key)),
        lambda source, out: copied(source, contextlib.closing(sivka.seal_to(out, key=key))),
        lambda source, out: copied(source, io.BufferedWriter(sivka.seal_to(out, key=key))),
        lambda source, out: wrapped(source, sivka.seal_to(out, key=key)),
        lambda source, out: sivka.seal_stream(source, out, key=key),
    ]
    for way in ways:
        out = io.BytesIO()
        with pytest.raises(ConnectionResetError):
            way(Failing(bytes(length), length), out)
        assert has_no_end(out.getvalue(), key), way


def test_a_file_that_nobody_finished_does_not_open(key: Path) -> None:
    """Neither close() nor the garbage collector may make a part look whole."""
    outs = forgotten, closed, abandoned = io.BytesIO(), io.BytesIO(), io.BytesIO()
    file = sivka.seal_to(forgotten, key=key)
    file.write(bytes(9 << 20))
    with pytest.warns(ResourceWarning, match="without finish"):
        del file
        gc.collect()
    file = sivka.seal_to(closed, key=key)
    file.write(bytes(9 << 20))
    with pytest.warns(RuntimeWarning, match="without finish"):
        file.close()
    file.close()
    assert file.closed
    with pytest.raises(ValueError, match="closed file"):
        file.finish()
    with sivka.seal_to(abandoned, key=key) as file:
        file.write(bytes(9 << 20))
        file.abandon()
        assert file.closed
    for out in outs:
        assert len(out.getvalue()) > 1 << 20
        assert has_no_end(out.getvalue(), key)


def test_finish_and_the_end_of_a_with_end_a_file(key: Path) -> None:
    outs = finished, left, wrapped = io.BytesIO(), io.BytesIO(), io.BytesIO()
    file = sivka.seal_to(finished, key=key)
    file.write(b"one line\n")
    file.finish()
    assert file.closed and not finished.closed
    file.finish()
    file.close()
    with sivka.seal_to(left, key=key) as file:
        file.write(b"one line\n")
    # What wraps a file closes it, before the end of the `with` says that it is whole.
    with sivka.seal_to(wrapped, key=key) as file, io.TextIOWrapper(io.BufferedWriter(file)) as text:
        print("one line", file=text)
    assert file.closed
    for out in outs:
        assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == b"one line\n"


class Later(io.RawIOBase):
    """A raw file of pieces; None is that there is nothing yet, and stays."""

    def __init__(self, *pieces: bytes | None) -> None:
        self.pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        piece = self.pieces[0] if self.pieces else b""
        if piece is None:
            return None
        length = min(len(piece), len(buffer))
        buffer[:length] = piece[:length]
        self.pieces[:1] = [piece[length:]] if length < len(piece) else []
        return length


class Wrapped:
    """What passes a file's calls on, as progress bars and temporary files do."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


WAYS: dict[str, Callable[[io.RawIOBase], Any]] = {
    "raw": lambda raw: raw,
    "buffered": io.BufferedReader,
    "buffered by Python": _pyio.BufferedReader,
    "wrapped": lambda raw: Wrapped(io.BufferedReader(raw)),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_yet_is_not_the_end(key: Path, way: str) -> None:
    text, stream = bytes(range(256)) * 100, io.BytesIO()
    sealed = sealed_bytes(text, key)
    keyset = sivka.Keyset.generate("AES128_GCM_HKDF_4KB")
    with keyset.seal_to(stream) as file:
        file.write(text)
    calls: dict[Callable[[Any], object], bytes] = {
        lambda source: sivka.seal_stream(source, io.BytesIO(), key=key): text,
        lambda source: sivka.verify_stream(source, key=key): sealed,
        lambda source: keyset.open_from(source).read(): stream.getvalue(),
        sivka.inspect: sealed,
    }
    for call, content in calls.items():
        for first in (0, 3, 700):
            source = WAYS[way](Later(*([content[:first]] if first else []), None, content[first:]))
            with pytest.raises(BlockingIOError, match="source: it does not block"):
                call(source)
        # An end is one, and what comes in pieces is whole.
        pieces = [content[at : at + 5000] for at in range(0, len(content), 5000)]
        call(WAYS[way](Later(*pieces)))


def test_a_pipe_and_a_terminal(key: Path) -> None:
    """Those that do not block have no end yet, and a user ends his terminal once."""
    reader, writer = os.pipe()
    leader, follower = pty.openpty()
    os.set_blocking(reader, False)
    with open(reader, "rb") as pipe, open(writer, "wb", buffering=0) as end:
        for content in (b"", b"a part"):
            end.write(content)
            out = io.BytesIO()
            with pytest.raises(BlockingIOError):
                sivka.seal_stream(pipe, out, key=key)
            assert has_no_end(out.getvalue(), key)
        end.close()
        assert sivka.seal_stream(pipe, io.BytesIO(), key=key) == 0
    with open(leader, "wb", buffering=0) as typed, open(follower, "rb") as terminal:
        typed.write(b"a line\n\x04")
        assert sivka.seal_stream(terminal, io.BytesIO(), key=key) == 7
        os.set_blocking(follower, False)
        with pytest.raises(BlockingIOError):
            sivka.seal_stream(terminal, io.BytesIO(), key=key)


def test_sources_with_ends_of_their_own(key: Path) -> None:
    class Closing(io.BytesIO):
        """Closes itself at its end."""

        def read1(self, size: int | None = -1, /) -> bytes:
            piece = super().read1(size)
            if not piece:
                self.close()
            return piece

    class Race(io.BytesIO):
        """Had nothing, and then something, before it could be asked again."""

        had_nothing = False

        def read1(self, size: int | None = -1, /) -> bytes:
            self.had_nothing = not self.had_nothing
            return b"" if self.had_nothing else super().read1(5)

    for source in (Closing(b"a message in pieces"), Race(b"a message in pieces")):
        out = io.BytesIO()
        assert sivka.seal_stream(source, out, key=key) == 19
        opened = sivka.open_from(io.BytesIO(out.getvalue()), key=key).read()
        assert opened == b"a message in pieces"


def test_a_key_file_that_has_nothing_yet_is_not_cut(
    monkeypatch: pytest.MonkeyPatch, key: Path
) -> None:
    """Some systems give the flags of a descriptor to whoever opens /dev/fd."""
    content = key.read_bytes()

    def open_later(path: object, *_: object, **__: object) -> Later:
        return Later(content, None)

    monkeypatch.setattr("sivka._file.open", open_later, raising=False)
    calls: list[Callable[[], object]] = [
        lambda: sivka.seal_stream(io.BytesIO(), io.BytesIO(), key=key),
        lambda: sivka.KeyFile(key),
    ]
    refused(BlockingIOError, {f"{key}: it does not block": calls})


@pytest.mark.parametrize("failing", ["write", "flush"])
def test_a_sink_that_fails_at_the_end(key: Path, failing: str) -> None:
    """Also one that takes nothing now, as a buffered pipe that does not block does."""
    sealed = sealed_bytes(b"text", key)

    def full(*_: object) -> int:
        raise BlockingIOError(errno.EAGAIN, "full", 0)

    def sink() -> Any:
        made = Wrapped(io.BytesIO())
        setattr(made, failing, full)
        return made

    calls: list[Callable[[], object]] = [
        lambda: sivka.seal_stream(io.BytesIO(b"text"), sink(), key=key),
        lambda: sivka.open_stream(io.BytesIO(sealed), sink(), key=key),
    ]
    refused(BlockingIOError, {"full": calls})
