"""A column of Arrow beside a loop over its values: `python benchmark/columns.py`.

100,000 values of one length a line, one in a hundred null, on one core. Both make the same
column, which is checked by opening what the other sealed. The two take turns; a figure is the
least of 7 turns in nanoseconds a value, and the last one how often the column fits into the loop.
Needs pyarrow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa

import sivka
import sivka.arrow

COUNT = 100_000
TURNS = 7
CONTEXT = b"table.column"


def seal_in_a_loop(key: Any, column: Any) -> Any:
    rows = (None if v is None else key.seal(v, CONTEXT) for v in column.to_pylist())
    return pa.array(rows, pa.binary(), size=len(column))


def open_in_a_loop(key: Any, column: Any) -> Any:
    values = (None if row is None else key.open(row, CONTEXT) for row in column.to_pylist())
    return pa.array(values, pa.binary(), size=len(column))


def timed(least: dict[str, float], name: str, work: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    made = work()
    took = (time.perf_counter() - start) * 1e9 / COUNT
    least[name] = min(took, least.get(name, took))
    return made


def measure(key: Any, length: int) -> None:
    values = (None if i % 100 == 99 else bytes([i % 256]) * length for i in range(COUNT))
    column = pa.array(values, pa.binary(), size=COUNT)
    least: dict[str, float] = {}
    for _ in range(TURNS):
        rows = timed(least, "seal", lambda: sivka.arrow.seal(key, column, CONTEXT))
        looped = timed(least, "seal, loop", lambda: seal_in_a_loop(key, column))
        opened = timed(least, "open", lambda: sivka.arrow.open(key, looped, CONTEXT))
        opened_in_a_loop = timed(least, "open, loop", lambda: open_in_a_loop(key, rows))
        assert opened.equals(column) and opened_in_a_loop.equals(column)
    for operation in ("seal", "open"):
        one, many = least[operation], least[f"{operation}, loop"]
        print(f"{key.algorithm},{length},{operation},{one:.1f},{many:.1f},{many / one:.1f}")


def main() -> None:
    print("algorithm,length,operation,column_ns,loop_ns,loop_of_column")
    for key in (sivka.AESGCMSIV(bytes(32)), sivka.XChaCha20BLAKE2bSIV(bytes(32))):
        for length in (16, 32, 64, 256):
            measure(key, length)


if __name__ == "__main__":
    main()
