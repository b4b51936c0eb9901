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
from sivka import _errors, _native


def run(*command: str | Path, cwd: Path | None = None, text: str = "") -> str:
    done = subprocess.run(command, cwd=cwd, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_are_what_is_there(tmp_path: Path) -> None:
    # In a folder of its own, so that the installed package is looked at.
    said = run(sys.executable, "-m", "mypy.stubtest", "sivka", cwd=tmp_path)
    assert "Success: no issues found" in said


def test_the_package_is_typed() -> None:
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
    assert private <= standard | {"sivka._errors._Unopened", "_Unopened"}


def test_licences_are_in_the_package() -> None:
    metadata = importlib.metadata.distribution("sivka")
    names = metadata.metadata.get_all("License-File") or []
    assert names == ["LICENSE-APACHE", "LICENSE-MIT"]
    for name in names:
        text = metadata.read_text(f"licenses/{name}")
        assert text == (ROOT / name).read_text(encoding="utf-8")


def test_examples_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme = str(PACKAGE / "README.md")
    result = doctest.testfile(readme, module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 20 and result.failed == 0


def test_example_of_the_module() -> None:
    result = doctest.testmod(sivka)
    assert result.attempted == 4 and result.failed == 0


def test_example(tmp_path: Path) -> None:
    program = PACKAGE / "examples" / "notes.py"
    notes, key = tmp_path / "notes.db", tmp_path / "notes.key"
    assert run(sys.executable, program, notes, key, "add", "buy milk") == "1 note\n"
    assert run(sys.executable, program, notes, key, "add", "call mother") == "2 notes\n"
    assert run(sys.executable, program, notes, key, "list") == "1: buy milk\n2: call mother\n"
    assert b"milk" not in notes.read_bytes()
    content = bytearray(notes.read_bytes())
    content[-1] ^= 1
    notes.write_bytes(content)
    said = run(sys.executable, program, notes, key, "list")
    assert said == "1: buy milk\n2: FORGED\n"


def test_every_status_of_the_header_becomes_an_exception() -> None:
    header = (ROOT / "ffi" / "include" / "sivka.h").read_text(encoding="utf-8")
    pairs = re.findall(r"^#define SIVKA_ERROR_(\w+) (\d+)$", header, re.MULTILINE)
    # The status of a batch is no exception: each message has its own.
    found = {name: int(number) for name, number in pairs if name != "BATCH"}
    assert found == {
        name.removeprefix("ERROR_"): getattr(_native, name)
        for name in dir(_native)
        if name.startswith("ERROR_")
    }
    in_words = set(_errors._CLASSES) | set(_errors._OF_THE_SYSTEM)
    assert in_words | {_native.ERROR_OPEN} == set(found.values())


def test_version_is_that_of_the_workspace() -> None:
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{sivka.__version__}"\n' in manifest


def test_the_tier_is_the_widest_of_this_cpu() -> None:
    required = os.environ.get("SIVKA_REQUIRE_TIERS", "portable").split(",")
    assert sivka.tier() == required[-1] or "SIVKA_REQUIRE_TIERS" not in os.environ
    assert sivka.tier() in ("portable", "avx2", "vaes256", "avx512", "neon")


def test_only_the_module_is_exported() -> None:
    assert _native.__file__ is not None
    assert "abi3" in Path(_native.__file__).name
    symbols = run("nm", "--dynamic", "--defined-only", _native.__file__)
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__native"]


MATRIX = """\
seal AES-256-GCM-SIV {key} {nonce} - 00
seal XChaCha20-BLAKE2b-SIV-Tag48 {key} - aa -
open AES-256-GCM-SIV {key} {nonce} - {sealed}
open AES-256-GCM-SIV {key} {nonce} 01 {sealed}
seal-file kuznyechik-mgm {folder}/k {folder}/plain {folder}/sealed
open-file {folder}/k {folder}/sealed {folder}/opened
open-file {folder}/k {folder}/plain {folder}/nothing
"""
KEYSET_MATRIX = """\
keyset-to-binary {keyset}
keyset-from-binary {binary}
keyset-seal {keyset} 61 00
keyset-open {keyset} 61 {row}
keyset-open {keyset} 62 {row}
keyset-decrypt {master} 61 {encrypted}
keyset-decrypt {master} 62 {encrypted}
"""


def test_matrix_program(tmp_path: Path) -> None:
    key, nonce = bytes(32), bytes(12)
    sealed = sivka.AESGCMSIV(key).encrypt(nonce, b"\0")
    siv = sivka.XChaCha20BLAKE2bSIV(key, tag_length=48).encrypt(b"", b"\xaa")
    sivka.generate_key_file(tmp_path / "k")
    (tmp_path / "plain").write_bytes(b"content")
    lines = MATRIX.format(key=key.hex(), nonce=nonce.hex(), sealed=sealed.hex(), folder=tmp_path)
    program = PACKAGE / "tests" / "matrix.py"
    answers = run(sys.executable, program, text=lines).splitlines()
    assert answers == [
        sealed.hex(),
        siv.hex(),
        "00",
        "forged",
        "done",
        "done",
        "forged",
    ]
    assert (tmp_path / "opened").read_bytes() == b"content"
    auto = run(sys.executable, program, text=f"seal Kuznyechik-MGM {key.hex()} auto - 07\n").strip()
    line = f"open Kuznyechik-MGM {key.hex()} auto - {auto}\n"
    assert run(sys.executable, program, text=line) == "07\n"


def test_keysets_in_the_matrix_program() -> None:
    keyset, master = sivka.Keyset.generate("AES256_SIV"), sivka.Keyset.generate("AES256_GCM")
    words = {
        "keyset": keyset.to_insecure("json").hex(),
        "binary": keyset.to_insecure("binary").hex(),
        "row": keyset.seal_deterministically(b"\0", b"a").hex(),
        "master": master.to_insecure("json").hex(),
        "encrypted": keyset.encrypt("json", master, b"a").hex(),
    }
    program = PACKAGE / "tests" / "matrix.py"

    def ask(lines: str) -> list[str]:
        return run(sys.executable, program, text=lines).splitlines()

    assert ask(KEYSET_MATRIX.format(**words)) == [
        words["binary"],
        words["keyset"],
        words["row"],
        "00",
        "forged",
        words["keyset"],
        "forged",
    ]
    (new,) = ask("keyset-new AES256_GCM_SIV\n")
    (rotated,) = ask(f"keyset-rotate AES256_GCM {new}\n")
    (sealed,) = ask(f"keyset-seal {new} - 07\n")
    assert ask(f"keyset-open {rotated} - {sealed}\n") == ["07"]
    (encrypted,) = ask(f"keyset-encrypt {words['master']} 61 {rotated}\n")
    assert ask(f"keyset-decrypt {words['master']} 61 {encrypted}\n") == [rotated]
