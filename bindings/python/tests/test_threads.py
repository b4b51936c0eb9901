"""Threads, the interpreter's lock, and other interpreters."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import WithNonce, nonce_of

import sivka

LONG = 1 << 24


def test_one_key_in_many_threads(aead: WithNonce) -> None:
    sizes = (1, 100, 5000, 200_000)
    expected = {n: aead.encrypt(nonce_of(aead, n), bytes(n)) for n in sizes}

    def work(number: int) -> None:
        for step in range(20):
            size = sizes[(number + step) % len(sizes)]
            sealed = aead.encrypt(nonce_of(aead, size), bytes(size))
            assert sealed == expected[size]
            assert aead.decrypt(nonce_of(aead, size), sealed) == bytes(size)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


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
    return {
        "encrypt": lambda: key.encrypt(bytes(12), data),
        "decrypt": lambda: key.decrypt(bytes(12), sealed),
        "associated data": lambda: key.encrypt(bytes(12), b"", data),
        "contiguous": lambda: key.encrypt_batch_contiguous(nonces, data, offsets),
        "blocks": lambda: block.encrypt_blocks(data),
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
    assert not any(ran_meanwhile(lambda: key.encrypt(bytes(12), data)) for _ in range(50))


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


def test_close_waits_for_calls_under_way() -> None:
    data = bytes(LONG)
    for _ in range(10):
        key = sivka.AESGCMSIV(bytes(32))
        started = threading.Event()
        results: list[bytes | str] = []

        def work(key: sivka.AESGCMSIV = key, started: threading.Event = started) -> None:
            started.set()
            try:
                while True:
                    results.append(key.encrypt(bytes(12), data)[-16:])
            except ValueError as error:
                results.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        time.sleep(0.003)
        key.close()
        thread.join()
        assert results[-1] == "the key is closed"
        assert len(set(results[:-1])) <= 1


INTERPRETERS = """
import threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
program = '''
import sivka
key = sivka.AESGCMSIV(bytes(32))
assert key.open(key.seal(b"text")) == b"text"
try:
    key.open(bytes(40))
except sivka.InvalidTag:
    pass
else:
    raise SystemExit("it opened")
'''
def work():
    for _ in range(3):
        # With a lock of its own where there is such a thing.
        one = interpreters.create()
        failed = interpreters.run_string(one, program)
        assert failed is None, failed
        interpreters.destroy(one)
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
exec(program)
print("done")
"""


def test_other_interpreters() -> None:
    command = [sys.executable, "-W", "ignore", "-c", INTERPRETERS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("done\n", "")
