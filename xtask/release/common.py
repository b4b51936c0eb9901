"""The platforms of a release, the tools that build for them, and the source tree."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target"
# The machine that releases are made on.
HERE = "linux-x86_64"
SHIPPED = ("sivka", "sivka-file", "sivka-keyset", "sivka-arrow", "sivka-ffi", "sivka-cli")
SPARKS = ("spark3.5_2.12", "spark3.5_2.13", "spark4_2.13")


@dataclass(frozen=True)
class Platform:
    """A CPU with a system, and what it is called by whom."""

    name: str
    # Rust's target, and Zig's with the version of its C library.
    target: str
    zig: str
    # That of .NET, and those of wheels, sorted.
    rid: str
    wheel: str
    duckdb: str

    @property
    def system(self) -> str:
        """What decides how a library is linked: `glibc`, `musl`, `windows` or `macos`."""
        system = self.name.split("-")[0]
        return system if system != "linux" else ("musl" if "musl" in self.name else "glibc")

    def library(self, name: str) -> str:
        """The name of a shared library there."""
        return {"windows": f"{name}.dll", "macos": f"lib{name}.dylib"}.get(self.system, f"lib{name}.so")

    @property
    def command(self) -> str:
        return "sivka.exe" if self.system == "windows" else "sivka"


# glibc 2.17 is of 2012.
PLATFORMS = (
    Platform("linux-x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "linux-x64",
             "manylinux2014_x86_64.manylinux_2_17_x86_64", "linux_amd64"),
    Platform("linux-aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "linux-arm64",
             "manylinux2014_aarch64.manylinux_2_17_aarch64", "linux_arm64"),
    Platform("linux-x86_64-musl", "x86_64-unknown-linux-musl", "x86_64-linux-musl", "linux-musl-x64",
             "musllinux_1_2_x86_64", "linux_amd64_musl"),
    Platform("linux-aarch64-musl", "aarch64-unknown-linux-musl", "aarch64-linux-musl",
             "linux-musl-arm64", "musllinux_1_2_aarch64", "linux_arm64_musl"),
    Platform("windows-x86_64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win-x64", "win_amd64",
             "windows_amd64"),
    Platform("macos-aarch64", "aarch64-apple-darwin", "aarch64-macos.11.0", "osx-arm64",
             "macosx_11_0_arm64", "osx_arm64"),
    Platform("macos-x86_64", "x86_64-apple-darwin", "x86_64-macos.11.0", "osx-x64",
             "macosx_11_0_x86_64", "osx_amd64"),
)


def run(*command: str | Path, **options: object) -> None:
    """Runs a command to its end, and shows it."""
    print("$", *command, flush=True)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **{"cwd": ROOT, **options})


def said(*command: str | Path, **options: object) -> str:
    """The same; what it prints."""
    print("$", *command, flush=True)
    settings = {"cwd": ROOT, "stdin": subprocess.DEVNULL, "text": True, **options}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **settings).stdout.strip()


def empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def sums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file, by name."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def version() -> str:
    """The one of Cargo.toml, which `cargo xtask structure` compares with all others."""
    lines = (ROOT / "Cargo.toml").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("version = "))


def jdks() -> dict[int, Path]:
    """The JDKs of this machine from 17 on, the oldest first, as xtask finds them."""
    found = (line.split("\t") for line in os.environ["SIVKA_JDKS"].splitlines())
    return {int(number): Path(home) for number, home in found}


def oldest_jdk() -> Path:
    """It builds for everyone."""
    if not jdks():
        raise SystemExit("there is no JDK from 17 on in JAVA_HOME or /usr/lib/jvm")
    return next(iter(jdks().values()))


class Tools:
    """What links for other systems, in versions that are stated here."""

    # Zig's compiler with the C libraries of every system, what calls it for Cargo, and what
    # builds, mends and judges wheels.
    PACKAGES = ("ziglang==0.17.1", "cargo-zigbuild==0.24.0", "maturin==1.16.0", "wheel==0.48.0",
                "auditwheel==6.8.2")
    # Writes into each program the list of its crates.
    AUDITABLE = "0.7.7"

    def __init__(self) -> None:
        """Installs them in `target/release-tools`, where that has not been done before."""
        self.folder = TARGET / "release-tools"
        self.python = self.folder / "bin/python"
        wanted = "\n".join([*self.PACKAGES, self.AUDITABLE])
        note = self.folder / "installed"
        if not note.exists() or note.read_text() != wanted:
            run(sys.executable, "-m", "venv", "--clear", self.folder)
            run(self.python, "-m", "pip", "install", "--quiet", *self.PACKAGES)
            run("cargo", "install", "--quiet", "--locked", "cargo-auditable", "--version",
                self.AUDITABLE, "--root", self.folder)
            note.write_text(wanted)

    def cc(self, platform: Platform) -> list[str | Path]:
        return [self.python, "-m", "ziglang", "cc", "-target", platform.zig]

    def zig_folder(self) -> Path:
        return Path(said(self.python, "-c", "import ziglang; print(ziglang.__path__[0])"))


class Tree:
    """A clone of the commit that is checked out, and what is built of it, in one folder."""

    def __init__(self, work: Path) -> None:
        if changed := said("git", "status", "--porcelain"):
            raise SystemExit(f"a release is made of a commit, and this is none yet:\n{changed}")
        self.work, self.source, self.target = work, work / "source", work / "target"
        if not self.source.exists():
            work.mkdir(parents=True, exist_ok=True)
            run("git", "clone", "--quiet", "--shared", ROOT, self.source)
        commit = said("git", "rev-parse", "HEAD")
        for words in (["fetch", "--quiet", "origin", commit],
                      ["checkout", "--quiet", "--force", "--detach", commit], ["clean", "--quiet", "-ffdx"]):
            run("git", *words, cwd=self.source)
        # When the commit was made, in seconds since 1970: the time of every file.
        self.time = int(said("git", "log", "-1", "--format=%ct"))
        run("cargo", "fetch", "--quiet", "--locked")
        home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        # Not that of `cargo package`, which has no host: with other options all is built again.
        registries = [path for path in sorted((home / "registry/src").iterdir()) if path.name[0] != "-"]
        renamed = [f"--remap-path-prefix={self.source}=sivka"]
        renamed += [f"--remap-path-prefix={path}=crates" for path in registries]
        zig = str(work / "zig")
        # Commands end the same in any folder and at any time.
        self.environment = {
            **os.environ,
            "SOURCE_DATE_EPOCH": str(self.time),
            "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(renamed),
            "CARGO_TARGET_DIR": str(self.target),
            "CARGO_INCREMENTAL": "0",
            "CARGO_PROFILE_RELEASE_STRIP": "symbols",
            "CARGO_ZIGBUILD_CACHE_DIR": str(work / "zigbuild"),
            "ZIG_LOCAL_CACHE_DIR": zig,
            "ZIG_GLOBAL_CACHE_DIR": zig,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
            "DOTNET_NOLOGO": "1",
        }
        for name in ("CARGO_MANIFEST_DIR", "RUSTFLAGS"):
            self.environment.pop(name, None)
        # The paths that a C compiler writes into programs.
        self.c_flags = [f"-ffile-prefix-map={self.source}=sivka", f"-ffile-prefix-map={work}=build"]

    def run(self, *command: str | Path, folder: str = "", **variables: str) -> None:
        run(*command, cwd=self.source / folder, env={**self.environment, **variables})
