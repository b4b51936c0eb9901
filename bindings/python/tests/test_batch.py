"""Many messages in one call. Which bytes they seal to, the matrix asks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import WithNonce, nonce_of, refused

import sivka


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
    seal: Any = aead.encrypt_batch

    def failing() -> Iterator[bytes]:
        yield b"a"
        raise KeyError("mine")

    refused(
        ValueError,
        {
            "nonces: 2 expected, one for each message, 1": [lambda: seal([one], [b"a", b"b"])],
            "associated_data: 1 expected, .* 2": [lambda: seal([one], [b"a"], [b"x", b"y"])],
            r"nonces: \d+ bytes .* 1 given \(number 1": [lambda: seal([one, b"?"], [b"a", b"b"])],
            f"nonces: 1 of {len(one)} bytes each": [lambda: seal(one + two, [b"a"])],
        },
    )
    refused(
        TypeError,
        {
            r"messages: a bytes-like .*\(number 1\)": [lambda: seal([one, two], [b"a", "b"])],
            r"associated_data: a bytes-like .*\(number 0\)": [lambda: seal([one], [b"a"], ["x"])],
            "messages: a sequence of bytes-like objects expected, int": [lambda: seal([one], 5)],
        },
    )
    # These have no order, or mean something else by it.
    siv: Any = sivka.AESSIV(bytes(64))
    for wrong in ({b"a"}, frozenset([b"a"]), {b"a": b"b"}, "", None):
        calls: list[Callable[[], object]] = [
            lambda: seal([one], wrong),
            lambda: siv.encrypt_with_list(b"", wrong),
            lambda: siv.decrypt_with_list(bytes(16), wrong),
        ]
        if wrong is not None:
            calls += [lambda: seal(wrong, [b"a"]), lambda: seal([one], [b"a"], wrong)]
        refused(TypeError, {": a sequence of bytes-like objects expected, ": calls})
    refused(KeyError, {"mine": [lambda: seal([one], failing())]})
    endless = itertools.repeat(b"a")
    refused(ValueError, {"1 expected, one for each": [lambda: seal([one], [b"a"], endless)]})
    refused(ValueError, {"at most 126 .*127": [lambda: siv.encrypt_with_list(b"", endless)]})


def test_a_refused_message_is_named() -> None:
    key = sivka.KuznyechikMGM(bytes(32))
    nonces = [bytes(16)] * 3
    with pytest.raises(ValueError, match=r"messages: the algorithm refuses .* \(number 2\)"):
        key.encrypt_batch(nonces, [b"a", b"b", b""])
