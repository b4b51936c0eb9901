"""What is compiled for a platform: once by Cargo, and what is in C linked with that by Zig."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from common import TARGET, Platform, Tools, Tree, empty, oldest_jdk, said, write

# Warnings are for the checks; an undeclared function would be taken to return an int.
C_FLAGS = ("-O2", "-g0", "-fvisibility=hidden", "-ffunction-sections", "-Werror=implicit-function-declaration")
DUCKDB = "sivka.duckdb_extension"


@dataclass
class Built:
    """The libraries and the program of one platform."""

    platform: Platform
    command: Path
    archive: Path
    shared: Path
    # For Windows: what programs that use the shared library are linked with.
    implib: Path
    java: Path
    python: Path
    duckdb: Path
    # Libraries for programs that link the archive.
    static_libs: str


def native_libraries(target: str, folder: Path) -> str:
    """What Rust's standard library needs on a target, as linker arguments."""
    out = folder / "native-libraries"
    write(folder / "empty.rs", "")
    said("rustc", "--crate-type", "staticlib", "--target", target,
         f"--print=native-static-libs={out}", "-o", folder / "empty.a", folder / "empty.rs")
    return out.read_text()


def tidy(libraries: str) -> str:
    """Each once, where it is needed last; and the unwinder as an archive."""
    words = libraries.split()
    kept = [word for at, word in enumerate(words) if word not in words[at + 1 :]]
    return " ".join("-lgcc_eh" if word in ("-lgcc_s", "-lunwind") else word for word in kept)


class Builder:
    """Builds everything for a platform."""

    def __init__(self, platform: Platform, tools: Tools, tree: Tree) -> None:
        self.platform, self.tools, self.tree = platform, tools, tree
        self.folder = tree.work / "linked" / platform.name
        self.folder.mkdir(parents=True, exist_ok=True)
        release = tree.target / platform.target / "release"
        self.archive = release / "libsivka_ffi.a"
        glibc = platform.zig.partition("gnu.")[2]
        path = f"{tools.folder / 'bin'}:{tree.environment['PATH']}"
        tree.run(tools.folder / "bin/cargo-auditable", "auditable", "zigbuild", "--release", "--locked",
                 "--target", platform.target + (f".{glibc}" if glibc else ""),
                 "-p", "sivka-cli", "-p", "sivka-ffi", PATH=path)
        self.libraries = native_libraries(platform.target, self.folder)
        # Cargo makes no shared library for musl, and that for Windows has its name in it.
        is_cargos = platform.system in ("glibc", "macos")
        shared = release / platform.library("sivka_ffi") if is_cargos else self.c_library()
        self.built = Built(platform, release / platform.command, self.archive, shared,
                           self.folder / "libsivka.dll.a", self.java(), self.python(path), self.duckdb(),
                           tidy(self.libraries))

    def c_library(self) -> Path:
        header = (self.tree.source / "ffi/include/sivka.h").read_text()
        functions = sorted(set(re.findall(r"\b(sivka_\w+)\(", header)))
        command = self.tools.cc(self.platform)
        if self.platform.system == "windows":
            command += [self.definitions("sivka.dll", functions), self.archive,
                        f"-Wl,--out-implib,{self.folder / 'libsivka.dll.a'}"]
        else:
            abi = re.search(r"#define SIVKA_ABI_VERSION (\d+)", header)[1]
            command += [f"-Wl,-soname,libsivka.so.{abi}", "-Wl,--whole-archive", self.archive,
                        "-Wl,--no-whole-archive"]
        return self.link(command, self.platform.library("sivka"), functions)

    def java(self) -> Path:
        """By the JDK's headers, which differ in nothing that is used on any of the platforms."""
        jdk, generated = oldest_jdk(), empty(self.folder / "java")
        self.tree.run(jdk / "bin/java", "bindings/java/sivka/src/build/WriteHeader.java", "ffi/include/sivka.h", generated)
        command = self.compiler("bindings/java/sivka/src/main/c", "c99")
        command += ["-I", generated, "-I", jdk / "include", "-I", jdk / "include/linux", self.archive]
        if self.platform.system == "windows":
            command.append("-DJNIEXPORT=__declspec(dllexport)")
        return self.link(command, self.platform.library("sivka_java"), ["JNI_OnLoad"])

    def python(self, path: str) -> Path:
        """A wheel for the stable interface of CPython 3.11. maturin is told a C library as old as
        that of the other artifacts; the wheel's last tags are those of the platform."""
        out = empty(self.folder / "wheel")
        old = {"glibc": "manylinux2014", "musl": "musllinux_1_2"}.get(self.platform.system, "off")
        self.tree.run(self.tools.folder / "bin/maturin", "build", "--release", "--locked", "--zig", "--target",
                      self.platform.target, "--compatibility", old, "--out", out, folder="bindings/python", PATH=path)
        (wheel,) = out.iterdir()
        return wheel

    def duckdb(self) -> Path:
        """It takes DuckDB's functions from a table at run time. `build.py` adds a footer to it."""
        build = self.tree.source / "integrations/duckdb/build.py"
        headers = said(self.tools.python, build, "--cache", TARGET / "duckdb", "--take-headers").split()
        command = [*self.compiler("integrations/duckdb/src", "gnu11"), *headers, self.archive]
        return self.link(command, self.platform.library("sivka_duckdb"), ["sivka_init_c_api"])

    def compiler(self, sources: str, standard: str) -> list[str | Path]:
        """The compiler with the C files of a folder, which is also where their headers are."""
        folder = self.tree.source / sources
        return [*self.tools.cc(self.platform), f"-std={standard}", *C_FLAGS, *self.tree.c_flags, "-I", folder,
                "-I", self.tree.source / "ffi/include", *sorted(folder.glob("*.c"))]

    def link(self, command: list[str | Path], name: str, exported: list[str]) -> Path:
        """Nothing but `exported` is seen from outside, but on macOS, where Zig's linker takes no
        list."""
        out, system = self.folder / name, self.platform.system
        command.append("-Wl,-s")
        if system == "macos":
            command += ["-dynamiclib", "-Wl,-dead_strip", f"-Wl,-install_name,@rpath/{name}"]
        else:
            command += ["-shared", "-Wl,--gc-sections"]
        if system in ("glibc", "musl"):
            text = f"{{ global: {'; '.join(exported)}; local: *; }};\n"
            exports = write(out.with_suffix(".exports"), text)
            command += ["-fPIC", "-Wl,-z,now", "-Wl,-z,relro", f"-Wl,--version-script={exports}"]
            command.append("-Wl,-z,defs")
        # The unwinder goes into the library.
        command += [word for word in self.libraries.split() if word not in ("-lgcc_s", "-lunwind")]
        if system != "macos":
            command.append("-lunwind")
        self.tree.run(*command, "-o", out)
        return out

    def definitions(self, library: str, functions: list[str]) -> Path:
        """A list of functions as the linker for Windows reads it."""
        text = f"LIBRARY {library}\nEXPORTS\n" + "\n".join(functions) + "\n"
        return write((self.folder / library).with_suffix(".def"), text)
