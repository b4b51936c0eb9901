"""Columns: each row is one message, whatever its neighbours are."""

from __future__ import annotations

import array
import json
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import sivka
import sivka.arrow

KEYS: list[Any] = [
    sivka.AESGCMSIV(bytes(16)),
    sivka.AESGCMSIV(bytes(32)),
    sivka.XChaCha20BLAKE2b(bytes(32)),
    sivka.XChaCha20BLAKE2bSIV(bytes(32), tag_length=64),
    sivka.AESSIV(bytes(64)),
    sivka.KuznyechikMGM(bytes(32)),
]
TYPES = [
    pa.binary(),
    pa.string(),
    pa.large_binary(),
    pa.large_string(),
    pa.binary_view(),
    pa.string_view(),
]
VECTORS = Path(__file__).resolve().parents[3] / "vectors" / "column-v1" / "keys.json"


def values(count: int) -> list[bytes | None]:
    return [None if i % 7 == 3 else bytes([97 + i % 26]) * (i * i % 41) for i in range(count)]


def ids(key: Any) -> str:
    return str(key.algorithm)


@pytest.mark.parametrize("key", KEYS, ids=ids)
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
    key = KEYS[1]
    column = pa.array(values(200)).slice(first, count)
    sealed = sivka.arrow.seal(key, column)
    sealed.validate(full=True)
    assert sivka.arrow.open(key, sealed).equals(column)
    # Rows of a slice open too.
    again = sivka.arrow.seal(key, pa.array(values(200))).slice(first, count)
    assert sivka.arrow.open(key, again).equals(column)


def test_chunks_stay_chunks() -> None:
    key = KEYS[0]
    column = pa.chunked_array([values(5), [], values(300)[2:], [None]], pa.string())
    sealed = sivka.arrow.seal(key, column, "t.c")
    assert [len(chunk) for chunk in sealed.chunks] == [5, 298, 1]
    assert sivka.arrow.open(key, sealed, "t.c", type=pa.string()).equals(column)
    none = pa.chunked_array([], pa.large_string())
    assert sivka.arrow.seal(key, none).type == pa.large_binary()
    assert sivka.arrow.open(key, sivka.arrow.seal(key, none), type=none.type).equals(none)


def test_a_context_for_each_value() -> None:
    key = KEYS[1]
    column = pa.chunked_array([["a", "b"], ["c"]])
    context = pa.array(["skipped", "1", "", "33"]).slice(1)
    sealed = sivka.arrow.seal(key, column, context)
    opened = [key.open(row, aad) for row, aad in zip(sealed.to_pylist(), [b"1", b"", b"33"])]
    assert opened == [b"a", b"b", b"c"]
    chunked = pa.chunked_array([context.slice(0, 1), context.slice(1)])
    assert sivka.arrow.open(key, sealed, chunked, type=pa.string()).equals(column)
    with pytest.raises(ValueError, match="3 values expected, 2 given"):
        sivka.arrow.seal(key, column, pa.array(["1", "2"]))
    with pytest.raises(ValueError, match="null"):
        sivka.arrow.seal(key, column, pa.array(["1", None, "2"]))
    with pytest.raises(TypeError, match="context: binary or strings expected, int64"):
        sivka.arrow.seal(key, column, pa.array([1, 2, 3]))


def test_rows_that_do_not_open() -> None:
    key = KEYS[1]
    rows = sivka.arrow.seal(key, pa.array(values(20))).to_pylist()
    rows[9] = rows[9][:-1] + bytes([rows[9][-1] ^ 1])
    rows[12] = b"short"
    forged = pa.chunked_array([rows[:5], rows[5:]])
    with pytest.raises(sivka.InvalidTag, match="row 9 does not open"):
        sivka.arrow.open(key, forged)
    opened = sivka.arrow.open(key, forged, errors="null")
    opened.combine_chunks().validate(full=True)
    expected = [None if i in (9, 12) else value for i, value in enumerate(values(20))]
    assert opened.to_pylist() == expected
    with pytest.raises(sivka.InvalidTag, match="row 0 does not open"):
        sivka.arrow.open(key, sivka.arrow.seal(key, forged, "one"), "other")
    with pytest.raises(ValueError, match="errors"):
        sivka.arrow.open(key, forged, errors="ignore")  # type: ignore[arg-type]


