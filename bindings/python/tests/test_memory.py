"""Nothing is leaked, and no reference is counted wrongly, on success and on errors."""

from __future__ import annotations

import array
import gc
import io
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import sivka

KEY, SIV = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))
KEYSET = sivka.Keyset.generate("AES256_GCM_RAW")
NONCE, DATA, AAD = bytes(bytearray(12)), bytes(bytearray(500)), bytes(bytearray(50))
BUF, OFFSETS, MESSAGES = bytearray(516), array.array("q", [0, 100, 500]), [DATA, DATA[1:]]
NONCES = bytes(bytearray(24))
# Ours, whose references are counted.
OBJECTS: list[Any] = [KEY, SIV, KEYSET, NONCE, DATA, AAD, BUF, OFFSETS, MESSAGES, NONCES]


def used_keyset() -> None:
    """A new one, whose keys would stay if a call kept what it uses."""
    with sivka.Keyset.generate("AES256_GCM_SIV") as keyset, sivka.AESGCMSIV(bytes(32)) as key:
        keyset.open(keyset.seal(DATA, AAD), AAD)
        for master in (keyset, key):
            sivka.Keyset.decrypt(keyset.encrypt("json", master, AAD), "json", master, AAD).close()
        other = keyset.copy()
        other.rotate("AES128_GCM")
        other.remove(keyset.info.primary_key_id)
        keyset.open(DATA, AAD)


# One for each way in which the extension takes and gives memory; many of them raise.
CALLS: dict[str, Callable[[], object]] = {
    "encrypt": lambda: KEY.encrypt(nonce=NONCE, data=DATA, associated_data=AAD),
    "encrypt strided": lambda: KEY.encrypt(NONCE, memoryview(DATA)[::2], AAD),
    "encrypt_into": lambda: KEY.encrypt_into(NONCE, memoryview(DATA), AAD, BUF),
    "decrypt forged": lambda: KEY.decrypt(NONCE, DATA, AAD),
    "list forged": lambda: SIV.decrypt_with_list(DATA, MESSAGES),
    "batch": lambda: KEY.encrypt_batch([NONCE, NONCE], MESSAGES, [AAD, None]),
    "batch forged": lambda: KEY.decrypt_batch(NONCES, MESSAGES, AAD),
    "column": lambda: KEY.seal_column(DATA, OFFSETS, AAD),
    "keyset": used_keyset,
    "key file": lambda: sivka.key_file_id(sivka._native.make_key_text(None, "name")),
}


@pytest.mark.parametrize("name", CALLS)
def test_references_and_blocks(name: str) -> None:
    def run(times: int) -> None:
        for _ in range(times):
            with suppress(Exception):
                CALLS[name]()
        gc.collect()

    def growth() -> int:
        blocks = sys.getallocatedblocks()
        run(2000)
        return abs(sys.getallocatedblocks() - blocks)

    run(50)
    references = [sys.getrefcount(each) for each in OBJECTS]
    # The interpreter's caches may grow once by some hundreds; what leaks grows each time.
    assert any(growth() < 200 for _ in range(4))
    assert [sys.getrefcount(each) for each in OBJECTS] == references
    BUF.append(0)
    BUF.pop()


class Friend(io.BytesIO):
    """A source, or a sink, that keeps what works on it."""

    other: Any = None


@pytest.mark.filterwarnings("ignore:a sealed file was forgotten:ResourceWarning")
def test_circles_are_collected(key: Path) -> None:
    streams, out, sealed = sivka.Keyset.generate("AES128_GCM_HKDF_4KB"), io.BytesIO(), io.BytesIO()
    sivka.seal_stream(io.BytesIO(b"text"), out, key=key)
    with streams.seal_to(sealed) as file:
        file.write(b"text")

    def opening(content: io.BytesIO, open_from: Callable[[Any], Any]) -> Friend:
        friend = Friend(content.getvalue())
        friend.other = open_from(friend)
        friend.other.read(1)
        return friend

    def writing() -> Friend:
        friend = Friend()
        friend.other = sivka.seal_to(friend, key=key)
        return friend

    def of_itself(kind: Any, length: int) -> Any:
        made = type("Mine", (kind,), {"other": None})(bytes(length))
        made.other = made
        return made

    ways: list[Callable[[], Any]] = [
        lambda: opening(out, lambda friend: sivka.open_from(friend, key=key)),
        lambda: opening(sealed, streams.open_from),
        writing,
        *(partial(of_itself, of, 32) for of in (sivka.AESGCMSIV, sivka.AESSIV, sivka.Kuznyechik)),
    ]
    for way in ways:
        alive = weakref.ref(way())
        gc.collect()
        assert alive() is None, way
