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
sys.path.insert(0, str(HERE.parent))
from engine_tests import LIMITS, ROOT, environment, library  # noqa: E402

WORK = ROOT / "target" / "postgresql"
# Other engines open what the server sealed.
PACKAGES = ("pytest==9.0.1", "psycopg[binary]==3.3.9", "duckdb==1.5.6")


def python_with(archive: Path) -> Path:
    """Python with a client, the package of Sivka, and DuckDB with its extension."""
    python = environment(WORK / "venv", *PACKAGES)
    # As the tests of the package itself have it built: without optimisation, and once.
    settings = {"MATURIN_PEP517_ARGS": "--profile dev", **os.environ}
    pip = [python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]
    subprocess.run([*pip, ROOT / "bindings" / "python"], check=True, env=settings)
    build = [python, ROOT / "integrations" / "duckdb" / "build.py", "--library", archive, "--cache", WORK]
    subprocess.run([*build, WORK / "sivka.duckdb_extension"], check=True)
    return python


def main() -> None:
    archive = library()
    WORK.mkdir(parents=True, exist_ok=True)
    config = os.environ.get("PG_CONFIG", "pg_config")
    version = subprocess.run([config, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    python = python_with(archive)
    make = ["make", "--quiet", "-C", HERE, f"PG_CONFIG={config}", f"SIVKA_LIBRARY={archive}"]
    subprocess.run([*make, "clean", "all"], check=True)
    print(version, flush=True)
    tests = [python, "-m", "pytest", "-q", *LIMITS, *sys.argv[1:]]
    settings = {**os.environ, "PG_CONFIG": config, "SIVKA_STATIC_LIBRARY": str(archive)}
    # Not in this folder, whose sivka.so Python would take for the package.
    subprocess.run(tests, check=True, cwd=HERE / "tests", env=settings)


if __name__ == "__main__":
    main()