def test_no_copy_of_the_input() -> None:
    column = pa.array(["x" * 4096] * 4096, pa.large_string())
    before = pa.total_allocated_bytes()
    sealed = sivka.arrow.seal(KEYS[1], column.slice(1))
    # Rows and offsets are Python's; Arrow gave no memory for a copy.
    assert pa.total_allocated_bytes() - before < 4096
    assert sealed.nbytes > column.nbytes - 5000


def test_other_types_are_refused() -> None:
    for wrong in (pa.array([1]), pa.array([b"x"]).dictionary_encode(), pa.array([[b"x"]])):
        with pytest.raises(TypeError, match="column: binary or strings expected"):
            sivka.arrow.seal(KEYS[1], wrong)
    with pytest.raises(TypeError, match="an Array or ChunkedArray of pyarrow expected, list"):
        sivka.arrow.seal(KEYS[1], [b"x"])
    with pytest.raises(pa.ArrowInvalid):
        sivka.arrow.open(KEYS[1], sivka.arrow.seal(KEYS[1], pa.array([b"\xff"])), type=pa.string())


def test_tokens_join_and_group() -> None:
    key = sivka.XChaCha20BLAKE2bSIV(bytes(32))
    tokens = sivka.arrow.seal(key, pa.array(["a", "b", "a", None, "b", "a"]), "t.id")
    counts = tokens.value_counts().field("counts")
    assert sorted(counts.to_pylist()) == [1, 2, 3]


def test_polars() -> None:
    key = KEYS[1]
    frame = polars.DataFrame({"id": [1, 2, 3], "note": ["first", None, "third"]})

    def seal(series: polars.Series) -> polars.Series:
        return polars.Series(sivka.arrow.seal(key, series.to_arrow(), "visits.note"))

    def open(series: polars.Series) -> polars.Series:
        opened = sivka.arrow.open(key, series.to_arrow(), "visits.note", type=pa.large_string())
        return polars.Series(opened)

    note = polars.col("note")
    sealed = frame.lazy().with_columns(note.map_batches(seal, return_dtype=polars.Binary))
    opened = sealed.with_columns(note.map_batches(open, return_dtype=polars.String))
    assert sealed.collect()["note"].null_count() == 1
    assert opened.collect().equals(frame)


def test_buffers_without_pyarrow() -> None:
    key = KEYS[1]
    for code in "iIqQ":
        offsets = array.array(code, [0, 3, 3, 8])
        rows, ends = key.seal_column(b"onethree", offsets, b"t.c", validity=b"\x0a", first_bit=1)
        bounds = memoryview(ends).cast("i" if offsets.itemsize == 4 else "q")
        assert list(bounds) == [0, 31, 31, 64]
        assert key.open(rows[:31], b"t.c") == b"one"
        opened_ends = array.array(code, [0, 3, 3, 8]).tobytes()
        opened = key.open_column(rows, bounds, b"t.c")
        assert opened == (b"onethree", opened_ends, b"\x01\x00\x01")
    one = array.array("i", [0, 8])
    refused: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"offsets": b"12345678"}, TypeError),
        ({"offsets": array.array("i")}, ValueError),
        ({"offsets": array.array("i", [0, 9])}, ValueError),
        ({"offsets": array.array("i", [-1, 3])}, ValueError),
        ({"validity": b""}, ValueError),
        ({"validity": b"\xff", "first_bit": 8}, ValueError),
        ({"validity": b"\xff", "first_bit": -1}, ValueError),
        ({"associated_data_offsets": array.array("i", [0])}, ValueError),
        ({"associated_data_offsets": array.array("i", [0, 99])}, ValueError),
        ({"data": "text"}, TypeError),
    ]
    for wrong, error in refused:
        with pytest.raises(error):
            key.seal_column(**{"data": b"onethree", "offsets": one, **wrong})


def test_keys_of_columns() -> None:
    cases = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
    classes: dict[str, Any] = {
        "AES-256-GCM-SIV": sivka.AESGCMSIV,
        "XChaCha20-BLAKE2b-SIV": sivka.XChaCha20BLAKE2bSIV,
    }
    checked = 0
    for case in cases:
        if case["algorithm"] in classes:
            of = classes[case["algorithm"]]
            same = of(bytes.fromhex(case["column_key"]))
            derived = of.for_columns(case["key_file"].encode())
            assert same.open(derived.seal(b"value", b"t.c"), b"t.c") == b"value"
            checked += 1
    assert checked == 4
    with pytest.raises(sivka.KeyFileError):
        sivka.AESGCMSIV.for_columns(b"no key file")
