"""Columns: each row is one message, whatever its neighbours are."""

from __future__ import annotations

import array
import io
import struct
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest
from conftest import refused

import sivka
import sivka.arrow

KEY, SIV = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))
TYPES = [pa.binary(), pa.string(), pa.large_binary(), pa.large_string()]


def values(count: int) -> list[bytes | None]:
    return [None if i % 7 == 3 else bytes([97 + i % 26]) * (i * i % 41) for i in range(count)]


@pytest.mark.parametrize("key", [KEY, SIV], ids=repr)
@pytest.mark.parametrize("of", TYPES, ids=str)
def test_rows_are_those_of_single_calls(key: Any, of: Any) -> None:
    column = pa.array(values(700), pa.binary()).cast(of)
    sealed = sivka.arrow.seal(key, column, "t.c")
    sealed.validate(full=True)
    wide = of not in (pa.binary(), pa.string())
    assert sealed.type == (pa.large_binary() if wide else pa.binary())
    assert sealed.null_count == column.null_count
    for row, value in zip(sealed.to_pylist(), values(700)):
        assert (row is None and value is None) or key.open(row, b"t.c") == value
    opened = sivka.arrow.open(key, sealed, b"t.c", type=of)
    opened.validate(full=True)
    assert opened.equals(column)


@pytest.mark.parametrize("first", [0, 1, 5, 8, 13, 64])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9, 100])
def test_slices(first: int, count: int) -> None:
    column = pa.array(values(200)).slice(first, count)
    sealed = sivka.arrow.seal(KEY, column)
    sealed.validate(full=True)
    assert sivka.arrow.open(KEY, sealed).equals(column)
    # Rows of a slice open too.
    again = sivka.arrow.seal(KEY, pa.array(values(200))).slice(first, count)
    assert sivka.arrow.open(KEY, again).equals(column)


def test_chunks_stay_chunks() -> None:
    column = pa.chunked_array([values(5), [], values(300)[2:], [None]], pa.string())
    sealed = sivka.arrow.seal(KEY, column, "t.c")
    assert [len(chunk) for chunk in sealed.chunks] == [5, 298, 1]
    assert sivka.arrow.open(KEY, sealed, "t.c", type=pa.string()).equals(column)
    none = pa.chunked_array([], pa.large_string())
    assert sivka.arrow.seal(KEY, none).type == pa.large_binary()
    assert sivka.arrow.open(KEY, sivka.arrow.seal(KEY, none), type=none.type).equals(none)


def test_a_context_for_each_value() -> None:
    column = pa.chunked_array([["a", "b"], ["c"]])
    context = pa.array(["skipped", "1", "", "33"]).slice(1)
    sealed = sivka.arrow.seal(KEY, column, context)
    opened = [KEY.open(row, aad) for row, aad in zip(sealed.to_pylist(), [b"1", b"", b"33"])]
    assert opened == [b"a", b"b", b"c"]
    chunked = pa.chunked_array([context.slice(0, 1), context.slice(1)])
    assert sivka.arrow.open(KEY, sealed, chunked, type=pa.string()).equals(column)
    for given, error, text in (
        (["1", "2"], ValueError, "3 values expected, 2 given"),
        (["1", None, "2"], ValueError, "null"),
        ([1, 2, 3], TypeError, "context: binary or strings expected, int64"),
    ):
        refused(error, {text: [lambda: sivka.arrow.seal(KEY, column, pa.array(given))]})


def test_rows_that_do_not_open() -> None:
    rows = sivka.arrow.seal(KEY, pa.array(values(20))).to_pylist()
    rows[9] = rows[9][:-1] + bytes([rows[9][-1] ^ 1])
    rows[12] = b"short"
    forged = pa.chunked_array([rows[:5], rows[5:]])
    with pytest.raises(sivka.InvalidTag, match="row 9 does not open"):
        sivka.arrow.open(KEY, forged)
    opened = sivka.arrow.open(KEY, forged, errors="null")
    opened.combine_chunks().validate(full=True)
    expected = [None if i in (9, 12) else value for i, value in enumerate(values(20))]
    assert opened.to_pylist() == expected
    with pytest.raises(sivka.InvalidTag, match="row 0 does not open"):
        sivka.arrow.open(KEY, sivka.arrow.seal(KEY, forged, "one"), "other")
    with pytest.raises(ValueError, match="errors"):
        sivka.arrow.open(KEY, forged, errors="ignore")  # type: ignore[arg-type]


