"""Who may use a key after a restore: those who might before, or fewer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from server import Server

CALLS = {
    "seal": "SELECT sivka_seal('v', 'patients')",
    "open": "SELECT sivka_try_open('\\x00'::sealed, 'patients')",
    "token": "SELECT sivka_token('v', 'patients')",
}
GRANTED = {"sealer": {"seal", "token"}, "opener": {"open", "token"}, "denied": set()}


def rights(server: Server, database: str, roles: str) -> dict[str, set[str]]:
    found = {}
    for name in GRANTED:
        with server.connect(database, user=f"{roles}_{name}") as db:
            found[name] = {call for call, query in CALLS.items() if is_allowed(db, query)}
    return found


def is_allowed(db: psycopg.Connection, query: str) -> bool:
    try:
        db.execute(query)
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


@pytest.fixture
def dump(server: Server, database: str, db: psycopg.Connection) -> Iterator[Path]:
    for name in (*GRANTED, "gone"):
        db.execute(f"CREATE ROLE {database}_{name} LOGIN")
    db.execute(f"GRANT SELECT (seal) ON sivka_key.patients TO {database}_sealer, {database}_gone")
    db.execute(f"GRANT SELECT (open) ON sivka_key.patients TO {database}_opener")
    assert rights(server, database, database) == GRANTED
    made = server.folder / f"{database}.dump"
    server.program("pg_dump", "-d", database, "--format=custom", "-f", str(made))
    db.execute(f"DROP OWNED BY {database}_gone")
    db.execute(f"DROP ROLE {database}_gone")
    return made


@pytest.mark.parametrize("gives_all", [False, True], ids=["plain target", "default privileges"])
@pytest.mark.parametrize("option", ["", "--clean", "--no-owner", "--no-privileges"])
def test_a_restore_gives_nobody_more(server: Server, database: str, dump: Path, option: str, gives_all: bool) -> None:
    """A role of the dump is not on the target: pg_restore then grants nobody the right that it had."""
    copy = f"{database}_copy"
    server.program("createdb", copy)
    options = [option, "--if-exists"] if option == "--clean" else [option] if option else []
    with server.connect(copy) as db:
        if option == "--clean":
            db.execute("CREATE EXTENSION sivka")
            db.execute("SELECT sivka_create_key('patients')")
            db.execute(f"GRANT SELECT (seal, open) ON sivka_key.patients TO {database}_denied")
        if gives_all:
            for kind in ("TABLES", "SCHEMAS", "FUNCTIONS", "TYPES"):
                db.execute(f"ALTER DEFAULT PRIVILEGES GRANT ALL ON {kind} TO {database}_denied")
            db.execute("ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC")
    warned = server.program_that_warns("pg_restore", *options, "-d", copy, str(dump))
    assert ('_gone" does not exist' in warned) == (option != "--no-privileges"), warned
    openers = set() if option == "--no-privileges" else GRANTED["opener"]
    assert rights(server, copy, database) == {"sealer": set(), "opener": openers, "denied": set()}
    with server.connect(copy) as db:
        # A role of that name that comes later is another one.
        db.execute(f"CREATE ROLE {database}_gone LOGIN")
    with server.connect(copy, user=f"{database}_gone") as db:
        assert not any(is_allowed(db, query) for query in CALLS.values())
    if gives_all:
        # Whoever may make relations there makes no key of his own.
        with server.connect(copy, user=f"{database}_denied") as db:
            db.execute("CREATE VIEW sivka_key.later AS SELECT 1 AS seal, 1 AS open")
            db.execute("GRANT SELECT (seal, open) ON sivka_key.later TO PUBLIC")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match='key "later"'):
                db.execute("SELECT sivka_seal('v', 'later')")
