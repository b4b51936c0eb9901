"""Many messages in one call: lists, and one buffer with offsets, of NumPy and Arrow too. Which
bytes they seal to, the matrix asks."""

from __future__ import annotations

import array
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import WithNonce, nonce_of

import sivka

KEY = sivka.AESGCMSIV(bytes(32))


def messages(count: int) -> tuple[list[bytes], list[bytes]]:
    """Random messages and associated data, mostly short."""
    source = random.Random(count)
    lengths = [source.choice((0, 1, 16, 64, source.randrange(600))) for _ in range(count)]
    return [source.randbytes(n) for n in lengths], [source.randbytes(n % 70 + 1) for n in lengths]


def test_lists_are_any_iterables(aead: WithNonce) -> None:
    """More of them than a chunk of this package. A forgery is None, and no other message is."""
    texts, aads = messages(1500)
    nonces = [nonce_of(aead, number) for number in range(1500)]
    sealed: list[Any] = aead.encrypt_batch(nonces, texts, aads)
    assert sealed == aead.encrypt_batch(b"".join(nonces), iter(texts), tuple(aads))
    common = aead.encrypt_batch(nonces, texts, b"all")
    assert aead.decrypt_batch(nonces, common, associated_data=bytearray(b"all")) == texts
    expected: list[bytes | None] = list(texts)
    for number in (0, 7, 700, 1023, 1024, 1499):
        sealed[number] = bytes(byte ^ 0x10 for byte in sealed[number])
        expected[number] = None
    # Shorter than a tag: forged too.
    for number, length in ((3, 0), (900, 1), (1200, aead.tag_length - 1)):
        sealed[number] = bytes(length)
        expected[number] = None
    assert aead.decrypt_batch(nonces, sealed, aads) == expected


def test_errors_of_lists(aead: WithNonce) -> None:
    one, two = nonce_of(aead, 1), nonce_of(aead, 2)
    encrypt: Any = aead.encrypt_batch
    arrow: Any = pa.array([b"a"])
    calls: tuple[Any, ...] = (aead.encrypt, aead.decrypt)
    there = "Array given; the buffers of an Arrow array go to encrypt_batch_contiguous.. and"
    for arguments, error, text in (
        (([one], [b"a", b"b"]), ValueError, "nonces: 2 expected, one for each message, 1 given"),
        (([one], [b"a"], [b"x", b"y"]), ValueError, "associated_data: 1 expected, .* 2 given"),
        (([one, b"?"], [b"a", b"b"], b"x"), ValueError, r"nonces: \d+ bytes .* 1 given \(number 1"),
        ((one + two, [b"a"]), ValueError, f"nonces: 1 of {len(one)} bytes each"),
        (([one, two], [b"a", "b"]), TypeError, r"messages: a bytes-like .* str given \(number 1\)"),
        (([one], [b"a"], ["x"]), TypeError, r"associated_data: a bytes-like .* \(number 0\)"),
        (([one], [memoryview(bytes(4))[::2]]), BufferError, r"messages: a contig.*\(number 0\)"),
        (([one], 5), TypeError, "messages: a sequence of bytes-like objects expected"),
        (([one], arrow), TypeError, f"messages: a sequence .* expected, .*{there}"),
        ((arrow, [b"a"]), TypeError, f"nonces: a sequence .* expected, .*{there}"),
    ):
        with pytest.raises(error, match=text):
            encrypt(*arguments)
    for call in calls:
        with pytest.raises(TypeError, match=f"data: a bytes-like object expected, .*{there}"):
            call(one, arrow)

    def failing() -> Iterator[bytes]:
        yield b"a"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        encrypt([one], failing())


def test_a_refused_message_is_named() -> None:
    key = sivka.KuznyechikMGM(bytes(32))
    nonces = [bytes(16)] * 3
    with pytest.raises(ValueError, match=r"messages: the algorithm refuses .* \(number 2\)"):
        key.encrypt_batch(nonces, [b"a", b"b", b""])
    out, offsets = bytearray(b"\x55" * 2), array.array("q", [0, 1, 2, 2])
    with pytest.raises(ValueError, match=r"data: the algorithm refuses .* \(message 2\)"):
        key.encrypt_batch_contiguous(b"".join(nonces), b"ab", offsets, out=out)
    assert out == bytes(2)


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64])
def test_contiguous(aead: WithNonce, kind: Any) -> None:
    texts, aads = messages(30)
    nonces = b"".join(nonce_of(aead, number) for number in range(30))
    # Bytes before the first and after the last message are nobody's.
    data = b"gap" + b"".join(texts) + b"more"
    offsets: Any = np.cumsum([3, *map(len, texts)]).astype(kind)
    whole: dict[str, Any] = {
        "associated_data": b"".join(aads),
        "associated_data_offsets": np.cumsum([0, *map(len, aads)]).astype(kind),
    }
    expected = aead.encrypt_batch(nonces, texts, aads)
    out, tags = aead.encrypt_batch_contiguous(nonces, data, offsets, **whole)
    assert isinstance(out, bytearray) and isinstance(tags, bytearray)
    assert out[:3] == bytes(3) and out[len(data) - 4 :] == bytes(4)
    for number, sealed in enumerate(expected):
        ciphertext = out[offsets[number] : offsets[number + 1]]
        tag = tags[number * aead.tag_length : (number + 1) * aead.tag_length]
        assert ciphertext + tag == sealed
    # In place, and what lies around is left alone.
    buf, room = np.frombuffer(bytearray(data), np.uint8), bytearray(len(tags))
    result = aead.encrypt_batch_contiguous(nonces, buf, offsets, **whole, out=buf, tags=room)
    assert result[0] is buf and result[1] is room
    assert buf.tobytes() == b"gap" + out[3 : len(data) - 4] + b"more" and room == tags
    room[7 * aead.tag_length] ^= 1
    plain, opened = aead.decrypt_batch_contiguous(nonces, buf, room, offsets, **whole, out=buf)
    assert plain is buf and opened == bytes(number != 7 for number in range(30))
    forged = slice(offsets[7], offsets[8])
    assert not buf[forged].any() and data[: forged.start] == buf[: forged.start].tobytes()
    assert data[forged.stop :] == buf[forged.stop :].tobytes()


