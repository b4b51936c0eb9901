"""What the server sealed opens in DuckDB and in Python, and the other way round."""

from __future__ import annotations

import os
import re
from pathlib import Path

import duckdb
import psycopg
import sivka
from server import SECRETS, Server, key_file

DUCKDB = Path(
    os.environ.get("SIVKA_DUCKDB", Path(__file__).resolve().parents[3] / "target/postgresql/sivka.duckdb_extension")
)
SECTION = (Path(__file__).resolve().parents[3] / "docs" / "columns.md").read_text(encoding="utf-8")
SECTION = SECTION.split("## From one engine to another\n")[1].split("\n## ")[0]
# What the page says: out of a server, into DuckDB, out of it, into a server; and for a driver.
LINES = [line.replace("\\|", "|") for line in re.findall(r"^\|.*\| `(.*)` \|$", SECTION, re.MULTILINE)]


def table(db: psycopg.Connection) -> None:
    db.execute("CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)")


def write(db: psycopg.Connection, text: bytes) -> None:
    with db.cursor().copy(LINES[3]) as copy:
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
    db.execute("INSERT INTO people VALUES (0, NULL, NULL)")
    csv = tmp_path / "people.csv"
    with db.cursor().copy(LINES[0]) as copy:
        csv.write_bytes(b"".join(bytes(part) for part in copy))
    (tmp_path / "patients.key").write_text(key_file(SECRETS["patients"]))
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as other:
        other.execute(f"LOAD '{DUCKDB}'")
        other.execute(f"SET GLOBAL sivka_keys = MAP {{'patients': '{tmp_path / 'patients.key'}'}}")
        other.execute(LINES[1].replace("people.csv", str(csv)))
        opened = (
            "SELECT count(*) FILTER (WHERE decode(sivka_open(note, 'patients', 'people.note.' || id)) = 'note ' || id),"
            " count(*) FILTER (WHERE email = sivka_token('e' || id::INT % 10, 'patients', 'people.email')) FROM people"
        )
        assert other.execute(opened).fetchone() == (5000, 5000)
        cast = LINES[1].replace("people.csv", str(csv)).replace("unhex(note[3:])", "note::BLOB")
        other.execute(cast.replace("TABLE people", "TABLE cast_only"))
        (wrong,) = other.execute("SELECT count(sivka_try_open(note, 'patients', 'people.note.' || id)) FROM cast_only").fetchone()
        assert wrong == 0
        other.execute(
            "UPDATE people SET note = sivka_seal('note ' || id, 'patients', 'people.note.' || id) WHERE note IS NOT NULL"
        )
        other.execute(LINES[2].replace("people.csv", str(csv)))
    db.execute("TRUNCATE people")
    write(db, csv.read_bytes())
    assert db.execute("SELECT id FROM people WHERE note IS NULL AND email IS NULL").fetchall() == [(0,)]
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
    for number, note, email in db.execute(LINES[4]).fetchall():
        assert sealing.open(note, f"people.note.{number}".encode()) == f"note {number}".encode()
        token = tokens.seal(f"e{number % 10}".encode(), b"people.email")
        assert token == email
    db.execute("TRUNCATE people")
    with db.cursor().copy("COPY people FROM STDIN (FORMAT binary)") as copy:
        for i in range(1, 201):
            note = sealing.seal(f"note {i}".encode(), f"people.note.{i}".encode())
            copy.write_row([psycopg.types.numeric.Int4(i), note, tokens.seal(f"e{i % 10}".encode(), b"people.email")])
    assert db.execute(RIGHT).fetchone() == (200,)
