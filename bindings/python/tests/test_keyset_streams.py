"""Streams under keysets. The matrix plays the vectors, and other languages' streams."""

from __future__ import annotations

import io
import os
from typing import Any

import pytest

from sivka import InvalidTag, Keyset

DATA = b"backup of monday"
TEMPLATE = "AES256_GCM_HKDF_4KB"
SEGMENT = 4096


def sealed(keyset: Keyset, text: bytes, data: bytes | None = DATA) -> bytes:
    out = io.BytesIO()
    with keyset.seal_to(out, data) as file:
        for at in range(0, len(text), 10_001):
            file.write(text[at : at + 10_001])
    return out.getvalue()


def does_not_open(keyset: Keyset, whole: bytes, data: bytes | None, text: bytes) -> int:
    """How much comes out before the error; nothing else may."""
    done = bytearray()
    with keyset.open_from(io.BytesIO(whole), data) as file:
        with pytest.raises(InvalidTag):
            while piece := file.read(777):
                done += piece
        with pytest.raises(OSError):
            file.read(1)
    assert text.startswith(done)
    return len(done)


def test_nothing_that_is_not_authentic_comes_out() -> None:
    keyset, text = Keyset.generate(TEMPLATE), os.urandom(3 * SEGMENT)
    whole = sealed(keyset, text)
    assert does_not_open(Keyset.generate(TEMPLATE), whole, DATA, text) == 0
    assert does_not_open(keyset, whole, None, text) == 0
    for at in range(0, len(whole), 97):
        changed = bytearray(whole)
        changed[at] ^= 4
        assert does_not_open(keyset, bytes(changed), DATA, text) <= at
        does_not_open(keyset, whole[:at], DATA, text)
    does_not_open(keyset, whole[:-1], DATA, text)
    does_not_open(keyset, whole + b"\0", DATA, text)


def test_failures_of_the_other_file_are_its_own() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if piece := super().read(min(1000, size or 1000)):
                return piece
            raise ConnectionError("the cable")

        read1 = read

        def write(self, data: Any, /) -> int:
            raise ConnectionError("the disk")

    keyset = Keyset.generate(TEMPLATE)
    whole = sealed(keyset, os.urandom(3 * SEGMENT))
    with keyset.open_from(Broken(whole[: 2 * SEGMENT]), DATA) as back:
        with pytest.raises(ConnectionError, match="the cable"):
            back.read()
        with pytest.raises(OSError, match="an earlier read failed"):
            back.read(1)
    file = keyset.seal_to(Broken(), DATA)
    with pytest.raises(ConnectionError, match="the disk"):
        file.write(bytes(2 * SEGMENT))
    assert file.closed


def test_the_keyset_may_be_closed_and_changed_meanwhile() -> None:
    text, data, out = os.urandom(50_000), bytearray(DATA), io.BytesIO()
    keyset = Keyset.generate(TEMPLATE)
    kept = keyset.to_insecure("binary")
    file = keyset.seal_to(out, data)
    data[:] = bytes(len(data))
    keyset.rotate("AES128_CTR_HMAC_SHA256_4KB")
    keyset.close()
    with file:
        file.write(text)
    read = Keyset.from_insecure(kept, "binary")
    back = read.open_from(io.BytesIO(out.getvalue()), DATA)
    read.rotate("AES128_CTR_HMAC_SHA256_4KB")
    assert read.open_from(io.BytesIO(out.getvalue()), DATA).read() == text
    read.close()
    with back:
        assert back.read() == text


def test_purposes_are_told_apart_at_once() -> None:
    streams, messages = Keyset.generate(TEMPLATE), Keyset.generate("AES256_GCM_SIV")
    out = io.BytesIO()
    for call in (
        lambda: messages.seal_to(out, DATA),
        lambda: messages.open_from(out, DATA),
        lambda: streams.seal(DATA),
        lambda: streams.open(DATA),
        lambda: streams.seal_deterministically(DATA),
        lambda: messages.encrypt("json", streams),
    ):
        with pytest.raises(ValueError, match="the keyset is for "):
            call()
    strange: Any = None
    with pytest.raises(TypeError, match=r"out: an object with write\(\) expected"):
        streams.seal_to(strange)
    with pytest.raises(TypeError, match=r"source: an object with read\(\) expected"):
        streams.open_from(strange)
    strange = "text"
    with pytest.raises(TypeError, match="associated_data"):
        streams.seal_to(out, strange)
    with pytest.raises(TypeError, match="seal_to"):
        streams.seal_to()  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    streams.close()
    for closed in (lambda: streams.seal_to(out), lambda: streams.open_from(out)):
        with pytest.raises(ValueError, match="closed"):
            closed()
    assert out.getvalue() == b""
