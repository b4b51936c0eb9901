"""The artifacts: what is built, as the files that users get."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path

from archives import Content
from build import DUCKDB, Built
from common import HERE, SHIPPED, SPARKS, Tools, Tree, empty, oldest_jdk, run, said, version, write

KINDS = ("", "-sources", "-javadoc")
# Where NuGet draws a name, and the one that it gets here.
PROPERTIES = "package/services/metadata/core-properties/"


class Packer:
    """Writes every artifact into one folder."""

    def __init__(self, tree: Tree, tools: Tools, licences: dict[str, dict[str, bytes]], built: list[Built], out: Path) -> None:
        self.tree, self.tools, self.licences, self.built, self.out = tree, tools, licences, built, out
        self.version = version()
        # The build for this machine makes the files that are the same for all.
        self.here = next(one for one in built if one.platform.name == HERE)

    def all(self, maven_key: str | None) -> None:
        self.commands()
        self.c_libraries()
        self.wheels()
        self.duckdb()
        self.jars()
        self.maven_bundle(maven_key)
        self.nuget()
        self.go_modules()
        self.crates()

    def archive(self, content: Content, what: str, package: str, readme: str, built: Built) -> None:
        """`.tar.gz`, or `.zip` for Windows, with everything in one folder, and with documents."""
        documents = f"share/doc/{'sivka' if package == 'sivka-cli' else 'libsivka'}/"
        content.add(f"{documents}README.md", self.tree.source / readme)
        for name, text in self.licences[package].items():
            content.add(documents + name, text)
        name = f"{what}-{self.version}-{built.platform.name}"
        if built.platform.system == "windows":
            content.write_zip(self.out / f"{name}.zip", self.tree.time, f"{name}/")
        else:
            content.write_tar(self.out / f"{name}.tar.gz", name, self.tree.time)

    def commands(self) -> None:
        """With completions and manual pages."""
        share = empty(self.tree.work / "share")
        run(self.here.command, "man", "--install", share)
        power_shell = said(self.here.command, "completions", "powershell") + "\n"
        for built in self.built:
            content = Content()
            content.add(f"bin/{built.platform.command}", built.command, program=True)
            content.add_folder("share/", share / "share")
            if built.platform.system == "windows":
                content.add("share/powershell/sivka.ps1", power_shell)
            self.archive(content, "sivka", "sivka-cli", "cli/README.md", built)

    def c_libraries(self) -> None:
        """As `cargo xtask install` lays them out."""
        ffi = self.tree.source / "ffi"
        header = (ffi / "include/sivka.h").read_text()
        abi = re.search(r"#define SIVKA_ABI_VERSION (\d+)", header)[1]
        objcopy = Path(said("rustc", "--print", "target-libdir")).parent / "bin/rust-objcopy"
        for built in self.built:
            content = Content()
            content.add("include/sivka.h", header)
            # The debug information of Rust's standard library is half of it.
            stripped = self.tree.work / "linked" / built.platform.name / "libsivka.a"
            run(objcopy, "--strip-debug", "--enable-deterministic-archives", built.archive, stripped)
            content.add("lib/libsivka.a", stripped)
            shared = f"libsivka.so.{abi}"
            if built.platform.system == "windows":
                shared = "sivka.dll"
                content.add("lib/libsivka.dll.a", built.implib)
            elif built.platform.system == "macos":
                shared = f"libsivka.{abi}.dylib"
                content.link("lib/libsivka.dylib", shared)
            else:
                content.link("lib/libsivka.so", shared)
            folder = "bin" if built.platform.system == "windows" else "lib"
            content.add(f"{folder}/{shared}", built.shared, program=True)
            major, minor, _ = self.version.split(".")
            filled = {"VERSION": self.version, "MAJOR": major, "MINOR": minor,
                      "STATIC_LIBS": built.static_libs, "SHARED_LIBRARY": shared}
            for template, name in (("sivka.pc.in", "pkgconfig/sivka.pc"),
                                   ("cmake/sivka-config.cmake.in", "cmake/sivka/sivka-config.cmake"),
                                   ("cmake/sivka-config-version.cmake.in", "cmake/sivka/sivka-config-version.cmake")):
                text = (ffi / template).read_text()
                for word, value in filled.items():
                    text = text.replace(f"@{word}@", value)
                content.add(f"lib/{name}", text)
            self.archive(content, "libsivka", "sivka-ffi", "ffi/README.md", built)

    def wheels(self) -> None:
        """For each platform what maturin built, with the licences of all crates in it."""
        python = self.tools.python
        for built in self.built:
            place = empty(self.tree.work / "wheel-of-a-platform")
            self.tree.run(python, "-m", "wheel", "unpack", built.python, "-d", place)
            (content,) = place.iterdir()
            info = content / f"sivka-{self.version}.dist-info"
            for name, text in self.licences["sivka-python"].items():
                write(info / "licenses" / name, text)
            # One line for each tag; the name of the file has all tags, in their order.
            about = [line for line in (info / "WHEEL").read_text().splitlines() if line and line[:5] != "Tag: "]
            about += [f"Tag: cp311-abi3-{tag}" for tag in built.platform.wheel.split(".")]
            write(info / "WHEEL", "\n".join(about) + "\n")
            self.tree.run(python, "-m", "wheel", "pack", content, "-d", self.out)
            if not (self.out / self.wheel_name(built)).exists():
                raise SystemExit(f"{self.wheel_name(built)} was not written")

    def wheel_name(self, built: Built) -> str:
        return f"sivka-{self.version}-cp311-abi3-{built.platform.wheel}.whl"

    def duckdb(self) -> None:
        """For each platform an archive, since all extensions have one name."""
        for built in self.built:
            extension = built.duckdb.with_name(DUCKDB)
            run(self.tools.python, self.tree.source / "integrations/duckdb/build.py", "--compiled", built.duckdb,
                "--platform", built.platform.duckdb, "--version", self.version, extension)
            content = Content()
            content.add(DUCKDB, extension, program=True)
            self.archive(content, "sivka-duckdb", "sivka-ffi", "integrations/duckdb/README.md", built)

    def jars(self) -> None:
        """One with the library of every platform, one for each line of Spark, and those of sources
        and documentation."""
        home = {"JAVA_HOME": str(oldest_jdk())}
        # Into this machine's repository, where the build for Spark finds it.
        self.tree.run("mvn", "--quiet", "--batch-mode", "install", "-pl", "sivka", "-am", "-Dmaven.test.skip=true",
                      f"-Dsivka.static.library={self.here.archive}", folder="bindings/java", **home)
        self.tree.run("mvn", "--quiet", "--batch-mode", "package", "-Dmaven.test.skip=true", "-Prelease",
                      folder="integrations/spark", **home)
        java, spark = self.tree.source / "bindings/java/sivka", self.tree.source / "integrations/spark"
        folders = [("sivka", java), *((f"sivka-{module}", spark / module) for module in SPARKS)]
        for artifact, folder in folders:
            for kind in KINDS:
                name = f"{artifact}-{self.version}{kind}.jar"
                jar = Content.of_zip(folder / "target" / name)
                is_native = artifact == "sivka" and not kind
                if is_native:
                    for built in self.built:
                        library = built.platform.library("sivka_java")
                        jar.add(f"dev/sivka/native/{built.platform.name}/{library}", built.java)
                    for licence, text in self.licences["sivka-ffi"].items():
                        jar.add(f"META-INF/{licence}", text)
                # Tools look for the manifest in front. A library that is not compressed loads faster.
                jar.write_zip(self.out / name, self.tree.time, first="META-INF/MANIFEST.MF", stored=is_native)

    def maven_bundle(self, key: str | None) -> None:
        """What is uploaded to Maven Central; with a key, also a signature for each file."""
        poms = {"sivka-parent": "bindings/java/pom.xml", "sivka": "bindings/java/sivka/pom.xml",
                "sivka-spark-parent": "integrations/spark/pom.xml"}
        poms |= {f"sivka-{module}": f"integrations/spark/{module}/pom.xml" for module in SPARKS}
        content, work = Content(), empty(self.tree.work / "maven")
        for artifact, pom in poms.items():
            name = f"{artifact}-{self.version}"
            files = {f"{name}.pom": (self.tree.source / pom).read_bytes()}
            jars = [self.out / f"{name}{kind}.jar" for kind in KINDS]
            files |= {jar.name: jar.read_bytes() for jar in jars if jar.exists()}
            for file, text in files.items():
                path = f"dev/sivka/{artifact}/{self.version}/{file}"
                content.add(path, text)
                content.add(f"{path}.md5", hashlib.md5(text).hexdigest())
                content.add(f"{path}.sha1", hashlib.sha1(text).hexdigest())
                if key:
                    signed = write(work / file, text)
                    run("gpg", "--batch", "--yes", "--armor", "--local-user", key, "--detach-sign", signed)
                    content.add(f"{path}.asc", signed.with_name(f"{file}.asc"))
        content.write_zip(self.out / f"sivka-{self.version}-maven.zip", self.tree.time, stored=True)

    def nuget(self) -> None:
        """The .NET packages and their symbols."""
        libraries, licences = empty(self.tree.work / "runtimes"), empty(self.tree.work / "licences")
        for built in self.built:
            native = libraries / built.platform.rid / "native" / built.platform.library("sivka")
            write(native, built.shared.read_bytes())
        for name, text in self.licences["sivka-ffi"].items():
            if name.startswith("THIRD-PARTY"):
                write(licences / name, text)
        packed = empty(self.tree.work / "nuget")
        for project in ("Sivka", "Sivka.DataProtection"):
            self.tree.run("dotnet", "pack", project, "--configuration", "Release", "-nodeReuse:false",
                          "-p:UseSharedCompilation=false", "-p:ContinuousIntegrationBuild=true", "--output", packed,
                          f"-p:SivkaNativeFolder={libraries}", f"-p:SivkaThirdParty={licences}", folder="bindings/dotnet")
        for path in sorted(packed.iterdir()):
            settled(path).write_zip(self.out / path.name, self.tree.time, first="_rels/.rels")

    def go_modules(self) -> None:
        """With the machine code, which is not in the source tree."""
        variables = {"CARGO_MANIFEST_DIR": str(self.tree.source / "xtask"), "CARGO_TARGET_DIR": str(self.tree.target)}
        run(os.environ["SIVKA_XTASK"], "blob", env={**self.tree.environment, **variables})
        run("python3", self.tree.source / "xtask/release/go_modules.py", self.out, str(self.tree.time))

    def crates(self) -> None:
        """That they build from what is packed is tried later."""
        packages = [word for name in SHIPPED for word in ("--package", name)]
        self.tree.run("cargo", "package", "--locked", "--no-verify", *packages)
        for name in SHIPPED:
            crate = f"{name}-{self.version}.crate"
            shutil.copy(self.tree.target / "package" / crate, self.out)


def settled(path: Path) -> Content:
    """A package of NuGet's without the names that it draws: of one file, and of relations."""
    content = Content.of_zip(path)
    (drawn,) = [name for name in content.entries if name.startswith(PROPERTIES)]
    content.entries[f"{PROPERTIES}properties.psmdcp"] = content.entries.pop(drawn)
    relations = content.entries["_rels/.rels"][0].decode().replace(drawn, f"{PROPERTIES}properties.psmdcp")
    first, *parts = relations.split(' Id="')
    parts = [f' Id="R{number}"{part.partition(chr(34))[2]}' for number, part in enumerate(parts, 1)]
    content.add("_rels/.rels", first + "".join(parts))
    return content
