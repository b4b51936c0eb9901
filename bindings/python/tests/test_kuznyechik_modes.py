"""Kuznyechik in CTR, CTR-ACPKM and OMAC; the matrix plays the published vectors."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest

import sivka

KEY, IV = bytes(range(32)), bytes(range(8))


def keystreams() -> list[sivka.KuznyechikCTR | sivka.KuznyechikCTRACPKM]:
    return [sivka.KuznyechikCTR(KEY, IV), sivka.KuznyechikCTRACPKM(KEY, IV, 48)]


@pytest.mark.parametrize("which", [0, 1])
def test_ctr_in_pieces(which: int) -> None:
    source = random.Random(1)
    text = source.randbytes(300_000)
    whole = keystreams()[which].update(text)
    assert keystreams()[which].update(whole) == text
    ctr, pieces, at = keystreams()[which], bytearray(), 0
    while at < len(text):
        length = source.choice([0, 1, 15, 16, 17, 1000, 70_000])
        pieces += ctr.update(text[at : at + length])
        at += length
    assert pieces == whole
    buf = bytearray(text)
    assert keystreams()[which].update_into(buf, buf=buf) == len(text)
    assert buf == whole


def test_ctr_errors() -> None:
    with pytest.raises(ValueError, match="key: 32 expected, 31 given"):
        sivka.KuznyechikCTR(bytes(31), IV)
    with pytest.raises(ValueError, match="iv: 8 expected, 16 given"):
        sivka.KuznyechikCTR(KEY, bytes(16))
    for length in (0, 8, 24):
        with pytest.raises(ValueError, match=f"multiple of 16 bytes, {length} given"):
            sivka.KuznyechikCTRACPKM(KEY, IV, length)
    with pytest.raises(ValueError, match="section_length"):
        sivka.KuznyechikCTRACPKM(KEY, IV, -16)
    text: Any = "text"
    with pytest.raises(TypeError, match="iv: a bytes-like object"):
        sivka.KuznyechikCTR(KEY, text)
    ctr = sivka.KuznyechikCTR(KEY, IV)
    with pytest.raises(TypeError, match="data: a bytes-like object"):
        ctr.update(text)
    with pytest.raises(ValueError, match="buf: 3 bytes expected, 4 given"):
        ctr.update_into(b"abc", bytearray(4))
    with ctr:
        pass
    with pytest.raises(ValueError, match="the keystream is closed"):
        ctr.update(b"")


@pytest.mark.parametrize("tag_length", range(4, 17))
def test_omac(tag_length: int) -> None:
    key = sivka.KuznyechikOMAC(KEY, tag_length)
    assert key.tag_length == tag_length
    message = bytes(range(100))
    whole = sivka.KuznyechikOMAC(KEY).tag(message)
    assert len(whole) == 16
    tag = key.tag(message)
    assert tag == whole[:tag_length]
    key.verify(message, tag)
    forged = bytes([tag[0] ^ 1]) + tag[1:]
    with pytest.raises(sivka.InvalidTag):
        key.verify(message, forged)
    # The bytes are right, and the length is not this key's.
    for other in (whole[: tag_length - 1], whole + b"\0"):
        with pytest.raises(ValueError, match=f"{tag_length} expected, {len(other)} given"):
            key.verify(message, other)
    for piece in (1, 15, 16, 17, 99):
        for at in range(0, len(message), piece):
            key.update(message[at : at + piece])
        assert key.finalize() == tag
    key.update(message)
    with pytest.raises(ValueError):
        key.finalize_and_verify(b"")
    key.finalize_and_verify(tag)
    with pytest.raises(sivka.InvalidTag):
        key.finalize_and_verify(tag)


def test_omac_errors() -> None:
    for length in (0, 3, 17):
        with pytest.raises(ValueError, match="^tag_length: 4 to 16 expected"):
            sivka.KuznyechikOMAC(KEY, tag_length=length)
    with pytest.raises(ValueError, match="tag_length: a number from 0"):
        sivka.KuznyechikOMAC(KEY, tag_length=-1)
    text: Any = "text"
    key = sivka.KuznyechikOMAC(KEY)
    for call in (key.tag, key.update, key.finalize_and_verify):
        with pytest.raises(TypeError, match="a bytes-like object expected, str given"):
            call(text)
    with pytest.raises(TypeError, match="tag: a bytes-like object"):
        key.verify(b"", text)
    key.close()
    with pytest.raises(ValueError, match="the key is closed"):
        key.tag(b"")


def test_one_thread_at_a_time_changes_a_message() -> None:
    """Two threads in one keystream or message: either waits its turn or is told so."""
    key, ctr, told = sivka.KuznyechikOMAC(KEY), sivka.KuznyechikCTR(KEY, IV), []
    data = bytes(4_000_000)
    tag = key.tag(data)

    def change() -> None:
        for _ in range(4):
            try:
                ctr.update(data)
                key.update(data)
            except RuntimeError as error:
                told.append(str(error))

    threads = [threading.Thread(target=change) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(told) <= {
        "the key is in use by another thread",
        "the keystream is in use by another thread",
    }
    assert told
    key.finalize()
    assert key.tag(data) == tag
