"""`cargo xtask report`: measures what docs/performance.md shows, and writes the page.

The figures are records of `sivka-bench`, under evidence/record. The page is made of these alone, of
every machine the newest: `--page` writes it without measuring, `--check` compares it.
"""

from __future__ import annotations

import csv
import hashlib
import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/performance.md"
RUNS = tomllib.loads((ROOT / "xtask/report.toml").read_text())["run"]
HEAD = """\
# Performance

`cargo xtask report` makes this page from records under [evidence/record](../evidence/record), which \
also give the command, compiler and versions. A record is one run of one process, in which ours and \
all peers took turns ([how](../evidence/bench/README.md)). Compare within a record, not between \
machines.

## Ratios on each CPU

How many times as long as our fastest the fastest of the others takes. Above 1, Sivka is faster. If \
our code for a row has changed since its run, the figure is *in italics*.

"""


def measure() -> None:
    # Else `chacha20` leaves out the fastest that it has.
    variables = {**os.environ, "RUSTFLAGS": "--cfg chacha20_avx512"}
    build = ["cargo", "build", "--release", "-p", "sivka-bench", "--features", "peers"]
    subprocess.run(build, cwd=ROOT, env=variables, check=True)
    for run in RUNS:
        label = f"report-{run['label']}"
        command = [ROOT / "target/release/sivka-bench", *run["arguments"].split(), "--record", "--label", label]
        said = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(said)
        # It ends on where its record is.
        record = newest((ROOT / said.splitlines()[-1]).parent, label)
        record.write_text(f"{record.read_text().rstrip()}\n\nkernels    {digest(run['sources'])}\n")


def newest(machine: Path, label: str) -> Path | None:
    return max(machine.glob(f"*-{label}.txt"), default=None)


def digest(sources: str) -> str:
    """Of the code in these files and folders, by which a record is known to be older: most commits
    change no kernel. Comments, layout and unit tests decide no figure."""
    total = hashlib.sha256()
    for source in map(ROOT.joinpath, sources.split()):
        for path in files(source):
            lines = map(str.strip, path.read_text().splitlines())
            for line in lines:
                if line and not line.startswith("//"):
                    total.update(f"{line}\n".encode())
    return total.hexdigest()[:16]


def files(path: Path) -> Iterator[Path]:
    """Those in Rust, in the order of their names, a folder's where the folder is."""
    if path.is_dir():
        for inner in sorted(path.iterdir()):
            yield from files(inner)
    elif path.suffix == ".rs" and path.name != "tests.rs":
        yield path


def figures(table: Path) -> Iterator[tuple[str, int, bool, float]]:
    """Algorithm and operation, length, whether it is ours, and nanoseconds."""
    for row in csv.DictReader(table.open()):
        # POLYVAL hashes an AAD.
        length = row["aad_len" if row["algorithm"] == "polyval" else "len"]
        yield f"{row['algorithm']}, {row['operation']}", int(length), row["kind"] == "ours", float(row["min_ns"])


def page() -> str:
    # For each row and length, by CPU: the ratio of the fastest other contender to our fastest, in
    # italics if our code has changed since.
    best: dict[str, dict[int, dict[str, list[float]]]] = {}
    old, columns, links = set(), set(), ""
    for run in RUNS:
        links += f"\n- {run['title']}:"
        code = digest(run["sources"])
        for machine in sorted(path for path in (ROOT / "evidence/record").iterdir() if path.is_dir()):
            record = newest(machine, f"report-{run['label']}")
            if not record:
                continue
            says = dict(line.split(maxsplit=1) for line in record.read_text().splitlines() if line)
            cpu, table = says["cpu"], record.with_suffix(".csv")
            links += f" [{cpu.split(',')[0]}, {record.name[:10]}](../{table.relative_to(ROOT)})"
            # There, calls are compared and no throughput.
            if run["label"] == "interfaces":
                continue
            columns.add(cpu)
            for question, length, is_ours, time in figures(table):
                times = best.setdefault(question, {}).setdefault(length, {}).setdefault(cpu, [math.inf] * 2)
                times[is_ours] = min(times[is_ours], time)
                if says.get("kernels") != code:
                    old.add((question, cpu))
    text = f"| | {' | '.join(sorted(columns))} |\n|---|{'--:|' * len(columns)}\n"
    for question, by_length in best.items():
        # The shortest that is not 0, one in the middle, and the longest.
        lengths = sorted(length for length in by_length if length)
        for length in sorted({lengths[0], lengths[len(lengths) // 2], lengths[-1]}) if lengths else ():
            cells = []
            for cpu in sorted(columns):
                others, ours = by_length[length].get(cpu, [math.inf] * 2)
                mark = "*" if (question, cpu) in old else ""
                cells.append(f"{mark}{others / ours:.2f}{mark}" if max(others, ours) < math.inf else "–")
            if set(cells) != {"–"}:
                text += f"| {question}, {size(length)} | {' | '.join(cells)} |\n"
    return f"{HEAD}{text}\n## Every figure\n{links}\n"


def size(length: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if length % unit == 0:
            return f"{length // unit} {name}"
    return f"{length} B" if length < 1 << 10 else f"{length / (1 << 20):.1f} MiB"


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text() != page():
            raise SystemExit(f"{PAGE} is not what the records say: cargo xtask report --page")
        return
    if sys.argv[1:] != ["--page"]:
        measure()
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
