"""Where things are, and what every test uses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

import sivka

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent

WithNonce: TypeAlias = (
    sivka.AESGCMSIV | sivka.ChaCha20BLAKE2b | sivka.XChaCha20BLAKE2b | sivka.KuznyechikMGM
)

# Every form of every algorithm, by the name of the C interface.
WITH_NONCE: dict[str, Callable[[], WithNonce]] = {
    "AES-128-GCM-SIV": lambda: sivka.AESGCMSIV(bytes(range(16))),
    "AES-256-GCM-SIV": lambda: sivka.AESGCMSIV(bytes(range(32))),
    "ChaCha20-BLAKE2b": lambda: sivka.ChaCha20BLAKE2b(bytes(range(32))),
    "ChaCha20-BLAKE2b-Tag48": lambda: sivka.ChaCha20BLAKE2b(bytes(range(32)), tag_length=48),
    "ChaCha20-BLAKE2b-Tag64": lambda: sivka.ChaCha20BLAKE2b(bytes(range(32)), tag_length=64),
    "XChaCha20-BLAKE2b": lambda: sivka.XChaCha20BLAKE2b(bytes(range(32))),
    "XChaCha20-BLAKE2b-Tag48": lambda: sivka.XChaCha20BLAKE2b(bytes(range(32)), tag_length=48),
    "XChaCha20-BLAKE2b-Tag64": lambda: sivka.XChaCha20BLAKE2b(bytes(range(32)), tag_length=64),
    "Kuznyechik-MGM": lambda: sivka.KuznyechikMGM(bytes(range(32))),
}
WITHOUT_NONCE: dict[str, Callable[[], sivka.DeterministicAead]] = {
    "AES-SIV-256": lambda: sivka.AESSIV(bytes(range(32))),
    "AES-SIV-384": lambda: sivka.AESSIV(bytes(range(48))),
    "AES-SIV-512": lambda: sivka.AESSIV(bytes(range(64))),
    "XChaCha20-BLAKE2b-SIV": lambda: sivka.XChaCha20BLAKE2bSIV(bytes(range(32))),
    "XChaCha20-BLAKE2b-SIV-Tag48": lambda: sivka.XChaCha20BLAKE2bSIV(
        bytes(range(32)), tag_length=48
    ),
    "XChaCha20-BLAKE2b-SIV-Tag64": lambda: sivka.XChaCha20BLAKE2bSIV(
        bytes(range(32)), tag_length=64
    ),
}


@pytest.fixture(params=WITH_NONCE)
def aead(request: pytest.FixtureRequest) -> WithNonce:
    """A key of every algorithm with nonces."""
    return WITH_NONCE[request.param]()


@pytest.fixture(params=WITHOUT_NONCE)
def siv(request: pytest.FixtureRequest) -> sivka.DeterministicAead:
    """A key of every algorithm without nonces."""
    return WITHOUT_NONCE[request.param]()


def nonce_of(key: WithNonce, number: int = 1) -> bytes:
    """A nonce that every algorithm takes: a small number."""
    return number.to_bytes(key.nonce_length, "big")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was not run."""
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"NOT RUN: {report.nodeid}: {report.longrepr}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where CI=true, a test that was not run is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("CI") == "true" and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
