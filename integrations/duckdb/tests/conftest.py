"""A database with the extension and two keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from engine_tests import SECRETS, key_file  # noqa: E402

BUILT = Path(os.environ.get("SIVKA_DUCKDB_OUT", "."))


def connect() -> duckdb.DuckDBPyConnection:
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{BUILT}/sivka.duckdb_extension'")
    return database


def set_keys(database: duckdb.DuckDBPyConnection, paths: dict[str, Path]) -> None:
    pairs = ", ".join(f"'{name}': '{path}'" for name, path in paths.items())
    database.execute(f"SET GLOBAL sivka_keys = MAP {{{pairs}}}")


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    made = {}
    for name, secret in SECRETS.items():
        made[name] = tmp_path / f"{name}.key"
        made[name].write_text(key_file(secret))
    return made


@pytest.fixture
def db(paths: dict[str, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect() as database:
        set_keys(database, paths)
        yield database
