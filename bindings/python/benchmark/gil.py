"""What it costs to let other threads run during a call, and from which length on it pays.

    python benchmark/gil.py [ROUNDS]

Builds the extension twice, with the lock released always and never, and compares: one
thread alone, two threads that both seal, and one that seals beside one that computes in
Python. SIVKA_STATIC_LIBRARY may name a library that was built before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
LENGTHS = [64, 1024, 4096, 16384, 65536, 262144, 1048576]
# Runs in a process of its own for each build: length, rounds, then one line of figures.
MEASURE = """
import sys, threading, time
import sivka
rounds = int(sys.argv[1])
key, nonce = sivka.AESGCMSIV(bytes(32)), bytes(12)
def work(data, calls):
    for _ in range(calls):
        key.encrypt(nonce, data)
def per_call(data, calls, threads):
    begin = time.perf_counter_ns()
    running = [threading.Thread(target=work, args=(data, calls)) for _ in range(threads)]
    [thread.start() for thread in running]
    [thread.join() for thread in running]
    return (time.perf_counter_ns() - begin) / calls / threads
def beside(data, calls):
    stop = False
    def compute():
        while not stop:
            sum(range(100))
    thread = threading.Thread(target=compute)
    thread.start()
    begin = time.perf_counter_ns()
    work(data, calls)
    end = time.perf_counter_ns()
    stop = True
    thread.join()
    return (end - begin) / calls
for length in map(int, sys.argv[2:]):
    data = bytes(length)
    calls = max(20, min(20000, 20_000_000 // (length + 500)))
    one = min(per_call(data, calls, 1) for _ in range(rounds))
    two = min(per_call(data, calls, 2) for _ in range(rounds))
    print(length, one, two, beside(data, max(20, calls // 50)))
"""


def build(folder: Path, release_len: int) -> None:
    environment = {**os.environ, "CFLAGS": f"-DSIVKA_RELEASE_GIL_LEN={release_len}"}
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder),
    ]
    subprocess.run([*command, str(PACKAGE)], check=True, env=environment)


def measure(folder: Path, rounds: str) -> list[list[float]]:
    lengths = map(str, LENGTHS)
    output = subprocess.run(
        [sys.executable, "-c", MEASURE, rounds, *lengths],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    ).stdout
    return [list(map(float, line.split())) for line in output.splitlines()]


def main() -> None:
    rounds = sys.argv[1] if len(sys.argv) > 1 else "7"
    with tempfile.TemporaryDirectory() as name:
        always, never = Path(name, "always"), Path(name, "never")
        build(always, 0)
        build(never, sys.maxsize)
        rows = zip(measure(never, rounds), measure(always, rounds))
    print(f"{'':>8}  {'one thread':^19}  {'two threads':^19}  {'beside Python':^21}")
    print(
        f"{'bytes':>8}"
        + f"  {'held ns':>9} {'released':>9}" * 2
        + f"  {'held ns':>10} {'released':>10}"
    )
    for held, released in rows:
        print(
            f"{held[0]:8.0f}  {held[1]:9.0f} {released[1]:9.0f}  {held[2]:9.0f} {released[2]:9.0f}"
            f"  {held[3]:10.0f} {released[3]:10.0f}"
        )


if __name__ == "__main__":
    main()
