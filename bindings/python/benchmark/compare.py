"""Sivka beside cryptography, in one process, in turns.

    python benchmark/compare.py [--record FILE]

Outputs are compared before anything is timed. A time is the minimum of many short
batches, in nanoseconds a message; the contenders take turns, so that what else the
machine does meets both. Fails if a goal is missed.
"""

from __future__ import annotations

import argparse
import array
import gc
import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import cryptography
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers import aead as theirs

import sivka

PACKAGE = Path(__file__).resolve().parent.parent
SIZES = [16, 64, 256, 1024, 16384, 65536, 1048576]
BATCH = 100_000
# A timed batch of calls takes about so long.
BATCH_NS = 400_000
BATCHES = 400
LIST_ROUNDS = 25


class Row(NamedTuple):
    """One line of a table: nanoseconds a message, and the ratio to reach, if there is one."""

    what: str
    size: int
    ours: float
    theirs: float
    goal: float | None = None

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"  {self.goal:.1f} {'yes' if self.met else 'NO'}"
        times = f"{self.ours:>12.1f} {self.theirs:>12.1f} {self.ratio:>8.2f}"
        return f"{self.what:<34} {self.size:>8} {times}{goal}"

    @property
    def met(self) -> bool:
        return self.goal is None or self.ratio >= self.goal


Call = Callable[[], object]
Many = Callable[[], Sequence[bytes | None]]


def once(call: Call, calls: int) -> float:
    """Nanoseconds a call over one batch."""
    turns = range(calls)
    begin = time.perf_counter_ns()
    for _ in turns:
        call()
    return (time.perf_counter_ns() - begin) / calls


def in_turns(*contenders: Call) -> list[float]:
    """The minimum of each, in nanoseconds a call."""
    counts = [max(1, int(BATCH_NS / min(once(call, 3) for _ in range(5)))) for call in contenders]
    best = [float("inf")] * len(contenders)
    for _ in range(BATCHES):
        for index, (call, count) in enumerate(zip(contenders, counts)):
            best[index] = min(best[index], once(call, count))
    return best


def single(what: str, ours: Any, others: Any, nonce: bytes) -> list[Row]:
    """One message a call, sealing and opening, beside the same algorithm."""
    rows = []
    goals = {64: 1.0, 16384: 2.5}
    for size in SIZES:
        data, aad = os.urandom(size), b""
        sealed = ours.encrypt(nonce, data, aad)
        assert sealed == others.encrypt(nonce, data, aad)
        assert data == ours.decrypt(nonce, sealed, aad) == others.decrypt(nonce, sealed, aad)
        times = in_turns(
            lambda: ours.encrypt(nonce, data, aad), lambda: others.encrypt(nonce, data, aad)
        )
        rows.append(Row(f"{what} encrypt", size, times[0], times[1], goals.get(size)))
        times = in_turns(
            lambda: ours.decrypt(nonce, sealed, aad), lambda: others.decrypt(nonce, sealed, aad)
        )
        rows.append(Row(f"{what} decrypt", size, times[0], times[1], goals.get(size)))
    return rows


def timed(call: Many) -> float:
    """Nanoseconds a message of one batch; its results are given back before the next.

    Of the thread's own CPU time: a batch is long enough to be interrupted by others.
    """
    begin = time.thread_time_ns()
    results = call()
    end = time.thread_time_ns()
    assert len(results) == BATCH
    return (end - begin) / BATCH


