"""What the page of all engines shows runs here."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import connect, set_keys
from engine_tests import BLOCKS, statements
from test_keysets import Judge


def test_the_statement_of_the_page_finds_its_row(paths: dict[str, Path]) -> None:
    with connect() as db:
        set_keys(db, {"customers": paths["patients"]})
        db.execute(
            "CREATE TABLE people AS SELECT id, sivka_token(email, 'customers', 'person') AS email "
            "FROM (VALUES (1, 'alice@example.com'), (2, 'bob@example.com')) t(id, email)"
        )
        assert [row[0] for row in db.execute(BLOCKS[0]).fetchall()] == [1]


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
        db.execute(
            "CREATE TABLE people AS SELECT i AS id, sivka_seal('note ' || i, 'customers', 'people.note.' || i) AS note,"
            " sivka_token('e' || i % 100, 'orders', 'person') AS email FROM range(1, 10001) t(i)"
        )
        db.execute("INSERT INTO people VALUES (0, NULL, NULL)")
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
