"""Threads, and the interpreter's lock."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import sivka

LONG = 1 << 24


def ran_meanwhile(call: Callable[[], object]) -> bool:
    """Whether another thread of Python ran during a call."""
    started, finished = threading.Event(), threading.Event()
    ticks: list[float] = []

    def tick() -> None:
        started.set()
        while not finished.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0001)

    # The other thread does not get the lock unless the call gives it away.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        started.wait()
        time.sleep(0.01)
        begin = time.perf_counter()
        call()
        end = time.perf_counter()
    finally:
        finished.set()
        sys.setswitchinterval(interval)
    thread.join()
    return any(begin < at < end for at in ticks)


def long_calls() -> dict[str, Callable[[], object]]:
    key, block = sivka.AESGCMSIV(bytes(32)), sivka.Kuznyechik(bytes(32))
    data = bytes(LONG)
    offsets = memoryview(b"".join(n.to_bytes(8, "little") for n in range(0, LONG + 1, 64))).cast(
        "q"
    )
    nonces = bytes(12 * (LONG // 64))
    sealed = key.encrypt(bytes(12), data)
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    by_keyset = keyset.seal(data)
    return {
        "encrypt": lambda: key.encrypt(bytes(12), data),
        "decrypt": lambda: key.decrypt(bytes(12), sealed),
        "associated data": lambda: key.encrypt(bytes(12), b"", data),
        "contiguous": lambda: key.encrypt_batch_contiguous(nonces, data, offsets),
        "blocks": lambda: block.encrypt_blocks(data),
        "keyset": lambda: keyset.seal(data),
        "keyset opens": lambda: keyset.open(by_keyset),
    }


@pytest.mark.parametrize("name", long_calls())
def test_long_calls_let_others_run(name: str) -> None:
    call = long_calls()[name]
    # On a loaded machine the other thread may not be given a CPU in time.
    deadline = time.monotonic() + 60
    while not ran_meanwhile(call):
        assert time.monotonic() < deadline


def test_short_calls_keep_the_lock() -> None:
    key, data = sivka.AESGCMSIV(bytes(32)), bytes(16384)
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    assert not any(ran_meanwhile(lambda: key.encrypt(bytes(12), data)) for _ in range(50))
    assert not any(ran_meanwhile(lambda: keyset.seal(data)) for _ in range(50))


def test_a_buffer_in_use_keeps_its_size() -> None:
    key, data = sivka.AESGCMSIV(bytes(32)), bytearray(LONG)
    refused = threading.Event()
    stop = threading.Event()

    def shrink() -> None:
        while not stop.is_set():
            try:
                data.append(0)
                data.pop()
            except BufferError:
                refused.set()
            time.sleep(0)

    thread = threading.Thread(target=shrink)
    thread.start()
    try:
        for _ in range(200):
            sealed = key.encrypt(bytes(12), data)
            assert LONG + 16 <= len(sealed) <= LONG + 17
            if refused.is_set():
                break
    finally:
        stop.set()
        thread.join()
    assert refused.is_set()
    # And no longer than that.
    data.append(1)


def test_threads_while_another_one_rotates() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    stop = threading.Event()

    def use(length: int) -> int:
        done, text = 0, bytes(length)
        while not stop.is_set() or done == 0:
            assert keyset.open(keyset.seal(text)) == text
            done += 1
        return done

    # Short messages, and those during which others run.
    with ThreadPoolExecutor(4) as pool:
        users = [pool.submit(use, length) for length in (10, 10, 200_000, 200_000)]
        try:
            for _ in range(200):
                keyset.rotate("AES128_GCM_SIV")
        finally:
            stop.set()
        assert all(user.result() > 0 for user in users)
    assert len(keyset.info.keys) == 201


def test_no_change_of_several_threads_is_lost() -> None:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda _: keyset.add("AES256_GCM_SIV"), range(200)))
    assert sorted(added) == sorted(key.key_id for key in keyset.info.keys[1:])


def test_closed_while_threads_use_it() -> None:
    text = bytes(1 << 22)
    for _ in range(10):
        keyset = sivka.Keyset.generate("AES256_GCM_SIV")
        started = threading.Event()

        def use(keyset: sivka.Keyset = keyset, started: threading.Event = started) -> str:
            started.set()
            try:
                while True:
                    assert keyset.open(keyset.seal(text)) == text
            except ValueError as error:
                return str(error)

        with ThreadPoolExecutor(1) as pool:
            said = pool.submit(use)
            started.wait()
            keyset.close()
            assert said.result() == "the keyset is closed"
