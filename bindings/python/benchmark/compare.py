"""Sivka beside cryptography, in one process, in turns: `python benchmark/compare.py [BATCHES]`.

Outputs are compared before anything is timed. Prints the columns that evidence/bench/README.md
names. A time is of many short batches, 400 by default, in which the thread ran on a CPU; the
contenders take turns. Lists and columns of Arrow have 100,000 messages, and a sixteenth of the
batches. Needs cryptography and pyarrow.
"""

from __future__ import annotations

import array
import gc
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import pyarrow as pa
from cryptography.hazmat.primitives.ciphers import aead as theirs

import sivka
import sivka.arrow

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


def single(ours: Any, others: Any, nonce: bytes) -> None:
    """One message a call, sealing and opening, beside the same algorithm where there is one."""
    keys, algorithm = {"sivka": ours, **others}, ours.algorithm.lower()
    for size in SIZES:
        data = os.urandom(size)
        sealed = ours.encrypt(nonce, data, b"")
        for key in keys.values():
            assert sealed == key.encrypt(nonce, data, b"")
            assert data == key.decrypt(nonce, sealed, b"")
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
    data = b"".join(texts)
    offsets = array.array("q", range(0, len(data) + 1, size))
    out, tags = ours.encrypt_batch_contiguous(joined, data, offsets)
    assert out[:size] + tags[:16] == sealed[0] and out[-size:] + tags[-16:] == sealed[-1]

    seals: Contenders = {
        "sivka": lambda: ours.encrypt_batch(nonces, texts),
        "sivka with nonces joined": lambda: ours.encrypt_batch(joined, texts),
        "sivka contiguous": lambda: ours.encrypt_batch_contiguous(
            joined, data, offsets, out=out, tags=tags
        ),
        "a loop over cryptography": lambda: loop(other.encrypt, texts),
    }
    opens: Contenders = {
        "sivka": lambda: ours.decrypt_batch(nonces, sealed),
        "a loop over cryptography": lambda: loop(other.decrypt, sealed),
    }
    in_turns("aes-256-gcm-siv", "seal", size, seals, BATCH)
    in_turns("aes-256-gcm-siv", "open", size, opens, BATCH)


def columns(key: Any, size: int) -> None:
    """A column, in which one value in a hundred is null, beside a loop over its values."""
    values = (None if i % 100 == 99 else bytes([i % 256]) * size for i in range(BATCH))
    column = pa.array(values, pa.binary(), size=BATCH)

    def looped(call: Callable[[bytes], bytes], column: Any) -> Any:
        rows = (None if value is None else call(value) for value in column.to_pylist())
        return pa.array(rows, pa.binary(), size=BATCH)

    sealed = looped(key.seal, column)
    assert sivka.arrow.open(key, sealed).equals(column)
    assert looped(key.open, sivka.arrow.seal(key, column)).equals(column)
    seals: Contenders = {
        "sivka column": lambda: sivka.arrow.seal(key, column),
        "sivka in a loop": lambda: looped(key.seal, column),
    }
    opens: Contenders = {
        "sivka column": lambda: sivka.arrow.open(key, sealed),
        "sivka in a loop": lambda: looped(key.open, sealed),
    }
    in_turns(key.algorithm.lower(), "seal", size, seals, BATCH)
    in_turns(key.algorithm.lower(), "open", size, opens, BATCH)


def main() -> None:
    gc.disable()
    key, nonce = os.urandom(32), os.urandom(12)
    print(
        "algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns"
    )
    for bits in (256, 128):
        part = key[: bits // 8]
        others = {"cryptography": theirs.AESGCMSIV(part)}
        single(sivka.AESGCMSIV(part), others, nonce)
    batches(64, key)
    batches(1024, key)
    for size in (16, 32, 64, 256):
        columns(sivka.AESGCMSIV(key), size)
        columns(sivka.XChaCha20BLAKE2bSIV(key), size)
    # Cryptography has none of these.
    single(sivka.ChaCha20BLAKE2b(key), {}, bytes(8))
    single(sivka.XChaCha20BLAKE2b(key), {}, bytes(24))
    single(sivka.KuznyechikMGM(key), {}, bytes(16))


BATCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 400

if __name__ == "__main__":
    main()
