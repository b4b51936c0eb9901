"""Tests the functions from Python: `python3 integrations/spark/python/test.py [ARGUMENTS OF PYTEST]`.

Makes the virtual environment target/spark/venv with PySpark from PyPI (450 MB) and Sivka for
Python, and runs the tests twice: in one process, and through Spark Connect, whose server PySpark
has. `mvn package` makes the jar of `spark4_2.13` before; SIVKA_SPARK_JARS names it and that of
Sivka for Java, with a comma between them, where they are elsewhere. SIVKA_STATIC_LIBRARY names
the library for Python's package; without it cargo builds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
from engine_tests import LIMITS, ROOT, environment  # noqa: E402

WORK = ROOT / "target" / "spark"
PACKAGES = ("pyspark[connect]==4.1.3", "pytest==9.0.1")
SIVKA = f"{ROOT / 'bindings/python'}[arrow]"
JARS = (
    ROOT / "integrations/spark/spark4_2.13/target/sivka-spark4_2.13-0.1.0.jar",
    ROOT / "bindings/java/sivka/target/sivka-0.1.0.jar",
)


def main() -> None:
    python = environment(WORK / "venv", *PACKAGES, SIVKA)
    jars = os.environ.get("SIVKA_SPARK_JARS", ",".join(map(str, JARS)))
    for mode in ("classic", "connect"):
        print(f"PySpark, {mode}", flush=True)
        variables = {"SIVKA_SPARK_MODE": mode, "SIVKA_SPARK_JARS": jars, "PYSPARK_PYTHON": str(python)}
        variables = {**os.environ, **variables, "PYTHONPATH": str(HERE.parents[1])}
        tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *LIMITS]
        tests += [HERE / "test_functions.py", *sys.argv[1:]]
        subprocess.run(tests, check=True, env=variables)


if __name__ == "__main__":
    main()
