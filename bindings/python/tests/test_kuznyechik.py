"""The block cipher beyond its vectors, which the matrix plays."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sivka


def test_blocks() -> None:
    source = random.Random(1)
    key = sivka.Kuznyechik(source.randbytes(32))
    assert key.block_size == 16
    for count in (0, 1, 2, 15, 16, 17, 100, 5000):
        data = source.randbytes(16 * count)
        encrypted = key.encrypt_blocks(data)
        assert key.decrypt_blocks(encrypted) == data
        assert encrypted[:16] == key.encrypt_blocks(data[:16])
        buf = bytearray(data)
        assert key.encrypt_blocks_into(buf, buf) == len(data)
        assert buf == encrypted
        out = bytearray(len(data))
        assert key.decrypt_blocks_into(data=encrypted, buf=out) == len(data)
        assert out == data


def test_errors() -> None:
    key = sivka.Kuznyechik(key=bytes(32))
    with pytest.raises(ValueError, match="^data: a multiple of 16 expected, 17 given"):
        key.encrypt_blocks(bytes(17))
    with pytest.raises(ValueError, match="buf: 16 bytes expected, 32 given"):
        key.encrypt_blocks_into(bytes(16), bytearray(32))
    whole = bytearray(48)
    with pytest.raises(ValueError, match="overlaps"):
        key.encrypt_blocks_into(memoryview(whole)[:32], memoryview(whole)[16:])
    text: Any = "text"
    with pytest.raises(TypeError, match="data: a bytes-like object"):
        key.encrypt_blocks(text)
    with pytest.raises(TypeError, match="buf: a writable buffer"):
        key.encrypt_blocks_into(bytes(16), bytes(16))
    with key:
        pass
    with pytest.raises(ValueError, match="the key is closed"):
        key.decrypt_blocks(b"")
