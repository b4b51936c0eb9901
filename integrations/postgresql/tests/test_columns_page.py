"""What the page of all engines shows of key files runs here; DuckDB plays its keysets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from engine_tests import BLOCKS, statements
from server import Server, wait

def test_rotation_of_key_files(server: Server, database: str, db: psycopg.Connection) -> None:
    """On a table that others write to, in parts, and again."""
    block = BLOCKS[2].replace("customers-2027", "orders").replace("customers", "patients")
    notes, emails, left = statements(block)
    db.execute("CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)")
    db.execute(
        "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
        " sivka_token('e' || i % 100, 'patients', 'person') FROM generate_series(1, 1000) i"
    )
    db.execute("INSERT INTO people VALUES (0, NULL, NULL)")
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
        wait(lambda: db.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall() != [])
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
