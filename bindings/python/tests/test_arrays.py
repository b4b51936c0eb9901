"""NumPy and Arrow: their buffers and offsets as they are."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pytest

from sivka import AESGCMSIV

KEY = AESGCMSIV(bytes(32))


def test_numpy_arrays_are_buffers() -> None:
    data = np.arange(1000, dtype=np.float64)
    sealed = KEY.encrypt(bytes(12), data, np.zeros(3, np.uint8))
    assert sealed == KEY.encrypt(bytes(12), data.tobytes(), bytes(3))
    out = np.zeros_like(data)
    assert KEY.decrypt_into(np.zeros(12, np.uint8), sealed, bytes(3), out) == data.nbytes
    assert (out == data).all()
    out.flags.writeable = False
    with pytest.raises(TypeError, match="buf: a writable buffer"):
        KEY.decrypt_into(bytes(12), sealed, bytes(3), out)
    with pytest.raises(BufferError, match="data: a contiguous buffer"):
        KEY.encrypt(bytes(12), data[::2])
    with pytest.raises(BufferError, match="data: a contiguous buffer"):
        KEY.encrypt(bytes(12), np.asfortranarray(data.reshape(10, 100)))


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64, np.intp])
def test_numpy_batch(kind: Any) -> None:
    rows = np.random.default_rng(1).integers(0, 256, (500, 64), np.uint8)
    offsets = np.arange(0, 501 * 64, 64).astype(kind)
    nonces = np.frombuffer(KEY.random_nonces(500), np.uint8)
    tags = np.empty((500, 16), np.uint8)
    out = np.empty_like(rows)
    assert KEY.encrypt_batch_contiguous(nonces, rows, offsets, out=out, tags=tags)[0] is out
    expected = KEY.encrypt_batch(nonces, list(rows))
    assert np.hstack([out, tags]).tobytes() == b"".join(expected)
    tags[7, 0] ^= 1
    plain, opened = KEY.decrypt_batch_contiguous(nonces, out, tags, offsets, out=out)
    good = np.frombuffer(opened, np.bool_)
    assert good.sum() == 499 and not good[7]
    assert (plain[good] == rows[good]).all() and not plain[7].any()


@pytest.mark.parametrize(("kind", "code"), [(pa.binary(), "i"), (pa.large_binary(), "q")])
def test_arrow_column(kind: Any, code: Literal["i", "q"]) -> None:
    values = [b"some", b"", b"text of a column", b"more"] * 50
    column = pa.array(values, kind)
    _, offsets, data = column.buffers()
    nonces = KEY.random_nonces(len(column))
    # A buffer of Arrow says nothing of what is in it: its type is the column's.
    where = memoryview(offsets).cast("B").cast(code)[: len(column) + 1]
    out, tags = KEY.encrypt_batch_contiguous(nonces, data, where)
    sealed = pa.Array.from_buffers(kind, len(column), [None, offsets, pa.py_buffer(out)])
    tag_column = pa.Array.from_buffers(pa.binary(16), len(column), [None, pa.py_buffer(tags)])
    expected = KEY.encrypt_batch(nonces, values)
    assert [a + b for a, b in zip(sealed.to_pylist(), tag_column.to_pylist())] == expected
    plain, opened = KEY.decrypt_batch_contiguous(nonces, sealed.buffers()[2], tags, where)
    assert all(opened)
    again = pa.Array.from_buffers(kind, len(column), [None, offsets, pa.py_buffer(plain)])
    assert again.equals(column)


def test_arrow_scalars_are_buffers() -> None:
    column = pa.array([b"one", b"two"])
    views = [value.as_buffer() for value in column]
    nonces = KEY.random_nonces(2)
    assert KEY.encrypt_batch(nonces, views) == KEY.encrypt_batch(nonces, [b"one", b"two"])


def test_arrow_arrays_are_told_where_they_go() -> None:
    column = pa.array([b"one", b"two"])
    nonces = KEY.random_nonces(2)
    there = "encrypt_batch_contiguous.. and decrypt_batch_contiguous"
    for wrong in (column, pa.chunked_array([column])):
        given = f"{type(wrong).__name__} given; the buffers of an Arrow array go to {there}"
        with pytest.raises(TypeError, match=f"data: a bytes-like object expected, {given}"):
            KEY.encrypt(nonces[:12], wrong)
        with pytest.raises(TypeError, match=f"data: a bytes-like object expected, {given}"):
            KEY.open(wrong)
        with pytest.raises(TypeError, match=f"messages: a sequence .* expected, {given}"):
            KEY.encrypt_batch(nonces, wrong)
        with pytest.raises(TypeError, match=f"nonces: a sequence .* expected, {given}"):
            KEY.decrypt_batch(wrong, [b"a", b"b"])
        with pytest.raises(TypeError, match=f"data: a bytes-like object expected, {given}"):
            KEY.encrypt_batch_contiguous(nonces, wrong, np.arange(3))
