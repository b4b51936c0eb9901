"""What the page of all engines shows runs here."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import sivka
from server import Server
from test_keys import keys

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "columns.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def statements(block: str) -> list[str]:
    return [s for s in re.sub(r"^--.*\n", "", block, flags=re.MULTILINE).split(";\n") if s.strip()]


def fill(db: psycopg.Connection, key: str) -> None:
    db.execute("CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)")
    db.execute(
        f"INSERT INTO people SELECT i, sivka_seal('note ' || i, '{key}', 'people.note.' || i),"
        " sivka_token('e' || i % 100, 'patients', 'person') FROM generate_series(1, 1000) i"
    )
    db.execute("INSERT INTO people VALUES (0, NULL, NULL)")


def test_rotation_of_key_files(server: Server, database: str, db: psycopg.Connection) -> None:
    """On a table that others write to, in parts, and again."""
    block = BLOCKS[2].replace("customers-2027", "orders").replace("customers", "patients")
    notes, emails, left = statements(block)
    fill(db, "patients")
    write = "UPDATE people SET note = sivka_seal('new', 'orders', 'people.note.' || id) WHERE id = "
    db.execute(write + "3")
    for last in (400, 400, 700):
        db.execute(f"{notes} AND id <= {last}")
        db.execute(f"{emails} AND id <= {last}")
    assert db.execute(left).fetchone() == (300, 300)
    with server.connect(database) as other, ThreadPoolExecutor() as pool:
        db.execute("BEGIN")
        db.execute(write + "999")
        waiting = pool.submit(other.execute, notes)
        end = time.monotonic() + 20
        while not db.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall():
            assert time.monotonic() < end
        db.execute("COMMIT")
        waiting.result()
    db.execute(block)
    assert db.execute(left).fetchone() == (0, 0)
    opened = db.execute(
        "SELECT count(*) FILTER (WHERE sivka_open_text(note, 'orders', 'people.note.' || id) ="
        " CASE WHEN id IN (3, 999) THEN 'new' ELSE 'note ' || id END),"
        " count(*) FILTER (WHERE email = sivka_token('e' || id % 100, 'orders', 'person')) FROM people"
    )
    assert opened.fetchone() == (1000, 1000)
    # A value that neither key opens stops the statement, which leaves the rows as they were.
    db.execute("UPDATE people SET note = sivka_seal('forged', 'patients', 'elsewhere') WHERE id = 9")
    with pytest.raises(psycopg.errors.DataException, match="does not open"):
        db.execute(notes)


def test_rotation_of_a_keyset(server: Server, db: psycopg.Connection) -> None:
    update, left = statements(BLOCKS[1])
    keyset = sivka.Keyset.generate("AES256_GCM")
    old = keyset.info.primary_key_id

    def publish() -> None:
        server.write_key("customers", keyset.to_insecure("json").decode())
        db.execute("SELECT pg_reload_conf()")
        time.sleep(0.3)

    path = server.write_key("customers", keyset.to_insecure("json").decode())
    with keys(server, {"customers": path}):
        fill(db, "customers")
        keyset.promote(keyset.add("AES256_GCM"))
        publish()
        for condition in (" WHERE id <= 400", " WHERE id <= 600"):
            db.execute(update + condition)
        assert db.execute(left).fetchone() == (0,)
        keyset.disable(old)
        publish()
        assert db.execute(left).fetchone() == (400,)
        keyset.enable(old)
        publish()
        db.execute(update)
        keyset.remove(old)
        publish()
        assert db.execute(left).fetchone() == (0,)
