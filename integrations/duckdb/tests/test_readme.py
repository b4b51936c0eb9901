"""What the page shows runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import BUILT, connect
from test_keysets import Judge

PAGE = Path(__file__).parent.parent / "README.md"


def test_the_statements_of_the_page_run(paths: dict[str, Path]) -> None:
    (block,) = PAGE.read_text(encoding="utf-8").split("```sql\n")[1:]
    text = block.split("```")[0].replace("target/duckdb", str(BUILT))
    text = text.replace("/etc/sivka/patients.key", str(paths["patients"]))
    with connect() as db:
        assert db.execute(text).fetchall() == [("well",)]
        assert db.execute("SELECT count(*) FROM safe").fetchone() == (2,)


def test_the_keys_file_of_the_page_is_read(
    paths: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PAGE.read_text(encoding="utf-8").split("```keys\n")[1].split("```")[0]
    (tmp_path / "unwrap").write_text(f"#!/bin/sh\ncat '{paths['orders']}'\n")
    (tmp_path / "unwrap").chmod(0o700)
    (tmp_path / "visits.json").write_bytes(Judge("AES256_GCM").text("json"))
    for path in [*paths.values(), tmp_path / "visits.json"]:
        path.chmod(0o600)
    (tmp_path / "duckdb.keys").write_text(text.replace("/etc/sivka", str(tmp_path)))
    monkeypatch.setenv("SIVKA_DUCKDB_KEYS", str(tmp_path / "duckdb.keys"))
    with connect() as db:
        assert db.execute("SELECT sivka_open(sivka_seal('v', 'patients'), 'patients')").fetchone() == (b"v",)
        assert db.execute("SELECT octet_length(sivka_seal('v', 'visits'))").fetchone() == (34,)
        assert db.execute("SELECT octet_length(sivka_token('v', 'orders'))").fetchone() == (33,)
