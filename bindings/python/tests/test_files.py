"""Sealed files by path and as file objects; their vectors are in test_vectors.py."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import random
import signal
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sivka

CHUNK = 16384
# Cheap, for tests: KiB, passes, lanes.
COST = (64, 1, 1)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A new key file."""
    path = tmp_path / "my.key"
    sivka.generate_key_file(path)
    return path


def sealed_file(folder: Path, content: bytes, **secrets: Any) -> Path:
    plain, sealed = folder / "plain", folder / "sealed"
    plain.write_bytes(content)
    sivka.seal_file(plain, sealed, overwrite=True, **secrets)
    return sealed


def test_as_a_file_object(tmp_path: Path, key: Path) -> None:
    content = random.Random(5).randbytes(3 * CHUNK + 5)
    sealed = sealed_file(tmp_path, content, key=key)
    file = sivka.open_file(sealed, key=key)
    assert isinstance(file, io.RawIOBase)
    assert file.readable() and file.seekable() and not file.writable()
    assert (file.mode, file.name, file.closed) == ("rb", str(sealed), False)
    model = io.BytesIO(content)
    source = random.Random(6)
    for _ in range(500):
        if source.random() < 0.5:
            whence = source.choice((os.SEEK_SET, os.SEEK_CUR, os.SEEK_END))
            target = source.randrange(len(content) + 100)
            base = {0: 0, 1: model.tell(), 2: len(content)}[whence]
            assert file.seek(target - base, whence) == model.seek(target - base, whence)
        size = source.choice((-1, 0, 1, 7, CHUNK, source.randrange(3 * CHUNK)))
        assert file.read(size) == model.read(size)
        assert file.tell() == model.tell()
    with pytest.raises(ValueError, match="before the beginning"):
        file.seek(-1)
    with pytest.raises(ValueError, match="whence"):
        file.seek(0, 9)
    with pytest.raises(io.UnsupportedOperation):
        file.write(b"no")
    buf = bytearray(7)
    file.seek(CHUNK - 3)
    assert file.readinto(buf) == 7 and buf == content[CHUNK - 3 : CHUNK + 4]
    with file:
        pass
    for call in (file.read, file.readall, file.tell, file.readable, lambda: file.seek(0)):
        with pytest.raises(ValueError, match="closed file"):
            call()
    file.close()


def test_what_reads_files_reads_sealed_ones(tmp_path: Path, key: Path) -> None:
    lines = [f"line {number}\n" for number in range(5000)]
    sealed = sealed_file(tmp_path, "".join(lines).encode(), key=key)
    with io.TextIOWrapper(io.BufferedReader(sivka.open_file(sealed, key=key))) as text:
        assert list(text) == lines
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("a.txt", "in the archive")
    sivka.seal_file(archive, tmp_path / "archive.sealed", key=key)
    with zipfile.ZipFile(sivka.open_file(tmp_path / "archive.sealed", key=key)) as reader:
        assert reader.read("a.txt") == b"in the archive"


def test_several_keys_and_passphrases(tmp_path: Path, key: Path) -> None:
    other = tmp_path / "other.key"
    sivka.generate_key_file(other, name="the other one")
    assert b"name: the other one\n" in other.read_bytes()
    secrets: dict[str, Any] = {"key": [key, other], "passphrase": ["correct horse", b"battery"]}
    sealed = sealed_file(tmp_path, b"content", cost=COST, **secrets)
    each: list[dict[str, Any]] = [
        {"key": key},
        {"key": other.read_bytes()},
        {"passphrase": "correct horse"},
        {"passphrase": bytearray(b"battery")},
        {"passphrase": ["wrong", "battery"]},
    ]
    for secret in each:
        with sivka.open_file(sealed, **secret) as file:
            assert file.read() == b"content"
    with pytest.raises(sivka.WrongKeyError):
        sivka.verify_file(sealed, passphrase="wrong")
    with pytest.raises(sivka.CostLimitError):
        sivka.verify_file(sealed, passphrase="correct horse", max_cost=(8, 1))


