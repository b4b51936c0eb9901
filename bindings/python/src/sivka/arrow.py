"""Columns of Apache Arrow, sealed and opened whole; needs ``pyarrow``.

>>> import pyarrow
>>> import sivka.arrow
>>> key = sivka.AESGCMSIV(sivka.AESGCMSIV.generate_key(256))
>>> notes = pyarrow.array(["first", None, "second"])
>>> sealed = sivka.arrow.seal(key, notes, "visits.note")
>>> sivka.arrow.open(key, sealed, "visits.note", type=pyarrow.string()).equals(notes)
True

Values are not copied. A null stays null, only the values of a slice are sealed, and chunks stay
chunks. Cast views of pyarrow to large binary or strings first.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal

from ._errors import invalid_tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import _native
    from ._native import _Buffer as Buffer

    # A key whose nonces are random, or that has none. With one that has none, equal values
    # give equal rows, which join, group and filter.
    _Key = _native.RandomNonceAead | _native.DeterministicAead
    # What pyarrow has is not typed: an Array or ChunkedArray.
    _Column = Any
    _Context = str | Buffer | _Column | None

__all__ = ["open", "seal"]

# It says nothing of its types.
pa: Any = importlib.import_module("pyarrow")


def seal(key: _Key, column: _Column, context: _Context = None) -> _Column:
    """Seal each value of a column: the rows are what ``key.seal`` returns.

    ``column`` is an Array or ChunkedArray of binary or strings, also large ones. The result is of
    binary, or of large_binary for large ones, with the same nulls.
    ``context`` is the associated data: text or bytes for all values, such as the names of
    table and column, or an Array of binary or strings, one for each.

    Raises TypeError for other types, and ValueError for a context of another length than the
    column. Raises OverflowError if the rows of a chunk of binary or strings are longer than 2 GiB:
    cast it to large_binary.
    """
    chunks = []
    for chunk, _, aads in _chunks(column, context):
        validity = _validity(chunk)
        rows, offsets = key.seal_column(*_values(chunk), **aads, validity=validity)
        chunks.append(_array(chunk, validity, offsets, rows))
    return _like(column, chunks)


def open(
    key: _Key,
    column: _Column,
    context: _Context = None,
    *,
    errors: Literal["raise", "null"] = "raise",
    type: Any = None,
) -> _Column:
    """Open each row of a column of seal(), or of messages of ``key.seal``.

    ``errors`` decides about rows that do not open: InvalidTag with the number of the first
    one, or nulls. The result has the type of the rows, or ``type``: one of binary and strings,
    large or not. In a result of strings, a row that opens and is no UTF-8 raises ValueError with
    its number, which quotes nothing of it: a null would look like a forgery.
    OverflowError says that a chunk is too long for ``type``. Other errors are those of seal().
    """
    if errors not in ("raise", "null"):
        raise ValueError(f"errors: 'raise' or 'null' expected, {errors!r} given")
    if type is not None:
        # Others would be read from the text of the rows, and pyarrow quotes what it cannot read.
        _row_type(type, "type")
    chunks = []
    for chunk, first, aads in _chunks(column, context):
        validity = _validity(chunk)
        values, offsets, opened = key.open_column(*_values(chunk), **aads, validity=validity)
        failed = opened.find(0)
        if failed >= 0:
            if errors == "raise":
                raise invalid_tag()(f"row {first + failed} does not open")
            validity = _bitmap(opened, validity)
        array = _array(chunk, validity, offsets, values)
        chunks.append(array if type is None else _cast(array, type, first))
    return _like(column, chunks, type)


def _cast(opened: Any, type: Any, first: int) -> Any:
    """The opened rows, from number ``first`` on, as a type of binary or strings."""
    try:
        return opened.cast(type)
    except pa.ArrowInvalid:
        pass
    # Out of the handler, for what pyarrow says may quote the rows.
    for number, row in enumerate(opened, first):
        if row.is_valid and not _is_utf_8(row.as_buffer()):
            raise ValueError(f"row {number} is authentic, but no UTF-8")
    raise OverflowError(f"type: the rows of a chunk are too long for {type}")


def _is_utf_8(row: Any) -> bool:
    try:
        str(row, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _chunks(column: _Column, context: _Context) -> Iterator[tuple[Any, int, dict[str, Any]]]:
    """The chunks that have values, the number of their first, and their associated data."""
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        given = column.__class__.__qualname__
        raise TypeError(f"column: an Array or ChunkedArray of pyarrow expected, {given} given")
    _row_type(column.type, "column")
    each: Any = context if isinstance(context, (pa.Array, pa.ChunkedArray)) else None
    if each is not None and len(each) != len(column):
        raise ValueError(f"context: {len(column)} values expected, {len(each)} given")
    common = context.encode() if isinstance(context, str) else context
    first = 0
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        if len(chunk) > 0:
            aads = {"associated_data": common}
            if each is not None:
                aads = _aads(each.slice(first, len(chunk)))
            yield _checked(chunk, "column"), first, aads
        first += len(chunk)


def _aads(context: _Column) -> dict[str, Any]:
    """The associated data of a chunk, one for each value."""
    _row_type(context.type, "context")
    parts = context.chunks if isinstance(context, pa.ChunkedArray) else [context]
    parts = [_checked(part, "context") for part in parts]
    plain = parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
    if plain.null_count > 0:
        raise ValueError("context: a null is no associated data")
    data, offsets = _values(plain)
    return {"associated_data": data, "associated_data_offsets": offsets}


def _row_type(of: Any, what: str) -> Any:
    """The type that the rows of such values have. TypeError if they are no byte strings."""
    if of in (pa.binary(), pa.string()):
        return pa.binary()
    if of in (pa.large_binary(), pa.large_string()):
        return pa.large_binary()
    raise TypeError(f"{what}: binary or strings expected, {of} given")


def _checked(chunk: Any, what: str) -> Any:
    """The same values. ValueError for a bitmap that ends too early: who made the array need not
    have looked, and pyarrow follows it.
    """
    bitmap = chunk.buffers()[0]
    if bitmap is not None and bitmap.size * 8 < chunk.offset + len(chunk):
        raise ValueError(f"{what}: the bitmap of nulls is too short")
    return chunk


def _values(chunk: Any) -> tuple[Buffer, Buffer]:
    """The bytes of some values, and their offsets."""
    _, offsets, data = chunk.buffers()
    narrow = _row_type(chunk.type, "column") == pa.binary()
    size = 4 if narrow else 8
    part = memoryview(offsets)[chunk.offset * size : (chunk.offset + len(chunk) + 1) * size]
    return b"" if data is None else data, part.cast("i") if narrow else part.cast("q")


def _validity(chunk: Any) -> bytes | None:
    """A bit for each value, from the first one on; None if all are there."""
    bitmap = chunk.buffers()[0]
    if bitmap is None or chunk.null_count == 0:
        return None
    first, shift = divmod(chunk.offset, 8)
    length = (len(chunk) + 7) // 8
    # As one number, which is shifted at the speed of memory.
    bits = memoryview(bitmap)[first : first + length + 1]
    number: int = int.from_bytes(bits, "little") >> shift
    return (number & ((1 << len(chunk)) - 1)).to_bytes(length, "little")


def _bitmap(opened: bytes, validity: bytes | None) -> bytes:
    """The bits of the rows that opened and are no nulls."""
    flags = pa.Array.from_buffers(pa.uint8(), len(opened), [None, pa.py_buffer(opened)])
    bits: bytes = flags.cast(pa.bool_()).buffers()[1].to_pybytes()[: (len(opened) + 7) // 8]
    if validity is None:
        return bits
    number = int.from_bytes(bits, "little") & int.from_bytes(validity, "little")
    return number.to_bytes(len(bits), "little")


def _array(chunk: Any, validity: bytes | None, offsets: bytes, data: bytes) -> Any:
    """An array of these values, which are not copied."""
    bitmap = None if validity is None else pa.py_buffer(validity)
    buffers = [bitmap, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(_row_type(chunk.type, "column"), len(chunk), buffers)


def _like(column: _Column, chunks: list[Any], type: Any = None) -> _Column:
    """The chunks, as one if the column is."""
    of = _row_type(column.type, "column") if type is None else type
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(chunks, of)
    return chunks[0] if chunks else pa.array([], of)
