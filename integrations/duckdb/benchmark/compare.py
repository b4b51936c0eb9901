"""Measures the extension beside copying: `python compare.py DIRECTORY [LENGTHS]`.

The directory has sivka and copy/sivka.duckdb_extension, as build.py makes them from src/rows.c and copy.c.
Prints the columns that evidence/bench/README.md names: nanoseconds a row on one thread. The time of the same
query without the function is taken off. Both have the minimum and the median of many runs, and the versions take
turns. What is sealed is opened first, and compared.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
RUNS = 15
ROWS = 200_000
VERSIONS = {"sivka": "sivka", "copy/sivka": "a function that copies"}
CALLS = {
    "seal": "sivka_seal(v, 'patients')",
    "open": "sivka_open(s, 'patients')",
    "token": "sivka_token(v, 'patients')",
    "open_token": "sivka_open_token(t, 'patients')",
}


def connect(built: Path, version: str, key: Path) -> duckdb.DuckDBPyConnection:
    database = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "1"})
    database.execute(f"LOAD '{built / version}.duckdb_extension'")
    database.execute(f"SET GLOBAL sivka_keys = MAP {{'patients': '{key}'}}")
    return database


def tables(databases: dict[str, duckdb.DuckDBPyConnection], length: int) -> None:
    """The same values for all."""
    ours = databases["sivka"]
    values = f"SELECT encode(lpad(i::VARCHAR, {length}, 'x')) AS v FROM range({ROWS}) t(i)"
    query = "SELECT v, sivka_seal(v, 'patients') AS s, sivka_token(v, 'patients') AS t"
    sealed = ours.sql(f"{query} FROM ({values})").to_arrow_table()
    for database in databases.values():
        database.register("sealed", sealed)
        database.execute("CREATE OR REPLACE TABLE t AS SELECT * FROM sealed")
    right = "sivka_open(s, 'patients') = v AND sivka_open_token(t, 'patients') = v AND sivka_token(v, 'patients') = t"
    (count,) = ours.execute(f"SELECT count(*) FROM t WHERE {right}").fetchone()
    assert count == ROWS, count


def seconds(database: duckdb.DuckDBPyConnection, call: str) -> float:
    query = f"SELECT sum(octet_length({call})) FROM t"
    begin = time.perf_counter()
    database.execute(query).fetchall()
    return time.perf_counter() - begin


def measure(databases: dict[str, duckdb.DuckDBPyConnection], name: str, length: int) -> None:
    column = {"open": "s", "open_token": "t"}.get(name, "v")
    bare: dict[str, list[float]] = {version: [] for version in VERSIONS}
    called: dict[str, list[float]] = {version: [] for version in VERSIONS}
    for _ in range(RUNS):
        for version, database in databases.items():
            bare[version].append(seconds(database, column))
            called[version].append(seconds(database, CALLS[name]))
    fastest, middle = (
        {v: (of(called[v]) - of(bare[v])) / ROWS * 1e9 for v in VERSIONS} for of in (min, statistics.median)
    )
    algorithm = "xchacha20-blake2b-siv" if "token" in name else "aes-256-gcm-siv"
    for version, contender in VERSIONS.items():
        kind, of = ("yardstick", "none") if version == "copy/sivka" else ("ours", algorithm)
        what = f"duckdb,{name},{length},0,{ROWS},{contender},{kind},{of}"
        print(f"{what},{fastest[version]:.1f},{middle[version]:.1f}", flush=True)


def main() -> None:
    from conftest import SECRETS, key_file

    built = Path(sys.argv[1])
    with tempfile.NamedTemporaryFile("w", suffix=".key") as key:
        key.write(key_file(SECRETS["patients"]))
        key.flush()
        databases = {version: connect(built, version, Path(key.name)) for version in VERSIONS}
        print("algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns")
        for length in map(int, sys.argv[2:] or (16, 32, 64, 128, 256)):
            tables(databases, length)
            for name in CALLS:
                measure(databases, name, length)


if __name__ == "__main__":
    main()
