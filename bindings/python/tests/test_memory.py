"""Nothing is leaked, and no reference is counted wrongly, on success and on errors."""

from __future__ import annotations

import array
import gc
import io
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import sealed_bytes

import sivka


class Mine(sivka.AESGCMSIV):
    """One with a dictionary, which the collector looks at."""

    other: object = None


KEY = sivka.AESGCMSIV(bytes(32))
SIV = sivka.AESSIV(bytes(64))
BLOCK = sivka.Kuznyechik(bytes(32))
KEYSET = sivka.Keyset.generate("AES256_GCM_RAW")
KEYSET.rotate("XCHACHA20_POLY1305_RAW")
NONCE, DATA, AAD = bytes(bytearray(12)), bytes(bytearray(500)), bytes(bytearray(50))
SEALED = KEY.encrypt(NONCE, DATA, AAD)
BUF = bytearray(516)
OFFSETS = array.array("q", [0, 100, 500])
NONCES, TAGS = bytes(bytearray(24)), bytearray(32)
MESSAGES = [DATA, DATA[1:]]
TEXT: Any = "text"
CLEAR, ENCRYPTED = KEYSET.to_insecure("json"), KEYSET.encrypt("json", KEY, AAD)
# Ours, whose references are counted.
OBJECTS: list[Any] = [KEY, SIV, BLOCK, KEYSET, CLEAR, ENCRYPTED, NONCE, DATA, AAD, SEALED, BUF]
OBJECTS += [OFFSETS, NONCES, TAGS, MESSAGES, Mine]


def used_keyset() -> None:
    """A new one, whose keys would stay if a call kept what it uses."""
    with sivka.Keyset.generate("AES256_GCM_SIV") as keyset, sivka.AESGCMSIV(bytes(32)) as key:
        keyset.open(keyset.seal(DATA, AAD), AAD)
        with suppress(sivka.InvalidTag):
            keyset.open(DATA, AAD)
        for master in (keyset, key):
            sivka.Keyset.decrypt(keyset.encrypt("json", master, AAD), "json", master, AAD).close()
        old = keyset.info.primary_key_id
        other = keyset.copy()
        other.rotate("AES128_GCM")
        other.remove(old)
        with suppress(ValueError):
            other.remove(old)


def read_keyset(text: Any) -> sivka.Keyset:
    return sivka.Keyset.from_insecure(text, "json")


CALLS: dict[str, Callable[[], object]] = {
    "encrypt by name": lambda: KEY.encrypt(nonce=NONCE, data=DATA, associated_data=AAD),
    "encrypt strided": lambda: KEY.encrypt(NONCE, memoryview(DATA)[::2], AAD),
    "encrypt_into": lambda: KEY.encrypt_into(NONCE, memoryview(DATA), AAD, BUF),
    "decrypt": lambda: KEY.decrypt(NONCE, SEALED, AAD),
    "decrypt forged": lambda: KEY.decrypt(NONCE, SEALED, DATA),
    "seal": lambda: KEY.open(KEY.seal(DATA, AAD), AAD),
    "list": lambda: SIV.encrypt_with_list(DATA, [AAD, NONCE]),
    "list forged": lambda: SIV.decrypt_with_list(DATA, MESSAGES),
    "subclass": lambda: Mine(bytes(32)).close(),
    "batch": lambda: KEY.encrypt_batch([NONCE, NONCE], MESSAGES, [AAD, None]),
    "batch forged": lambda: KEY.decrypt_batch(NONCES, MESSAGES, AAD),
    "contiguous": lambda: KEY.encrypt_batch_contiguous(NONCES, DATA, OFFSETS, AAD, tags=TAGS),
    "contiguous open": lambda: KEY.decrypt_batch_contiguous(NONCES, DATA, TAGS, OFFSETS, AAD),
    "column": lambda: KEY.seal_column(DATA, OFFSETS, AAD),
    "keyset used": used_keyset,
    "keyset read": lambda: read_keyset(CLEAR.decode()),
    "keyset read wrong": lambda: read_keyset(ENCRYPTED),
    "keyset master": lambda: sivka.Keyset.decrypt(ENCRYPTED, "json", TEXT, AAD),
}


