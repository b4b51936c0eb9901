#!/usr/bin/env python3
"""The bench of another commit and this one, in turns: `against.py COMMIT [ARGUMENTS OF THE BENCH]`.

They are two processes, since both have the same names; so drift is met by taking turns, and each
row keeps the fastest of all its turns. The other one is built in `target/against`, with the compiler
and the flags of this one. Peers are left out.
"""
from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TURNS = 3

Row = tuple[str, ...]


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """What a command prints; its failure ends this program."""
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def built(folder: Path) -> Path:
    words = "cargo build --release --locked -p sivka-bench --target-dir target".split()
    run(*words, folder=folder)
    return folder / "target/release/sivka-bench"


def figures(bench: Path, arguments: list[str]) -> Iterator[tuple[Row, float]]:
    table = ROOT / "target/against.csv"
    run(bench, *arguments, "--peers", "none", "--csv", table)
    with table.open(newline="") as file:
        for line in csv.DictReader(file):
            columns = "algorithm", "operation", "len", "aad_len", "batch", "contender"
            yield tuple(line[column] for column in columns), float(line["min_ns"])


def main(commit: str, *arguments: str) -> None:
    commit = run("git", "rev-parse", "--verify", f"{commit}^{{commit}}")
    other = ROOT / "target/against" / commit
    if not other.exists():
        run("git", "worktree", "add", "--force", "--detach", other, commit)
    best: list[tuple[Path, dict[Row, float]]] = [(built(other), {}), (built(ROOT), {})]
    for turn in range(TURNS):
        # The first place is not always the same one's.
        for bench, rows in best[:: 1 if turn % 2 else -1]:
            for row, ns in figures(bench, list(arguments)):
                rows[row] = min(ns, rows.get(row, ns))
    (_, old), (_, new) = best
    print(f"{'ns: algorithm operation len aad_len batch contender':<64}{commit[:10]:>12}{'now':>12}{'times as fast':>15}")
    for row in {**new, **old}:
        sides = [f"{rows[row]:.1f}" if row in rows else "-" for rows in (old, new)]
        ratio = f"{old[row] / new[row]:.3f}" if row in old and row in new else ""
        print(f"{' '.join(row):<64}{sides[0]:>12}{sides[1]:>12}{ratio:>15}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
