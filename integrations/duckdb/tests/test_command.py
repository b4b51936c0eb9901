"""DuckDB's command loads the extension, and what it writes Python opens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import BUILT, connect, set_keys

COMMAND = Path(sys.executable).parent / "duckdb"


def test_command_and_python_agree(paths: dict[str, Path], tmp_path: Path) -> None:
    script = f"""
        LOAD '{BUILT}/sivka.duckdb_extension';
        SET GLOBAL sivka_keys = MAP {{'orders': '{paths["orders"]}'}};
        COPY (SELECT i, sivka_seal(i::VARCHAR, 'orders', 'i') AS s FROM range(10000) t(i))
            TO '{tmp_path}/sealed.parquet';
        SELECT hex(sivka_token('v', 'orders'));
    """
    command = [COMMAND, "-unsigned", "-init", "/dev/null", "-noheader", "-list", "-c", script]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with connect() as db:
        set_keys(db, paths)
        (token,) = db.execute("SELECT hex(sivka_token('v', 'orders'))").fetchone()
        assert printed.split()[-1] == token
        query = "SELECT count(*) FROM read_parquet(?) WHERE decode(sivka_open(s, 'orders', 'i')) = i::VARCHAR"
        assert db.execute(query, [f"{tmp_path}/sealed.parquet"]).fetchone() == (10_000,)


def test_the_extension_must_be_allowed() -> None:
    """No signature of DuckDB's stands on it, so that loading it is the user's decision."""
    load = f"LOAD '{BUILT}/sivka.duckdb_extension'"
    refused = subprocess.run([COMMAND, "-init", "/dev/null", "-c", load], capture_output=True, text=True)
    assert refused.returncode != 0
    assert "signature" in refused.stderr
