"""Sealed files, and streams under keysets, from and to file objects of any kind."""

from __future__ import annotations

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
    from collections.abc import Callable, Iterable
    from socket import socket
    from typing import Self

    from _typeshed import SupportsRead, SupportsWrite

    from ._file import OpeningKey, SealingKey, Words
    from ._native import Keyset
    from ._native import _Buffer as Buffer
    from ._native import _WriteableBuffer as WriteableBuffer

# So much is read, sealed or opened, and written at a time.
_PIECE = 1 << 18


def _read_of(source: SupportsRead[bytes | None] | socket) -> Callable[[int], bytes]:
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


def _write_of(sink: SupportsWrite[bytes] | socket) -> Callable[[bytes], None]:
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
    flush = getattr(sink, "flush", None)
    if flush is not None:
        flush()


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

    def __init__(
        self,
        out: SupportsWrite[bytes] | socket,
        begin: Callable[[Callable[[bytes], None]], FileSealer],
    ) -> None:
        # Sealed bytes reach the other file object in their order, or it does not open.
        self._turn = threading.Lock()
        self._is_within = self._is_finished = self._is_given_up = False
        self._out = out
        self._sealer = begin(_write_of(out))

    def _take_turn(self) -> None:
        if not self._turn.acquire(blocking=False):
            raise RuntimeError("the file is in use by another thread")

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Buffer, /) -> int:
        """Seal all of data. What is written on the way are whole chunks."""
        self._check_open()
        try:
            given: Any = data
            rest = memoryview(given)
        except ValueError:
            # Says more than Python does.
            buffer_length(data, "data")
            raise
        length = buffer_length(rest, "data")
        # Of an array of no bytes no other shape can be made.
        rest = rest.cast("B") if length else memoryview(b"")
        self._take_turn()
        try:
            while rest:
                self._sealer.write(rest[:_PIECE])
                rest = rest[_PIECE:]
        except BaseException:
            # Nobody knows how much was written.
            self.abandon()
            raise
        finally:
            self._turn.release()
        return length

    def flush(self) -> None:
        """Flush the other file object. What fills no chunk waits."""
        if not self.closed:
            _flush(self._out)

    def finish(self) -> None:
        """Write what is left and the mark of the end, and close the file. Again, do nothing.

        If it raises, there is no end.
        """
        if self._is_finished:
            return
        self._check_open()
        self._finish()

    def _finish(self) -> None:
        self._take_turn()
        try:
            self._sealer.finish()
            _flush(self._out)
            self._is_finished = True
        finally:
            self.abandon()
            self._turn.release()

    def close(self) -> None:
        """Close the file. Without ``finish()``, and outside of a ``with``, it has no end then:
        RuntimeWarning, unless an exception is on its way.
        """
        if self.closed:
            return
        self._take_turn()
        try:
            if self._is_within:
                super().close()
                return
            self.abandon()
        finally:
            self._turn.release()
        if sys.exc_info()[0] is None:
            warning = "a sealed file was closed without finish(): it has no end and does not open"
            warnings.warn(warning, RuntimeWarning, stacklevel=2)

    def abandon(self) -> None:
        """Close without the mark of the end, also inside a ``with``: what was written does not
        open.
        """
        self._is_given_up = True
        # Not there if the constructor failed.
        sealer = getattr(self, "_sealer", None)
        if sealer is not None:
            sealer.close()
        if not self.closed:
            # The flush of io.RawIOBase would be ours.
            self._out = None  # type: ignore[assignment]
            super().close()

    def __enter__(self) -> Self:
        self._check_open()
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

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")


class OpeningFile(io.RawIOBase):
    """The plaintext of a sealed file that comes from another file object.

    Make it with ``open_from``, or with ``Keyset.open_from``. Every byte was authenticated, and
    the end is the authentic one: a file that was cut short raises TruncatedError, and a
    keyset's stream InvalidTag. The plaintext before an error is the beginning of the file. The
    other file object is not closed.
    """

    def __init__(self, opener: FileOpener) -> None:
        self._opener = opener

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some plaintext into a buffer. Returns the bytes read, 0 at the end."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._opener.read_into(buffer)

    def close(self) -> None:
        """Wipe the keys and close the file."""
        opener = getattr(self, "_opener", None)
        if opener is not None:
            opener.close()
        super().close()


def seal_to(
    out: SupportsWrite[bytes] | socket,
    *,
    key: SealingKey | Iterable[SealingKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    suite: str | None = None,
    cost: tuple[int, int, int] | None = None,
    room: int = 0,
) -> SealingFile:
    """Begin a sealed file in ``out``: an object with ``write`` (or ``sendall``).

    The returned file object seals the bytes written to it, in this thread. The file opens only
    after ``finish()``, or after a ``with`` that ended without an exception. Keys,
    ``suite``, ``cost`` and ``room`` are as for ``seal_file``.
    """
    keys = _to_seal(key, passphrase, cost, room)
    return SealingFile(out, lambda write: FileSealer(write, keys, suite))


def open_from(
    source: SupportsRead[bytes | None] | socket,
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
    keys = _to_open(key, passphrase, max_cost)
    return OpeningFile(FileOpener(_read_of(source), keys))


def _seal_under(
    out: SupportsWrite[bytes] | socket, keyset: Keyset, associated_data: Buffer | None
) -> SealingFile:
    """What ``Keyset.seal_to`` returns; ``_native`` calls it."""
    return SealingFile(out, lambda write: FileSealer.of_keyset(write, keyset, associated_data))


def _open_under(
    source: SupportsRead[bytes | None] | socket, keyset: Keyset, associated_data: Buffer | None
) -> OpeningFile:
    """What ``Keyset.open_from`` returns; ``_native`` calls it."""
    return OpeningFile(FileOpener.of_keyset(_read_of(source), keyset, associated_data))


def seal_stream(
    source: SupportsRead[bytes | None] | socket,
    out: SupportsWrite[bytes] | socket,
    *,
    key: SealingKey | Iterable[SealingKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    suite: str | None = None,
    cost: tuple[int, int, int] | None = None,
    room: int = 0,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Seal all that ``source`` has into ``out``; returns the bytes of plaintext.

    ``progress`` is called with the bytes done so far. An exception of it, ``source`` or ``out``
    stops the work, and goes on to the caller: the output does not open then.
    """
    read, done = _read_of(source), 0
    with seal_to(out, key=key, passphrase=passphrase, suite=suite, cost=cost, room=room) as file:
        while data := read(_PIECE):
            done += file.write(data)
            if progress is not None:
                progress(done)
    return done


def open_stream(
    source: SupportsRead[bytes | None] | socket,
    out: SupportsWrite[bytes] | socket,
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
    source: SupportsRead[bytes | None] | socket,
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
    source: SupportsRead[bytes | None] | socket,
    write: Callable[[bytes], None],
    keys: FileKeys,
    progress: Callable[[int], object] | None,
) -> int:
    done, view = 0, memoryview(bytearray(_PIECE))
    with OpeningFile(FileOpener(_read_of(source), keys)) as file:
        while read := file.readinto(view):
            write(bytes(view[:read]))
            done += read
            if progress is not None:
                progress(done)
    return done
