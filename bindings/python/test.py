"""Tests the package as its users get it: `python test.py [--oldest] [ARGUMENTS OF PYTEST]`.

Makes the virtual environment target/python/venv of the newest CPython that is found, and
installs the package there from the source tree, with what its tests need. Runs all tests,
two checkers of types and one of style. --oldest tests the wheel in the oldest CPython instead,
and uses it in every one that is found. Says what was not run, which fails where CI=true.

Needs CPython 3.11 or newer with `venv`, and cargo; takes packages from PyPI. The extension is
built as Cargo's profile `dev` has it, whose checks stay on, or the one that SIVKA_PROFILE names;
its kernels are not optimised, which takes a quarter of the time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent.parent
WORK = ROOT / "target" / "python"
OLDEST = (3, 11)
IN_CI = os.environ.get("CI") == "true"
INSTALL = (PACKAGE / "README.md").read_text().split("```sh\n")[1].split("\n")[0].split()

# What every CPython must do with the wheel: the example of its documentation.
SMOKE = """
import sys
sys.path.insert(0, sys.argv[1])
import doctest, sivka
assert sivka.__file__.startswith(sys.argv[1]), sivka.__file__
assert doctest.testmod(sivka) == (0, 4)
print(sys.version.split()[0])
"""


def run(*command: str | Path, **options: str) -> None:
    """Runs a command, and shows it."""
    print("\n$", *command, flush=True)
    profile = os.environ.get("SIVKA_PROFILE", "dev --config profile.dev.package.sivka.opt-level=0")
    options = {**os.environ, "MATURIN_PEP517_ARGS": f"--profile {profile}", **options}
    subprocess.run(command, check=True, cwd=PACKAGE, env=options)


def version_of(python: Path) -> tuple[int, ...] | None:
    """Of a CPython with an interpreter lock."""
    program = (
        "import sys, sysconfig\n"
        "assert sys.implementation.name == 'cpython'\n"
        "assert not sysconfig.get_config_var('Py_GIL_DISABLED')\n"
        "print(*sys.version_info[:3])"
    )
    try:
        said = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(map(int, said.stdout.split()))


def interpreters() -> dict[tuple[int, ...], Path]:
    """Every CPython since the oldest that is supported, by version."""
    found: dict[tuple[int, ...], Path] = {}
    names = [Path(sys.executable)]
    for minor in range(OLDEST[1], 30):
        on_path = shutil.which(f"python3.{minor}")
        names += [Path(on_path)] if on_path else []
    names += sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))
    for name in names:
        version = version_of(name)
        if version is not None and version >= OLDEST:
            found.setdefault(version, name)
    return dict(sorted(found.items()))


def can_build(python: Path) -> bool:
    """Whether this CPython can make a virtual environment."""
    command: list[str | Path] = [python, "-c", "import ensurepip, venv"]
    return subprocess.run(command, capture_output=True).returncode == 0


def environment(python: Path, name: str) -> Path:
    """A virtual environment of this CPython; returns its interpreter."""
    folder = WORK / name
    inner = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if version_of(inner) != version_of(python):
        run(python, "-m", "venv", "--clear", folder)
    return inner


def import_wheel(wheel: Path, python: Path) -> str:
    """Uses the wheel in a CPython, and nothing else; returns what it says."""
    folder = WORK / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    command: list[str | Path] = [python, "-I", "-W", "error", "-c", SMOKE, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{python}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def build_wheel(python: Path) -> Path:
    folder = WORK / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ".")
    (wheel,) = folder.iterdir()
    if not re.fullmatch(rf"sivka-[\d.]+-cp{OLDEST[0]}{OLDEST[1]}-abi3-.+\.whl", wheel.name):
        raise SystemExit(f"{wheel.name} is no wheel for every CPython since 3.{OLDEST[1]}")
    return wheel


def test(python: Path, package: str, arguments: list[str]) -> None:
    """Installs the package as the page does, and runs all tests there."""
    pip = ["-m", *INSTALL[:-1], "--quiet", "--upgrade"]
    run(python, *pip, f"{package}[test]", PIP_NO_INPUT="1")
    if package != ".":
        # The same version may have been installed before.
        run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", package)
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)


def check_types(python: Path) -> None:
    """With what is installed beside this interpreter."""
    run(python, "-m", "mypy")
    run(python, "-m", "basedpyright", "--pythonpath", python)


def main(arguments: list[str]) -> int:
    found = interpreters()
    usable = [python for python in found.values() if can_build(python)]
    if not usable:
        needs = f"a CPython from 3.{OLDEST[1]} on with `venv`"
        print(f"NOT RUN: the Python package: {needs} is missing")
        return 1 if IN_CI else 0
    try:
        python = environment(usable[-1], "venv")
        if "--oldest" in arguments:
            arguments.remove("--oldest")
            wheel = build_wheel(python)
            of_oldest = environment(usable[0], "venv-oldest")
            test(of_oldest, str(wheel), arguments)
            # NumPy tells checkers of an older Python less.
            check_types(of_oldest)
            print(f"\n{wheel.name}, {wheel.stat().st_size} bytes, used in CPython")
            for each in found.values():
                print(" ", import_wheel(wheel, each))
        else:
            test(python, INSTALL[-1], arguments)
            run(python, "-m", "ruff", "format", "--check", "--diff", ".")
            run(python, "-m", "ruff", "check", ".")
            check_types(python)
    except subprocess.CalledProcessError as error:
        print(f"FAILED: exit status {error.returncode}")
        return 1
    print("all passed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
