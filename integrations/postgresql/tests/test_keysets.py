"""A key may be a Tink keyset, in a file or from a program."""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
import pytest
import sivka
from engine_tests import SECRETS, key_file
from server import Server, wait
from test_keys import keys, message

KINDS = {
    "sivka_seal": ("AES256_GCM", "sealed", "sivka_open"),
    "sivka_token": ("AES256_SIV", "sealed_token", "sivka_open_token"),
}


@pytest.mark.parametrize("form", ["json", "binary"])
@pytest.mark.parametrize("seal", KINDS)
def test_a_keyset_seals_and_opens(server: Server, db: psycopg.Connection, form: str, seal: str) -> None:
    """What the package for Python seals opens here and the other way round, before and after a rotation."""
    template, kind, opens = KINDS[seal]
    tries = opens.replace("open", "try_open")
    keyset = sivka.Keyset.generate(template)
    path = write(server, "turning", keyset.to_insecure(form))
    seals, unseals = (
        (keyset.seal, keyset.open)
        if seal == "sivka_seal"
        else (keyset.seal_deterministically, keyset.open_deterministically)
    )
    with keys(server, {"turning": path}):
        (made,) = db.execute(f"SELECT {seal}('a value', 'turning', 'c')::bytea").fetchone()
        assert unseals(made, b"c") == b"a value"
        theirs = seals(b"their value", b"c")
        opened = f"SELECT {opens}_text(%s::bytea::{kind}, 'turning', 'c')"
        assert db.execute(opened, [theirs]).fetchone() == ("their value",)
        for wrong in [theirs[:n] for n in range(len(theirs))] + [
            bytes([b ^ (i == n) for i, b in enumerate(theirs)]) for n in range(len(theirs))
        ]:
            assert db.execute(f"SELECT {tries}(%s::bytea::{kind}, 'turning', 'c')", [wrong]).fetchone() == (None,)
        keyset.rotate(template)
        write(server, "turning", keyset.to_insecure(form))
        db.execute("SELECT pg_reload_conf()")
        new = f"SELECT {seal}('new', 'turning', 'c')::bytea"
        wait(lambda: db.execute(new).fetchone()[0][:5] != theirs[:5])
        assert unseals(db.execute(new).fetchone()[0], b"c") == b"new"
        assert db.execute(opened, [theirs]).fetchone() == ("their value",)


def write(server: Server, name: str, text: bytes) -> Path:
    path = server.write_key(name, "")
    path.write_bytes(text)
    return path


def test_a_keyset_is_for_one_kind_of_function(server: Server, db: psycopg.Connection) -> None:
    paths = {
        name: write(server, name, sivka.Keyset.generate(template).to_insecure("json"))
        for name, template in (("aead", "AES256_GCM"), ("deterministic", "AES256_SIV"))
    }
    paths["broken"] = write(server, "broken", b'{"primaryKeyId": 1}')
    paths["long"] = write(server, "long", b"{" + bytes(20_000))
    with keys(server, paths):
        assert "not for deterministic AEAD" in message(db, "SELECT sivka_token('v', 'aead')")
        assert "not for AEAD" in message(db, "SELECT sivka_seal('v', 'deterministic')")
        assert "is not a keyset" in message(db, "SELECT sivka_seal('v', 'broken')")
        assert "is too long" in message(db, "SELECT sivka_seal('v', 'long')")


def test_a_program_gives_the_key(server: Server, db: psycopg.Connection) -> None:
    """It is named in the log; what it prints is in no log, and not kept by the C library."""
    texts = {
        "file": key_file(SECRETS["orders"]).encode(),
        "keyset": sivka.Keyset.generate("AES256_GCM").to_insecure("json"),
    }
    places = {}
    for name, text in texts.items():
        stored = write(server, f"{name} of a program", text)
        script = write(server, f"{name} program", f"#!/bin/sh\ncat '{stored}'\n".encode())
        server.owned(script, 0o700)
        places[name] = f"|{script}"
    failing = write(server, "failing", f"#!/bin/sh\ncat '{server.folder}/orders.key'\nexit 3\n".encode())
    server.owned(failing, 0o700)
    places |= {"failing": f"|{failing}", "gone": "|/no/such/program"}
    with keys(server, places):
        (token,) = db.execute("SELECT sivka_token('v', 'file') = sivka_token('v', 'orders')").fetchone()
        assert token is True
        for _ in range(3):
            assert db.execute("SELECT sivka_open_text(sivka_seal('v', 'keyset'), 'keyset')").fetchone() == ("v",)
        for name in ("failing", "gone"):
            assert f'the program of key "{name}" failed' in message(db, f"SELECT sivka_seal('v', '{name}')")
        log = server.log.read_text()
        assert log.count(f'the program "{places["keyset"][1:]}" gives key "keyset"') == 1
        assert SECRETS["orders"].hex() not in log


def test_a_program_runs_once_in_a_session(server: Server, db: psycopg.Connection) -> None:
    """For both algorithms, and not again in the processes of a parallel plan."""
    script = write(server, "once", f"#!/bin/sh\necho >>'{server.folder}/runs'\ncat '{server.folder}/orders.key'\n".encode())
    server.owned(script, 0o700)
    (server.folder / "runs").touch()
    server.owned(server.folder / "runs", 0o600)
    with keys(server, {"once": f"|{script}"}):
        db.execute(
            "CREATE TABLE t AS SELECT i, sivka_seal(i::text, 'once') AS s, sivka_token(i::text, 'once') AS k"
            " FROM generate_series(1, 20000) i"
        )
        db.execute("ANALYZE t")
        for setting in ("parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"):
            db.execute(f"SET {setting} = 0")
        query = "SELECT count(sivka_open(s, 'once')) FROM t WHERE k <> sivka_token('v', 'once') AND i % 10000 < 9000"
        for _ in range(5):
            assert db.execute(query).fetchone() == (18000,)
        assert (server.folder / "runs").read_text() == "\n"


def test_a_program_is_cancelled(server: Server, db: psycopg.Connection) -> None:
    script = write(server, "slow", b"#!/bin/sh\nsleep 30\n")
    server.owned(script, 0o700)
    with keys(server, {"slow": f"|{script}"}):
        db.execute("SET statement_timeout = '300ms'")
        begin = time.monotonic()
        with pytest.raises(psycopg.errors.QueryCanceled):
            db.execute("SELECT sivka_seal('v', 'slow')")
        assert time.monotonic() - begin < 20
        assert db.execute("SELECT sivka_open_text(sivka_seal('v', 'orders'), 'orders')").fetchone() == ("v",)
