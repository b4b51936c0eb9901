"""DuckDB's command loads the extension, if it is told to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import BUILT

COMMAND = Path(sys.executable).parent / "duckdb"
LOAD = f"LOAD '{BUILT}/sivka.duckdb_extension'; "


def test_the_command_seals_and_opens(paths: dict[str, Path]) -> None:
    script = f"SET GLOBAL sivka_keys = MAP {{'orders': '{paths['orders']}'}};"
    script += "SELECT decode(sivka_open(sivka_seal('a value', 'orders'), 'orders'))"
    command = [COMMAND, "-unsigned", "-init", "/dev/null", "-noheader", "-list", "-c", LOAD + script]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.endswith("a value\n")
