"""What the server sealed opens in DuckDB and in Python, and what DuckDB sealed opens in the server."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import psycopg
import sivka
from engine_tests import PAGE, ROOT, SECRETS, key_file
from server import Server

DUCKDB = ROOT / "target/postgresql/sivka.duckdb_extension"
SECTION = PAGE.split("## From one engine to another\n")[1].split("\n## ")[0]
# What the page says: out of a server, into DuckDB, out of it, into a server; and for a driver.
LINES = [line.replace("\\|", "|") for line in re.findall(r"^\|.*\| `(.*)` \|$", SECTION, re.MULTILINE)]


RIGHT = (
    "SELECT count(*) FROM people WHERE sivka_open_text(note, 'patients', 'people.note.' || id) = 'note ' || id"
    " AND email = sivka_token('e' || id % 10, 'patients', 'people.email')"
)


def test_duckdb_and_python(db: psycopg.Connection, server: Server, tmp_path: Path) -> None:
    db.execute("CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)")
    db.execute(
        "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
        " sivka_token('e' || i % 10, 'patients', 'people.email') FROM generate_series(1, 5000) i"
    )
    text = key_file(SECRETS["patients"]).encode()
    sealing, tokens = sivka.AESGCMSIV.for_columns(text), sivka.XChaCha20BLAKE2bSIV.for_columns(text)
    for number, note, email in db.execute(f"{LINES[4]} LIMIT 100").fetchall():
        assert sealing.open(note, f"people.note.{number}".encode()) == f"note {number}".encode()
        assert email == tokens.seal(f"e{number % 10}".encode(), b"people.email")
    db.execute("INSERT INTO people VALUES (0, NULL, NULL)")
    csv = tmp_path / "people.csv"
    with db.cursor().copy(LINES[0]) as copy:
        csv.write_bytes(b"".join(bytes(part) for part in copy))
    (tmp_path / "patients.key").write_bytes(text)
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
    with db.cursor().copy(LINES[3]) as copy:
        copy.write(csv.read_bytes())
    assert db.execute("SELECT id FROM people WHERE note IS NULL AND email IS NULL").fetchall() == [(0,)]
    assert db.execute(RIGHT).fetchone() == (5000,)
