"""The files of `sql` print what those of `expected` have: pg_regress, as extensions have it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from server import EXTENSION, Server, config

PROGRAM = config("pgxs").parent.parent / "test" / "regress" / "pg_regress"


def test_regress(server: Server, tmp_path: Path) -> None:
    tests = re.search(r"^REGRESS = (.*)$", (EXTENSION / "Makefile").read_text(), re.MULTILINE)[1].split()
    assert sorted(tests) == sorted(path.stem for path in (EXTENSION / "sql").glob("*.sql"))
    command = [
        PROGRAM,
        f"--inputdir={EXTENSION}",
        f"--outputdir={tmp_path}",
        f"--bindir={server.programs.bin}",
        f"--host={server.folder}",
        f"--port={server.port}",
        "--user=postgres",
        "--encoding=UTF8",
        *tests,
    ]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PGUSER": "postgres"})
    differences = tmp_path / "regression.diffs"
    assert done.returncode == 0, differences.read_text() if differences.exists() else done.stdout + done.stderr
    assert re.search(rf"All {len(tests)} tests passed", done.stdout), done.stdout
