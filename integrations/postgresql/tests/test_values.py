"""Values: the bytes of every engine, forgeries, sizes, and encodings."""

from __future__ import annotations

import csv
from pathlib import Path

import psycopg
import pytest
from server import Server

VECTORS = Path(__file__).resolve().parents[3] / "vectors" / "column-v1" / "rows.csv"
OPEN = {"sivka_seal": "sivka_open", "sivka_token": "sivka_open_token"}
TYPE = {"sivka_seal": "sealed", "sivka_token": "sealed_token"}


def one(db: psycopg.Connection, query: str, *parameters: object) -> object:
    (value,) = db.execute(query, parameters).fetchone()
    return value


def test_rows_are_those_of_every_engine(db: psycopg.Connection) -> None:
    """Tests of Spark and DuckDB read the same file: what one engine seals, the other opens."""
    with VECTORS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 14
    for row in rows:
        seal = row["function"]
        value, context = bytes.fromhex(row["value"]), bytes.fromhex(row["context"]).decode()
        opened = f"SELECT {OPEN[seal]}(%s::{TYPE[seal]}, 'patients', %s)"
        assert one(db, opened, "\\x" + row["sealed"], context) == value
        again = f"SELECT {OPEN[seal]}({seal}(%s::bytea, 'patients', %s), 'patients', %s)"
        assert one(db, again, value, context, context) == value
        if seal == "sivka_token":
            assert one(db, "SELECT sivka_token(%s::bytea, 'patients', %s)", value, context) == "\\x" + row["sealed"]


def test_every_length(db: psycopg.Connection) -> None:
    query = """
        SELECT count(*) FILTER (WHERE sivka_open(s, 'orders', i::text) = v), count(DISTINCT substr(s::bytea, 1, 12)),
               sum(octet_length(s::bytea) - octet_length(v)), count(*) FILTER (WHERE sivka_open_token(t, 'orders') = v)
        FROM (SELECT i, v, sivka_seal(v, 'orders', i::text) s, sivka_token(v, 'orders') t
              FROM (SELECT i, substr(repeat('0123456789abcdef', 130)::bytea, 1, i) v
                    FROM generate_series(0, 2000) i) a) b"""
    assert db.execute(query).fetchone() == (2001, 2001, 28 * 2001, 2001)


def test_large_values(db: psycopg.Connection) -> None:
    db.execute(
        "CREATE TABLE big AS SELECT i, sivka_seal(repeat('0123456789abcdef', i), 'orders', 'big') AS s"
        " FROM unnest(ARRAY[100, 10000, 4 << 20]) i"
    )
    right = "SELECT count(*) FROM big WHERE sivka_open_text(s, 'orders', 'big') = repeat('0123456789abcdef', i)"
    assert one(db, right) == 3


def test_what_opens_and_is_no_text_is_not_quoted(db: psycopg.Connection) -> None:
    for function, kind, value in (
        ("sivka_open_text", "text", b"\xff\xfesecret"),
        ("sivka_open_jsonb", "JSON", b'{"secret'),
    ):
        for call in (function, function.replace("open", "try_open")):
            with pytest.raises(psycopg.errors.DataException, match=f"a value opened and is not {kind}") as error:
                db.execute(f"SELECT {call}(sivka_seal(%s::bytea, 'orders'), 'orders')", [value])
            diagnosis = error.value.diag
            assert "secret" not in f"{diagnosis.message_primary}{diagnosis.message_detail}{diagnosis.context}"
    assert one(db, "SELECT 1") == 1


@pytest.mark.parametrize(("encoding", "value"), [("SQL_ASCII", "e4e465"), ("EUC_JP", "8fa2b7")])
@pytest.mark.parametrize("call", ["sivka_seal({}, 'orders')", "sivka_token('v', 'orders', {})"])
def test_text_that_is_not_utf8_is_not_quoted(
    server: Server, database: str, encoding: str, value: str, call: str
) -> None:
    name = f"{database}_other"
    with server.connect() as maintenance:
        maintenance.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    with server.connect(name) as other:
        other.execute("CREATE EXTENSION sivka")
        text = f"convert_from('\\x{value}', '{encoding}')"
        with pytest.raises(psycopg.errors.CharacterNotInRepertoire) as failure:
            other.execute("SELECT " + call.format(text))
        assert "is not text in UTF-8" in str(failure.value) and value[2:4] not in str(failure.value)
        assert one(other, "SELECT sivka_open_text(sivka_seal('v', 'orders'), 'orders') = 'v'") is True


def test_another_encoding_has_the_same_bytes(server: Server, database: str) -> None:
    """Text is sealed in UTF-8, whatever the database stores."""
    with server.connect() as maintenance:
        maintenance.execute(f"CREATE DATABASE {database}_latin ENCODING 'LATIN1' TEMPLATE template0")
    with server.connect(f"{database}_latin") as latin, server.connect(database) as db:
        latin.execute("CREATE EXTENSION sivka")
        query = "SELECT sivka_token(U&'gr\\00fcn', 'orders', U&'\\00e9')::text"
        assert one(latin, query) == one(db, query)
        for function in ("sivka_open_text(sivka_seal", "sivka_open_token_text(sivka_token"):
            opened = f"SELECT {function}(U&'gr\\00fcn', 'orders', U&'\\00e9'), 'orders', U&'\\00e9') = U&'gr\\00fcn'"
            assert one(latin, opened) is True
        euro = one(db, "SELECT sivka_seal(U&'secret \\20ac', 'orders')::text")
        with pytest.raises(psycopg.errors.DataException, match="is not text in the encoding of the database"):
            latin.execute("SELECT sivka_open_text(%s::sealed, 'orders')", [euro])
        assert one(latin, "SELECT sivka_open(%s::sealed, 'orders')", euro) == "secret €".encode()


def test_a_schema_of_its_own_needs_no_search_path(server: Server, database: str) -> None:
    """Whatever others put in front: neither functions nor operators are looked for elsewhere."""
    name = f"{database}_schema"
    with server.connect() as maintenance:
        maintenance.execute(f"CREATE DATABASE {name}")
    with server.connect(name) as db:
        db.execute("CREATE SCHEMA sivka")
        db.execute("CREATE EXTENSION sivka SCHEMA sivka")
        db.execute("CREATE FUNCTION public.sivka_seal(varchar, text, text) RETURNS text LANGUAGE sql AS 'SELECT $1'")
        db.execute("SET search_path = public")
        db.execute("SELECT sivka.sivka_create_key('orders')")
        db.execute("CREATE TABLE t (v varchar, note sivka.sealed, email sivka.sealed_token PRIMARY KEY)")
        db.execute("INSERT INTO t (v, email) VALUES ('v', sivka.sivka_token('v', 'orders', 'c'))")
        db.execute("UPDATE t SET note = sivka.sivka_seal(v, 'orders', 'c')")
        found = (
            "SELECT sivka.sivka_open_text(t.note, 'orders', 'c') FROM t JOIN t u USING (email)"
            " WHERE email = sivka.sivka_token('v', 'orders', 'c')"
        )
        assert db.execute(found).fetchall() == [("v",)]
        assert db.execute("SELECT DISTINCT email IS NULL FROM t ORDER BY 1").fetchall() == [(False,)]
        assert ("orders", True, True, None) in db.execute("SELECT * FROM sivka.sivka_keys()").fetchall()
        with pytest.raises(psycopg.errors.UndefinedFunction, match="sivka_seal"):
            db.execute("SELECT sivka.sivka_seal(42, 'orders', 'c')")
