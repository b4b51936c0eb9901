"""The package as a whole: types, documents, other CPythons, other programs."""

from __future__ import annotations

import doctest
import importlib.metadata
import os
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PACKAGE, ROOT

import sivka
from sivka import _native


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_are_what_is_there(tmp_path: Path) -> None:
    # Names of types that annotations alone use.
    allowed = tmp_path / "allowed"
    allowed.write_text(r"sivka\._\w+\.(OpeningKey|SealingKey|Words|Source|Sink)")
    # In a folder of its own, so that the installed package is looked at.
    command = ("mypy.stubtest", "sivka", "--allowlist", allowed)
    said = run(sys.executable, "-m", *command, cwd=tmp_path)
    assert "Success: no issues found" in said
    assert (Path(sivka.__file__).parent / "py.typed").is_file()


def test_everything_public_is_documented() -> None:
    for name in sivka.__all__:
        each = getattr(sivka, name)
        if isinstance(each, str):
            continue
        assert each.__doc__, name
        for member, value in vars(each).items() if isinstance(each, type) else ():
            if not member.startswith("_") and callable(getattr(each, member)):
                assert getattr(value, "__func__", value).__doc__, f"{name}.{member}"


def test_help_names_what_is_public() -> None:
    text = pydoc.plain(pydoc.render_doc(sivka))
    # The modules that it is made of, which pydoc lists on top.
    text = text.partition("\nCLASSES\n")[2].partition("\nFILE\n")[0]
    for name in sivka.__all__:
        assert name in text or name == "__version__"
    private = set(re.findall(r"[\w.]*\b_[a-zA-Z]\w*", text))
    # Of the standard library; and the base that cryptography's class may replace.
    standard = {"_io._RawIOBase", "_io._IOBase", "_DataclassParams", "_replace"}
    standard |= {"_no_init_or_replace_init", "_proto_hook", "typing._ProtocolMeta"}
    assert private <= standard | {"sivka._errors._Unopened", "_Unopened"}


def test_licences_are_in_the_package() -> None:
    metadata = importlib.metadata.distribution("sivka")
    names = metadata.metadata.get_all("License-File") or []
    assert names == ["LICENSE-APACHE", "LICENSE-MIT"]
    for name in names:
        text = metadata.read_text(f"licenses/{name}")
        assert text == (ROOT / name).read_text(encoding="utf-8")


def test_examples_of_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec((PACKAGE / "README.md").read_text().split("```python\n")[1].split("```")[0], names)
    assert capsys.readouterr().out.startswith("meet at noon\nmessage does not open under this")
    for page, least in (PACKAGE / "README.md", 35), (PACKAGE / "recipes.md", 10):
        result = doctest.testfile(str(page), False, globs=names, optionflags=doctest.ELLIPSIS)
        assert result.attempted >= least and result.failed == 0


def test_example_of_the_module() -> None:
    assert doctest.testmod(sivka) == (0, 4)


def test_the_tier_is_the_widest_of_this_cpu() -> None:
    required = os.environ.get("SIVKA_REQUIRE_TIERS", "portable").split(",")
    assert sivka.tier() == required[-1] or "SIVKA_REQUIRE_TIERS" not in os.environ
    assert sivka.tier() in ("portable", "avx2", "vaes256", "avx512", "neon")


def test_only_the_module_is_exported() -> None:
    assert _native.__file__ is not None
    assert "abi3" in Path(_native.__file__).name
    symbols = run("nm", "--dynamic", "--defined-only", _native.__file__)
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__native"]
