"""The block cipher beyond its vectors, which the matrix plays."""

from __future__ import annotations

from typing import Any

import pytest

import sivka


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
