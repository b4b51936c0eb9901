"""A database with the extension and two keys."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

BUILT = Path(os.environ.get("SIVKA_DUCKDB_OUT", "."))
SECRETS = {"patients": bytes(range(32)), "orders": hashlib.sha256(b"orders").digest()}


def expand(secret: bytes, info: str, length: int) -> bytes:
    """HKDF-Expand with SHA-512, for one block."""
    return hmac.digest(secret, info.encode() + b"\1", "sha512")[:length]


def key_file(secret: bytes) -> str:
    """The text of a key file: docs/spec/file-format-v1.md, section 8.1."""
    key_id = expand(secret, "sivka.key.v1 id", 8).hex()
    text = f"sivka key file, version 1\nname: example\nid: {key_id}\nkey: {secret.hex()}\n"
    return text + f"check: {hashlib.sha512(text.encode()).hexdigest()[:16]}\n"


def connect(extension: str = "sivka") -> duckdb.DuckDBPyConnection:
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{BUILT / extension}.duckdb_extension'")
    return database


def set_keys(database: duckdb.DuckDBPyConnection, paths: dict[str, Path]) -> None:
    pairs = ", ".join(f"'{name}': '{path}'" for name, path in paths.items())
    database.execute(f"SET GLOBAL sivka_keys = MAP {{{pairs}}}")


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    made = {}
    for name, secret in SECRETS.items():
        made[name] = tmp_path / f"{name}.key"
        made[name].write_text(key_file(secret))
    return made


@pytest.fixture(params=["sivka", "by_row/sivka"])
def db(request: pytest.FixtureRequest, paths: dict[str, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    """With the extension, and with the version to measure beside, which must do the same."""
    with connect(request.param) as database:
        set_keys(database, paths)
        yield database
