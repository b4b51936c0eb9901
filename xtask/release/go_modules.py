"""The Go modules, as the module proxy has them: `python3 go_modules.py FOLDER TIME` writes them. The
machine code must have been made (`cargo xtask blob`)."""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from pathlib import Path

from archives import Content
from common import ROOT, empty, run, said, version, write

# A module, and its folder; the name of its archive is that of the folder.
MODULES = {"sivka.dev/go": "bindings/go", "sivka.dev/go/tink": "bindings/go/tink"}
# Beside the program of the README.
BESIDE = """package main

import (
	"sivka.dev/go"
	_ "sivka.dev/go/file"
	_ "sivka.dev/go/tink"
)

func init() {
	if sivka.Tier() == "go" {
		panic("the module has no machine code")
	}
}
"""


def archive_name(module: str) -> str:
    return f"sivka-{module.partition('/')[2].replace('/', '-')}-{version()}.zip"


def write_zips(out: Path, seconds: int) -> None:
    """Each module without those that are nested in it."""
    for machine in ("amd64", "arm64"):
        if not list((ROOT / "bindings/go/internal/machine").glob(f"blob_*_{machine}.s")):
            raise SystemExit(f"the machine code for {machine} is missing; `cargo xtask blob` makes it")
    for module, folder in MODULES.items():
        top = ROOT / folder
        nested = [path.parent for path in top.rglob("go.mod") if path.parent != top]
        content = Content()
        for path in top.rglob("*"):
            # `target` is Cargo's.
            skipped = "target" in path.parts or any(other in path.parents for other in nested)
            if path.is_file() and not skipped:
                content.add(str(path.relative_to(top)), path)
        content.write_zip(out / archive_name(module), seconds, f"{module}@v{version()}/")


def try_out(artifacts: Path, place: Path) -> None:
    """Builds a program from the archives, with Go alone on the PATH, and runs it."""
    empty(place)
    proxy, user, v = place / "proxy", place / "user", f"v{version()}"
    manifest = "module user\n\ngo 1.24.0\n"
    for module in MODULES:
        versions = proxy / module / "@v"
        versions.mkdir(parents=True)
        shutil.copy(artifacts / archive_name(module), versions / f"{v}.zip")
        with zipfile.ZipFile(versions / f"{v}.zip") as archive:
            write(versions / f"{v}.mod", archive.read(f"{module}@{v}/go.mod"))
            archive.getinfo(f"{module}@{v}/LICENSE-MIT")
        write(versions / f"{v}.info", f'{{"Version":"{v}"}}')
        write(versions / "list", f"{v}\n")
        manifest += f"\nrequire {module} {v}\n"
    write(user / "main.go", (ROOT / "bindings/go/README.md").read_text().split("```go\n")[1].split("```")[0])
    write(user / "beside.go", BESIDE)
    write(user / "go.mod", manifest)
    variables = {
        **os.environ,
        "PATH": f"{said('go', 'env', 'GOROOT')}/bin",
        "CGO_ENABLED": "0",
        "GONOSUMDB": "sivka.dev",
        # Makes the copy removable together with its folder.
        "GOFLAGS": "-mod=mod -modcacherw",
        "GOMODCACHE": str(place / "cache"),
        # Go's build cache keeps a list of the packages of a version, which never changes for its
        # users. Here the version may have had others when it was tried before.
        "GODEBUG": "goindex=0",
        # The others' modules come from where they always do.
        "GOPROXY": f"file://{proxy},{said('go', 'env', 'GOPROXY')}",
    }
    run("go", "mod", "tidy", cwd=user, env=variables)
    run("go", "build", "-o", "program", ".", cwd=user, env=variables)
    if (printed := said(user / "program")) != "meet at noon, <nil>":
        raise SystemExit(f"the program printed `{printed}`")


if __name__ == "__main__":
    write_zips(Path(sys.argv[1]), int(sys.argv[2]))
