"""`cargo xtask sbom`: what each artifact is made of, as CycloneDX, in `target/sbom`: the same bytes
from the same sources."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from archives import linked
from common import ROOT, SHIPPED, TARGET, write

# The crate of the wheels, which no other crate uses.
PACKAGES = (*SHIPPED, "sivka-python")


def component(kind: str, part: str, sums: dict[str, str]) -> dict[str, object]:
    named, licence = part.split("|")
    name, version = named.split(" ")
    purl = f"pkg:cargo/{name}@{version}"
    found = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
             "licenses": [{"expression": licence}]}
    if named in sums:
        found["hashes"] = [{"alg": "SHA-256", "content": sums[named]}]
    return found


def write_all() -> list[Path]:
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {f"{one['name']} {one['version']}": one["checksum"] for one in packages if "checksum" in one}
    written = []
    for package in PACKAGES:
        # On any target. The package itself is named first.
        itself, *others = linked(package, "all")
        kind = "application" if package == "sivka-cli" else "library"
        document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                    "metadata": {"component": component(kind, itself, sums)},
                    "components": [component("library", part, sums) for part in sorted(others)]}
        written.append(write(TARGET / f"sbom/{package}.cdx.json", json.dumps(document, indent=1) + "\n"))
    return written


if __name__ == "__main__":
    print(*write_all(), sep="\n")
