"""Sealed files, and streams under keysets, from and to file objects of any kind."""

from __future__ import annotations

import contextlib
import io
import operator
import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

from ._file import _to_open, _to_seal
from ._native import FileKeys, FileOpener, FileSealer, buffer_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from socket import socket
    from typing import Self, TypeAlias

    from _typeshed import SupportsRead, SupportsWrite

    from ._file import OpeningKey, SealingKey, Words
    from ._native import _Buffer as Buffer
    from ._native import _WriteableBuffer as WriteableBuffer

    Source: TypeAlias = SupportsRead[bytes | None] | socket
    Sink: TypeAlias = SupportsWrite[bytes] | socket

# So much is read, sealed or opened, and written at a time.
_PIECE = 1 << 18


def _read_of(source: Source) -> Callable[[int], bytes]:
    """A function that reads a piece, of any length, as soon as there is any."""
    for name in ("read1", "read", "recv"):
        read = getattr(source, name, None)
        if read is not None:
            break
    else:
        raise TypeError(f"source: an object with read() expected, {_type_of(source)} given")
    # No bytes of read1() are the end, or that there are none yet; read() tells which.
    ask_again = getattr(source, "read", None) if name == "read1" else None

    def read_some(_: int) -> bytes:
        given = _bytes_read(read(_PIECE), name)
        if given or ask_again is None or _needs_no_asking(source):
            return given
        return _bytes_read(ask_again(1), "read")

    return read_some


def _needs_no_asking(source: Any) -> bool:
    """Of what closed itself at its end, and of a terminal, where a user would have to end twice."""
    try:
        return source.closed or (source.isatty() and os.get_blocking(source.fileno()))
    except (AttributeError, OSError, ValueError):
        return False


def _bytes_read(given: object, name: str) -> bytes:
    """What a method of a source gave, which may be more than was asked for.

    Whatever else is false would be taken for the end.
    """
    if given is None:
        raise BlockingIOError("source: it does not block, and has nothing yet")
    if isinstance(given, (bytes, bytearray, memoryview)):
        buffer_length(given, "source")
        return bytes(given)
    raise TypeError(f"source: bytes expected from {name}(), {_type_of(given)} given")


def _write_of(sink: Sink) -> Callable[[bytes], None]:
    """A function that writes all of some bytes."""
    send: Callable[[bytes], None] | None = getattr(sink, "sendall", None)
    if send is not None:
        return send
    write: Callable[[bytes], object] | None = getattr(sink, "write", None)
    if write is None:
        raise TypeError(f"out: an object with write() expected, {_type_of(sink)} given")
    # Others need not say how much they wrote.
    blocks = not isinstance(sink, io.RawIOBase)

    def write_all(data: bytes) -> None:
        while data:
            written = write(data)
            if written is None and blocks:
                return
            if written is None:
                raise BlockingIOError("out: it does not block, and takes nothing now")
            data = data[_count_written(written, len(data)) :]

    return write_all


def _flush(sink: object) -> None:
    """Has a sink write what it holds, if it can: only then does it say what failed."""
    getattr(sink, "flush", lambda: None)()


def _count_written(written: object, length: int) -> int:
    """How many bytes of so many a sink says that it took: at least one, and no more than there
    were, for nobody knows what another number means.
    """
    try:
        count = operator.index(written)  # type: ignore[arg-type]
    except TypeError:
        message = f"out: a count expected from write(), {_type_of(written)} given"
        raise TypeError(message) from None
    if not 0 <= count <= length:
        raise ValueError(f"out: a count from 0 to {length} expected from write(), {count} given")
    if count == 0:
        # It might do so for ever.
        raise OSError(f"out: write() took 0 of {length} bytes")
    return count


def _type_of(given: object) -> str:
    return type(given).__qualname__


@contextlib.contextmanager
def _turn(lock: threading.Lock) -> Iterator[None]:
    """One thread at a time; a sink or a source that calls back would wait for itself."""
    if not lock.acquire(blocking=False):
        raise RuntimeError("the file is in use by another thread")
    try:
        yield
    finally:
        lock.release()


