"""Tests the extension as its users load it: `python test.py [ARGUMENTS OF PYTEST]`.

Makes the virtual environments target/duckdb/venv-VERSION, builds the extension, and runs the
tests with the oldest DuckDB that it is for and with a newer one. Needs CPython 3.10 or newer
with `venv`, and a C compiler; takes packages from PyPI. SIVKA_STATIC_LIBRARY names the library
to link; without it cargo builds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from engine_tests import LIMITS, ROOT, environment, library  # noqa: E402

WORK = ROOT / "target" / "duckdb"
VERSIONS = ("1.5.6", "2.0.0")
# Arrow as a way in, another AES-GCM-SIV and Tink as judges, and the command of DuckDB, which PyPI has.
PACKAGES = ("pytest==9.0.1", "pyarrow", "cryptography", "tink==1.16.1", "duckdb-cli==1.5.6")


def python_with(version: str) -> Path:
    return environment(WORK / f"venv-{version}", f"duckdb=={version}", *PACKAGES)


def main() -> None:
    archive = library()
    python = python_with(VERSIONS[0])
    (line,) = [line for line in (HERE / "README.md").read_text().splitlines() if line.startswith("python3 ")]
    _, build, option, _, extension = line.split()
    subprocess.run([python, build, option, archive, extension], cwd=ROOT, check=True)
    for version in VERSIONS:
        print(f"DuckDB {version}", flush=True)
        tests = [python_with(version), "-m", "pytest", "-q", *LIMITS, HERE / "tests", *sys.argv[1:]]
        subprocess.run(tests, check=True, env={**os.environ, "SIVKA_DUCKDB_OUT": str(WORK)})


if __name__ == "__main__":
    main()
