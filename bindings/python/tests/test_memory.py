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


def changed_keyset() -> None:
    keyset = KEYSET.copy()
    old = keyset.info.primary_key_id
    keyset.rotate("AES128_GCM")
    keyset.remove(old)
    with suppress(ValueError):
        keyset.remove(old)


def used_keyset() -> None:
    """A new one, whose keys would stay if a call kept what it uses."""
    with sivka.Keyset.generate("AES256_GCM_SIV") as keyset, sivka.AESGCMSIV(bytes(32)) as key:
        keyset.open(keyset.seal(DATA, AAD), AAD)
        with suppress(sivka.InvalidTag):
            keyset.open(DATA, AAD)
        for master in (keyset, key):
            sivka.Keyset.decrypt(keyset.encrypt("json", master, AAD), "json", master, AAD).close()
        with suppress(sivka.InvalidTag):
            sivka.Keyset.decrypt(keyset.encrypt("json", key, AAD), "json", keyset)
        keyset.copy()


def read_keyset(text: Any) -> sivka.Keyset:
    return sivka.Keyset.from_insecure(text, "json")


CALLS: dict[str, Callable[[], object]] = {
    "encrypt by name": lambda: KEY.encrypt(nonce=NONCE, data=DATA, associated_data=AAD),
    "encrypt wrong nonce": lambda: KEY.encrypt(AAD, DATA, AAD),
    "encrypt strided": lambda: KEY.encrypt(NONCE, memoryview(DATA)[::2], AAD),
    "encrypt_into": lambda: KEY.encrypt_into(NONCE, memoryview(DATA), AAD, BUF),
    "encrypt_into wrong length": lambda: KEY.encrypt_into(NONCE, DATA, AAD, TAGS),
    "encrypt_into bytes": lambda: KEY.encrypt_into(NONCE, DATA, AAD, TEXT),
    "decrypt": lambda: KEY.decrypt(NONCE, SEALED, AAD),
    "decrypt forged": lambda: KEY.decrypt(NONCE, SEALED, DATA),
    "seal": lambda: KEY.open(KEY.seal(DATA, AAD), AAD),
    "list": lambda: SIV.encrypt_with_list(DATA, [AAD, NONCE]),
    "list forged": lambda: SIV.decrypt_with_list(DATA, MESSAGES),
    "blocks": lambda: BLOCK.encrypt_blocks(DATA[:480]),
    "subclass": lambda: Mine(bytes(32)).close(),
    "random_nonces": lambda: KEY.random_nonces(10),
    "batch": lambda: KEY.encrypt_batch([NONCE, NONCE], MESSAGES, [AAD, None]),
    "batch forged": lambda: KEY.decrypt_batch(NONCES, MESSAGES, AAD),
    "batch text": lambda: KEY.encrypt_batch(NONCES, [DATA, TEXT]),
    "contiguous": lambda: KEY.encrypt_batch_contiguous(NONCES, DATA, OFFSETS, AAD, tags=TAGS),
    "contiguous open": lambda: KEY.decrypt_batch_contiguous(NONCES, DATA, TAGS, OFFSETS, AAD),
    "contiguous wrong": lambda: KEY.encrypt_batch_contiguous(NONCES, NONCE, OFFSETS, AAD),
    "column": lambda: KEY.seal_column(DATA, OFFSETS, AAD),
    "keyset changed": changed_keyset,
    "keyset used": used_keyset,
    "keyset read": lambda: read_keyset(CLEAR.decode()),
    "keyset read wrong": lambda: read_keyset(ENCRYPTED),
    "keyset read surrogate": lambda: read_keyset("\ud800"),
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
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_of_the_library_is_given_back(tmp_path: Path) -> None:
    plain, key = tmp_path / "plain", tmp_path / "my.key"
    plain.write_bytes(bytes(100_000))
    sivka.generate_key_file(key)
    sivka.seal_file(plain, tmp_path / "sealed", key=key)

    def run(times: int) -> None:
        for _ in range(times):
            sivka.AESGCMSIV(bytes(32)).encrypt(bytes(12), bytes(50_000))
            KEY.encrypt_batch(bytes(12 * 100), [bytes(1000)] * 100)
            with sivka.open_file(tmp_path / "sealed", key=key) as file:
                file.read(20_000)
            with suppress(ValueError):
                sivka.open_file(tmp_path / "sealed")
            changed_keyset()
            used_keyset()
            read_keyset(CLEAR).seal(bytes(50_000))
        gc.collect()

    run(300)
    before = resident()
    run(1500)
    # A leak of one key, chunk or message a turn would be many MiB.
    assert resident() - before < 1500


class Friend(io.BytesIO):
    """A source, or a sink, that keeps what works on it."""

    other: object = None


class MySiv(sivka.AESSIV):
    """One with a dictionary, of another base."""

    other: object = None


class MyBlocks(sivka.Kuznyechik):
    """The same of the block cipher."""

    other: object = None


@pytest.mark.filterwarnings("ignore:a sealed file was forgotten:ResourceWarning")
def test_circles_are_collected() -> None:
    name = sivka._native.key_text_from_bytes(bytes(32), "circle")
    streams, out, sealed = sivka.Keyset.generate("AES128_GCM_HKDF_4KB"), io.BytesIO(), io.BytesIO()
    sivka.seal_stream(io.BytesIO(b"text"), out, key=name)
    with streams.seal_to(sealed) as file:
        file.write(b"text")

    def unread() -> Friend:
        friend = Friend(out.getvalue())
        friend.other = sivka.open_from(friend, key=name)
        return friend

    def read() -> Friend:
        friend = Friend(sealed.getvalue())
        friend.other = file = streams.open_from(friend)
        file.read(1)
        return friend

    def closed() -> Friend:
        friend = read()
        assert isinstance(friend.other, sivka.OpeningFile)
        friend.other.close()
        return friend

    def written() -> Friend:
        friend = Friend()
        friend.other = sivka.seal_to(friend, key=name)
        return friend

    def of_itself(key: Any) -> object:
        key.other = key
        return key

    ways: list[Callable[[], Any]] = [
        unread,
        read,
        closed,
        written,
        lambda: of_itself(Mine(bytes(32))),
        lambda: of_itself(MySiv(bytes(64))),
        lambda: of_itself(MyBlocks(bytes(32))),
    ]
    for way in ways:
        alive = weakref.ref(way())
        gc.collect()
        assert alive() is None, way
