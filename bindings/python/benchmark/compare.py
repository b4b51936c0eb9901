"""Sivka beside cryptography, in one process, in turns: `python benchmark/compare.py [BATCHES]`.

Outputs are compared before anything is timed. Prints the columns that evidence/bench/README.md
names. A time is of many short batches, 400 by default, in which the thread ran on a CPU; the
contenders take turns. Lists have 100,000 messages, and a sixteenth of the batches. Needs
cryptography.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from cryptography.hazmat.primitives.ciphers import aead as theirs

import sivka

SIZES = [16, 64, 256, 1024, 16384, 65536, 1048576]
BATCH = 100_000
# A timed batch of calls takes about so long.
BATCH_NS = 400_000

Call = Callable[[], object]
# A contender's name, and what is called.
Contenders = dict[str, Call]


def once(call: Call, calls: int) -> float:
    """Nanoseconds a call over one batch."""
    turns = range(calls)
    begin = time.thread_time_ns()
    for _ in turns:
        call()
    return (time.thread_time_ns() - begin) / calls


def in_turns(algorithm: str, operation: str, size: int, contenders: Contenders, batch: int) -> None:
    """Prints a line for each contender."""
    rounds = max(1, BATCHES if batch == 1 else BATCHES // 16)
    calls = {
        name: max(1, int(BATCH_NS / min(once(call, 3) for _ in range(5)))) if batch == 1 else 1
        for name, call in contenders.items()
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, call in contenders.items():
            times[name].append(once(call, calls[name]) / batch)
    for name, each in times.items():
        kind = "ours" if name.startswith("sivka") else "peer"
        what = f"{algorithm},{operation},{size},0,{batch},{name},{kind},{algorithm}"
        print(f"{what},{min(each):.2f},{median(each):.2f}", flush=True)


def single(key: bytes) -> None:
    """One message a call, sealing and opening."""
    ours, nonce = sivka.AESGCMSIV(key), bytes(12)
    keys: dict[str, Any] = {"sivka": ours, "cryptography": theirs.AESGCMSIV(key)}
    algorithm = ours.algorithm.lower()
    for size in SIZES:
        data = os.urandom(size)
        sealed = ours.encrypt(nonce, data, b"")
        for each in keys.values():
            assert sealed == each.encrypt(nonce, data, b"")
            assert data == each.decrypt(nonce, sealed, b"")
        seals: Contenders = {n: partial(k.encrypt, nonce, data, b"") for n, k in keys.items()}
        opens: Contenders = {n: partial(k.decrypt, nonce, sealed, b"") for n, k in keys.items()}
        in_turns(algorithm, "seal", size, seals, 1)
        in_turns(algorithm, "open", size, opens, 1)


def batches(size: int, key: bytes) -> None:
    """Many messages: a call for all, beside a loop over theirs. Results are given back before the
    next turn."""
    ours, other = sivka.AESGCMSIV(key), theirs.AESGCMSIV(key)
    texts = [os.urandom(size) for _ in range(BATCH)]
    joined = ours.random_nonces(BATCH)
    nonces = [joined[i : i + 12] for i in range(0, len(joined), 12)]

    def loop(call: Callable[..., bytes], inputs: list[bytes]) -> list[bytes]:
        return [call(nonce, text, None) for nonce, text in zip(nonces, inputs)]

    sealed = loop(other.encrypt, texts)
    assert ours.encrypt_batch(nonces, texts) == sealed == ours.encrypt_batch(joined, texts)
    assert ours.decrypt_batch(nonces, sealed) == texts
    seals: Contenders = {
        "sivka": lambda: ours.encrypt_batch(nonces, texts),
        "sivka with nonces joined": lambda: ours.encrypt_batch(joined, texts),
        "a loop over cryptography": lambda: loop(other.encrypt, texts),
    }
    opens: Contenders = {
        "sivka": lambda: ours.decrypt_batch(nonces, sealed),
        "a loop over cryptography": lambda: loop(other.decrypt, sealed),
    }
    in_turns("aes-256-gcm-siv", "seal", size, seals, BATCH)
    in_turns("aes-256-gcm-siv", "open", size, opens, BATCH)


def main() -> None:
    gc.disable()
    key = os.urandom(32)
    print(
        "algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns"
    )
    for length in (32, 16):
        single(key[:length])
    batches(64, key)
    batches(1024, key)


BATCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 400

if __name__ == "__main__":
    main()
