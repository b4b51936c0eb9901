"""Builds the extension: `python build.py --headers DIRECTORY --library FILE [--rows FILE] OUTPUT`.

Compiles the C sources in src, links libsivka.a (or the shared library) into them, and adds
the footer by which DuckDB knows its extensions: the file is loaded by every DuckDB of the
platform from 1.5.6 on, which is the first whose stable C interface has settings and binding.

`--headers` is a directory with DuckDB's duckdb.h and duckdb_extension.h, as the source archive
of its Python package on PyPI has them in external/duckdb/src/include; without it they are taken
from that archive into `--cache`. They are not part of this repository. `--platform` is what
`PRAGMA platform` says in DuckDB. Needs a C compiler (`$CC`, or cc).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The first release with this interface; its headers serve all later ones.
API_VERSION = (1, 5, 6)
HEADERS = ("duckdb.h", "duckdb_extension.h")
SOURCES = ("extension.c", "key.c", "keys_file.c", "load.c", "program.c")
OPTIONS = [
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fvisibility=hidden",
    "-shared",
    "-DDUCKDB_EXTENSION_NAME=sivka",
]


def take_headers(cache: Path) -> Path:
    """The headers out of the source archive that PyPI has, which is taken once."""
    release = ".".join(map(str, API_VERSION))
    include = cache / f"duckdb-{release}"
    if all((include / name).is_file() for name in HEADERS):
        return include
    include.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        wanted = ["--no-binary", "duckdb", f"duckdb=={release}", "--dest", work]
        subprocess.run(pip + wanted, check=True)
        (archive,) = Path(work).glob("duckdb-*.tar.gz")
        with tarfile.open(archive) as members:
            for name in HEADERS:
                path = f"{archive.name.removesuffix('.tar.gz')}/external/duckdb/src/include/{name}"
                (include / name).write_bytes(members.extractfile(path).read())
    return include


def footer(platform: str, version: str) -> bytes:
    """Eight fields of 32 bytes, the last one first, and room for a signature."""
    api = "v" + ".".join(map(str, API_VERSION))
    fields = ["4", platform, api, version, "C_STRUCT", "", "", ""]
    return b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)


def build(arguments: argparse.Namespace) -> None:
    headers = arguments.headers or take_headers(arguments.cache)
    sources = [*(HERE / "src" / name for name in SOURCES), arguments.rows]
    numbers = zip(("MAJOR", "MINOR", "PATCH"), API_VERSION, strict=True)
    command = [os.environ.get("CC", "cc"), *OPTIONS]
    command += [f"-DDUCKDB_EXTENSION_API_VERSION_{name}={number}" for name, number in numbers]
    command += ["-isystem", headers, "-I", ROOT / "ffi" / "include", *sources]
    command += [arguments.library, "-o", arguments.output]
    if arguments.library.suffix == ".a":
        command += ["-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-lpthread", "-ldl", "-lm"]
    else:
        command += [f"-Wl,-rpath,{arguments.library.resolve().parent}"]
    subprocess.run(command, check=True)
    with arguments.output.open("ab") as extension:
        extension.write(footer(arguments.platform, arguments.version))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", type=Path)
    parser.add_argument("--cache", type=Path, default=ROOT / "target" / "duckdb")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--platform", default="linux_amd64")
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--rows", type=Path, default=HERE / "src" / "rows.c", help="another way to go through rows")
    parser.add_argument("output", type=Path)
    build(parser.parse_args())


if __name__ == "__main__":
    main()
