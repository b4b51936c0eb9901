"""`cargo xtask report`: measures what docs/performance.md shows, and writes the page and its plots.

The figures are records of `sivka-bench`, under evidence/record. The page is made of these alone, of
every machine the newest, and each plot of the newest: `--page` writes them without measuring,
`--check` compares them.
"""

from __future__ import annotations

import csv
import hashlib
import math
import os
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "evidence/bench"))
import plot

PAGE = ROOT / "docs/performance.md"
RUNS = tomllib.loads((ROOT / "xtask/report.toml").read_text())["run"]
HEAD = """\
# Performance

`cargo xtask report` makes this page and its plots from records under [evidence/record](../evidence/record), \
which also give the compiler and versions. A record is one run of one process, in which ours and all \
peers took turns ([how](../evidence/bench/README.md)). Compare within a record, not between machines.

## Ratios on each CPU

Above 1, Sivka is faster than the fastest other library; AES-GCM and ChaCha20-Poly1305, which promise less, are \
among these. Each [csv](#every-figure) names all. `polyval` has an AAD and no text. *In italics*: our code has changed.

"""


def measure() -> None:
    # Else `chacha20` leaves out the fastest that it has.
    variables = {**os.environ, "RUSTFLAGS": "--cfg chacha20_avx512"}
    build = ["cargo", "build", "--release", "-p", "sivka-bench", "--features", "peers"]
    subprocess.run(build, cwd=ROOT, env=variables, check=True)
    for run in RUNS:
        words = [*run["arguments"].split(), "--record", "--label", f"report-{run['label']}"]
        command = [ROOT / "target/release/sivka-bench", *words]
        said = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(said)
        # It ends on where its record is.
        text = (ROOT / said.splitlines()[-1]).with_suffix(".txt")
        text.write_text(f"{text.read_text().rstrip()}\n\nkernels    {digest(run['sources'])}\n")


def records(run: dict) -> Iterator[dict[str, str]]:
    """What the newest of every machine says; its `path` and `table`; and whether its code `changed`."""
    code = digest(run["sources"])
    for machine in sorted((ROOT / "evidence/record").iterdir()):
        for path in sorted(machine.glob(f"*-report-{run['label']}.txt"))[-1:]:
            says = dict(line.split(maxsplit=1) for line in path.read_text().splitlines() if line)
            changed = "" if says.get("kernels") == code else "; our code has changed since"
            path = path.relative_to(ROOT)
            yield {**says, "path": str(path), "table": str(path.with_suffix(".csv")), "changed": changed}


def digest(sources: str) -> str:
    """Of the code in these files and folders, by which a record is known to be older: most commits
    change no kernel. Comments, layout and unit tests decide no figure."""
    total = hashlib.sha256()
    for source in map(ROOT.joinpath, sources.split()):
        for path in sorted(source.rglob("*.rs")) if source.is_dir() else [source]:
            lines = path.read_text().splitlines() if path.name != "tests.rs" else []
            for line in map(str.strip, lines):
                if line and not line.startswith("//"):
                    total.update(f"{line}\n".encode())
    return total.hexdigest()[:16]


def figures(record: dict[str, str]) -> Iterator[tuple[str, int, bool, float]]:
    """Algorithm and operation, length, whether it is ours, and nanoseconds."""
    for row in csv.DictReader((ROOT / record["table"]).open()):
        # POLYVAL hashes an AAD, without a text.
        is_hash = row["algorithm"] == "polyval"
        if is_hash and row["len"] != "0":
            continue
        length = row["aad_len" if is_hash else "len"]
        yield f"{row['algorithm']}, {row['operation']}", int(length), row["kind"] == "ours", float(row["min_ns"])


def ratios() -> str:
    """For each row and length, by CPU: of the fastest other contender to our fastest."""
    best: dict[str, dict[int, dict[str, list[float]]]] = {}
    old, columns = set(), set()
    # Of interfaces, calls are compared and no throughput.
    for record in (record for run in RUNS if run["label"] != "interfaces" for record in records(run)):
        cpu = record["cpu"]
        columns.add(cpu)
        for question, length, is_ours, time in figures(record):
            times = best.setdefault(question, {}).setdefault(length, {}).setdefault(cpu, [math.inf] * 2)
            times[is_ours] = min(times[is_ours], time)
            if record["changed"]:
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
                text += f"| {question}, {plot.size(length)} | {' | '.join(cells)} |\n"
    return text


def pages() -> dict[Path, str]:
    """The page and its plots."""
    made, plots, links = {}, "", ""
    for run in RUNS:
        links += f"\n- {run['title']}:"
        for record in records(run):
            links += f" [{record['cpu'].split(',')[0]}, {record['date']}](../{record['table']})"
        newest = max(records(run), key=lambda record: record["date"])
        origin = f"{newest['cpu']}, {newest['date']}, commit {newest['commit'][:12]}{newest['changed']}"
        notes = [origin, *textwrap.wrap(newest["command"].split(" --record")[0], 130)]
        picture = plot.picture(run["plot"], notes, [ROOT / newest["table"]], run["where"])
        made[PAGE.parent / f"plots/{run['label']}.svg"] = picture
        plots += f"\n![{run['plot']}](plots/{run['label']}.svg)\n\n[Its record](../{newest['path']}) is of {origin}.\n"
    return {**made, PAGE: f"{HEAD}{ratios()}\n## Plots\n{plots}\n## Every figure\n{links}\n"}


def main() -> None:
    if sys.argv[1:] not in (["--check"], ["--page"]):
        measure()
    for path, text in pages().items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            raise SystemExit(f"{path} is not what the records say: cargo xtask report --page")


if __name__ == "__main__":
    main()
