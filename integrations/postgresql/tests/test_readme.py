"""What the page shows runs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import psycopg
from server import CONFIG, EXTENSION, Server

PAGE = (EXTENSION / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def last_rows(db: psycopg.Connection, block: str) -> list[tuple]:
    """What the last statement of a block gives."""
    cursor = db.execute(block)
    while cursor.nextset():
        pass
    return cursor.fetchall()


def test_the_statements_of_the_page_run(server: Server) -> None:
    first, second, third = blocks("sql")
    with server.connect() as db:
        db.execute("CREATE DATABASE page")
    with server.connect("page") as db:
        assert last_rows(db, first) == [("fever",)]
        assert last_rows(db, second) == [(1, "a@example.com", "calls on Mondays", "Riga")]
        db.execute("CREATE EXTENSION pgcrypto")
        db.execute(
            "CREATE TABLE letters AS SELECT i AS id, pgp_sym_encrypt('letter ' || i, 'the old password') AS body"
            " FROM generate_series(1, 3) i"
        )
        db.execute(third)
        opened = "SELECT bool_and(sivka_open_text(body, 'patients', 'letters.body.' || id) = 'letter ' || id) FROM letters"
        assert db.execute(opened).fetchall() == [(True,)]
        # The role of the page may use the key, and no other one.
        db.execute("GRANT SELECT ON visits TO clinic")
        db.execute("SET ROLE clinic")
        assert db.execute("SELECT sivka_open_text(note, 'patients', 'visits.note.1') FROM visits").fetchall() == [
            ("fever",)
        ]


def test_the_extension_is_installed_as_the_page_says(tmp_path: Path) -> None:
    """To another root: this machine gets nothing. The library is there; tests of the command make keys."""
    (commands,) = blocks("sh")
    _, script = commands.replace("sudo ", "").replace("-o postgres ", "").split("\n", 1)
    script = script.replace("sivka keygen -o", "touch").replace("-C ", f"-C {EXTENSION.parents[1]}/")
    script = script.replace("/etc", f"{tmp_path}/etc")
    library = os.environ["SIVKA_STATIC_LIBRARY"]
    settings = {**os.environ, "PG_CONFIG": CONFIG, "DESTDIR": str(tmp_path), "SIVKA_LIBRARY": library}
    subprocess.run(["sh", "-ec", script], check=True, capture_output=True, cwd=tmp_path, env=settings)
    installed = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert installed == {"sivka.so", "sivka.control", "sivka--0.1.0.sql", "patients.key"}
