"""What runs on this machine, installed in an empty place, seals there; of what is for others, the
tools of Python and DuckDB say whether it is."""

from __future__ import annotations

import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path

import go_modules
from build import DUCKDB, Built
from common import HERE, ROOT, SHIPPED, TARGET, Tools, Tree, empty, jdks, run, said, version, write

# The oldest DuckDB that loads the extension, and one whose interface has changed since.
DUCKDBS = ("1.5.6", "2.0.0")
EXAMPLE_KEY = ROOT / "file/tests/data/example.key"
QUERY = "decode(sivka_open(sivka_seal('meet at noon', 'k', 'c'), 'k', 'c'))"
DUCKDB_PROGRAM = f"""
import sys, duckdb
database = duckdb.connect(config={{'allow_unsigned_extensions': 'true'}})
database.execute(f"LOAD '{{sys.argv[1]}}'")
database.execute(f"SET GLOBAL sivka_keys = MAP {{{{'k': '{{sys.argv[2]}}'}}}}")
print(database.execute("SELECT {QUERY}").fetchone()[0])
"""
PYTHON_PROGRAM = """
import sivka
key = sivka.AESGCMSIV(sivka.AESGCMSIV.generate_key(256))
print(key.open(key.seal(b'meet at noon', b'to Alice'), b'to Alice').decode())
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageReference Include="Sivka" Version="VERSION" /></ItemGroup>
</Project>
"""
CMAKE = """cmake_minimum_required(VERSION 3.13)
project(trial C)
find_package(sivka 0.1 REQUIRED)
add_executable(with_shared EXAMPLE)
target_link_libraries(with_shared PRIVATE sivka::sivka)
add_executable(with_static EXAMPLE)
target_link_libraries(with_static PRIVATE sivka::static)
"""