def _check_open(file: io.RawIOBase) -> None:
    if file.closed:
        raise ValueError("I/O operation on closed file")


class SealingFile(io.RawIOBase):
    """A binary file that seals the bytes written to it into another file object.

    Make it with ``seal_to``, or with ``Keyset.seal_to``. Only ``finish()``, or the end of a
    ``with`` without an exception, writes the mark of the end, without which nothing opens.
    ``close()`` alone does not: after an exception, it would make a part look whole. Inside a
    ``with``, the ``with`` still writes the end, so a file object around this one may be closed
    there. ``abandon()`` gives a file up. The other file object is never closed.

    One thread at a time may write, finish or close; RuntimeError otherwise, and nothing is
    written.
    """

    def __init__(self, out: Sink, sealer: FileSealer) -> None:
        # Sealed bytes reach the other file object in their order, or it does not open.
        self._lock = threading.Lock()
        self._is_within = self._is_finished = self._is_given_up = False
        self._out, self._write_all = out, _write_of(out)
        # The header.
        self._write_all(sealer.write(b""))
        self._sealer = sealer

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Buffer, /) -> int:
        """Seal all of data. What is written on the way are whole chunks."""
        _check_open(self)
        try:
            given: Any = data
            rest = memoryview(given)
        except (TypeError, ValueError):
            # Says more than Python does.
            buffer_length(data, "data")
            raise
        length = buffer_length(rest, "data")
        # Of an array of no bytes no other shape can be made.
        rest = rest.cast("B") if length else memoryview(b"")
        with _turn(self._lock):
            try:
                while rest:
                    self._write_all(self._sealer.write(rest[:_PIECE]))
                    rest = rest[_PIECE:]
            except BaseException:
                # Nobody knows how much was written.
                self.abandon()
                raise
        return length

    def flush(self) -> None:
        """Flush the other file object. What fills no chunk waits."""
        if not self.closed:
            _flush(self._out)

    def finish(self) -> None:
        """Write what is left and the mark of the end, and close the file. Again, do nothing.

        If it raises, there is no end.
        """
        if not self._is_finished:
            _check_open(self)
            self._finish()

    def _finish(self) -> None:
        with _turn(self._lock):
            try:
                self._write_all(self._sealer.finish())
                _flush(self._out)
                self._is_finished = True
            finally:
                self.abandon()

    def close(self) -> None:
        """Close the file. Without ``finish()``, and outside of a ``with``, it has no end then:
        RuntimeWarning, unless an exception is on its way.
        """
        if self.closed:
            return
        with _turn(self._lock):
            if self._is_within:
                super().close()
                return
            self.abandon()
        if sys.exc_info()[0] is None:
            warning = "a sealed file was closed without finish(): it has no end and does not open"
            warnings.warn(warning, RuntimeWarning, stacklevel=2)

    def abandon(self) -> None:
        """Close without the mark of the end, also inside a ``with``: what was written does not
        open.
        """
        self._is_given_up = True
        # Not there if the constructor failed.
        if hasattr(self, "_sealer"):
            self._sealer.close()
        if not self.closed:
            # The flush of io.RawIOBase would be ours.
            self._out = None  # type: ignore[assignment]
            super().close()

    def __enter__(self) -> Self:
        _check_open(self)
        self._is_within = True
        return self

    def __exit__(self, *error: object) -> None:
        self._is_within = False
        if error[0] is None and not self._is_given_up:
            self._finish()
        else:
            self.abandon()

    def __del__(self) -> None:
        is_forgotten = not self.closed and hasattr(self, "_sealer")
        self.abandon()
        if is_forgotten:
            warning = "a sealed file was forgotten without finish(): it has no end"
            warnings.warn(warning, ResourceWarning, stacklevel=2, source=self)


