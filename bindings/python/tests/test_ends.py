"""A sealed file has an end only if somebody said that it is whole."""

from __future__ import annotations

import contextlib
import gc
import io
import shutil
from pathlib import Path

import pytest

import sivka

CHUNK = 16384


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "my.key"
    sivka.generate_key_file(path)
    return path


class Failing(io.BytesIO):
    """A source that gives what it has, and fails where it should end."""

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        if not data:
            raise KeyError("the cable")
        return data

    read1 = read


def has_no_end(sealed: bytes, key: Path) -> bool:
    with pytest.raises(sivka.TruncatedError):
        sivka.verify_stream(io.BytesIO(sealed), key=key)
    return True


@pytest.mark.parametrize("length", [0, 1, CHUNK, 3 * CHUNK, 50 * CHUNK + 7])
def test_a_source_that_fails_leaves_no_end(key: Path, length: int) -> None:
    """However the files around it are closed meanwhile."""

    def with_itself(out: io.BytesIO) -> None:
        with sivka.seal_to(out, key=key) as file:
            shutil.copyfileobj(Failing(bytes(length)), file)

    def with_closing(out: io.BytesIO) -> None:
        with contextlib.closing(sivka.seal_to(out, key=key)) as file:
            shutil.copyfileobj(Failing(bytes(length)), file)
            file.finish()

    def with_a_buffer(out: io.BytesIO) -> None:
        with io.BufferedWriter(sivka.seal_to(out, key=key)) as file:
            shutil.copyfileobj(Failing(bytes(length)), file)

    def with_both(out: io.BytesIO) -> None:
        with sivka.seal_to(out, key=key) as file, io.BufferedWriter(file) as buffered:
            shutil.copyfileobj(Failing(bytes(length)), buffered)

    def in_one_call(out: io.BytesIO) -> None:
        sivka.seal_stream(Failing(bytes(length)), out, key=key)

    for way in (with_itself, with_closing, with_a_buffer, with_both, in_one_call):
        out = io.BytesIO()
        with pytest.raises(KeyError):
            way(out)
        assert has_no_end(out.getvalue(), key), way.__name__


def test_a_file_that_nobody_finished_does_not_open(key: Path) -> None:
    """Neither close() nor the garbage collector may make a part look whole."""
    forgotten, closed, abandoned = io.BytesIO(), io.BytesIO(), io.BytesIO()
    file = sivka.seal_to(forgotten, key=key)
    file.write(bytes(3 * CHUNK))
    del file
    gc.collect()
    file = sivka.seal_to(closed, key=key)
    file.write(bytes(3 * CHUNK))
    with pytest.warns(RuntimeWarning, match="without finish"):
        file.close()
    file.close()
    assert file.closed
    with pytest.raises(ValueError, match="closed file"):
        file.finish()
    with sivka.seal_to(abandoned, key=key) as file:
        file.write(bytes(3 * CHUNK))
        file.abandon()
        assert file.closed
    for out in (forgotten, closed, abandoned):
        assert len(out.getvalue()) > 3 * CHUNK
        assert has_no_end(out.getvalue(), key)


def test_finish_and_the_end_of_a_with_end_a_file(key: Path) -> None:
    finished, left, wrapped = io.BytesIO(), io.BytesIO(), io.BytesIO()
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
    for out in (finished, left, wrapped):
        assert sivka.open_from(io.BytesIO(out.getvalue()), key=key).read() == b"one line\n"
