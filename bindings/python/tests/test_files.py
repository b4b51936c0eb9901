"""Sealed files by path and as file objects; their vectors, the matrix plays."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CHEAP, CHUNK, refused

import sivka


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
    model, source = io.BytesIO(content), random.Random(6)
    for _ in range(500):
        if source.random() < 0.5:
            whence = source.choice((os.SEEK_SET, os.SEEK_CUR, os.SEEK_END))
            target = source.randrange(len(content) + 100)
            base = {0: 0, 1: model.tell(), 2: len(content)}[whence]
            assert file.seek(target - base, whence) == model.seek(target - base, whence)
        size = source.choice((-1, 0, 1, 7, CHUNK, source.randrange(3 * CHUNK)))
        assert file.read(size) == model.read(size)
        assert file.tell() == model.tell()
    refused(ValueError, {"before the beginning": [lambda: file.seek(-1)]})
    refused(io.UnsupportedOperation, {"": [lambda: file.write(b"no")]})
    with file:
        pass
    calls = file.read, file.readall, file.tell, file.readable, lambda: file.seek(0)
    refused(ValueError, {"closed file": calls})
    file.close()


def test_what_reads_files_reads_sealed_ones(tmp_path: Path, key: Path) -> None:
    lines = [f"line {number}\n" for number in range(5000)]
    sealed = sealed_file(tmp_path, "".join(lines).encode(), key=key)
    with io.TextIOWrapper(io.BufferedReader(sivka.open_file(sealed, key=key))) as text:
        assert list(text) == lines


def test_several_keys_and_passphrases(tmp_path: Path, key: Path) -> None:
    other = tmp_path / "other.key"
    sivka.generate_key_file(other, name="the other one")
    secrets: dict[str, Any] = {"key": [key, other], "passphrase": ["correct horse", b"battery"]}
    sealed = sealed_file(tmp_path, b"content", cost=CHEAP, **secrets)
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


def test_errors(tmp_path: Path, key: Path) -> None:
    sealed = sealed_file(tmp_path, bytes(3 * CHUNK), key=key)
    plain, out, missing = tmp_path / "plain", tmp_path / "out", tmp_path / "missing"
    seal: Any = functools.partial(sivka.seal_file, plain, out)
    verify: Any = sivka.verify_file
    no_key, suites = "not a sivka key file: its first line is not ", " or ".join(sivka.suites())
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (FileNotFoundError, f"{missing}", lambda: sivka.open_file(missing, key=key)),
        (FileNotFoundError, f"{missing}", lambda: sivka.inspect(missing)),
        (FileNotFoundError, f"{missing}", lambda: sivka.seal_file(missing, out, key=key)),
        (FileNotFoundError, f"{missing}", lambda: verify(sealed, key=missing)),
        (FileExistsError, f"{plain}", lambda: sivka.open_file_into(sealed, plain, key=key)),
        (FileExistsError, f"{key}", lambda: sivka.generate_key_file(key)),
        (sivka.KeyFileError, f"^{plain}: {no_key}", lambda: verify(sealed, key=plain)),
        (sivka.KeyFileError, f"^{no_key}", lambda: verify(sealed, key=b"\xff\xfe")),
        (sivka.NotSivkaError, f"^{plain}: not a sivka file$", lambda: verify(plain, key=key)),
        (ValueError, "^key or passphrase: one or more exp.*, none given$", lambda: verify(sealed)),
        (ValueError, "key", seal),
        (ValueError, f'^suite: {suites} expected, "a" given$', lambda: seal(key=key, suite="a")),
        (ValueError, "passphrase", lambda: seal(passphrase="")),
        (ValueError, "not UTF-8", lambda: seal(passphrase=b"\xff")),
        (ValueError, "cost: .* expected, .* given", lambda: seal(passphrase="a", cost=(1, 1, 1))),
        (ValueError, "null", lambda: sivka.seal_file("a\0b", out, key=key)),
        (TypeError, "key: a bytes-like object expected, int given", lambda: seal(key=5)),
        (TypeError, "passphrase: a bytes-like object expected, int", lambda: seal(passphrase=5)),
        (TypeError, "passphrase: .* dict given", lambda: seal(passphrase={"name": "words"})),
        (TypeError, "passphrase: .* StringIO given", lambda: seal(passphrase=io.StringIO("a\nb"))),
        (TypeError, "max_cost", lambda: verify(sealed, key=key, max_cost={8, 1})),
        (TypeError, "suite", lambda: seal(key=key, suite=5)),
        (TypeError, "callable", lambda: seal(key=key, progress=5)),
        *(
            (ValueError, "name", functools.partial(sivka.generate_key_file, missing, name=name))
            for name in ("", "x" * 65, " space", "line\n")
        ),
    ]
    for error, text, call in cases:
        with pytest.raises(error, match=text) as caught:
            call()
        assert getattr(caught.value, "filename", text) == text
    assert not out.exists() and not missing.exists()
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


def by_path(folder: Path, key: Path) -> Iterator[Callable[..., None]]:
    """Seals `plain`, then verifies and opens what came of it."""
    sealed, opened = folder / "by-path", folder / "opened"
    yield functools.partial(sivka.seal_file, folder / "plain", sealed, key=key)
    yield lambda overwrite=False, **options: sivka.verify_file(sealed, key=key, **options)
    yield functools.partial(sivka.open_file_into, sealed, opened, key=key)


@pytest.mark.parametrize("length", [0, 5, 16_384, 3_000_000])
def test_progress(tmp_path: Path, key: Path, length: int) -> None:
    class Stop(Exception):
        pass

    seen, threads = list[int](), set[int]()

    def late(done: int) -> None:
        """Raises in the last call, which came when the output was there."""
        threads.add(threading.get_ident())
        if done == length:
            raise Stop

    (tmp_path / "plain").write_bytes(os.urandom(length))
    for call in by_path(tmp_path, key):
        before = sorted(tmp_path.iterdir())
        with pytest.raises(Stop):
            call(progress=late)
        assert sorted(tmp_path.iterdir()) == before
        call(progress=seen.append)
        assert seen[-1] == length and seen == sorted(seen)
        seen.clear()
        contents = [each.read_bytes() for each in sorted(tmp_path.iterdir())]
        with pytest.raises(Stop):
            call(overwrite=True, progress=late)
        assert contents == [each.read_bytes() for each in sorted(tmp_path.iterdir())]
    assert (tmp_path / "opened").read_bytes() == (tmp_path / "plain").read_bytes()
    assert threads == {threading.get_ident()}


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
