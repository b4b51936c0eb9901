"""Keys by name: where they come from, what is said when they are not there, and where no key shows."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from conftest import connect, set_keys
from engine_tests import SECRETS, key_file

Database = duckdb.DuckDBPyConnection


def message(db: Database, query: str) -> str:
    with pytest.raises(duckdb.Error) as error:
        db.execute(query).fetchall()
    return str(error.value)


def test_names_that_are_not_there(db: Database) -> None:
    for call in ("sivka_seal('v', 'nobody')", "sivka_try_open('v'::BLOB, 'nobody')", "sivka_token('v', 'nobody')"):
        text = message(db, f"SELECT {call} FROM range(0)")
        assert call.split("(")[0] in text
        assert "no key 'nobody' in the setting sivka_keys" in text
    db.execute("RESET GLOBAL sivka_keys")
    assert "no key 'orders' in the setting sivka_keys" in message(db, "SELECT sivka_seal('v', 'orders')")


def test_files_that_are_no_key_files(db: Database, tmp_path: Path) -> None:
    whole = key_file(SECRETS["orders"])
    texts = {"empty": "", "cut": whole[:-3], "long": whole * 9, "digits": whole.replace("key: ", "key: g"),
             "wrong": whole.replace("name: example", "name: examples")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    set_keys(db, {name: tmp_path / name for name in [*texts, "gone"]} | {"folder": tmp_path})
    for name in texts:
        text = message(db, f"SELECT sivka_seal('v', '{name}')")
        assert f"sivka_seal: the file of key '{name}' is not a key file: {tmp_path / name}" in text
        assert SECRETS["orders"].hex() not in text
    for name in ("gone", "folder"):
        assert f"the file of key '{name}' cannot be read" in message(db, f"SELECT sivka_seal('v', '{name}')")


def test_only_the_global_setting_counts(db: Database, paths: dict[str, Path]) -> None:
    """One of a session would hide it, and what hides it cannot be taken back."""
    for statement in (f"SET SESSION sivka_keys = MAP {{'orders': '{paths['patients']}'}}", "RESET SESSION sivka_keys"):
        with db.cursor() as session:
            session.execute(statement)
            assert "hides it: use SET GLOBAL in a new connection" in message(session, "SELECT sivka_token('v', 'orders')")
    assert db.execute("SELECT sivka_token('v', 'orders') IS NOT NULL").fetchone() == (True,)


def test_a_key_is_no_name(db: Database) -> None:
    secret = SECRETS["orders"].hex()
    for given in (secret, secret[:41], "", "a b", "ü", "x" * 41):
        text = message(db, f"SELECT sivka_seal('v', '{given}')").split("\n")[0]
        assert "the name of a key has 1 to 40" in text
        assert not given or given not in text


def test_names_are_constants(db: Database) -> None:
    assert "must be a constant" in message(db, "SELECT sivka_seal('v', k) FROM (VALUES ('orders'), ('patients')) t(k)")
    assert db.execute("SELECT sivka_token('v', ?) = sivka_token('v', 'or' || 'ders')", ["orders"]).fetchone() == (True,)
    assert "must be a constant" in message(db, "SELECT sivka_token('v', NULL)")


def test_prepared_statements(db: Database, paths: dict[str, Path]) -> None:
    """One without parameters keeps its key; one with them is planned anew."""
    db.execute("PREPARE kept AS SELECT sivka_token('v', 'orders')")
    db.execute("PREPARE planned AS SELECT sivka_token($1, 'orders')")
    db.execute("PREPARE named AS SELECT sivka_token('v', $1)")
    old = db.execute("EXECUTE kept").fetchone()
    assert old == db.execute("EXECUTE planned('v')").fetchone() == db.execute("EXECUTE named('orders')").fetchone()
    paths["orders"].write_text(key_file(SECRETS["patients"]))
    assert db.execute("EXECUTE kept").fetchone() == old != db.execute("EXECUTE planned('v')").fetchone()
    assert "must be a constant" in message(db, "PREPARE other AS SELECT sivka_token(v, $1) FROM (VALUES ('v')) t(v)")


def test_no_key_shows(db: Database) -> None:
    """In settings, plans, profiles, and errors of every function."""
    db.execute("CREATE TABLE t AS SELECT sivka_seal('v', 'orders') AS s")
    shown = [str(db.execute(query).fetchall()) for query in (
        "SELECT * FROM duckdb_settings() WHERE name = 'sivka_keys'",
        "EXPLAIN SELECT sivka_open(s, 'orders'), sivka_token('w', 'orders') FROM t",
        "EXPLAIN ANALYZE SELECT sivka_open(s, 'orders') FROM t",
        "SELECT * FROM duckdb_functions() WHERE function_name LIKE 'sivka%'",
    )]
    shown.append(message(db, "SELECT sivka_open(s, 'patients') FROM t"))
    assert "orders.key" in shown[0]
    for text in shown:
        for secret in SECRETS.values():
            assert secret.hex() not in text.lower()


def test_a_key_in_the_place_of_its_path_is_not_quoted(paths: dict[str, Path]) -> None:
    secret = SECRETS["orders"].hex()
    for given in (paths["orders"].read_text(), secret, f"key: {secret}"):
        with connect() as db:
            db.execute("SET GLOBAL sivka_keys = MAP {'orders': ?}", [given])
            text = message(db, "SELECT sivka_seal('v', 'orders')")
            assert "is a key, and not a path" in text and secret not in text


def test_limits_on_files_hold_for_keys(paths: dict[str, Path]) -> None:
    with connect() as db:
        set_keys(db, paths)
        db.execute(f"SET allowed_paths = ['{paths['orders']}']")
        db.execute("SET enable_external_access = false")
        assert db.execute("SELECT octet_length(sivka_seal('v', 'orders'))").fetchone() == (29,)
        assert "the file of key 'patients' cannot be read" in message(db, "SELECT sivka_seal('v', 'patients')")
