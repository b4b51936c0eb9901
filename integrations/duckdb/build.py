"""Builds the extension: `python build.py --headers DIRECTORY --library FILE [--rows FILE] OUTPUT`.

Compiles the C sources in src, links libsivka.a (or the shared library) into them, and adds
the footer by which DuckDB knows its extensions: the file is loaded by every DuckDB of the
platform from 1.5.6 on, which is the first whose stable C interface has settings and binding.

`--headers` is a directory with DuckDB's duckdb.h and duckdb_extension.h, as the source archive
of its Python package on PyPI has them in external/duckdb/src/include; without it they are taken
from that archive into `--cache`. They are not part of this repository. `--platform` is what
`PRAGMA platform` says in DuckDB. Needs a C compiler (`$CC`, or cc).

`--compiled FILE` takes what another compiler made of the sources, and adds the footer.
`--take-headers` only takes the headers, and prints their directory and the options to compile with.
"""

from __future__ import annotations

import argparse
import os
import shlex
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
SOURCES = ("extension.c", "key.c")
OPTIONS = ["-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-shared"]
# Arguments for any compiler of the sources.
DEFINITIONS = ["-std=gnu11", "-DDUCKDB_EXTENSION_NAME=sivka"] + [
    f"-DDUCKDB_EXTENSION_API_VERSION_{name}={number}"
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), API_VERSION, strict=True)
]
SIGNATURE_LEN = 256


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


def fields(platform: str, version: str) -> bytes:
    """Eight fields of 32 bytes, the last one first; after them a signature has its place, and we have none."""
    api = "v" + ".".join(map(str, API_VERSION))
    texts = ["4", platform, api, version, "C_STRUCT", "", "", ""]
    return b"".join(text.encode().ljust(32, b"\0") for text in reversed(texts))


def compile_extension(arguments: argparse.Namespace) -> None:
    headers = arguments.headers or take_headers(arguments.cache)
    sources = [*(HERE / "src" / name for name in SOURCES), arguments.rows]
    command = [os.environ.get("CC", "cc"), *OPTIONS, *DEFINITIONS]
    command += ["-isystem", headers, "-I", ROOT / "ffi" / "include", *sources]
    command += [arguments.library, "-o", arguments.output]
    if arguments.library.suffix == ".a":
        command += ["-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-lpthread", "-ldl", "-lm"]
    else:
        command += [f"-Wl,-rpath,{arguments.library.resolve().parent}"]
    subprocess.run(command, check=True)


def build(arguments: argparse.Namespace) -> None:
    if not arguments.compiled:
        compile_extension(arguments)
    compiled = arguments.compiled or arguments.output
    extension = compiled.read_bytes() + fields(arguments.platform, arguments.version)
    arguments.output.write_bytes(extension + bytes(SIGNATURE_LEN))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", type=Path)
    parser.add_argument("--cache", type=Path, default=ROOT / "target" / "duckdb")
    parser.add_argument("--take-headers", action="store_true")
    made_of = parser.add_mutually_exclusive_group()
    made_of.add_argument("--library", type=Path)
    made_of.add_argument("--compiled", type=Path)
    parser.add_argument("--platform", default="linux_amd64")
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--rows", type=Path, default=HERE / "src" / "rows.c", help="another way to go through rows")
    parser.add_argument("output", type=Path, nargs="?")
    arguments = parser.parse_args()
    if arguments.take_headers:
        print(shlex.join(["-isystem", str(take_headers(arguments.cache)), *DEFINITIONS]))
    elif arguments.output and (arguments.library or arguments.compiled):
        build(arguments)
    else:
        parser.error("an output, and --library or --compiled, are needed")


if __name__ == "__main__":
    main()
