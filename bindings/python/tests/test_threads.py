"""Threads, and the interpreter's lock. Keys that are closed while threads use them, the matrix
asks."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import numpy as np
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


KEY, KEYSET = sivka.AESGCMSIV(bytes(32)), sivka.Keyset.generate("AES256_GCM_SIV")
DATA, OFFSETS = bytes(LONG), np.arange(0, LONG + 1, 64)
LONG_CALLS: dict[str, Callable[[], object]] = {
    "encrypt": lambda: KEY.encrypt(bytes(12), DATA),
    "decrypt": lambda: KEY.decrypt_batch(bytes(12), [DATA]),
    "associated data": lambda: KEY.encrypt(bytes(12), b"", DATA),
    "column": lambda: KEY.seal_column(DATA, OFFSETS),
    "blocks": lambda: sivka.Kuznyechik(bytes(32)).encrypt_blocks(DATA),
    "keyset": lambda: KEYSET.seal(DATA),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_long_calls_let_others_run(name: str) -> None:
    # On a loaded machine the other thread may not be given a CPU in time.
    deadline = time.monotonic() + 60
    while not ran_meanwhile(LONG_CALLS[name]):
        assert time.monotonic() < deadline


def test_short_calls_keep_the_lock() -> None:
    data = bytes(16384)
    assert not any(ran_meanwhile(lambda: KEY.encrypt(bytes(12), data)) for _ in range(50))
    assert not any(ran_meanwhile(lambda: KEYSET.seal(data)) for _ in range(50))
