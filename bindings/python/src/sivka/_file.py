"""Sealed files: from path to path, and as a file object."""

from __future__ import annotations

import contextlib
import io
import operator
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from . import _native
from ._errors import KeyFileError, NewerVersionError
from ._native import FileKeys, FileReader, check_key_path, is_buffer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn, Self, TypeAlias

    from _typeshed import StrPath

    from ._native import _Buffer as Buffer
    from ._native import _WriteableBuffer as WriteableBuffer

    OpeningKey: TypeAlias = StrPath | Buffer | "KeyFile"
    SealingKey: TypeAlias = OpeningKey | "Recipient"
    Words: TypeAlias = str | Buffer


# As other files have it.
_LAST_POSITION = 2**63 - 1
# Of a file of identities; a key file has less.
_MAX_KEY_FILE_LENGTH = 1 << 16


def _each(given: object) -> Iterable[object]:
    """One secret, or several. Neither names in a dictionary nor lines of a file are any."""
    if given is None:
        return ()
    one = str, os.PathLike, Recipient, KeyFile, Mapping, io.IOBase
    is_one = isinstance(given, one) or is_buffer(given)
    return given if isinstance(given, Iterable) and not is_one else (given,)


class Recipient:
    """Public keys of age, for which a file is sealed: ``key=Recipient("age1pq1...")``.

    ``text`` has one a line; empty lines, and lines that begin with ``#``, are left out. A
    future quantum computer may open files for an ``age1...`` recipient, not for an
    ``age1pq1...`` one. A recipient opens nothing: its identity does, as a key. Raises
    KeyFileError for a text that is no recipient.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        try:
            # What is shown by an object of this class is a public key, and never an identity.
            FileKeys().add_recipients(text)
        except UnicodeEncodeError:
            raise KeyFileError("recipient: text without lone surrogates expected") from None
        self.text = text

    def __repr__(self) -> str:
        return f"Recipient({self.text!r})"


class KeyFile:
    """A key file, or a file of identities, that a passphrase may protect: as ``sivka keygen
    --protect`` makes it. Give it as ``key``.

    ``source`` is its path, or its content as bytes. ``passphrase`` is for a protected one, and
    not read for one in the clear. It is tried now, once. Raises WrongKeyError if it does not
    open the key file, ValueError if it is needed and missing, other kinds of FileError for
    errors of the file, and OSError.

    The key is in memory until ``close()``, which wipes it, as the end of a ``with`` does.
    """

    __slots__ = ("_text",)

    def __init__(self, source: StrPath | Buffer, passphrase: Words = "") -> None:
        self._text = bytearray()
        with _key_text(source) as content:
            self._text = _native.open_key_text(content, _words(passphrase))

    def __repr__(self) -> str:
        return "<sivka.KeyFile>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled")

    def close(self) -> None:
        """Wipe the key. Nothing can be sealed or opened with it any more."""
        self._text[:] = bytes(len(self._text))
        self._text.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_text"):
            self.close()


def _words(passphrase: Words) -> Buffer:
    """A passphrase as bytes. What has no UTF-8 becomes bytes that the library refuses: Python's own
    error would show the passphrase.
    """
    return passphrase.encode(errors="surrogatepass") if isinstance(passphrase, str) else passphrase


def _keys(key: object, passphrase: object) -> FileKeys:
    keys = FileKeys()
    for one in _each(key):
        if isinstance(one, Recipient):
            keys.add_recipients(one.text)
        elif isinstance(one, KeyFile):
            if not one._text:
                raise ValueError("the key file is closed")
            keys.add_key(one._text)
        else:
            with _key_text(one) as text:
                keys.add_key(text)
    for one in _each(passphrase):
        keys.add_passphrase(_words(one))  # type: ignore[arg-type]
    return keys


@contextlib.contextmanager
def _key_text(key: object) -> Iterator[Buffer]:
    """The content of a key file, wiped at the end if it was read here: its path may be given."""
    if not isinstance(key, (str, os.PathLike)):
        yield key  # type: ignore[misc]
        return
    # Before the system quotes it.
    check_key_path(os.fsencode(key))
    # No buffer and no `bytes`, which cannot be wiped; a byte more than any key file has.
    text = bytearray(_MAX_KEY_FILE_LENGTH + 1)
    try:
        with open(key, "rb", buffering=0) as file, memoryview(text) as room:
            length = 0
            while read := file.readinto(room[length:]):
                length += read
        if read is None:
            raise BlockingIOError(f"{os.fspath(key)}: it does not block, and has nothing yet")
        with memoryview(text)[:length] as content:
            yield content
    except (KeyFileError, NewerVersionError) as error:
        error.args = (f"{os.fspath(key)}: {error}",)
        raise
    finally:
        text[:] = bytes(len(text))


def _to_seal(
    key: object, passphrase: object, cost: tuple[int, int, int] | None, spare_slots: int
) -> FileKeys:
    keys = _keys(key, passphrase)
    keys.set_sealing(spare_slots, cost)
    return keys


def _to_open(key: object, passphrase: object, max_cost: tuple[int, int] | None) -> FileKeys:
    if key is None and passphrase is None:
        raise ValueError("key or passphrase: one or more expected, none given")
    keys = _keys(key, passphrase)
    if max_cost is not None:
        keys.set_max_cost(max_cost)
    return keys


def seal_file(
    path: StrPath,
    out: StrPath,
    *,
    key: SealingKey | Iterable[SealingKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    suite: str | None = None,
    cost: tuple[int, int, int] | None = None,
    spare_slots: int = 0,
    overwrite: bool = False,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Seal the file at ``path`` into a new file ``out``, on all cores.

    Each of the keys and passphrases will open it alone; there are 1 to 64 of them. A key
    is the path of a key file or of a file of age's identities, its content as bytes, a
    ``KeyFile`` or a ``Recipient``. ``suite`` is one of ``suites()``.
    ``cost`` is the cost of a try of a passphrase: KiB of memory, passes and lanes of
    Argon2id (RFC 9106). ``spare_slots`` reserves space for so many more slots: with the present
    ones up to 64, or 54 of post-quantum recipients.

    ``progress`` is called in this thread with the bytes of plaintext done so far, up to 20
    times a second, and with all of them before ``out`` appears. Its exceptions, also of the
    last call, and those of a signal's handler (KeyboardInterrupt), stop the work; while a
    passphrase is tried, nothing does.

    ``out`` appears when it is complete, or not at all. Raises OSError (FileExistsError
    unless ``overwrite``), KeyFileError and ValueError.
    """
    keys = _to_seal(key, passphrase, cost, spare_slots)
    input, output = os.fsencode(path), os.fsencode(out)
    _native.seal_file(keys, input, output, suite, bool(overwrite), progress)


