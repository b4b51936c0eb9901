"""What the page of all engines shows runs here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
from conftest import connect, set_keys
from test_keysets import Judge

PAGE = (Path(__file__).parents[3] / "docs" / "columns.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def statements(block: str) -> list[str]:
    return [s for s in re.sub(r"^--.*\n", "", block, flags=re.MULTILINE).split(";\n") if s.strip()]


def fill(db: duckdb.DuckDBPyConnection, tokens: str) -> None:
    db.execute(
        "CREATE TABLE people AS SELECT i AS id, sivka_seal('note ' || i, 'customers', 'people.note.' || i) AS note,"
        f" sivka_token('e' || i % 100, '{tokens}', 'person') AS email FROM range(1, 10001) t(i)"
    )
    db.execute("INSERT INTO people VALUES (0, NULL, NULL)")


def test_the_statement_of_the_page_finds_its_row(paths: dict[str, Path]) -> None:
    with connect() as db:
        set_keys(db, {"customers": paths["patients"]})
        db.execute(
            "CREATE TABLE people AS SELECT id, sivka_token(email, 'customers', 'person') AS email "
            "FROM (VALUES (1, 'alice@example.com'), (2, 'bob@example.com')) t(id, email)"
        )
        assert [row[0] for row in db.execute(BLOCKS[0]).fetchall()] == [1]


def test_rotation_of_key_files(paths: dict[str, Path]) -> None:
    """PostgreSQL plays it in parts, and while others write."""
    with connect() as db:
        set_keys(db, {"customers": paths["patients"], "customers-2027": paths["orders"]})
        fill(db, "customers")
        assert db.execute(BLOCKS[2]).fetchone() == (0, 0)


def test_rotation_of_a_keyset(paths: dict[str, Path], tmp_path: Path) -> None:
    update, left = statements(BLOCKS[1])
    judge, path = Judge("AES256_GCM"), tmp_path / "keyset"
    path.write_bytes(judge.text("json"))
    old = json.loads(judge.text("json"))["primaryKeyId"]

    def publish(status: str) -> None:
        text = json.loads(judge.text("json"))
        for key in text["key"]:
            key["status"] = status if key["keyId"] == old else "ENABLED"
        path.write_text(json.dumps(text))

    with connect() as db:
        set_keys(db, {"customers": path, "orders": paths["orders"]})
        fill(db, "orders")
        judge.rotate()
        publish("ENABLED")
        for condition in (" WHERE id <= 4000", " WHERE id <= 6000"):
            db.execute(update + condition)
        assert db.execute(left).fetchone() == (0,)
        publish("DISABLED")
        assert db.execute(left).fetchone() == (4000,)
        publish("ENABLED")
        db.execute(update)
        publish("DISABLED")
        assert db.execute(left).fetchone() == (0,)
