"""What the server sealed opens in DuckDB and in Python, and the other way round."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import psycopg
import sivka
from server import SECRETS, Server, key_file

DUCKDB = Path(
    os.environ.get("SIVKA_DUCKDB", Path(__file__).resolve().parents[3] / "target/postgresql/sivka.duckdb_extension")
)
COPY = (
    "COPY (SELECT id, note, email FROM people ORDER BY id) TO STDOUT (FORMAT csv)",
    "COPY people FROM STDIN (FORMAT csv)",
)


def table(db: psycopg.Connection) -> None:
    db.execute("CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)")


def read(db: psycopg.Connection) -> bytes:
    with db.cursor().copy(COPY[0]) as copy:
        return b"".join(bytes(part) for part in copy)


def write(db: psycopg.Connection, text: bytes) -> None:
    with db.cursor().copy(COPY[1]) as copy:
        copy.write(text)


RIGHT = (
    "SELECT count(*) FROM people WHERE sivka_open_text(note, 'patients', 'people.note.' || id) = 'note ' || id"
    " AND email = sivka_token('e' || id % 10, 'patients', 'people.email')"
)


def test_duckdb(db: psycopg.Connection, server: Server, tmp_path: Path) -> None:
    table(db)
    db.execute(
        "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
        " sivka_token('e' || i % 10, 'patients', 'people.email') FROM generate_series(1, 5000) i"
    )
    (tmp_path / "people.csv").write_bytes(read(db))
    (tmp_path / "patients.key").write_text(key_file(SECRETS["patients"]))
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as other:
        other.execute(f"LOAD '{DUCKDB}'")
        other.execute(f"SET GLOBAL sivka_keys = MAP {{'patients': '{tmp_path / 'patients.key'}'}}")
        # The digits after \x are what unhex() takes.
        source = f"read_csv('{tmp_path / 'people.csv'}', names = ['id', 'note', 'email'], all_varchar = true)"
        columns = "id, unhex(note[3:]) AS note, unhex(email[3:]) AS email"
        opened = (
            "SELECT count(*) FILTER (WHERE decode(sivka_open(note, 'patients', 'people.note.' || id)) = 'note ' || id),"
            " count(*) FILTER (WHERE email = sivka_token('e' || id::INT % 10, 'patients', 'people.email'))"
        )
        assert other.execute(f"{opened} FROM (SELECT {columns} FROM {source})").fetchone() == (5000, 5000)
        other.execute(
            "COPY (SELECT i, '\\x' || hex(sivka_seal('note ' || i, 'patients', 'people.note.' || i)), "
            "'\\x' || hex(sivka_token('e' || i % 10, 'patients', 'people.email')) FROM range(1, 5001) t(i)) "
            f"TO '{tmp_path / 'back.csv'}' (HEADER false)"
        )
    db.execute("TRUNCATE people")
    write(db, (tmp_path / "back.csv").read_bytes())
    assert db.execute(RIGHT).fetchone() == (5000,)


def test_python(db: psycopg.Connection) -> None:
    """The columns of Arrow in Python seal the same rows; here it is one value after another."""
    text = key_file(SECRETS["patients"]).encode()
    sealing, tokens = sivka.AESGCMSIV.for_columns(text), sivka.XChaCha20BLAKE2bSIV.for_columns(text)
    table(db)
    db.execute(
        "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
        " sivka_token('e' || i % 10, 'patients', 'people.email') FROM generate_series(1, 200) i"
    )
    for number, note, email in db.execute("SELECT id, note::bytea, email::bytea FROM people").fetchall():
        assert sealing.open(note, f"people.note.{number}".encode()) == f"note {number}".encode()
        token = tokens.seal(f"e{number % 10}".encode(), b"people.email")
        assert token == email
    db.execute("TRUNCATE people")
    with db.cursor().copy("COPY people FROM STDIN (FORMAT binary)") as copy:
        for i in range(1, 201):
            note = sealing.seal(f"note {i}".encode(), f"people.note.{i}".encode())
            copy.write_row([psycopg.types.numeric.Int4(i), note, tokens.seal(f"e{i % 10}".encode(), b"people.email")])
    assert db.execute(RIGHT).fetchone() == (200,)
