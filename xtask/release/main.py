"""`cargo xtask release`: everything that users get, in `target/release-artifacts`.

It is made of the commit that is checked out, in a clone of it. `--twice` makes it in another
folder as well, from nothing, and compares the bytes. What can run here is then installed in an
empty place, and seals. docs/releasing.md has the steps around it.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from archives import licences
from build import Builder, Built
from common import HERE, PLATFORMS, TARGET, Platform, Tools, Tree, empty, said, sums, write
from pack import Packer
from trials import Trials


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cargo xtask release", description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print Rust's names of the platforms")
    parser.add_argument("--twice", action="store_true", help="build in a second folder, and compare")
    parser.add_argument("--maven-key", help="sign each file for Maven Central with this key of GnuPG")
    names = [platform.name for platform in PLATFORMS]
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=", ".join(names))
    arguments = parser.parse_args()
    if unknown := set(arguments.platforms) - set(names):
        parser.error(f"{', '.join(unknown)}: not one of {', '.join(names)}")
    if arguments.twice and arguments.maven_key:
        parser.error("a signature of GnuPG has a time: with --twice, give no --maven-key")
    return arguments


def make(platforms: list[Platform], arguments: argparse.Namespace, tools: Tools, tree: Tree, out: Path) -> list[Built]:
    built = [Builder(platform, tools, tree).built for platform in platforms]
    packer = Packer(tree, tools, licences(platforms, tools), built, empty(out))
    packer.all(arguments.maven_key)
    return built


def main() -> int:
    arguments = asked()
    if arguments.list:
        print(*(platform.target for platform in PLATFORMS), sep="\n")
        return 0
    # This machine's is always among them: its command writes the manual pages.
    wanted = arguments.platforms or [platform.name for platform in PLATFORMS]
    platforms = [platform for platform in PLATFORMS if platform.name in (HERE, *wanted)]
    for platform in platforms:
        if not Path(said("rustc", "--print", "target-libdir", "--target", platform.target)).is_dir():
            raise SystemExit(f"{platform.name}: rustup target add {platform.target}")
    tools, out, work = Tools(), TARGET / "release-artifacts", TARGET / "release-build"
    tree = Tree(work / "first")
    built = make(platforms, arguments, tools, tree, out)
    trials = Trials(out, tools, tree, built)
    if arguments.twice:
        shutil.rmtree(work / "second", ignore_errors=True)
        other = work / "second/in-a-longer-path"
        make(platforms, arguments, tools, Tree(other), other / "artifacts")
        trials.check("a second build gives the same bytes", lambda: compare(out, other / "artifacts"))
    write(out / "SHA256SUMS", "".join(f"{sum}  {name}\n" for name, sum in sums(out).items()))
    trials.run()
    print(f"\nthe release is in {out}\n{trials.passed} passed, {trials.failed} failed")
    return 1 if trials.failed else 0


def compare(one: Path, other: Path) -> None:
    ours, others = sums(one), sums(other)
    if different := [name for name in {**ours, **others} if ours.get(name) != others.get(name)]:
        raise SystemExit(f"not the same bytes: {different}")


if __name__ == "__main__":
    raise SystemExit(main())
