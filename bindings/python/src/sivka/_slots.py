"""The fields of a sealed file that are visible without a key, and its key slots."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._file import _key_text, _to_open, _to_seal
from ._stream import _bytes_read, _type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import StrPath, SupportsRead

    from ._file import OpeningKey, SealingKey, Words
    from ._native import _Buffer as Buffer


@dataclass(frozen=True)
class Slot:
    """A key slot, as anybody sees it: ``kind`` is how it opens, for a recipient by which KEM.

    ``key_id`` is a hint which key file opens it, in hexadecimal digits as ``key_file_id``
    gives them. ``cost`` is the cost of a try of its passphrase: KiB of memory, passes and
    lanes. A field that does not apply is None.
    """

    kind: Literal["key file", "passphrase", "X25519", "ML-KEM-768 with X25519", "unknown"]
    key_id: str | None
    cost: tuple[int, int, int] | None


@dataclass(frozen=True)
class Inspection:
    """The fields of a sealed file that are visible without a key; none is authenticated."""

    suite: str
    slots: tuple[Slot, ...]


def inspect(source: StrPath | Buffer | SupportsRead[bytes]) -> Inspection:
    """Read the header of a sealed file: ``source`` is its path, its first bytes, or a file
    object, from which only the header is read.

    Raises NotSivkaError, NewerVersionError, DamagedError and OSError.
    """
    if isinstance(source, (str, os.PathLike)):
        suite, found = _native.inspect_file(os.fsencode(source))
    else:
        given: Any = source
        if _native.is_buffer(source):
            _native.buffer_length(given, "source")
            given = io.BytesIO(given)
        read = getattr(given, "read", None)
        if read is None:
            expected = "a path, a bytes-like object or an object with read()"
            raise TypeError(f"source: {expected} expected, {_type_of(source)} given")
        suite, found = _native.inspect_stream(lambda length: _bytes_read(read(length), "read"))
    return Inspection(suite, tuple(Slot(*each) for each in found))


def key_file_id(key: StrPath | Buffer) -> str:
    """The id of a key in hexadecimal digits, as slots show it: ``key`` is the path of its
    key file, or the content as bytes.
    """
    with _key_text(key) as text:
        return _native.key_file_id(text)


def add_slot(
    path: StrPath,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    new_key: SealingKey | None = None,
    new_passphrase: Words | None = None,
    cost: tuple[int, int, int] | None = None,
    max_cost: tuple[int, int] | None = None,
) -> int:
    """Let one more key file, passphrase or recipient open the sealed file at ``path``; returns
    the index of its slot. ``key`` and ``passphrase`` open the file now.

    Only the header is written, under a lock; the call waits for it, 30 seconds at most. A crash
    leaves the old slots or the new ones. Raises as ``open_file_into`` does, and ValueError if
    no slot is free.
    """
    keys, added = _to_open(key, passphrase, max_cost), _to_seal(new_key, new_passphrase, cost, 0)
    return _native.change_slot(os.fsencode(path), keys, None, added)


def remove_slot(
    path: StrPath,
    slot: int,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    max_cost: tuple[int, int] | None = None,
) -> None:
    """Remove a key slot; those after it move up by one. The last one stays.

    As ``add_slot``; raises IndexError if there is no such slot. An old copy of the file still
    opens with the key of the slot.
    """
    keys = _to_open(key, passphrase, max_cost)
    _native.change_slot(os.fsencode(path), keys, slot, None)


def replace_slot(
    path: StrPath,
    slot: int,
    *,
    key: OpeningKey | Iterable[OpeningKey] | None = None,
    passphrase: Words | Iterable[Words] | None = None,
    new_key: SealingKey | None = None,
    new_passphrase: Words | None = None,
    cost: tuple[int, int, int] | None = None,
    max_cost: tuple[int, int] | None = None,
) -> None:
    """Replace a slot by one for another key file or passphrase.

    As ``add_slot`` and ``remove_slot``.
    """
    keys, added = _to_open(key, passphrase, max_cost), _to_seal(new_key, new_passphrase, cost, 0)
    _native.change_slot(os.fsencode(path), keys, slot, added)
