"""Every number that a function takes: one that it cannot mean is refused, and nothing has changed.

The functions are those of the package's sources and of the stub of its extension, which is
compared with the extension: a new number needs a case here.
"""

from __future__ import annotations

import ast
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import sivka
import sivka.arrow
from sivka import _native

# Less than 0, and what C's types would wrap to a small number.
NUMBERS = (-(2**63) - 1, -(2**31), -1, 2**31, 2**32 + 64, 2**48, 2**63, 2**64 + 5)
NO_NUMBERS = (8.5, "8", b"8", [8])
# As good as a number that may be right, which a dictionary or C would take for it.
FLOATS = (0.0, 1.0, 2.0, 12.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
U32, U64 = 2**32 - 1, 2**64 - 1


class Case(NamedTuple):
    """The greatest number that is no mistake, what another raises, what stays, and the call."""

    most: int
    refusal: type[Exception]
    state: Callable[[], object]
    call: Callable[..., object]


def _message_cases() -> Iterator[tuple[str, Case]]:
    key, siv = sivka.AESGCMSIV(bytes(32)), sivka.AESSIV(bytes(64))
    offsets = np.array([0, 1], np.int32)
    rows, ends = key.seal_column(b"a", offsets)

    def case(most: int, call: Callable[..., object]) -> Case:
        return Case(most, ValueError, lambda: None, call)

    def column(call: Any, data: bytes, offsets: Any) -> Case:
        return case(-1, lambda n: call(data, offsets, validity=b"\xff", first_bit=n))

    where = np.frombuffer(ends, np.int32)
    yield "RandomNonceAead.seal_column.first_bit", column(key.seal_column, b"a", offsets)
    yield "RandomNonceAead.open_column.first_bit", column(key.open_column, rows, where)
    yield "DeterministicAead.seal_column.first_bit", column(siv.seal_column, b"a", offsets)
    yield (
        "DeterministicAead.open_column.first_bit",
        column(siv.open_column, siv.seal(b"a"), np.array([0, 17], np.int32)),
    )
    # Up to there it may find no memory.
    yield "Aead.random_nonces.count", case(2**59, key.random_nonces)
    bytes32 = bytes(32)
    for name, kind in (
        ("ChaCha20BLAKE2b", sivka.ChaCha20BLAKE2b),
        ("XChaCha20BLAKE2b", sivka.XChaCha20BLAKE2b),
        ("XChaCha20BLAKE2bSIV", sivka.XChaCha20BLAKE2bSIV),
    ):
        make: Any = kind
        yield (
            f"{name}.__new__.tag_length",
            case(64, lambda n, make=make: make(bytes32, tag_length=n)),
        )
    yield "AESGCMSIV.generate_key.bit_length", case(256, sivka.AESGCMSIV.generate_key)
    yield "AESSIV.generate_key.bit_length", case(512, sivka.AESSIV.generate_key)


def _keyset_cases() -> Iterator[tuple[str, Case]]:
    keyset = sivka.Keyset.generate("AES256_GCM_SIV")
    for name in ("promote", "enable", "disable", "destroy", "remove"):
        yield (
            f"Keyset.{name}.key_id",
            Case(U32, ValueError, lambda: keyset.info, getattr(keyset, name)),
        )


def _file_cases(folder: Path) -> Iterator[tuple[str, Case]]:
    plain, sealed, out = folder / "plain", folder / "sealed", folder / "out"
    plain.write_bytes(bytes(100))
    sivka.seal_file(plain, sealed, passphrase="a", cost=(64, 1, 1))

    def files() -> object:
        return sorted((each.name, each.read_bytes()) for each in folder.iterdir())

    def each_cost(name: str, call: Callable[..., object]) -> Iterator[tuple[str, Case]]:
        for at, most in enumerate((U32, U32, 255)):
            usual = (64, 1, 1)
            yield (
                f"{name}.cost",
                Case(
                    most,
                    ValueError,
                    files,
                    lambda n, at=at: call(cost=(*usual[:at], n, *usual[at + 1 :])),
                ),
            )

    def each_limit(name: str, call: Callable[..., object]) -> Iterator[tuple[str, Case]]:
        for at in range(2):
            usual = (1 << 20, 16)
            yield (
                f"{name}.max_cost",
                Case(
                    U32,
                    ValueError,
                    files,
                    lambda n, at=at: call(max_cost=(*usual[:at], n, *usual[at + 1 :])),
                ),
            )

    def slot(name: str, call: Callable[[Any], object]) -> tuple[str, Case]:
        return f"{name}.slot", Case(-1, IndexError, files, call)

    opening: Any = {"passphrase": "a"}
    sink, content = io.BytesIO(), sealed.read_bytes()
    yield (
        "seal_file.room",
        Case(63, ValueError, files, lambda n: sivka.seal_file(plain, out, room=n, **opening)),
    )
    yield (
        "seal_to.room",
        Case(63, ValueError, files, lambda n: sivka.seal_to(sink, room=n, **opening)),
    )
    yield (
        "seal_stream.room",
        Case(
            63,
            ValueError,
            files,
            lambda n: sivka.seal_stream(io.BytesIO(bytes(9)), sink, room=n, **opening),
        ),
    )
    yield from each_cost("seal_file", lambda **c: sivka.seal_file(plain, out, **opening, **c))
    yield from each_cost("seal_to", lambda **c: sivka.seal_to(sink, **opening, **c))
    yield from each_cost(
        "seal_stream", lambda **c: sivka.seal_stream(io.BytesIO(bytes(9)), sink, **opening, **c)
    )
    more: Any = {**opening, "new_passphrase": "b"}
    yield from each_cost("add_slot", lambda **c: sivka.add_slot(sealed, **more, **c))
    yield from each_cost("replace_slot", lambda **c: sivka.replace_slot(sealed, 0, **more, **c))
    for name, call in {
        "open_file_into": lambda **c: sivka.open_file_into(sealed, out, **opening, **c),
        "verify_file": lambda **c: sivka.verify_file(sealed, **opening, **c),
        "open_file": lambda **c: sivka.open_file(sealed, **opening, **c),
        "open_from": lambda **c: sivka.open_from(io.BytesIO(content), **opening, **c),
        "open_stream": lambda **c: sivka.open_stream(io.BytesIO(content), sink, **opening, **c),
        "verify_stream": lambda **c: sivka.verify_stream(io.BytesIO(content), **opening, **c),
        "add_slot": lambda **c: sivka.add_slot(sealed, **more, **c),
        "remove_slot": lambda **c: sivka.remove_slot(sealed, 0, **opening, **c),
        "replace_slot": lambda **c: sivka.replace_slot(sealed, 0, **more, **c),
    }.items():
        yield from each_limit(name, call)
    yield slot("remove_slot", lambda n: sivka.remove_slot(sealed, n, **opening))
    yield slot("replace_slot", lambda n: sivka.replace_slot(sealed, n, **more))

    file = sivka.open_file(sealed, **opening)
    yield "SealedFile.seek.offset", Case(2**63 - 1, ValueError, file.tell, file.seek)
    yield (
        "SealedFile.seek.whence",
        Case(2, ValueError, file.tell, lambda n: file.seek(0, n)),
    )
    keys: Any = _native.FileKeys()
    keys.add_passphrase(b"a")
    path = os.fsencode(sealed)
    for at, name in enumerate(("memory_kib", "passes", "lanes")):
        most, usual = (U32, U32, 255)[at], (64, 1, 1)
        yield (
            f"FileKeys.set_cost.{name}",
            Case(
                most,
                ValueError,
                lambda: None,
                lambda n, at=at: keys.set_cost(*usual[:at], n, *usual[at + 1 :]),
            ),
        )
    yield "FileKeys.set_room.slots", Case(U32, ValueError, lambda: None, keys.set_room)
    yield (
        "FileKeys.set_max_cost.memory_kib",
        Case(U32, ValueError, lambda: None, lambda n: keys.set_max_cost(n, 1)),
    )
    yield (
        "FileKeys.set_max_cost.passes",
        Case(U32, ValueError, lambda: None, lambda n: keys.set_max_cost(64, n)),
    )
    yield slot("remove_slot", lambda n: _native.remove_slot(path, keys, n))
    yield slot("replace_slot", lambda n: _native.replace_slot(path, keys, n, keys))
    reader, buffer = _native.FileReader(path, keys), bytearray(b"before")
    yield (
        "FileReader.read_into.position",
        Case(U64, ValueError, lambda: bytes(buffer), lambda n: reader.read_into(n, buffer)),
    )


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
        if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
            yield from _numbers(each.body, f"{each.name}.")
        elif isinstance(each, ast.FunctionDef) and (
            each.name in ("__new__", "__init__") or not each.name.startswith("_")
        ):
            arguments = each.args.posonlyargs + each.args.args + each.args.kwonlyargs
            for argument in arguments:
                if _is_number(argument.annotation):
                    yield f"{prefix}{each.name}.{argument.arg}"


def test_every_number_is_checked(tmp_path: Path) -> None:
    cases = [*_message_cases(), *_keyset_cases(), *_file_cases(tmp_path)]
    found: set[str] = set()
    for source in Path(sivka.__file__).parent.glob("*.py*"):
        if source.suffix in (".py", ".pyi"):
            numbers = _numbers(ast.parse(source.read_text(encoding="utf-8")).body)
            # Of the sources what is public, of the extension all.
            public = {*sivka.__all__, *sivka.arrow.__all__}
            found |= {
                name
                for name in numbers
                if source.suffix == ".pyi" or name.partition(".")[0] in public
            }
    assert found == {name for name, _ in cases}
    assert len(found) > 30
    for name, case in cases:
        before = case.state()
        for number in NUMBERS:
            if not 0 <= number <= case.most:
                with pytest.raises(case.refusal):
                    case.call(number)
                    pytest.fail(f"{name} took {number}")
                assert case.state() == before, f"{name}: {number}"
        for other in NO_NUMBERS:
            with pytest.raises((TypeError, ValueError)):
                case.call(other)
                pytest.fail(f"{name} took {other!r}")
            assert case.state() == before, f"{name}: {other!r}"
        for other in FLOATS:
            with pytest.raises(TypeError):
                case.call(other)
                pytest.fail(f"{name} took {other!r}")
            assert case.state() == before, f"{name}: {other!r}"
