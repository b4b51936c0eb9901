"""Many messages in one call: lists, and one buffer with offsets."""

from __future__ import annotations

import array
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import WithNonce, nonce_of

import sivka


def messages(count: int) -> tuple[list[bytes], list[bytes]]:
    """Random messages and associated data, mostly short."""
    source = random.Random(count)
    lengths = [source.choice((0, 1, 16, 64, source.randrange(600))) for _ in range(count)]
    return [source.randbytes(n) for n in lengths], [source.randbytes(n % 70 + 1) for n in lengths]


def test_lists_are_any_iterables(aead: WithNonce) -> None:
    """More of them than a chunk of this package."""
    texts, aads = messages(1025)
    nonces = [nonce_of(aead, number) for number in range(1025)]
    sealed = aead.encrypt_batch(nonces, texts, aads)
    assert sealed == aead.encrypt_batch(b"".join(nonces), iter(texts), tuple(aads))
    assert aead.decrypt_batch(nonces, sealed, aads) == texts
    common = aead.encrypt_batch(nonces, texts, b"all")
    assert aead.decrypt_batch(nonces, common, associated_data=bytearray(b"all")) == texts


def test_forgeries_are_none_and_no_others(aead: WithNonce) -> None:
    texts, aads = messages(1500)
    nonces = [nonce_of(aead, number) for number in range(1500)]
    sealed: list[Any] = [bytearray(each) for each in aead.encrypt_batch(nonces, texts, aads)]
    expected: list[bytes | None] = list(texts)
    for number in (0, 7, 700, 1023, 1024, 1499):
        sealed[number][number % len(sealed[number])] ^= 0x10
        expected[number] = None
    # Shorter than a tag: forged too.
    for number, length in ((3, 0), (900, 1), (1200, aead.tag_length - 1)):
        sealed[number] = bytes(length)
        expected[number] = None
    assert aead.decrypt_batch(nonces, sealed, aads) == expected


def test_errors_of_lists(aead: WithNonce) -> None:
    one, two = nonce_of(aead, 1), nonce_of(aead, 2)
    encrypt: Any = aead.encrypt_batch
    with pytest.raises(ValueError, match="nonces: 2 expected, one for each message, 1 given"):
        encrypt([one], [b"a", b"b"])
    with pytest.raises(ValueError, match="associated_data: 1 expected, .* 2 given"):
        encrypt([one], [b"a"], [b"x", b"y"])
    with pytest.raises(ValueError, match=r"nonces: \d+ bytes expected, 1 given \(number 1\)"):
        encrypt([one, b"?"], [b"a", b"b"], b"x")
    with pytest.raises(ValueError, match=f"nonces: 1 of {len(one)} bytes each"):
        encrypt(one + two, [b"a"])
    with pytest.raises(TypeError, match=r"messages: a bytes-like object .* str given \(number 1\)"):
        encrypt([one, two], [b"a", "b"])
    with pytest.raises(TypeError, match=r"nonces: a bytes-like object .* NoneType given"):
        encrypt([None], [b"a"])
    with pytest.raises(TypeError, match=r"associated_data: .* int given \(number 0\)"):
        encrypt([one], [b"a"], [7])
    with pytest.raises(TypeError, match="messages: a sequence of bytes-like objects expected"):
        encrypt([one], 5)
    with pytest.raises(BufferError, match=r"messages: a contiguous .*gaps given \(number 0\)"):
        encrypt([one], [memoryview(bytes(9))[::2]])

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
    offsets = array.array("q", [0, 1, 2, 2])
    with pytest.raises(ValueError, match=r"data: the algorithm refuses .* \(message 2\)"):
        key.encrypt_batch_contiguous(b"".join(nonces), b"ab", offsets)