def test_key_files(tmp_path: Path, key: Path) -> None:
    assert key.stat().st_mode & 0o777 == 0o600
    assert b"name: my\n" in key.read_bytes()
    before = key.read_bytes()
    with pytest.raises(FileExistsError):
        sivka.generate_key_file(key)
    assert key.read_bytes() == before
    for name in ("", "x" * 65, " space", "line\n"):
        with pytest.raises(ValueError):
            sivka.generate_key_file(tmp_path / "new.key", name=name)
    assert not (tmp_path / "new.key").exists()


def test_errors(tmp_path: Path, key: Path) -> None:
    sealed = sealed_file(tmp_path, bytes(3 * CHUNK), key=key)
    plain, out = tmp_path / "plain", tmp_path / "out"
    with pytest.raises(FileNotFoundError) as missing:
        sivka.open_file(tmp_path / "missing", key=key)
    assert missing.value.filename == str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError) as missing:
        sivka.seal_file(plain, tmp_path / "no" / "folder", key=key)
    assert missing.value.filename == str(tmp_path / "no" / "folder")
    with pytest.raises(FileExistsError) as exists:
        sivka.open_file_into(sealed, plain, key=key)
    assert exists.value.filename == str(plain)
    with pytest.raises(FileNotFoundError):
        sivka.verify_file(sealed, key=tmp_path / "no.key")
    with pytest.raises(sivka.KeyFileError) as no_key:
        sivka.verify_file(sealed, key=plain)
    assert str(no_key.value).startswith(f"{plain}: not a sivka key file: its first line is not ")
    with pytest.raises(sivka.KeyFileError) as no_text:
        sivka.verify_file(sealed, key=b"\xff\xfe")
    assert str(no_text.value).startswith("not a sivka key file: its first line is not ")
    with pytest.raises(sivka.NotSivkaError) as not_sivka:
        sivka.verify_file(plain, key=key)
    assert str(not_sivka.value) == f"{plain}: not a sivka file"
    with pytest.raises(ValueError, match="^key or passphrase: one or more expected, none given$"):
        sivka.verify_file(sealed)
    with pytest.raises(ValueError, match="1 to 64 key|key"):
        sivka.seal_file(plain, out)
    suites = " or ".join(sivka.suites())
    with pytest.raises(ValueError, match=f'^suite: {suites} expected, "rot13" given$'):
        sivka.seal_file(plain, out, key=key, suite="rot13")
    with pytest.raises(ValueError, match="passphrase"):
        sivka.seal_file(plain, out, passphrase="")
    with pytest.raises(ValueError):
        sivka.seal_file(plain, out, passphrase=b"\xff")
    with pytest.raises(ValueError):
        sivka.seal_file(plain, out, passphrase="a", cost=(1, 1, 1))
    with pytest.raises(ValueError, match="null"):
        sivka.seal_file("a\0b", out, key=key)
    wrong: Any = 5
    with pytest.raises(TypeError, match="key: a bytes-like object expected, int given"):
        sivka.seal_file(plain, out, key=wrong)
    with pytest.raises(TypeError, match="passphrase: a bytes-like object expected, int given"):
        sivka.seal_file(plain, out, passphrase=wrong)
    with pytest.raises(TypeError):
        sivka.seal_file(wrong, out, key=key)
    with pytest.raises(TypeError):
        sivka.seal_file(plain, out, key=key, suite=wrong)
    assert not out.exists()
    sivka.seal_file(plain, sealed, key=key, overwrite=True)


