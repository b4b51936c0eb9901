"""A number that a call cannot mean is refused, and nothing has changed."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CHEAP

import sivka

# Less than 0, and what the types of a machine would wrap to a small number.
NUMBERS = (-(2**63) - 1, -(2**31), -1, 2**31, 2**32 + 64, 2**48, 2**63, 2**64 + 5)
# A dictionary would take a float for the number that may be right.
NO_NUMBERS = (8.5, "8", b"8", [8], 0.0, 1.0, 2.0, 12.0, 16.0, 32.0, 64.0, 256.0, 512.0)
U32 = 2**32 - 1


def test_every_number_is_checked(tmp_path: Path) -> None:
    key, keyset = sivka.AESGCMSIV(bytes(32)), sivka.Keyset.generate("AES256_GCM_SIV")
    plain, sealed, one = tmp_path / "plain", tmp_path / "sealed", np.array([0, 1], np.int32)
    plain.write_bytes(bytes(100))
    sivka.seal_file(plain, sealed, passphrase="a", cost=CHEAP)
    file = sivka.open_file(sealed, passphrase="a")
    column: Any = functools.partial(key.seal_column, b"a", one, validity=b"\xff")
    slot: Any = functools.partial(sivka.remove_slot, sealed, passphrase="a")
    # All calls that seal files take these in one way, and all that open them.
    seal: Any = functools.partial(sivka.seal_to, io.BytesIO(), passphrase="a")
    opens: Any = functools.partial(sivka.verify_file, sealed, passphrase="a")
    # With the greatest number that is no mistake; up to there a call may find no memory.
    cases: list[tuple[int, Callable[[Any], object]]] = [
        (2**59, key.random_nonces),
        (0, lambda n: column(first_bit=n)),
        *(
            (64, functools.partial(lambda kind, n: kind(bytes(32), tag_length=n), kind))
            for kind in (sivka.ChaCha20BLAKE2b, sivka.XChaCha20BLAKE2b, sivka.XChaCha20BLAKE2bSIV)
        ),
        (256, sivka.AESGCMSIV.generate_key),
        (512, sivka.AESSIV.generate_key),
        *((U32, getattr(keyset, name)) for name in "promote enable disable destroy remove".split()),
        (2**63 - 1, file.seek),
        (2, lambda n: file.seek(0, n)),
        (63, lambda n: seal(spare_slots=n)),
        (U32, lambda n: seal(cost=(n, 1, 1))),
        (U32, lambda n: seal(cost=(64, n, 1))),
        (255, lambda n: seal(cost=(64, 1, n))),
        (U32, lambda n: opens(max_cost=(n, 1))),
        (U32, lambda n: opens(max_cost=(64, n))),
        (0, slot),
    ]

    before = sealed.read_bytes(), keyset.info, file.tell()
    for index, (most, call) in enumerate(cases):
        wrong = [number for number in NUMBERS if not 0 <= number <= most]
        for given in (*wrong, *NO_NUMBERS):
            with pytest.raises((ValueError, IndexError, TypeError)):
                call(given)
                pytest.fail(f"case {index} took {given!r}")
    assert (sealed.read_bytes(), keyset.info, file.tell()) == before
