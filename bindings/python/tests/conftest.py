"""Where things are, and what every test uses."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from matrix import make_key

import sivka

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent

WithNonce: TypeAlias = (
    sivka.AESGCMSIV | sivka.ChaCha20BLAKE2b | sivka.XChaCha20BLAKE2b | sivka.KuznyechikMGM
)


def _maker(name: str) -> Callable[[], Any]:
    return lambda: make_key(name, bytes(range(sivka._native.key_length(name))))


# Every form of every algorithm, by the name of the C interface.
_ALL = {name: _maker(name) for name in sivka._native.algorithms()}
WITH_NONCE: dict[str, Callable[[], WithNonce]] = {
    name: make for name, make in _ALL.items() if isinstance(make(), sivka.Aead)
}
WITHOUT_NONCE: dict[str, Callable[[], sivka.DeterministicAead]] = {
    name: make for name, make in _ALL.items() if name not in WITH_NONCE
}


@pytest.fixture(params=WITH_NONCE)
def aead(request: pytest.FixtureRequest) -> WithNonce:
    """A key of every algorithm with nonces."""
    return WITH_NONCE[request.param]()


@pytest.fixture(params=WITHOUT_NONCE)
def siv(request: pytest.FixtureRequest) -> sivka.DeterministicAead:
    """A key of every algorithm without nonces."""
    return WITHOUT_NONCE[request.param]()


CHUNK = 16384
# What a passphrase costs in tests: KiB, passes, lanes.
CHEAP = (64, 1, 1)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A new key file."""
    path = tmp_path / "my.key"
    sivka.generate_key_file(path)
    return path


def sealed_bytes(text: bytes, key: Path) -> bytes:
    """A sealed file."""
    out = io.BytesIO()
    assert sivka.seal_stream(io.BytesIO(text), out, key=key) == len(text)
    return out.getvalue()


def nonce_of(key: WithNonce, number: int = 1) -> bytes:
    """A nonce that every algorithm takes: a small number."""
    return number.to_bytes(key.nonce_length, "big")


def refused(error: type[Exception], cases: Mapping[str, Iterable[Callable[[], object]]]) -> None:
    """Each call raises the error, with the text that it is listed under."""
    for text, calls in cases.items():
        for call in calls:
            with pytest.raises(error, match=text or None):
                call()