def test_buffers_of_arrow() -> None:
    values = [b"some", b"", b"text of a column", b"more"] * 50
    column = pa.array(values, pa.large_binary())
    _, offsets, data = column.buffers()
    nonces = KEY.random_nonces(len(column))
    # A buffer of Arrow says nothing of what is in it: its type is the column's.
    where = memoryview(offsets).cast("B").cast("q")[: len(column) + 1]
    out, tags = KEY.encrypt_batch_contiguous(nonces, data, where)
    sealed = pa.Array.from_buffers(column.type, len(column), [None, offsets, pa.py_buffer(out)])
    plain, opened = KEY.decrypt_batch_contiguous(nonces, sealed.buffers()[2], tags, where)
    assert all(opened) and plain == data.to_pybytes()
    views = [value.as_buffer() for value in column]
    assert KEY.encrypt_batch(nonces, views) == KEY.encrypt_batch(nonces, values)


def test_errors_of_contiguous(aead: WithNonce) -> None:
    nonces = nonce_of(aead, 1) + nonce_of(aead, 2)
    offsets, data = array.array("q", [0, 2, 4]), b"abcd"
    whole, tags = memoryview(bytearray(b"abcde")), memoryview(bytearray(2 * aead.tag_length))
    one_row = "offsets: one row of integers of 32 or 64 bits expected"
    aads = {"associated_data_offsets": array.array("q", [0, 1])}
    # Nothing is written to a buffer of the caller's, and no plaintext is in it.
    out = bytearray(b"\x55" * 4)
    q = array.array
    cases: list[tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]] = [
        *(
            (ValueError, "offsets", (nonces, data, q("q", wrong), b"x"), {})
            for wrong in ([0, 3, 2], [0, 2, 5], [-1, 2, 4], [0, 2**40, 4], [5, 5, 5])
        ),
        (ValueError, "offsets", (nonces, data, q("i", [-1, 2, 4]), b"x"), {}),
        *((TypeError, one_row, (nonces, data, q(kind, [0, 2, 4])), {}) for kind in "bhfd"),
        (TypeError, one_row, (nonces, data, bytes(24)), {}),
        (TypeError, one_row, (nonces, data, memoryview(bytes(32)).cast("q", (2, 2))), {}),
        (TypeError, one_row, (nonces, data, np.zeros(3, ">i8")), {}),
        (TypeError, "offsets: a bytes-like object", (nonces, data, [0, 2, 4]), {}),
        (BufferError, "offsets", (nonces, data, memoryview(q("q", range(9)))[::2]), {}),
        (ValueError, "nonces: .* expected", (nonces[1:], data, offsets, b"x"), {"out": out}),
        (ValueError, "out: 4 bytes", (nonces, data, offsets, b"x"), {"out": bytearray(5)}),
        (TypeError, "out: a writable", (nonces, data, offsets, b"x"), {"out": bytes(4)}),
        (ValueError, "tags: .* expected", (nonces, data, offsets, b"x"), {"tags": bytearray(5)}),
        (TypeError, "from 3 to 4 positional", (nonces, data, offsets, b"x", None), {}),
        (ValueError, "a_offsets: 3 expected, 2 given", (nonces, data, offsets, b"x"), aads),
        (ValueError, "overlaps", (nonces, whole[:4], offsets, b"x"), {"out": whole[1:]}),
        (ValueError, "out overlaps tags", (nonces, data, offsets), {"out": tags[:4], "tags": tags}),
        (ValueError, "out overlaps assoc", (nonces, data, offsets, tags[:4]), {"out": tags[:4]}),
    ]
    for error, match, arguments, keywords in cases:
        with pytest.raises(error, match=match):
            aead.encrypt_batch_contiguous(*arguments, **keywords)
    assert b"a" not in out