@pytest.mark.parametrize("kind", ["i", "I", "q", "Q"])
@pytest.mark.parametrize("count", [0, 3])
def test_contiguous(aead: WithNonce, kind: str, count: int) -> None:
    texts, aads = messages(count)
    nonces = b"".join(nonce_of(aead, number) for number in range(count))
    # Bytes before the first and after the last message are nobody's.
    data = b"gap" + b"".join(texts) + b"more"
    offsets = array.array(kind, [3])
    aad_offsets = array.array(kind, [0])
    for text, aad in zip(texts, aads):
        offsets.append(offsets[-1] + len(text))
        aad_offsets.append(aad_offsets[-1] + len(aad))
    expected = aead.encrypt_batch(nonces, texts, aads)
    out, tags = aead.encrypt_batch_contiguous(
        nonces, data, offsets, b"".join(aads), associated_data_offsets=aad_offsets
    )
    assert isinstance(out, bytearray) and isinstance(tags, bytearray)
    assert out[:3] == bytes(3) and out[len(data) - 4 :] == bytes(4)
    for number, sealed in enumerate(expected):
        ciphertext = out[offsets[number] : offsets[number + 1]]
        tag = tags[number * aead.tag_length : (number + 1) * aead.tag_length]
        assert ciphertext + tag == sealed
    # In place, and what lies around is left alone.
    buf = bytearray(data)
    room = bytearray(len(tags))
    result = aead.encrypt_batch_contiguous(
        nonces,
        buf,
        offsets,
        b"".join(aads),
        associated_data_offsets=aad_offsets,
        out=buf,
        tags=room,
    )
    assert result[0] is buf and result[1] is room
    assert buf == b"gap" + out[3 : len(data) - 4] + b"more" and room == tags
    plain, opened = aead.decrypt_batch_contiguous(
        nonces, buf, tags, offsets, b"".join(aads), associated_data_offsets=aad_offsets, out=buf
    )
    assert plain is buf and plain == data and opened == b"\x01" * count


def test_errors_of_contiguous(aead: WithNonce) -> None:
    nonces = nonce_of(aead, 1) + nonce_of(aead, 2)
    offsets = array.array("q", [0, 2, 4])
    encrypt: Any = aead.encrypt_batch_contiguous

    def refused(error: type[Exception], match: str, *args: Any, **keywords: Any) -> None:
        with pytest.raises(error, match=match):
            encrypt(*args, **keywords)

    for wrong in ([0, 3, 2], [0, 2, 5], [-1, 2, 4], [0, 2**40, 4], [5, 5, 5]):
        refused(ValueError, "offsets", nonces, b"abcd", array.array("q", wrong), b"x")
    refused(ValueError, "offsets", nonces, b"abcd", array.array("i", [-1, 2, 4]), b"x")
    refused(ValueError, "one more than messages expected, 0 given", b"", b"", array.array("q"))
    one_row = "offsets: one row of integers of 32 or 64 bits expected"
    for kind in "bhfd":
        refused(TypeError, one_row, nonces, b"abcd", array.array(kind, [0, 2, 4]))
    refused(TypeError, one_row, nonces, b"abcd", bytes(24))
    square = memoryview(bytes(32)).cast("q", (2, 2))
    refused(TypeError, one_row, nonces, b"abcd", square)
    refused(TypeError, one_row, nonces, b"abcd", np.zeros(3, ">i8"))
    refused(TypeError, "offsets: a bytes-like object", nonces, b"abcd", [0, 2, 4])
    refused(BufferError, "offsets", nonces, b"abcd", memoryview(array.array("q", range(9)))[::2])
    refused(ValueError, "nonces: .* expected", nonces[1:], b"abcd", offsets, b"x")
    refused(ValueError, "out: 4 bytes expected", nonces, b"abcd", offsets, b"x", out=bytearray(5))
    refused(TypeError, "out: a writable", nonces, b"abcd", offsets, b"x", out=bytes(4))
    refused(ValueError, "tags: .* expected", nonces, b"abcd", offsets, b"x", tags=bytearray(5))
    refused(TypeError, "from 3 to 4 positional", nonces, b"abcd", offsets, b"x", None)
    other = array.array("q", [0, 1])
    short = "associated_data_offsets: 3 expected, 2 given"
    refused(ValueError, short, nonces, b"abcd", offsets, b"x", associated_data_offsets=other)
    whole = memoryview(bytearray(b"abcde"))
    refused(ValueError, "overlaps", nonces, whole[:4], offsets, b"x", out=whole[1:])
    tags = memoryview(bytearray(2 * aead.tag_length))
    refused(ValueError, "out overlaps tags", nonces, b"abcd", offsets, out=tags[:4], tags=tags)
    shared = "out overlaps associated_data"
    refused(ValueError, shared, nonces, b"abcd", offsets, tags[:4], out=tags[:4])
    # Nothing was written to a buffer of the caller's, and no plaintext is in it.
    out = bytearray(b"\x55" * 4)
    refused(ValueError, "nonces", nonces[1:], b"abcd", offsets, b"x", out=out)
    assert b"a" not in out