def batches(size: int) -> list[Row]:
    """Many messages: a call for all, beside a loop over theirs."""
    key = sivka.AESGCMSIV.generate_key(256)
    ours, other = sivka.AESGCMSIV(key), theirs.AESGCMSIV(key)
    texts = [os.urandom(size) for _ in range(BATCH)]
    joined = ours.random_nonces(BATCH)
    nonces = [joined[i : i + 12] for i in range(0, len(joined), 12)]

    def loop() -> list[bytes]:
        return [other.encrypt(nonce, text, None) for nonce, text in zip(nonces, texts)]

    sealed = loop()
    assert ours.encrypt_batch(nonces, texts) == sealed == ours.encrypt_batch(joined, texts)
    assert ours.decrypt_batch(nonces, sealed) == texts

    def open_loop() -> list[bytes]:
        return [other.decrypt(nonce, text, None) for nonce, text in zip(nonces, sealed)]

    data = b"".join(texts)
    offsets = array.array("q", range(0, len(data) + 1, size))
    out, tags = ours.encrypt_batch_contiguous(joined, data, offsets)
    assert out[:size] + tags[:16] == sealed[0] and out[-size:] + tags[-16:] == sealed[-1]

    def contiguous() -> list[bytes]:
        ours.encrypt_batch_contiguous(joined, data, offsets, out=out, tags=tags)
        return sealed

    calls: list[tuple[str, Many, Many]] = [
        ("encrypt_batch", lambda: ours.encrypt_batch(nonces, texts), loop),
        ("encrypt_batch, nonces joined", lambda: ours.encrypt_batch(joined, texts), loop),
        ("encrypt_batch_contiguous", contiguous, loop),
        ("decrypt_batch", lambda: ours.decrypt_batch(nonces, sealed), open_loop),
    ]
    loops: dict[Many, float] = {loop: float("inf"), open_loop: float("inf")}
    best = [float("inf")] * len(calls)
    for _ in range(LIST_ROUNDS):
        for each in (loop, open_loop):
            loops[each] = min(loops[each], timed(each))
        for index, (_, call, _) in enumerate(calls):
            best[index] = min(best[index], timed(call))
    goal = 8.0 if size == 64 else None
    return [
        Row(name, size, took, loops[against], goal) for (name, _, against), took in zip(calls, best)
    ]


def about() -> list[str]:
    """What was measured, on what."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=PACKAGE, capture_output=True, text=True
    ).stdout.strip()
    return [
        "command       bindings/python/benchmark/compare.py",
        f"date          {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"cpu           {cpu}, {os.cpu_count()} threads",
        f"system        {platform.system()} {platform.release()}",
        f"python        {platform.python_version()} ({platform.python_compiler()})",
        f"sivka         {sivka.__version__}, tier {sivka.tier()}, commit {commit}",
        f"cryptography  {cryptography.__version__}, {backend.openssl_version_text()}",
        f"load          {' '.join(f'{each:.2f}' for each in os.getloadavg())} at the end",
        "",
        "Minimum of many short batches, nanoseconds a message; ratio: theirs / ours. For",
        f"{BATCH} messages: minimum of {LIST_ROUNDS} rounds, of CPU time.",
    ]


def all_rows() -> list[tuple[str, list[Row]]]:
    key, nonce = os.urandom(32), os.urandom(12)
    aes128, aes256 = sivka.AESGCMSIV(key[:16]), sivka.AESGCMSIV(key)
    return [
        (
            "beside cryptography's AESGCMSIV, the same algorithm",
            single("AES-256-GCM-SIV", aes256, theirs.AESGCMSIV(key), nonce)
            + single("AES-128-GCM-SIV", aes128, theirs.AESGCMSIV(key[:16]), nonce),
        ),
        (
            f"{BATCH} messages beside a loop over cryptography's AESGCMSIV (AES-256)",
            batches(64) + batches(1024),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Sivka beside cryptography")
    parser.add_argument("--record", type=Path, help="write the table to this file too")
    record: Path | None = parser.parse_args().record
    gc.disable()
    tables = all_rows()
    lines = about()
    for title, rows in tables:
        lines += [
            "",
            title,
            f"{'':34} {'bytes':>8} {'sivka':>12} {'cryptography':>12} {'ratio':>8}  goal",
        ]
        lines += map(str, rows)
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if record is not None:
        record.write_text(text, encoding="utf-8")
    missed = [row for _, rows in tables for row in rows if not row.met]
    if missed:
        raise SystemExit(f"{len(missed)} goals missed")


if __name__ == "__main__":
    main()
