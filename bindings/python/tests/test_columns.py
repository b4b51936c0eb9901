"""Columns: each row is one message, whatever its neighbours are."""

from __future__ import annotations

import array
import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import sivka
import sivka.arrow

KEY, SIV = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))
TYPES = [
    pa.binary(),
    pa.string(),
    pa.large_binary(),
    pa.large_string(),
    pa.binary_view(),
    pa.string_view(),
]


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
    with pytest.raises(ValueError, match="3 values expected, 2 given"):
        sivka.arrow.seal(KEY, column, pa.array(["1", "2"]))
    with pytest.raises(ValueError, match="null"):
        sivka.arrow.seal(KEY, column, pa.array(["1", None, "2"]))
    with pytest.raises(TypeError, match="context: binary or strings expected, int64"):
        sivka.arrow.seal(KEY, column, pa.array([1, 2, 3]))


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


def test_no_copy_of_the_input() -> None:
    column = pa.array(["x" * 4096] * 4096, pa.large_string())
    before = pa.total_allocated_bytes()
    sealed = sivka.arrow.seal(KEY, column.slice(1))
    # Rows and offsets are Python's; Arrow gave no memory for a copy.
    assert pa.total_allocated_bytes() - before < 4096
    assert sealed.nbytes > column.nbytes - 5000


def test_other_types_are_refused() -> None:
    for wrong in (pa.array([1]), pa.array([b"x"]).dictionary_encode(), pa.array([[b"x"]])):
        with pytest.raises(TypeError, match="column: binary or strings expected"):
            sivka.arrow.seal(KEY, wrong)
    with pytest.raises(TypeError, match="an Array or ChunkedArray of pyarrow expected, list"):
        sivka.arrow.seal(KEY, [b"x"])


def a_view(length: int, number: int, offset: int, prefix: bytes = b"xxxx") -> bytes:
    return struct.pack("<i4sii", length, prefix, number, offset)


def views(*each: bytes, of: Any, nulls: bytes | None = None, null_count: int = -1) -> Any:
    validity = None if nulls is None else pa.py_buffer(nulls)
    buffers = [validity, pa.py_buffer(b"".join(each)), pa.py_buffer(b"x" * 100)]
    return pa.Array.from_buffers(of, len(each), buffers, null_count)


SHORT = struct.pack("<i12s", 3, b"abc")
WRONG_VIEWS = {
    "no such buffer": a_view(20, 1, 0),
    "a buffer of another time": a_view(20, 2**31 - 1, 0),
    "a buffer before the first": a_view(20, -1, 0),
    "an offset before the beginning": a_view(20, 0, -5),
    "an offset after the end": a_view(20, 0, 101),
    "beyond the end": a_view(20, 0, 81),
    "longer than the buffer": a_view(101, 0, 0),
    "as long as numbers go": a_view(2**31 - 1, 0, 2**31 - 1),
    "shorter than nothing": a_view(-5, 0, 0),
    "a prefix of something else": a_view(20, 0, 0, b"SECR"),
    "something after the value": struct.pack("<i12s", 3, b"abcSECRET"),
}


@pytest.mark.parametrize("of", [pa.binary_view(), pa.string_view()], ids=str)
@pytest.mark.parametrize("wrong", WRONG_VIEWS)
def test_views_that_point_elsewhere_are_refused(wrong: str, of: Any) -> None:
    column = views(SHORT, WRONG_VIEWS[wrong], SHORT, of=of)
    two = pa.chunked_array([views(SHORT, of=of), column])
    turned = pa.chunked_array([column, views(SHORT, of=of)])
    plain = pa.chunked_array([pa.array(["a"] * len(two))])
    for bad in (column, column.slice(1), two, turned):
        calls: list[Callable[[], object]] = [
            lambda: sivka.arrow.seal(KEY, bad),
            lambda: sivka.arrow.open(KEY, bad, errors="null"),
        ]
        if bad is not two:
            # Its first chunk is forged, and comes first.
            calls.append(lambda: sivka.arrow.open(KEY, bad))
        for call in calls:
            with pytest.raises(ValueError, match="column: a view .* is not valid") as caught:
                call()
            assert caught.value.__context__ is None and "53454352" not in str(caught.value)
    with pytest.raises(ValueError, match="context: a view .* is not valid"):
        sivka.arrow.seal(KEY, plain, two)
    # What is not in a slice, and what is null, is nobody's view.
    assert KEY.open(sivka.arrow.seal(KEY, column.slice(2))[0].as_py()) == b"abc"
    with_nulls = views(SHORT, *[WRONG_VIEWS[wrong]] * 9, SHORT, of=of, nulls=b"\x01\x04")
    opened = sivka.arrow.open(KEY, sivka.arrow.seal(KEY, with_nulls))
    assert opened.to_pylist() == [b"abc", *[None] * 9, b"abc"]
    uncounted = views(WRONG_VIEWS[wrong], SHORT, of=of, nulls=b"\x02", null_count=0)
    with pytest.raises(ValueError, match="column: a view .* is not valid"):
        sivka.arrow.seal(KEY, uncounted)
    part = sivka.arrow.seal(KEY, with_nulls.slice(9))
    assert sivka.arrow.open(KEY, part).to_pylist() == [None, b"abc"]


