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
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "duckdb"
VERSIONS = ("1.5.6", "2.0.0")
# Arrow as a way in, another AES-GCM-SIV and Tink as judges, and the command of DuckDB, which PyPI has.
PACKAGES = ("pytest==9.0.1", "pyarrow", "cryptography", "tink==1.16.1", "duckdb-cli==1.5.6")
# A test that waits without an end, for a child or a thread, ends the run.
LIMITS = ("-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true")


def library() -> Path:
    if prebuilt := os.environ.get("SIVKA_STATIC_LIBRARY"):
        return Path(prebuilt).resolve()
    subprocess.run(["cargo", "build", "--release", "-p", "sivka-ffi"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "libsivka_ffi.a"


def environment(version: str) -> Path:
    folder = WORK / f"venv-{version}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    wanted = [f"duckdb=={version}", *PACKAGES]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python


def main() -> None:
    archive = library()
    (WORK / "by_row").mkdir(parents=True, exist_ok=True)
    python = environment(VERSIONS[0])
    (line,) = [line for line in (HERE / "README.md").read_text().splitlines() if line.startswith("python3 ")]
    _, build, option, _, extension = line.split()
    by_row = ["--rows", HERE / "benchmark/by_row.c", WORK / "by_row/sivka.duckdb_extension"]
    for rest in ([extension], by_row):
        subprocess.run([python, build, option, archive, *rest], cwd=ROOT, check=True)
    for version in VERSIONS:
        print(f"DuckDB {version}", flush=True)
        tests = [environment(version), "-m", "pytest", "-q", *LIMITS, HERE / "tests", *sys.argv[1:]]
        subprocess.run(tests, check=True, env={**os.environ, "SIVKA_DUCKDB_OUT": str(WORK)})


if __name__ == "__main__":
    main()