class OpeningFile(io.RawIOBase):
    """The plaintext of a sealed file that comes from another file object.

    Make it with ``open_from``, or with ``Keyset.open_from``. Every byte was authenticated, and
    the end is the authentic one. A file that was cut short raises TruncatedError (within its first
    8 bytes NotSivkaError), and a keyset's stream InvalidTag. What was read before an error is the
    beginning of what was sealed. The other file object is not closed.

    One thread at a time may read or close; RuntimeError otherwise.
    """

    def __init__(self, source: Source, of: FileKeys | FileOpener) -> None:
        self._lock = threading.Lock()
        self._read = _read_of(source)
        self._opener = FileOpener(self._read, of) if isinstance(of, FileKeys) else of

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some plaintext into a buffer. Returns the bytes read, 0 at the end."""
        _check_open(self)
        with _turn(self._lock):
            return self._opener.read_into(self._read, buffer)

    def close(self) -> None:
        """Wipe the keys and close the file."""
        # Not there if the constructor failed.
        if hasattr(self, "_opener"):
            with _turn(self._lock):
                self._opener.close()
        super().close()


def seal_to(
    out: Sink,
    *,
    key: SealingKey | Iterable[SealingKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    suite: str | None = None,
    cost: tuple[int, int, int] | None = None,
    spare_slots: int = 0,
) -> SealingFile:
    """Begin a sealed file in ``out``: an object with ``write`` (or ``sendall``).

    The returned file object seals the bytes written to it, in this thread. The file opens only
    after ``finish()``, or after a ``with`` that ended without an exception. Keys,
    ``suite``, ``cost`` and ``spare_slots`` are as for ``seal_file``.
    """
    return SealingFile(out, FileSealer(_to_seal(key, passphrase, cost, spare_slots), suite))


def open_from(
    source: Source,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
) -> OpeningFile:
    """Open the sealed file that ``source`` has: an object with ``read`` (or ``recv``).

    The header is read now, the rest as the file object that is returned is read, in this
    thread; ``source`` may be read beyond that by a buffer's length. Arguments and errors are
    those of ``open_file_into``.
    """
    return OpeningFile(source, _to_open(key, passphrase, max_cost))


def seal_stream(
    source: Source,
    out: Sink,
    *,
    key: SealingKey | Iterable[SealingKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    suite: str | None = None,
    cost: tuple[int, int, int] | None = None,
    spare_slots: int = 0,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Seal all that ``source`` has into ``out``; returns the bytes of plaintext.

    ``progress`` is called with the bytes done so far. An exception of it, ``source`` or ``out``
    stops the work, and goes on to the caller: the output does not open then.
    """
    read, done = _read_of(source), 0
    with SealingFile(out, FileSealer(_to_seal(key, passphrase, cost, spare_slots), suite)) as file:
        while data := read(_PIECE):
            done += file.write(data)
            if progress is not None:
                progress(done)
    return done


def open_stream(
    source: Source,
    out: Sink,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Open the sealed file that ``source`` has into ``out``; returns the bytes of plaintext.

    Chunks are written as soon as they are authenticated. Raises FileError in its several kinds,
    and exceptions of ``progress``, ``source`` or ``out``. The output is then the beginning of
    the plaintext: if a part would do harm, throw it away.
    """
    write = _write_of(out)
    done = _open(source, write, _to_open(key, passphrase, max_cost), progress)
    _flush(out)
    return done


def verify_stream(
    source: Source,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Authenticate every byte of the sealed file that ``source`` has; returns the bytes of
    plaintext. Arguments and errors are those of ``open_stream``.
    """
    return _open(source, lambda _: None, _to_open(key, passphrase, max_cost), progress)


def _open(
    source: Source,
    write: Callable[[bytes], None],
    keys: FileKeys,
    progress: Callable[[int], object] | None,
) -> int:
    done, view = 0, memoryview(bytearray(_PIECE))
    with OpeningFile(source, keys) as file:
        while read := file.readinto(view):
            write(bytes(view[:read]))
            done += read
            if progress is not None:
                progress(done)
    return done
