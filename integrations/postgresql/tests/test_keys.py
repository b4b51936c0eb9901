"""Keys: where they come from, who may use them, and where none shows."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import sivka
from engine_tests import SECRETS, expand, key_file
from server import Programs, Server, wait

LABELS = {"AES-256-GCM-SIV": "sivka_seal", "XChaCha20-BLAKE2b-SIV": "sivka_token"}


def message(db: psycopg.Connection, query: str) -> str:
    with pytest.raises(psycopg.Error) as error:
        db.execute(query)
    return f"{error.value} {error.value.diag.message_detail} {error.value.diag.message_hint}"


def token(db: psycopg.Connection, key: str) -> str:
    return db.execute("SELECT sivka_token('v', %s)::text", [key]).fetchone()[0]


@contextmanager
def keys(server: Server, more: dict[str, Path]) -> Iterator[None]:
    """The setting with more keys, after a reload, and then as it was."""
    listed = ", ".join([server.keys, *(f"{name} = {path}" for name, path in more.items())])
    server.configure(f"sivka.keys = '{listed}'")
    reload(server, listed)
    try:
        yield
    finally:
        server.configure(f"sivka.keys = '{server.keys}'")
        reload(server, server.keys)


def reload(server: Server, expected: str) -> None:
    with server.connect() as db:
        db.execute("SELECT pg_reload_conf()")
        wait(lambda: db.execute("SHOW sivka.keys").fetchone() == (expected,))


def test_a_session_takes_the_file_again_after_a_reload(server: Server, db: psycopg.Connection) -> None:
    path = server.write_key("turning", key_file(SECRETS["orders"]))
    with keys(server, {"turning": path}):
        assert token(db, "turning") == token(db, "orders")
        server.write_key("turning", key_file(SECRETS["patients"]))
        # Until the reload a session keeps what it has.
        assert token(db, "turning") == token(db, "orders")
        db.execute("SELECT pg_reload_conf()")
        wait(lambda: token(db, "turning") == token(db, "patients"))
    wait(lambda: db.execute("SHOW sivka.keys").fetchone() == (server.keys,))
    assert 'no key "turning"' in message(db, "SELECT sivka_token('v', 'turning')")


def test_a_query_that_is_under_way_takes_the_new_key(server: Server, db: psycopg.Connection) -> None:
    """Its cursor has kept the key, which other queries of the session have wiped by then."""
    path = server.write_key("moving", key_file(SECRETS["orders"]))
    with keys(server, {"moving": path}):
        old, new = token(db, "orders"), token(db, "patients")
        with db.transaction():
            db.execute(
                "DECLARE rows CURSOR FOR SELECT sivka_token('v', 'moving')::text FROM generate_series(1, 1000000)"
            )
            assert db.execute("FETCH rows").fetchone() == (old,)
            server.write_key("moving", key_file(SECRETS["patients"]))
            db.execute("SELECT pg_reload_conf()")
            wait(lambda: token(db, "moving") == new)
            assert db.execute("FETCH rows").fetchone() == (new,)


def test_files_that_are_no_key_files(server: Server, db: psycopg.Connection) -> None:
    whole = key_file(SECRETS["orders"])
    texts = {
        "empty": "",
        "cut": whole[:-3],
        "long": whole * 9,
        "digits": whole.replace("key: ", "key: g"),
        "wrong": whole.replace("name: example", "name: examples"),
    }
    paths = {name: server.write_key(name, text) for name, text in texts.items()}
    open_to_all = server.write_key("open", whole)
    open_to_all.chmod(0o604)
    # Nobody writes to it: a process that waited for that could not be ended.
    pipe = server.folder / "pipe.key"
    os.mkfifo(pipe)
    server.owned(pipe, 0o600)
    paths |= {"open": open_to_all, "gone": server.folder / "gone.key", "folder": server.folder, "pipe": pipe}
    with keys(server, paths):
        for name in texts:
            for _ in range(3):
                assert f'the file of key "{name}" is not a key file' in message(db, f"SELECT sivka_seal('v', '{name}')")
        for name in ("open", "folder", "pipe"):
            assert f'the file of key "{name}" can be read by others' in message(db, f"SELECT sivka_seal('v', '{name}')")
        gone = message(db, "SELECT sivka_seal('v', 'gone')")
        assert 'the file of key "gone" cannot be read' in gone and str(server.folder) not in gone
        assert f'The path is "{server.folder}/gone.key"' in server.log.read_text()
        # Failures leave no room taken: as many as would fill it change nothing.
        for _ in range(200):
            message(db, "SELECT sivka_seal('v', 'wrong')")
        assert token(db, "orders")


def test_keys_fill_locked_memory_and_no_more(server: Server, db: psycopg.Connection) -> None:
    """A session says that there is no room, goes on with what it has, and has room after a reload."""
    many = {f"key{i}": server.folder / "orders.key" for i in range(200)}
    with keys(server, many):
        loaded = 0
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match="no room for another key"):
            for name in many:
                db.execute(f"SELECT sivka_seal('v', '{name}')")
                loaded += 1
        assert loaded > 10
        assert token(db, "key0") if loaded > 150 else True
        for name in list(many)[:loaded]:
            assert db.execute(f"SELECT sivka_open_text(sivka_seal('v', '{name}'), '{name}')").fetchone() == ("v",)


def test_nobody_else_says_where_keys_are(server: Server, programs: Programs, database: str) -> None:
    """Neither a session, nor a role, nor whoever connects; also where the library comes late."""
    name = f"{database}_user"
    late = Server(programs, server.folder / "late").create()
    try:
        late.start()
        with late.connect() as db:
            db.execute("CREATE EXTENSION sivka")
            db.execute("SELECT sivka_create_key('orders')")
            db.execute(f"CREATE ROLE {name} LOGIN")
            db.execute(f"GRANT SELECT (seal, open) ON sivka_key.orders TO {name}")
            right = token(db, "orders")
        other = f"orders={late.folder / 'patients.key'}"
        with late.connect(user=name) as db:
            db.execute(f"SET sivka.keys = '{other}'")
            assert token(db, "orders") == right
        # Who sets it for his whole session has no key at all.
        with late.connect(user=name, options=f"-c sivka.keys={other}") as db:
            assert 'no key "orders"' in message(db, "SELECT sivka_token('v', 'orders')")
        with late.connect(user=name) as db:
            assert "permission denied" in message(db, f"ALTER ROLE {name} SET sivka.keys = '{other}'")
    finally:
        late.stop()
    with server.connect(database, user=name) as db:
        assert "cannot be changed now" in message(db, f"SET sivka.keys = '{other}'")
    with pytest.raises(psycopg.OperationalError, match="cannot be changed now"):
        server.connect(database, user=name, options=f"-c sivka.keys={other}")


def test_no_key_shows(server: Server, database: str, db: psycopg.Connection) -> None:
    """In settings, plans, statistics, errors, and the server's log, which has every statement."""
    db.execute("CREATE EXTENSION pg_stat_statements")
    db.execute("CREATE TABLE t AS SELECT sivka_seal('v', 'orders') AS s, sivka_token('v', 'orders') AS k")
    db.execute("ANALYZE t")
    message(db, "SELECT sivka_open(s, 'patients') FROM t")
    shown = [
        str(db.execute(query).fetchall())
        for query in (
            "EXPLAIN (ANALYZE, VERBOSE) SELECT sivka_open(s, 'orders'), sivka_token('w', 'orders') FROM t",
            "SELECT * FROM pg_stat_statements",
            "SELECT * FROM pg_settings",
            "SELECT * FROM pg_stats WHERE tablename = 't'",
            "SELECT * FROM pg_stat_activity",
            "SELECT * FROM pg_file_settings",
            "SELECT * FROM pg_stat_user_functions",
        )
    ]
    assert "sivka_seal" in shown[1] and "orders.key" in shown[2]
    shown.append(server.log.read_text())
    assert "sivka_open" in shown[-1]
    for text in shown:
        for secret in SECRETS.values():
            for label in LABELS:
                assert expand(secret, f"sivka.column.v1 {label}", 32).hex() not in text.lower()
            assert secret.hex() not in text.lower()