def test_other_types_are_refused() -> None:
    views = pa.array(["x"], pa.string_view())
    wrongs = pa.array([1]), pa.array([b"x"]).dictionary_encode(), pa.array([[b"x"]]), views
    refused(
        TypeError,
        {
            "column: binary or strings": [partial(sivka.arrow.seal, KEY, of) for of in wrongs],
            "an Array or .* of pyarrow expected, list": [lambda: sivka.arrow.seal(KEY, [b"x"])],
        },
    )


def test_bitmaps_that_are_too_short_are_refused() -> None:
    """A file of Arrow says itself how long its buffers are, and may lie."""
    sink, batch = io.BytesIO(), pa.record_batch([pa.array([b"a", None] * 4096)], ["c"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    # The length of the bitmap, after its offset among the buffers.
    before, after = struct.pack("<qq", 0, 1024), struct.pack("<qq", 0, 1)
    message = sink.getvalue().replace(before, after, 1)
    (lying,) = pa.ipc.open_stream(message).read_all()["c"].chunks
    calls = [lambda: sivka.arrow.seal(KEY, lying)]
    refused(ValueError, {"column: the bitmap of nulls is too short": calls})


def test_the_type_of_what_is_opened() -> None:
    sealed = sivka.arrow.seal(KEY, pa.array(["17", "secret"]))
    closed = sivka.AESGCMSIV(bytes(32))
    closed.close()
    others = pa.int32(), pa.binary(4), pa.dictionary(pa.int32(), pa.string()), "int32", int, 7
    for column in (sealed, pa.chunked_array([], pa.binary())):
        for wrong in others:
            # Before anything is opened.
            opening = [lambda: sivka.arrow.open(closed, column, type=wrong)]
            refused(TypeError, {"^type: binary or strings expected, .{1,60}$": opening})
    for right in [*TYPES, "string", "large_binary"]:
        opened = sivka.arrow.open(KEY, sealed, type=right)
        assert opened.type == right and opened.cast(pa.string()).to_pylist() == ["17", "secret"]


@pytest.mark.parametrize("of", [pa.string(), pa.large_string()], ids=str)
def test_rows_that_are_no_utf_8(of: Any) -> None:
    rows = sivka.arrow.seal(KEY, pa.array([b"ok", None, b"\xc3\xa9", b"secret\xff", b"\xff"]))
    forged = [*rows.to_pylist()[:2], b"forged", *rows.to_pylist()[2:]]
    for column, mode, row in (
        (rows, "raise", 3),
        (pa.chunked_array([forged[:3], forged[3:]]), "null", 4),
        (pa.array(forged), "null", 4),
    ):
        errors: Any = mode
        with pytest.raises(ValueError, match=f"row {row} is authentic, but no UTF-8") as caught:
            sivka.arrow.open(KEY, column, type=of, errors=errors)
        error = caught.value
        assert type(error) is ValueError and error.__context__ is None and not error.__cause__
        assert "secret" not in repr(error)
    assert sivka.arrow.open(KEY, rows.slice(0, 3), type=of).to_pylist() == ["ok", None, "\xe9"]
    # A character in two rows is in none.
    halves = sivka.arrow.seal(KEY, pa.array([b"\xc3", b"\xa9"]))
    with pytest.raises(ValueError, match="row 0 is authentic, but no UTF-8"):
        sivka.arrow.open(KEY, halves, type=of)


def test_the_program_of_the_page_seals_a_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/columns.md shows it for a frame that the reader has."""
    monkeypatch.chdir(tmp_path)
    sivka.generate_key_file("customers.key")
    page = (Path(__file__).parents[3] / "docs" / "columns.md").read_text(encoding="utf-8")
    (block,) = page.split("```python\n")[1:]
    frame = polars.DataFrame({"note": ["first", None, "third"]})
    names: dict[str, Any] = {"sivka": sivka, "pl": polars, "Path": Path, "frame": frame}
    exec(block.split("```")[0], names)
    opened = sivka.arrow.open(
        names["key"], names["frame"]["note"].to_arrow(), "visits.note", type=pa.string()
    )
    assert opened.to_pylist() == ["first", None, "third"]
    token = names["tokens"].open(names["tokens"].seal(b"alice", b"person"), b"person")
    assert token == b"alice"


def test_buffers_without_pyarrow() -> None:
    """Which columns they make, the matrix asks."""
    one, q, one_row = array.array("i", [0, 8]), array.array, "offsets: one row of integers"
    seal: Any = KEY.seal_column
    for wrong in ([0, 3, 2], [0, 2, 9], [0, 2**40, 4], [9, 9, 9]):
        refused(ValueError, {"^offsets: ": [lambda: seal(b"onethree", q("q", wrong))]})
    rows = *(q(kind, [0, 2, 4]) for kind in "bhfd"), np.zeros(3, ">i8"), np.zeros((2, 2), np.int64)
    refused(TypeError, {one_row: [partial(seal, b"onethree", of) for of in (*rows, bytes(24))]})
    refused(TypeError, {"offsets: a bytes-like object": [lambda: seal(b"onethree", [0, 8])]})
    refused(
        ValueError,
        {
            "validity: a bitmap of 1 bytes expected, .* 0 given": [
                lambda: seal(b"a", one, validity=b"")
            ],
            "validity: a bitmap of 2 bytes expected, .* 1 given": [
                lambda: seal(b"a", one, validity=b"\xff", first_bit=8)
            ],
            "a_offsets: 2 expected, 1": [
                lambda: seal(b"onethree", one, associated_data_offsets=q("i", [0]))
            ],
            "a_offsets: ": [lambda: seal(b"onethree", one, associated_data_offsets=q("i", [0, 9]))],
        },
    )


def test_a_mask_is_no_bitmap() -> None:
    """A value is a bit in one and a byte in the other: nearly all would be lost in silence."""
    texts, ends = b"value|" * 10, np.arange(0, 61, 6)
    rows, row_ends = KEY.seal_column(texts, ends)
    _, _, opened = KEY.open_column(rows, np.frombuffer(row_ends, ends.dtype))
    bits = np.packbits(np.ones(10, np.bool_), bitorder="little")
    expected = "^validity: a bitmap of 2 bytes expected, a bit for each value, [0-9]+ given"
    for mask in (opened, np.ones(10, np.bool_), np.ones(10, np.int64), bytes(bits) + b"\xff"):
        both = [
            partial(run, texts, ends, validity=mask) for run in (KEY.seal_column, KEY.open_column)
        ]
        refused(ValueError, {expected: both})
    listed: Any = [True] * 10
    seal = partial(KEY.seal_column, texts, ends, validity=listed)
    refused(TypeError, {"validity: a bytes-like object expected, list given": [seal]})
    rows, row_ends = KEY.seal_column(texts, ends, validity=bits)
    back = KEY.open_column(rows, np.frombuffer(row_ends, ends.dtype), validity=bits)
    assert back == (texts, ends.tobytes(), opened)


@pytest.mark.parametrize("code", "iq")
def test_a_negative_offset_is_named(code: str) -> None:
    offsets, right = array.array(code, [0, 3, -20, 8]), array.array(code, [0, 3, 3, 8])
    named = r"offsets: 0 or more expected, -20 given \(number 2\)"
    aads: Any = {"associated_data": b"", "associated_data_offsets": offsets}
    of = pa.binary() if code == "i" else pa.large_binary()
    buffers = [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"onethree")]
    refused(
        ValueError,
        {
            f"^{named}": [
                lambda: KEY.seal_column(b"onethree", offsets),
                lambda: SIV.open_column(b"onethree", offsets),
                lambda: sivka.arrow.seal(KEY, pa.Array.from_buffers(of, 3, buffers)),
            ],
            f"^associated_data_{named}": [lambda: KEY.seal_column(b"onethree", right, **aads)],
        },
    )
    unsigned = array.array(code.upper(), offsets.tobytes())
    with pytest.raises(ValueError, match="offsets: .*(beyond every buffer|given)"):
        KEY.seal_column(b"onethree", unsigned)


def test_keys_of_columns(tmp_path: Path) -> None:
    sivka.generate_key_file(tmp_path / "key")
    file = (tmp_path / "key").read_bytes()
    for of in (sivka.AESGCMSIV, sivka.XChaCha20BLAKE2bSIV):
        key, same = of.for_columns(file), of.for_columns(file.decode())
        assert same.open(key.seal(b"value", b"t.c"), b"t.c") == b"value"
    with pytest.raises(sivka.KeyFileError):
        sivka.AESGCMSIV.for_columns(b"no key file")