@pytest.mark.parametrize("name", CALLS)
def test_references_and_blocks(name: str) -> None:
    call = CALLS[name]

    def run(times: int) -> None:
        for _ in range(times):
            with suppress(Exception):
                call()
        gc.collect()

    def growth() -> int:
        blocks = sys.getallocatedblocks()
        run(2000)
        return abs(sys.getallocatedblocks() - blocks)

    run(50)
    references = [sys.getrefcount(each) for each in OBJECTS]
    # Counted until 3.11; a little is due to what runs besides.
    nones = sys.getrefcount(None)
    # The interpreter's caches may grow once by some hundreds; what leaks grows each time.
    assert any(growth() < 200 for _ in range(4))
    assert [sys.getrefcount(each) for each in OBJECTS] == references
    assert abs(sys.getrefcount(None) - nones) < 200
    BUF.append(0)
    BUF.pop()


def resident() -> int:
    """The memory of this process in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_of_the_library_is_given_back(key: Path) -> None:
    sealed = key.parent / "sealed"
    sealed.write_bytes(sealed_bytes(bytes(100_000), key))

    def run(times: int) -> None:
        for _ in range(times):
            sivka.AESGCMSIV(bytes(32)).encrypt(bytes(12), bytes(50_000))
            KEY.encrypt_batch(bytes(12 * 100), [bytes(1000)] * 100)
            with sivka.open_file(sealed, key=key) as file:
                file.read(20_000)
            with suppress(ValueError):
                sivka.open_file(sealed)
            used_keyset()
            read_keyset(CLEAR).seal(bytes(50_000))
        gc.collect()

    run(300)
    # A leak of one key, chunk or message a turn would be many MiB, each time; an allocator that
    # takes memory for more threads does so once.
    for _ in range(3):
        before = resident()
        run(1500)
        if resident() - before < 1500:
            return
    pytest.fail("the process grows")


class Friend(io.BytesIO):
    """A source, or a sink, that keeps what works on it."""

    other: Any = None


@pytest.mark.filterwarnings("ignore:a sealed file was forgotten:ResourceWarning")
def test_circles_are_collected(key: Path) -> None:
    streams, out, sealed = sivka.Keyset.generate("AES128_GCM_HKDF_4KB"), io.BytesIO(), io.BytesIO()
    sivka.seal_stream(io.BytesIO(b"text"), out, key=key)
    with streams.seal_to(sealed) as file:
        file.write(b"text")

    def of_source(content: io.BytesIO, open_from: Callable[[Any], Any], ways: str) -> Friend:
        friend = Friend(content.getvalue())
        friend.other = open_from(friend)
        if "read" in ways:
            friend.other.read(1)
        if "closed" in ways:
            friend.other.close()
        return friend

    def written() -> Friend:
        friend = Friend()
        friend.other = sivka.seal_to(friend, key=key)
        return friend

    def of_itself(kind: Any, length: int) -> Any:
        made = type("Mine", (kind,), {"other": None})(bytes(length))
        made.other = made
        return made

    ways: list[Callable[[], Any]] = [
        lambda: of_source(out, lambda friend: sivka.open_from(friend, key=key), "unread"),
        lambda: of_source(sealed, streams.open_from, "read"),
        lambda: of_source(sealed, streams.open_from, "read and closed"),
        written,
        lambda: of_itself(sivka.AESGCMSIV, 32),
        lambda: of_itself(sivka.AESSIV, 64),
        lambda: of_itself(sivka.Kuznyechik, 32),
    ]
    for way in ways:
        alive = weakref.ref(way())
        gc.collect()
        assert alive() is None, way