def test_a_key_in_the_place_of_its_path_is_not_logged(server: Server) -> None:
    """The server keeps its old setting, and says that there is an error, not which text it is in."""
    secret = SECRETS["orders"].hex()
    for given in (f"orders={secret}", secret, f"key: {secret}"):
        server.configure(f"sivka.keys = '{given}'")
        with server.connect() as db:
            db.execute("SELECT pg_reload_conf()")
            wait(lambda: "sivka.keys is not a list of names" in server.log.read_text())
            assert db.execute("SHOW sivka.keys").fetchone() == (server.keys,)
        server.configure(f"sivka.keys = '{server.keys}'")
    with server.connect() as db:
        db.execute("SELECT pg_reload_conf()")
    assert secret not in server.log.read_text()


def regions(pid: int) -> Iterator[tuple[bool, bytes]]:
    """The memory of a process that it can write to, and whether it is locked."""
    text = Path(f"/proc/{pid}/smaps").read_text()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for entry in re.split(r"\n(?=[0-9a-f]+-[0-9a-f]+ )", text):
            begin, end, access = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", entry).groups()
            flags = re.search(r"^VmFlags: (.*)$", entry, re.MULTILINE)[1].split()
            if "w" not in access or "io" in flags:
                continue
            memory.seek(int(begin, 16))
            try:
                yield {"lo", "dd", "dc"} <= set(flags), memory.read(int(end, 16) - int(begin, 16))
            except OSError:
                continue


