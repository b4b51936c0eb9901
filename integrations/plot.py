#!/usr/bin/env python3
"""Draws rows a second of each engine's functions: `python3 integrations/plot.py SPARK.csv DUCKDB.csv OUT.svg`.

Reads the records that BenchmarkTest of `spark` and `benchmark/compare.py` of `duckdb` made, for
values of 32 bytes. The light background is part of the picture, so that it is read on any page.
"""
from __future__ import annotations

import csv
import sys
from html import escape
from pathlib import Path

WIDTH, LEFT, RIGHT, LINE = 860, 250, 110, 24
OURS, OTHERS = "#0969da", "#8c959f"


def spark(path: Path) -> tuple[str, list[tuple[str, float]]]:
    """What a whole query does: read from Parquet, call, drop."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    bars = [(row["function"], float(row["rows_a_second_and_thread"])) for row in rows]
    return "Spark: a query over Parquet, rows a second and core", bars


def duckdb(path: Path) -> tuple[str, list[tuple[str, float]]]:
    """What a function alone does: the query without it is taken off."""
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["bytes"] == "32"]
    bars = []
    for row in rows:
        name = f"sivka_{row['function']}"
        if row["version"] == "copy":
            if row["function"] != "seal":
                continue
            name = "a function that copies"
        elif row["version"] == "by_row":
            name += ", a call a row"
        bars.append((name, 1e9 / float(row["min_ns"])))
    return "DuckDB: the function alone, rows a second and core", bars


def panel(title: str, bars: list[tuple[str, float]], top: int) -> list[str]:
    scale = (WIDTH - LEFT - RIGHT) / max(value for _, value in bars)
    lines = [f'<text x="24" y="{top}" font-size="14" font-weight="600">{escape(title)}</text>']
    for number, (name, value) in enumerate(bars):
        y = top + 14 + number * LINE
        is_ours = name.startswith("sivka_") and not name.endswith("a call a row")
        width = max(value * scale, 1)
        lines.append(f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        lines.append(f'<rect x="{LEFT}" y="{y + 2}" width="{width:.1f}" height="16" fill="{OURS if is_ours else OTHERS}"/>')
        lines.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 14}">{value / 1e6:.2f} million</text>')
    return lines


def main() -> None:
    spark_csv, duckdb_csv, out = map(Path, sys.argv[1:])
    body, top = [], 64
    for title, bars in (spark(spark_csv), duckdb(duckdb_csv)):
        body += panel(title, bars, top)
        top += 14 + len(bars) * LINE + 40
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top - 16}" width="{WIDTH}" height="{top - 16}"'
        ' font-family="system-ui, sans-serif" font-size="12" fill="#24292f">\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        '<text x="24" y="32" font-size="18" font-weight="600">Columns of 32 bytes, in millions of rows a second</text>\n'
    )
    out.write_text(head + "\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    main()
