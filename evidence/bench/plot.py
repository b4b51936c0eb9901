"""Draws what a benchmark has written as csv, as one SVG: `python3 evidence/bench/plot.py OUT.svg TITLE CSV...`.

Every benchmark writes the same columns. An algorithm and operation that was measured at several
lengths becomes lines, 10^9 bytes a second against the length of a message. One of a single length
becomes bars, messages a second and core. Messages with AAD are left out. `--where COLUMN=VALUE`, which may
be repeated, keeps lines of the csv. `cargo xtask report` draws those of docs/performance.md. The
light background is part of the picture, so that it is read on any page.
"""
from __future__ import annotations

import argparse
import csv
from html import escape
from math import log2
from pathlib import Path

WIDTH, LEFT, RIGHT, INK = 860, 250, 110, "#24292f"
OURS, OTHERS = "#0969da", ["#8c959f", "#1a7f37", "#8250df", "#9a6700", "#0f8b8d", "#57606a"]
HEIGHT, AXIS_LEFT, AXIS_RIGHT = 300, 60, 200

Row = dict[str, str]


def text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'


def size(length: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if length % unit == 0:
            return f"{length // unit} {name}"
    return f"{length} B" if length < 1 << 10 else f"{length / (1 << 20):.1f} MiB"


def bars(title: str, rows: list[Row], top: int) -> tuple[list[str], int]:
    values = [(row["contender"], row["kind"], 1e9 / float(row["min_ns"])) for row in rows]
    scale = (WIDTH - LEFT - RIGHT) / max(value for *_, value in values)
    title = f"{title}, {rows[0]['len']} bytes: messages a second and core"
    lines = [text(24, top, title, ' font-size="14" font-weight="600"')]
    for number, (name, kind, value) in enumerate(values):
        y, width = top + 14 + number * 24, max(value * scale, 1)
        lines.append(text(LEFT - 8, y + 14, name, ' text-anchor="end"'))
        lines.append(f'<rect x="{LEFT}" y="{y + 2}" width="{width:.1f}" height="16" fill="{OURS if kind == "ours" else OTHERS[0]}"/>')
        lines.append(text(LEFT + width + 6, y + 14, f"{value / 1e6:.2f} million"))
    return lines, top + 14 + len(values) * 24 + 40


def lines(title: str, rows: list[Row], top: int) -> tuple[list[str], int]:
    """One line for each contender, with its name at its end; yardsticks are dashed."""
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows:
        line = points.setdefault((row["contender"], row["kind"]), [])
        line.append((log2(int(row["len"])), int(row["len"]) / float(row["min_ns"])))
    first = min(x for line in points.values() for x, _ in line)
    last = max(x for line in points.values() for x, _ in line)
    most = max(y for line in points.values() for _, y in line)
    bottom, end = top + HEIGHT - 40, WIDTH - AXIS_RIGHT
    at_x = lambda x: AXIS_LEFT + (x - first) / (last - first) * (end - AXIS_LEFT)
    at_y = lambda y: bottom - y / most * (HEIGHT - 60)
    out = [text(24, top, f"{title}, GB/s by bytes of a message", ' font-size="14" font-weight="600"')]
    for value in range(0, int(most) + 1, max(1, int(most) // 6)):
        out.append(f'<path d="M{AXIS_LEFT} {at_y(value):.1f}H{end}" stroke="#d8dee4"/>')
        out.append(text(AXIS_LEFT - 8, at_y(value) + 4, str(value), ' text-anchor="end"'))
    for power in range(int(first), int(last) + 1, 2):
        out.append(text(at_x(power), bottom + 18, size(2**power), ' text-anchor="middle"'))
    others, names = 0, bottom + 14.0
    for (contender, kind), line in sorted(points.items(), key=lambda entry: entry[1][-1][1]):
        colour = OURS if kind == "ours" else OTHERS[others % len(OTHERS)]
        others += kind != "ours"
        path = "L".join(f"{at_x(x):.1f} {at_y(y):.1f}" for x, y in line)
        dashes = ' stroke-dasharray="5 4"' if kind == "yardstick" else ""
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        # From the bottom up, at least a line apart.
        names = min(at_y(line[-1][1]), names - 14)
        out.append(text(end + 8, names + 4, contender, f' fill="{colour}"'))
    return out, top + HEIGHT + 24


def picture(title: str, notes: list[str], tables: list[Path], where: list[str]) -> str:
    """The SVG of the lines of `tables` that `where` keeps."""
    asked = {each.split("=")[0] for each in where}
    body, top = [], 64 + 16 * len(notes)
    for number, note in enumerate(notes):
        body.append(text(24, 52 + 16 * number, note, ' font-size="11" fill="#57606a"'))
    for path in tables:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        panels: dict[str, list[Row]] = {}
        for row in rows:
            is_wanted = all(f"{column}={row[column]}" in where for column in asked)
            if is_wanted and row["aad_len"] == "0" and row["len"] != "0":
                batch = ", batches" if row["batch"] != "1" else ""
                panels.setdefault(f"{row['algorithm']}, {row['operation']}{batch}", []).append(row)
        for name, rows in panels.items():
            draw = bars if len({row["len"] for row in rows}) == 1 else lines
            panel, top = draw(name, rows, top)
            body += panel
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top - 16}" width="{WIDTH}" height="{top - 16}"'
        f' font-family="system-ui, sans-serif" font-size="12" fill="{INK}">\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        + text(24, 32, title, ' font-size="18" font-weight="600"')
    )
    return "\n".join([head, *body, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--where", action="append", default=[], metavar="COLUMN=VALUE")
    parser.add_argument("out", type=Path)
    parser.add_argument("title")
    parser.add_argument("csv", type=Path, nargs="+")
    given = parser.parse_args()
    given.out.write_text(picture(given.title, [], given.csv, given.where))


if __name__ == "__main__":
    main()