class Trials:
    """Each counts; one that fails hides none."""

    def __init__(self, artifacts: Path, tools: Tools, tree: Tree, built: list[Built]) -> None:
        self.artifacts, self.tools, self.tree, self.built = artifacts, tools, tree, built
        self.version, self.places = version(), TARGET / "release-build/trials"
        self.passed = self.failed = 0

    def run(self) -> None:
        for built in self.built:
            name = built.platform.name
            if name == HERE:
                self.check(f"{name}: the command seals", lambda built=built: self.command(built))
                self.check(f"{name}: C programs seal, by CMake", lambda built=built: self.c_library(built))
            self.check(f"{name}: the wheel is one for it", lambda built=built: self.wheel(built))
            self.check(f"{name}: DuckDB's extension is one for it", lambda built=built: self.duckdb(built))
        for number, home in jdks().items():
            self.check(f"the jar seals on JDK {number}", lambda number=number, home=home: self.jar(number, home))
        self.check("the .NET package seals", self.nuget)
        self.check("the Go modules seal without a C compiler", lambda: go_modules.try_out(self.artifacts, self.places / "go"))
        self.check("the crates build from what is packed", self.crates)

    def check(self, name: str, trial: object) -> None:
        print(f"\n== {name}", flush=True)
        try:
            trial()
        except (Exception, SystemExit) as failure:
            self.failed += 1
            print(f"FAILED: {name}: {failure}")
        else:
            self.passed += 1

    def unpack(self, what: str, built: Built) -> Path:
        """Into an empty folder; the one folder that was in it."""
        name = f"{what}-{self.version}-{built.platform.name}"
        place = empty(self.places / name)
        if built.platform.system == "windows":
            with zipfile.ZipFile(self.artifacts / f"{name}.zip") as archive:
                archive.extractall(place)
        else:
            with tarfile.open(self.artifacts / f"{name}.tar.gz") as archive:
                archive.extractall(place, filter="data")
        return place / name

    def command(self, built: Built) -> None:
        folder = self.unpack("sivka", built)
        share, program = folder / "share", folder / "bin" / built.platform.command
        expect(".TH sivka" in (share / "man/man1/sivka.1").read_text(), "the manual page")
        expect("Permission is hereby granted" in (share / "doc/sivka/THIRD-PARTY.txt").read_text(), "licences")
        for name in ("man/man1/sivka-seal.1", "zsh/site-functions/_sivka", "fish/vendor_completions.d/sivka.fish"):
            expect((share / name).exists(), name)
        run("bash", "-n", share / "bash-completion/completions/sivka")
        binary = program.read_bytes()
        newest = max(int(found) for found in re.findall(rb"GLIBC_2\.(\d+)", binary))
        expect(newest <= 17, f"it wants glibc 2.{newest}")
        # Read by tools that look for vulnerable crates.
        expect(b".dep-v0" in binary, "cargo-auditable wrote no list of crates into it")
        work = empty(folder / "work")
        plaintext = bytes(range(256)) * 1600
        write(work / "plaintext", plaintext)
        for words in ("keygen -o key", "seal --key key plaintext", "verify --key key plaintext.sivka",
                      "open --key key plaintext.sivka -o opened"):
            run(program, *words.split(), cwd=work)
        expect((work / "opened").read_bytes() == plaintext, "what was opened is not what was sealed")

    def c_library(self, built: Built) -> None:
        """Found by CMake. The tests of the C interface ask pkg-config, of the same templates."""
        prefix = self.unpack("libsivka", built)
        project = empty(prefix / "project")
        write(project / "CMakeLists.txt", CMAKE.replace("EXAMPLE", str(ROOT / "ffi/examples/in_place.c")))
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", project / "build")
        for program in ("with_shared", "with_static"):
            expect("a record, number 1" in said(project / "build" / program), f"what {program} prints")

    def wheel(self, built: Built) -> None:
        """auditwheel judges what is for Linux. Installed in a new environment where it can run, and
        unpacked as for its platform elsewhere."""
        platform = built.platform
        wheel = self.artifacts / f"sivka-{self.version}-cp311-abi3-{platform.wheel}.whl"
        if platform.system in ("glibc", "musl"):
            # By itself it knows one musl in a system only.
            paths = ["--ldpaths", f"/usr/lib/{platform.zig}"] if platform.system == "musl" else []
            judged = " ".join(said(self.tools.python, "-m", "auditwheel", "show", *paths, wheel).split())
            tag = platform.wheel.split(".")[-1]
            expect(f'consistent with the following platform tag: "{tag}"' in judged, f"auditwheel: {judged}")
        place = empty(self.places / wheel.name)
        if platform.name != HERE:
            tags = [word for tag in platform.wheel.split(".") for word in ("--platform", tag)]
            run(self.tools.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--implementation", "cp",
                "--python-version", "3.11", "--abi", "abi3", "--only-binary", ":all:", *tags, "--target", place, wheel)
            return
        run(sys.executable, "-m", "venv", place / "venv")
        python = place / "venv/bin/python"
        run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
        run(python, "-m", "pip", "check")
        opened(said(python, "-I", "-W", "error", "-c", PYTHON_PROGRAM, cwd=place))

    def duckdb(self, built: Built) -> None:
        """Loaded by DuckDB where it can run; elsewhere its footer is looked at."""
        extension = self.unpack("sivka-duckdb", built) / DUCKDB
        if built.platform.name != HERE:
            # Eight fields of 32 bytes, the last one first.
            field = extension.read_bytes()[-512:][6 * 32 : 7 * 32]
            expect(field.rstrip(b"\0").decode() == built.platform.duckdb, f"it is for {field!r}")
            return
        for number in DUCKDBS:
            place = empty(self.places / f"duckdb-{number}")
            run(sys.executable, "-m", "venv", place / "venv")
            python = place / "venv/bin/python"
            run(python, "-m", "pip", "install", "--quiet", f"duckdb=={number}")
            key = write(place / "example.key", EXAMPLE_KEY.read_bytes())
            opened(said(python, "-I", "-c", DUCKDB_PROGRAM, extension, key))

    def jar(self, number: int, home: Path) -> None:
        """The program of the README."""
        place = empty(self.places / f"jar-{number}")
        write(place / "Message.java", of_readme("bindings/java/README.md", "```java\n"))
        native = ["--enable-native-access=ALL-UNNAMED"] if number >= 22 else []
        opened(said(home / "bin/java", *native, "-cp", self.artifacts / f"sivka-{self.version}.jar", "Message.java", cwd=place))

    def nuget(self) -> None:
        """A program that takes the package from the folder of artifacts."""
        place = empty(self.places / "dotnet")
        write(place / "Trial.csproj", PROJECT.replace("VERSION", self.version))
        write(place / "Message.cs", of_readme("bindings/dotnet/README.md", "```csharp\n"))
        sources = ";".join([str(self.artifacts), *filter(None, [os.environ.get("RestoreSources")])])
        # A package of this version may have been used here before.
        variables = {**os.environ, "RestoreSources": sources, "NUGET_PACKAGES": str(place / "packages")}
        run("dotnet", "build", "--configuration", "Release", "-nodeReuse:false", "-p:UseSharedCompilation=false",
            "--output", place / "out", cwd=place, env=variables)
        opened(said("dotnet", "exec", place / "out/Trial.dll"))

    def crates(self) -> None:
        # Cargo would take unpacked crates of another commit, with the same names and versions, for
        # these.
        packages = [word for name in SHIPPED for word in ("--package", name)]
        home = empty(self.places / "cargo-home")
        theirs = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        for name in ("config.toml", "registry/cache", "registry/index", "bin"):
            if (theirs / name).exists():
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).symlink_to(theirs / name)
        self.tree.run("cargo", "package", "--locked", *packages, CARGO_HOME=str(home),
                      CARGO_TARGET_DIR=str(empty(self.places / "crates")))


def of_readme(readme: str, start: str) -> str:
    """The class `Message` of a README."""
    parts = (ROOT / readme).read_text().split(start)
    return next(part.split("```")[0] for part in parts if "class Message" in part)


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(what)


def opened(printed: str) -> None:
    expect(printed == "meet at noon", f"the program printed `{printed}`")
