"""Every number that a public function takes: one that it cannot mean is refused, and nothing has
changed. The functions are those of the package's sources and its stub: a new number needs a case.
"""

from __future__ import annotations

import ast
import functools
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import sivka
import sivka.arrow

# Less than 0, and what the types of a machine would wrap to a small number.
NUMBERS = (-(2**63) - 1, -(2**31), -1, 2**31, 2**32 + 64, 2**48, 2**63, 2**64 + 5)
NO_NUMBERS = (8.5, "8", b"8", [8])
# As good as a number that may be right, which a dictionary would take for it.
FLOATS = (0.0, 1.0, 2.0, 12.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
U32 = 2**32 - 1

# The function and its argument, the greatest number that is no mistake, and the call.
Case: TypeAlias = tuple[str, int, Callable[[Any], object]]


def _message_cases() -> Iterator[Case]:
    key, siv = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))
    offsets: Any = np.array([0, 1], np.int32)
    for made in (key, siv):
        rows, ends = made.seal_column(b"a", offsets)
        where: Any = np.frombuffer(ends, np.int32)
        columns: Any = ((made.seal_column, b"a", offsets), (made.open_column, rows, where))
        for call, data, at in columns:
            wrong: Any = functools.partial(call, data, at, validity=b"\xff")
            # What the stub calls the classes that have these in common.
            yield f"_Seals.{call.__name__}.first_bit", -1, by_name(wrong, "first_bit")
    # Up to there it may find no memory.
    yield "Aead.random_nonces.count", 2**59, key.random_nonces
    kinds: Any = (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV)
    for kind in kinds:
        make = by_name(functools.partial(kind, bytes(32)), "tag_length")
        yield f"{kind.__name__}.__new__.tag_length", 64, make
    yield "AESGCMSIV.generate_key.bit_length", 256, sivka.AESGCMSIV.generate_key
    yield "AESSIV.generate_key.bit_length", 512, sivka.AESSIV.generate_key


def _file_cases(sealed: Path) -> Iterator[Case]:
    plain, out = sealed.parent / "plain", sealed.parent / "out"
    opening: Any = {"passphrase": "a"}
    more: Any = {**opening, "new_passphrase": "b"}
    sink, content = io.BytesIO(), sealed.read_bytes()
    seal: dict[str, Callable[..., object]] = {
        "seal_file": lambda **c: sivka.seal_file(plain, out, **opening, **c),
        "seal_to": lambda **c: sivka.seal_to(sink, **opening, **c),
        "seal_stream": lambda **c: sivka.seal_stream(io.BytesIO(bytes(9)), sink, **opening, **c),
    }
    change: dict[str, Callable[..., object]] = {
        "add_slot": lambda **c: sivka.add_slot(sealed, **more, **c),
        "replace_slot": lambda **c: sivka.replace_slot(sealed, 0, **more, **c),
    }
    open_: dict[str, Callable[..., object]] = {
        "open_file_into": lambda **c: sivka.open_file_into(sealed, out, **opening, **c),
        "verify_file": lambda **c: sivka.verify_file(sealed, **opening, **c),
        "open_file": lambda **c: sivka.open_file(sealed, **opening, **c),
        "open_from": lambda **c: sivka.open_from(io.BytesIO(content), **opening, **c),
        "open_stream": lambda **c: sivka.open_stream(io.BytesIO(content), sink, **opening, **c),
        "verify_stream": lambda **c: sivka.verify_stream(io.BytesIO(content), **opening, **c),
        "remove_slot": lambda **c: sivka.remove_slot(sealed, 0, **opening, **c),
    }
    for name, call in seal.items():
        yield f"{name}.room", 63, by_name(call, "room")
    for name, call in {**seal, **change}.items():
        for at, most in enumerate((U32, U32, 255)):
            yield f"{name}.cost", most, by_name(call, "cost", (64, 1, 1), at)
    for name, call in {**open_, **change}.items():
        for at in range(2):
            yield f"{name}.max_cost", U32, by_name(call, "max_cost", (64, 1), at)
    yield "remove_slot.slot", -1, lambda n: sivka.remove_slot(sealed, n, **opening)
    yield "replace_slot.slot", -1, lambda n: sivka.replace_slot(sealed, n, **more)


def by_name(
    call: Callable[..., object], name: str, usual: tuple[int, ...] = (), at: int = 0
) -> Callable[[Any], object]:
    """The call with a number as the argument of this name, or in a place of the usual ones."""

    def with_number(number: Any) -> object:
        given = (*usual[:at], number, *usual[at + 1 :]) if usual else number
        return call(**{name: given})

    return with_number


def _is_number(annotation: ast.AST | None) -> bool:
    """Whether a value of this type is a number, or has one; not what a function is called with."""
    if (
        annotation is None
        or isinstance(annotation, ast.Subscript)
        and (isinstance(annotation.value, ast.Name) and annotation.value.id == "Callable")
    ):
        return False
    if isinstance(annotation, ast.Name):
        return annotation.id in ("int", "float")
    return any(_is_number(each) for each in ast.iter_child_nodes(annotation))


def _numbers(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from _numbers(each.body, f"{each.name}.")
        elif isinstance(each, ast.FunctionDef) and (
            each.name in ("__new__", "__init__") or not each.name.startswith("_")
        ):
            arguments = each.args.posonlyargs + each.args.args + each.args.kwonlyargs
            for argument in arguments:
                if _is_number(argument.annotation):
                    yield f"{prefix}{each.name}.{argument.arg}"


def test_every_number_is_checked(tmp_path: Path) -> None:
    keyset, sealed = sivka.Keyset.generate("AES256_GCM_SIV"), tmp_path / "sealed"
    (tmp_path / "plain").write_bytes(bytes(100))
    sivka.seal_file(tmp_path / "plain", sealed, passphrase="a", cost=(64, 1, 1))
    file = sivka.open_file(sealed, passphrase="a")
    cases = [*_message_cases(), *_file_cases(sealed)]
    for name in ("promote", "enable", "disable", "destroy", "remove"):
        cases.append((f"Keyset.{name}.key_id", U32, getattr(keyset, name)))
    cases.append(("SealedFile.seek.offset", 2**63 - 1, file.seek))
    cases.append(("SealedFile.seek.whence", 2, lambda n: file.seek(0, n)))

    def state() -> object:
        files = sorted((each.name, each.read_bytes()) for each in tmp_path.iterdir())
        return files, keyset.info, file.tell()

    found: set[str] = set()
    public = {*sivka.__all__, *sivka.arrow.__all__, "_Seals"}
    for source in Path(sivka.__file__).parent.glob("*.py*"):
        if source.suffix in (".py", ".pyi"):
            numbers = _numbers(ast.parse(source.read_text(encoding="utf-8")).body)
            found |= {name for name in numbers if name.partition(".")[0] in public}
    assert found == {name for name, *_ in cases}
    assert len(found) > 30
    before = state()
    for name, most, call in cases:
        refusal = IndexError if name.endswith(".slot") else ValueError
        wrong = [(number, refusal) for number in NUMBERS if not 0 <= number <= most]
        others = [(other, (TypeError, ValueError)) for other in NO_NUMBERS]
        for given, error in (*wrong, *others, *((each, TypeError) for each in FLOATS)):
            with pytest.raises(error):
                call(given)
                pytest.fail(f"{name} took {given!r}")
            assert state() == before, f"{name}: {given!r}"