def test_damage_is_found_where_it_is_read(tmp_path: Path, key: Path) -> None:
    sealed = sealed_file(tmp_path, bytes(10 * CHUNK), key=key)
    content = bytearray(sealed.read_bytes())
    content[-6 * CHUNK] ^= 1
    sealed.write_bytes(content)
    with sivka.open_file(sealed, key=key) as file:
        assert file.read(CHUNK) == bytes(CHUNK)
        buf = bytearray(b"\x55" * (10 * CHUNK))
        with pytest.raises(sivka.DamagedError):
            file.readinto(buf)
        assert buf == bytes(10 * CHUNK)
        file.seek(-CHUNK, os.SEEK_END)
        assert file.read() == bytes(CHUNK)
    with pytest.raises(sivka.DamagedError):
        sivka.open_file_into(sealed, tmp_path / "out", key=key)
    assert not (tmp_path / "out").exists()
    sealed.write_bytes(content[:-100])
    with pytest.raises(sivka.TruncatedError):
        sivka.open_file(sealed, key=key)


def test_progress(tmp_path: Path, key: Path) -> None:
    text = os.urandom(3_000_000)
    for content in (b"", b"short", text):
        seen = list[int]()
        (tmp_path / "plain").write_bytes(content)
        for call in by_path(tmp_path, key):
            call(overwrite=True, progress=seen.append)
            assert seen[-1] == len(content) and seen == sorted(seen)
            seen.clear()
        assert (tmp_path / "opened").read_bytes() == content


def test_progress_stops(tmp_path: Path, key: Path) -> None:
    class Stop(Exception):
        pass

    threads = set[int]()

    def stop(_: int) -> None:
        threads.add(threading.get_ident())
        raise Stop

    (tmp_path / "plain").write_bytes(bytes(3_000_000))
    for call in by_path(tmp_path, key):
        with pytest.raises(Stop):
            call(progress=stop)
        call()
    assert threads == {threading.get_ident()}
    with pytest.raises(TypeError, match="callable"):
        sivka.seal_file(tmp_path / "plain", tmp_path / "new", key=key, progress=5)  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("length", [0, 5, 16_384, 100_000, 3_000_000])
def test_a_late_exception_of_progress_leaves_no_output(
    tmp_path: Path, key: Path, length: int
) -> None:
    """In the last call, which came when the output was there."""
    plain, sealed, out = tmp_path / "plain", tmp_path / "sealed", tmp_path / "out"
    plain.write_bytes(bytes(length))
    sivka.seal_file(plain, sealed, key=key)

    def late(done: int) -> None:
        if done == length:
            raise EOFError

    for call, source in (
        (sivka.seal_file, plain),
        (sivka.open_file_into, sealed),
    ):
        with pytest.raises(EOFError):
            call(source, out, key=key, progress=late)
        assert not out.exists()
        out.write_bytes(b"there")
        with pytest.raises(EOFError):
            call(source, out, key=key, overwrite=True, progress=late)
        assert out.read_bytes() == b"there"
        out.unlink()
    with pytest.raises(EOFError):
        sivka.verify_file(sealed, key=key, progress=late)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["my.key", "plain", "sealed"]


def by_path(folder: Path, key: Path) -> Iterator[Callable[..., None]]:
    """Seals `plain`, then verifies and opens what came of it."""
    sealed, opened = folder / "by-path", folder / "opened"
    yield functools.partial(sivka.seal_file, folder / "plain", sealed, key=key)
    yield lambda overwrite=False, **options: sivka.verify_file(sealed, key=key, **options)
    yield functools.partial(sivka.open_file_into, sealed, opened, key=key)


def test_an_interrupt_stops(tmp_path: Path, key: Path) -> None:
    """A pipe that never ends: only the signal ends the call."""
    pipe, out = tmp_path / "pipe", tmp_path / "out"
    os.mkfifo(pipe)

    def feed() -> None:
        deadline = time.monotonic() + 30
        with pipe.open("wb", buffering=0) as sink, contextlib.suppress(BrokenPipeError):
            sink.write(bytes(1_000_000))
            os.kill(os.getpid(), signal.SIGINT)
            while time.monotonic() < deadline:
                sink.write(bytes(1_000_000))

    feeder = threading.Thread(target=feed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        feeder.start()
        with pytest.raises(KeyboardInterrupt):
            sivka.seal_file(pipe, out, key=key)
    finally:
        signal.signal(signal.SIGINT, before)
        feeder.join()
    assert not out.exists()