def test_strings_that_are_no_utf_8_are_sealed() -> None:
    """Whoever seals bytes is not asked what they mean, in views no more than elsewhere."""
    raw = [b"\xff" * 3, b"\xff" * 30]
    for wide, of in ((pa.binary_view(), pa.string_view()), (pa.binary(), pa.string())):
        column = pa.Array.from_buffers(of, 2, pa.array(raw, wide).buffers())
        assert sivka.arrow.open(KEY, sivka.arrow.seal(KEY, column)).to_pylist() == raw


def test_bitmaps_that_are_too_short_are_refused() -> None:
    """A file of Arrow says itself how long its buffers are, and may lie."""
    column = pa.array([b"a", None] * 4096)
    sink = io.BytesIO()
    batch = pa.record_batch([column], ["c"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    message = bytearray(sink.getvalue())
    # The length of the bitmap, after its offset among the buffers.
    at = message.index(struct.pack("<qq", 0, 1024))
    message[at + 8 : at + 16] = struct.pack("<q", 1)
    (lying,) = pa.ipc.open_stream(bytes(message)).read_all()["c"].chunks
    with pytest.raises(ValueError, match="column: the bitmap of nulls is too short"):
        sivka.arrow.seal(KEY, lying)


def test_the_type_of_what_is_opened() -> None:
    sealed = sivka.arrow.seal(KEY, pa.array(["17", "secret"]))
    closed = sivka.AESGCMSIV(bytes(32))
    closed.close()
    none = pa.chunked_array([], pa.binary())
    for wrong in (
        pa.int32(),
        pa.binary(4),
        pa.dictionary(pa.int32(), pa.string()),
        "int32",
        int,
        7,
    ):
        for column in (sealed, none):
            with pytest.raises(TypeError, match="type: binary or strings expected") as caught:
                # Before anything is opened.
                sivka.arrow.open(closed, column, type=wrong)
            assert "secret" not in str(caught.value)
    for right in [*TYPES, "string", "large_binary"]:
        opened = sivka.arrow.open(KEY, sealed, type=right)
        assert opened.type == right and opened.cast(pa.string()).to_pylist() == ["17", "secret"]


@pytest.mark.parametrize("of", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
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
    one = array.array("i", [0, 8])
    refused: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"offsets": b"12345678"}, TypeError),
        ({"offsets": array.array("i", [0, 9])}, ValueError),
        ({"validity": b""}, ValueError),
        ({"validity": b"\xff", "first_bit": 8}, ValueError),
        ({"associated_data_offsets": array.array("i", [0])}, ValueError),
        ({"associated_data_offsets": array.array("i", [0, 99])}, ValueError),
        ({"data": "text"}, TypeError),
    ]
    for wrong, error in refused:
        with pytest.raises(error):
            KEY.seal_column(**{"data": b"onethree", "offsets": one, **wrong})


@pytest.mark.parametrize("code", "iq")
def test_a_negative_offset_is_named(code: str) -> None:
    offsets, right = array.array(code, [0, 3, -20, 8]), array.array(code, [0, 3, 3, 8])
    named, nonces = r"offsets: 0 or more expected, -20 given \(number 2\)", bytes(36)
    aads: Any = {"associated_data": b"", "associated_data_offsets": offsets}
    of = pa.binary() if code == "i" else pa.large_binary()
    buffers = [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"onethree")]
    calls: list[tuple[str, Callable[[], object]]] = [
        ("", lambda: KEY.seal_column(b"onethree", offsets)),
        ("", lambda: SIV.open_column(b"onethree", offsets)),
        ("", lambda: KEY.encrypt_batch_contiguous(nonces, b"onethree", offsets)),
        ("", lambda: KEY.decrypt_batch_contiguous(nonces, b"onethree", bytes(48), offsets)),
        ("", lambda: sivka.arrow.seal(KEY, pa.Array.from_buffers(of, 3, buffers))),
        ("associated_data_", lambda: KEY.seal_column(b"onethree", right, **aads)),
        ("associated_data_", lambda: SIV.encrypt_batch_contiguous(b"onethree", right, **aads)),
    ]
    for prefix, call in calls:
        with pytest.raises(ValueError, match=f"^{prefix}{named}"):
            call()
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
