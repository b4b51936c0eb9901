"""Tests the extension on servers of its own: `python test.py [ARGUMENTS OF PYTEST]`.

Builds it for the server of PG_CONFIG (or `pg_config`), copies that server's programs to a temporary
folder, which also gets the extension, and runs pg_regress and the tests of Python there. Nothing is
installed on the system, and every server is stopped at the end. As root, servers run as the user
postgres, or nobody.

Needs PostgreSQL's server, its development files, make, a C compiler, and CPython 3.11 or newer with
`venv` and its headers; takes packages from PyPI. SIVKA_STATIC_LIBRARY names the library to link;
without it cargo builds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "postgresql"
# Other engines open what the server sealed.
PACKAGES = ("pytest==9.0.1", "psycopg[binary]==3.3.9", "duckdb==1.5.6")
# A test that waits without an end, for a child or a thread, ends the run.
LIMITS = ("-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true")


def library() -> Path:
    if prebuilt := os.environ.get("SIVKA_STATIC_LIBRARY"):
        return Path(prebuilt).resolve()
    subprocess.run(["cargo", "build", "--release", "-p", "sivka-ffi"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "libsivka_ffi.a"


def environment(archive: Path) -> Path:
    """Python with a client, the package of Sivka, and DuckDB with its extension."""
    python = WORK / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", WORK / "venv"], check=True)
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *PACKAGES], check=True)
    # As the tests of the package itself have it built: without optimisation, and once.
    settings = {"MATURIN_PEP517_ARGS": "--profile dev", **os.environ}
    subprocess.run([*pip, "--force-reinstall", "--no-deps", ROOT / "bindings" / "python"], check=True, env=settings)
    build = [python, ROOT / "integrations" / "duckdb" / "build.py", "--library", archive, "--cache", WORK]
    subprocess.run([*build, WORK / "sivka.duckdb_extension"], check=True)
    return python


def main() -> None:
    archive = library()
    WORK.mkdir(parents=True, exist_ok=True)
    config = os.environ.get("PG_CONFIG", "pg_config")
    version = subprocess.run([config, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    python = environment(archive)
    make = ["make", "--quiet", "-C", HERE, f"PG_CONFIG={config}", f"SIVKA_LIBRARY={archive}"]
    subprocess.run([*make, "clean", "all"], check=True)
    print(version, flush=True)
    tests = [python, "-m", "pytest", "-q", *LIMITS, *sys.argv[1:]]
    settings = {**os.environ, "PG_CONFIG": config, "SIVKA_STATIC_LIBRARY": str(archive)}
    # Not in this folder, whose sivka.so Python would take for the package.
    subprocess.run(tests, check=True, cwd=HERE / "tests", env=settings)


if __name__ == "__main__":
    main()