def open_file_into(
    path: StrPath,
    out: StrPath,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
    overwrite: bool = False,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Open the sealed file at ``path`` into a new file ``out``, on all cores.

    Any of the keys and passphrases may open it. ``max_cost`` is the highest cost of a
    passphrase, in KiB and passes: the maker of the file chose the cost. ``progress`` and
    signals are as for ``seal_file``.

    ``out`` appears when all of it is authenticated, or not at all. Raises FileError in
    its several kinds, and OSError.
    """
    keys = _to_open(key, passphrase, max_cost)
    _native.open_file(keys, os.fsencode(path), os.fsencode(out), bool(overwrite), progress)


def verify_file(
    path: StrPath,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Authenticate every byte of the sealed file at ``path``; write nothing.

    Arguments and errors are those of ``open_file_into``.
    """
    keys = _to_open(key, passphrase, max_cost)
    _native.open_file(keys, os.fsencode(path), None, False, progress)


def open_file(
    path: StrPath,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
) -> SealedFile:
    """Open the sealed file at ``path`` for reading its plaintext, in any order.

    The end of the file is authenticated now, so that its length is known to be right;
    every other part when it is read. Arguments are those of ``open_file_into``.
    """
    return SealedFile(path, _to_open(key, passphrase, max_cost))


def generate_key_file(path: StrPath, *, name: str | None = None) -> None:
    """Write a new random key to a new key file, which only its owner can read.

    ``name`` is a name for people, by default that of the file. Anybody who has the file can
    open what it sealed; without it, nobody can: keep a copy elsewhere. Raises
    FileExistsError and other OSError, and ValueError for a name that is not 1 to 64 bytes.
    """
    _write_key_text(path, _native.make_key_text(None, Path(path).stem if name is None else name))


def write_key_file(path: StrPath, key: Buffer, *, name: str | None = None) -> None:
    """Write the key file of a key that you have: 32 bytes, uniformly random.

    For the rest it is as ``generate_key_file``; you wipe the bytes of ``key``. ValueError for
    another length.
    """
    _write_key_text(path, _native.make_key_text(key, Path(path).stem if name is None else name))


def _write_key_text(path: StrPath, text: bytearray) -> None:
    """Write a new file, and wipe the text."""
    try:
        check_key_path(os.fsencode(path))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        # No buffer, in which the key would stay.
        with open(descriptor, "wb", buffering=0) as file, memoryview(text) as rest:
            written = 0
            while written < len(rest):
                written += file.write(rest[written:])
            os.fsync(file.fileno())
    finally:
        text[:] = bytes(len(text))


class SealedFile(io.RawIOBase):
    """The plaintext of a sealed file, as a binary file that is read and sought in.

    Make it with ``open_file``. Wrap it in ``io.BufferedReader`` for many short reads.
    Reading raises DamagedError where the file is damaged, and no byte of that part is
    returned. Any number of threads may read; they share one position.
    """

    name: str
    #: As that of other binary files for reading.
    mode = "rb"

    def __init__(self, path: StrPath, keys: FileKeys) -> None:
        self._reader = FileReader(os.fsencode(path), keys)
        self._length = self._reader.length
        self._position = 0
        self.name = os.fspath(path)

    def __repr__(self) -> str:
        return f"<sivka.SealedFile name={self.name!r}>"

    def __len__(self) -> int:
        """The length of the plaintext in bytes."""
        return self._length

    def __bool__(self) -> bool:
        """True, of an empty file too."""
        return True

    def readable(self) -> bool:
        """True."""
        self._check_open()
        return True

    def seekable(self) -> bool:
        """True."""
        self._check_open()
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read plaintext into a buffer until it is full or the file ends.

        Returns the bytes read. On an error the buffer holds zeros.
        """
        self._check_open()
        read = self._reader.read_into(self._position, buffer)
        self._position += read
        return read

    def readall(self) -> bytes:
        """All the rest."""
        self._check_open()
        rest = bytearray(max(0, self._length - self._position))
        read = self.readinto(rest)
        return bytes(rest[:read])

    def write(self, data: Buffer, /) -> int:
        """Raises io.UnsupportedOperation."""
        raise io.UnsupportedOperation("not writable")

    def tell(self) -> int:
        """The position in bytes."""
        self._check_open()
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move the position, also beyond the end, where nothing is read. Returns it."""
        self._check_open()
        starts = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._length}
        # A dictionary would find 1.0 where 1 is.
        start = operator.index(whence)
        if start not in starts:
            raise ValueError(f"whence: 0, 1 or 2 expected, {start} given")
        position = starts[start] + operator.index(offset)
        if position < 0:
            raise ValueError(f"offset: position {position} is before the beginning")
        if position > _LAST_POSITION:
            raise ValueError(f"offset: no file has a position {position}")
        self._position = position
        return position

    def close(self) -> None:
        """Wipe the keys and close the file."""
        # Not there if the constructor failed.
        reader = getattr(self, "_reader", None)
        if reader is not None:
            reader.close()
        super().close()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")
