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
from conftest import CHEAP

import sivka
import sivka.arrow

# Less than 0, and what the types of a machine would wrap to a small number.
NUMBERS = (-(2**63) - 1, -(2**31), -1, 2**31, 2**32 + 64, 2**48, 2**63, 2**64 + 5)
# A dictionary would take a float for the number that may be right.
NO_NUMBERS = (8.5, "8", b"8", [8], 0.0, 1.0, 2.0, 12.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
U32 = 2**32 - 1

# The function and its argument, the greatest number that is no mistake, and the call.
Case: TypeAlias = tuple[str, int, Callable[[Any], object]]


def by_name(call: Any, name: str, usual: tuple[int, ...] = (), at: int = 0) -> Callable[[Any], Any]:
    """The call with a number as the argument of this name, or in a place of the usual ones."""

    def with_number(number: Any) -> object:
        return call(**{name: (*usual[:at], number, *usual[at + 1 :]) if usual else number})

    return with_number


def _message_cases() -> Iterator[Case]:
    key, one = sivka.AESGCMSIV(bytes(32)), np.array([0, 1], np.int32)
    for call in (key.seal_column, key.open_column):
        wrong = functools.partial(call, b"a", one, validity=b"\xff")
        # What the stub calls the classes that have these in common.
        yield f"_Seals.{call.__name__}.first_bit", -1, by_name(wrong, "first_bit")
    # Up to there it may find no memory.
    yield "Aead.random_nonces.count", 2**59, key.random_nonces
    for kind in (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV):
        make = by_name(functools.partial(kind, bytes(32)), "tag_length")
        yield f"{kind.__name__}.__new__.tag_length", 64, make
    yield "AESGCMSIV.generate_key.bit_length", 256, sivka.AESGCMSIV.generate_key
    yield "AESSIV.generate_key.bit_length", 512, sivka.AESSIV.generate_key


def _file_cases(sealed: Path) -> Iterator[Case]:
    out, sink, content = sealed.parent / "out", io.BytesIO(), sealed.read_bytes()
    more: Any = {"new_passphrase": "b"}
    seal: dict[Callable[..., object], tuple[Any, ...]] = {
        sivka.seal_file: (sealed, out),
        sivka.seal_to: (sink,),
        sivka.seal_stream: (io.BytesIO(bytes(9)), sink),
    }
    change: dict[Callable[..., object], tuple[Any, ...]] = {
        functools.partial(sivka.add_slot, **more): (sealed,),
        functools.partial(sivka.replace_slot, **more): (sealed, 0),
    }
    opens: dict[Callable[..., object], Callable[[], tuple[Any, ...]]] = {
        sivka.open_file_into: lambda: (sealed, out),
        sivka.verify_file: lambda: (sealed,),
        sivka.open_file: lambda: (sealed,),
        sivka.open_from: lambda: (io.BytesIO(content),),
        sivka.open_stream: lambda: (io.BytesIO(content), sink),
        sivka.verify_stream: lambda: (io.BytesIO(content),),
        sivka.remove_slot: lambda: (sealed, 0),
    }
    cases: list[tuple[Any, Callable[[], tuple[Any, ...]], str]] = [
        *((call, lambda given=given: given, "room cost") for call, given in seal.items()),
        *((call, lambda given=given: given, "cost max_cost") for call, given in change.items()),
        *((call, given, "max_cost") for call, given in opens.items()),
    ]
    most = {"room": (63,), "cost": (U32, U32, 255), "max_cost": (U32, U32)}
    for call, given, names in cases:
        of = getattr(call, "func", call).__name__
        for name in names.split():
            usual = {"room": (), "cost": CHEAP, "max_cost": (64, 1)}[name]
            for at, limit in enumerate(most[name]):
                whole = functools.partial(
                    lambda c, g, **k: c(*g(), passphrase="a", **k), call, given
                )
                yield f"{of}.{name}", limit, by_name(whole, name, usual, at)
    yield "remove_slot.slot", -1, lambda n: sivka.remove_slot(sealed, n, passphrase="a")
    yield "replace_slot.slot", -1, lambda n: sivka.replace_slot(sealed, n, passphrase="a", **more)


def _is_number(annotation: ast.AST | None) -> bool:
    """Whether a value of this type is a number, or has one; not what a function is called with."""
    match annotation:
        case None | ast.Subscript(value=ast.Name(id="Callable")):
            return False
        case ast.Name(id=name):
            return name in ("int", "float")
        case _:
            return any(_is_number(each) for each in ast.iter_child_nodes(annotation))


def _numbers(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from _numbers(each.body, f"{each.name}.")
        elif isinstance(each, ast.FunctionDef) and (
            each.name in ("__new__", "__init__") or not each.name.startswith("_")
        ):
            for argument in each.args.posonlyargs + each.args.args + each.args.kwonlyargs:
                if _is_number(argument.annotation):
                    yield f"{prefix}{each.name}.{argument.arg}"


def test_every_number_is_checked(tmp_path: Path) -> None:
    keyset, sealed = sivka.Keyset.generate("AES256_GCM_SIV"), tmp_path / "sealed"
    (tmp_path / "plain").write_bytes(bytes(100))
    sivka.seal_file(tmp_path / "plain", sealed, passphrase="a", cost=CHEAP)
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
        for given, error in (*wrong, *((other, (TypeError, ValueError)) for other in NO_NUMBERS)):
            with pytest.raises(error):
                call(given)
                pytest.fail(f"{name} took {given!r}")
            assert state() == before, f"{name}: {given!r}"
