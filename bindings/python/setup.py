"""Builds the extension: the C sources in src/native, with the library linked into it.

The library is built by cargo from the workspace that this folder belongs to. The
environment variable SIVKA_STATIC_LIBRARY may name one that was built before.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
WORKSPACE = HERE.parent.parent
PREBUILT = "SIVKA_STATIC_LIBRARY"
# The oldest CPython whose stable interface has buffers. A free-threaded CPython before
# 3.15 has no stable interface at all: its wheel is for one version.
STABLE_SINCE = (3, 11)
# A function that the stable interface does not have would be taken to return an int.
COMPILER_OPTIONS = [
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-Werror=implicit-function-declaration",
    "-fvisibility=hidden",
    "-fno-plt",
]
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def version() -> str:
    """The workspace's version, which all packages carry."""
    try:
        manifest = (WORKSPACE / "Cargo.toml").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SystemExit(
            "build this package in the source tree of Sivka, or install a wheel"
        ) from None
    found = re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', manifest, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{WORKSPACE / 'Cargo.toml'} states no version")
    return found[1]


def static_library() -> Path:
    """Builds the library, unless the environment names one; returns its path."""
    prebuilt = os.environ.get(PREBUILT)
    if prebuilt:
        path = Path(prebuilt)
        if not path.is_file():
            raise SystemExit(f"{PREBUILT}={prebuilt}: no such file")
        return path
    command = ["cargo", "build", "--release", "-p", "sivka-ffi", "--locked"]
    try:
        output = subprocess.run(
            [*command, "--message-format=json-render-diagnostics"],
            cwd=WORKSPACE,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    except FileNotFoundError:
        raise SystemExit(
            f"cargo is missing: install Rust, or name a library by {PREBUILT}"
        ) from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{' '.join(command)}: exit status {error.returncode}") from error
    for line in output.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "sivka_ffi":
            for name in message.get("filenames", []):
                if Path(name).suffix in (".a", ".lib") and "rlib" not in name:
                    return Path(name)
    raise SystemExit(f"{' '.join(command)} made no static library")


def system_libraries() -> list[str]:
    """What Rust's standard library uses."""
    if sys.platform == "win32":
        return ["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp", "bcrypt", "advapi32"]
    return [] if sys.platform == "darwin" else ["gcc_s", "util", "rt", "pthread", "m", "dl"]


class BuildExtension(build_ext):
    """Links the library in, and shows none of its symbols."""

    def finalize_options(self) -> None:
        super().finalize_options()
        # Seconds; and nothing is left over from other options or another library.
        self.force = True

    def build_extension(self, ext: Extension) -> None:
        library = static_library()
        ext.extra_objects = [str(library)]
        if sys.platform.startswith("linux"):
            ext.extra_link_args = [
                "-Wl,--exclude-libs,ALL",
                "-Wl,--gc-sections",
                "-Wl,--strip-debug",
            ]
        super().build_extension(ext)


class Wheel(bdist_wheel):
    """Marks the wheel as one for every CPython since 3.11."""

    def finalize_options(self) -> None:
        if not FREE_THREADED:
            self.py_limited_api = "cp{}{}".format(*STABLE_SINCE)
        super().finalize_options()


STABLE = ("Py_LIMITED_API", f"0x{STABLE_SINCE[0]:02X}{STABLE_SINCE[1]:02X}0000")

if __name__ == "__main__":
    extension = Extension(
        "sivka._native",
        sources=sorted(f"src/native/{path.name}" for path in HERE.glob("src/native/*.c")),
        include_dirs=["src/native", str(WORKSPACE / "ffi" / "include")],
        define_macros=[] if FREE_THREADED else [STABLE],
        py_limited_api=not FREE_THREADED,
        libraries=system_libraries(),
        extra_compile_args=[] if sys.platform == "win32" else COMPILER_OPTIONS,
    )
    setup(
        version=version(),
        ext_modules=[extension],
        cmdclass={"build_ext": BuildExtension, "bdist_wheel": Wheel},
    )
