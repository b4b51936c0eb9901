"""Archives that are the same bytes whenever and wherever they are made, and the licences of what
is in them."""

from __future__ import annotations

import gzip
import json
import tarfile
import time
import zipfile
from io import BytesIO
from pathlib import Path

from common import ROOT, Platform, Tools, said

# An entry of an archive: bytes, and whether it is a program; or a link.
Entry = tuple[bytes, bool] | str


class Content:
    """The content of an archive, by name."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, source: Path | bytes | str, program: bool = False) -> None:
        content = source.read_bytes() if isinstance(source, Path) else source
        self.entries[name] = (content.encode() if isinstance(content, str) else content, program)

    def link(self, name: str, to: str) -> None:
        self.entries[name] = to

    def add_folder(self, prefix: str, folder: Path) -> None:
        for path in folder.rglob("*"):
            if path.is_file():
                self.add(f"{prefix}{path.relative_to(folder)}", path)

    @staticmethod
    def of_zip(path: Path) -> Content:
        content = Content()
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    content.add(name, archive.read(name))
        return content

    def write_tar(self, path: Path, folder: str, seconds: int) -> None:
        """Everything in one folder, in the order of names, with one time and owner."""
        raw = BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for name, entry in sorted(self.entries.items()):
                info = tarfile.TarInfo(f"{folder}/{name}")
                info.mtime = seconds
                if isinstance(entry, str):
                    info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry, 0o777
                    tar.addfile(info)
                else:
                    info.size, info.mode = len(entry[0]), 0o755 if entry[1] else 0o644
                    tar.addfile(info, BytesIO(entry[0]))
        path.write_bytes(gzip.compress(raw.getvalue(), mtime=0))

    def write_zip(self, path: Path, seconds: int, prefix: str = "", first: str = "", stored: bool = False) -> None:
        """One name may come before the others. The time is midnight: zip has no zone."""
        day = time.gmtime(seconds)[:3]
        method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(path, "w") as archive:
            for name, entry in sorted(self.entries.items(), key=lambda item: (item[0] != first, item[0])):
                if isinstance(entry, str):
                    raise ValueError(f"{name}: a link in a zip")
                info = zipfile.ZipInfo(prefix + name, (*day, 0, 0, 0))
                info.create_system, info.external_attr = 3, (0o755 if entry[1] else 0o644) << 16
                info.compress_type = method
                archive.writestr(info, entry[0])


def licences(platforms: list[Platform], tools: Tools) -> dict[str, dict[str, bytes]]:
    """Files by name for `sivka-cli`, `sivka-ffi` and `sivka-python`: our licences, and those of what each is linked
    with on any of the platforms."""
    metadata = json.loads(said("cargo", "metadata", "--format-version", "1", "--locked"))
    folders = {f"{p['name']} {p['version']}": Path(p["manifest_path"]).parent for p in metadata["packages"]}
    zig = tools.zig_folder()
    # The start of programs and the unwinder everywhere, a C library where it is linked statically.
    of_zig = {
        "compiler-rt of Zig": "LICENSE",
        "libunwind of LLVM": "lib/libunwind/LICENSE.TXT",
        "musl (in programs for it)": "lib/libc/musl/COPYRIGHT",
        "MinGW-w64 (on Windows)": "lib/libc/mingw/COPYING",
    }
    library = Path(said("rustc", "--print", "sysroot")) / "share/doc/rust/COPYRIGHT-library.html"
    found = {}
    for package in ("sivka-cli", "sivka-ffi", "sivka-python"):
        text = "What this software is linked with, beside its own code.\n"
        for name in sorted({name for platform in platforms for name in linked(package, platform.target)}):
            crate, licence = name.split("|")
            if not crate.startswith("sivka"):
                text += f"\n\n======== {crate}: {licence}\n" + licence_of(folders[crate])
        for name, file in of_zig.items():
            text += f"\n\n======== {name}\n\n{(zig / file).read_text().rstrip()}\n"
        found[package] = {
            "LICENSE-APACHE": (ROOT / "LICENSE-APACHE").read_bytes(),
            "LICENSE-MIT": (ROOT / "LICENSE-MIT").read_bytes(),
            "THIRD-PARTY.txt": text.encode(),
            "THIRD-PARTY-rust-standard-library.html": library.read_bytes(),
        }
    return found


def linked(package: str, target: str) -> list[str]:
    """What a package is linked with on a target: `name version|licence`."""
    tree = said("cargo", "tree", "--package", package, "--prefix", "none", "--edges", "normal,no-proc-macro",
                "--target", target, "--format", "{p}|{l}", "--locked")
    lines = {line.removesuffix(" (*)").split("|")[0]: line.removesuffix(" (*)").split("|")[1] for line in tree.splitlines()}
    return [f"{name.split(' ')[0]} {name.split(' ')[1][1:]}|{licence}" for name, licence in lines.items()]


def licence_of(folder: Path) -> str:
    starts = ("licen", "copying", "copyright", "notice", "unlicense")
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(starts))
    if not files:
        raise SystemExit(f"{folder.name} comes without the text of its licence")
    return "".join(f"\n{path.read_text(errors='replace').rstrip()}\n" for path in files)