@pytest.mark.skipif(os.geteuid() != 0, reason="only root reads the memory of a server's process")
def test_keys_are_in_locked_memory_only(programs: Programs, home: Path) -> None:
    """Neither the key of a file nor one made of it, nor the digits of the file, is anywhere else.

    That a state of a key holds the key's bytes is not promised: so what is found in locked memory
    says only that the search finds something, for a key whose first bytes are kept.
    """
    # No other test has put a key into this server's configuration.
    clean = Server(programs, home / "clean").create("shared_preload_libraries = 'sivka'")
    clean.configure(f"sivka.keys = '{clean.keys}, keyset={clean.folder}/keyset.key'")
    # Its code is the library's own. AES-GCM, of another library, leaves a round key on the stack.
    keyset = sivka.Keyset.generate("AES256_GCM_SIV_RAW").to_insecure("json")
    clean.write_key("keyset", keyset.decode())
    value = json.loads(keyset)["key"][0]["keyData"]["value"]
    use = (
        "SELECT sivka_open(sivka_seal(i::text, 'keyset'), 'keyset'), sivka_token(i::text, 'orders'),"
        " sivka_open(sivka_seal(i::text, 'orders'), 'orders') FROM generate_series(1, 1000) i"
    )
    secret = SECRETS["orders"]
    wanted = [secret, secret.hex().encode(), *(expand(secret, f"sivka.column.v1 {label}", 32) for label in LABELS)]
    # Of the keyset, the last bytes of its key, and the digits of its file.
    wanted += [base64.b64decode(value)[-32:], value[-24:].encode()]
    # Half of one says as much, and is found also where a round key has it.
    wanted = [part[:16] for part in wanted]
    locked, elsewhere, area = set(), set(), 0
    try:
        with clean.start().connect() as db:
            db.execute("CREATE EXTENSION sivka")
            db.execute(use)
            for is_locked, content in regions(db.info.backend_pid):
                area += len(content) if is_locked else 0
                found = {i for i, part in enumerate(wanted) if part in content}
                locked |= found if is_locked else set()
                elsewhere |= set() if is_locked else found
            # A reload wipes what the session had.
            db.execute("SELECT pg_reload_conf()")
            wait(lambda: db.execute("SELECT 1") and not any(any(content) for is_locked, content in regions(db.info.backend_pid) if is_locked))
    finally:
        clean.stop()
    assert area == 64 << 10
    assert elsewhere == set()
    assert len(locked) > 1, "the search found no key, or one only"
