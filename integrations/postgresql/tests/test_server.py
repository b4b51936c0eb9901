"""What happens to a server: processes that share a parent, replication, a crash, a copy of it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time

import psycopg
import pytest
from server import Programs, Server, as_user, run

TABLE = "CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token)"
RIGHT = (
    "SELECT count(*) FROM people WHERE sivka_open_text(note, 'patients', 'people.note.' || id) = 'note ' || id"
    " AND email = sivka_token('e' || id % 100, 'patients', 'people.email')"
)


def insert(first: int, last: int) -> str:
    return (
        "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
        f" sivka_token('e' || i % 100, 'patients', 'people.email') FROM generate_series({first}, {last}) i"
    )


def test_processes_of_one_parent_draw_other_nonces(server: Server, database: str) -> None:
    """The parent sealed when it loaded the library, so each child began with its random bytes."""
    nonces: list[bytes] = []
    for _ in range(12):
        with server.connect(database) as db:
            rows = db.execute("SELECT substr(sivka_seal('', 'orders')::bytea, 1, 12) FROM generate_series(1, 500)")
            nonces += [nonce for (nonce,) in rows]
    assert len(nonces) == len(set(nonces)) == 6000


@pytest.fixture
def own(programs: Programs, server: Server) -> Server:
    """A server that a test may break."""
    made = Server(programs, server.folder / f"own{time.monotonic_ns()}").create(
        "shared_preload_libraries = 'sivka'", "wal_level = logical", "max_wal_senders = 4", "full_page_writes = on"
    )
    try:
        made.start()
        with made.connect() as db:
            db.execute("CREATE EXTENSION sivka")
            db.execute("SELECT sivka_create_key('patients')")
            db.execute(TABLE)
            db.execute("CREATE INDEX ON people USING btree (email)")
            db.execute("CREATE INDEX ON people USING hash (email)")
        yield made
    finally:
        made.stop()


def test_a_session_is_killed(own: Server) -> None:
    """What was committed opens after the server recovered; what was not is gone; no nonce is there twice."""
    with own.connect() as db:
        db.execute(insert(1, 2000))
    victim = own.connect()
    pid = victim.info.backend_pid
    started = threading.Event()

    def work() -> None:
        started.set()
        with pytest.raises(psycopg.OperationalError):
            victim.execute(insert(10_001, 5_000_000))

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    time.sleep(0.5)
    os.kill(pid, signal.SIGKILL)
    thread.join()
    end = time.monotonic() + 60
    while True:
        try:
            with own.connect() as db:
                assert db.execute(RIGHT).fetchone() == db.execute("SELECT count(*) FROM people").fetchone() == (2000,)
                db.execute(insert(2001, 4000))
                assert db.execute(RIGHT).fetchone() == (4000,)
                different = "SELECT count(DISTINCT substr(note::bytea, 1, 12)) FROM people"
                assert db.execute(different).fetchone() == (4000,)
                db.execute("SET enable_seqscan = off")
                found = "SELECT count(*) FROM people WHERE email = sivka_token('e7', 'patients', 'people.email')"
                assert db.execute(found).fetchone() == (40,)
            break
        except psycopg.OperationalError:
            assert time.monotonic() < end
            time.sleep(0.1)
    assert "terminated by signal 9" in own.log.read_text()


def test_hot_standby(own: Server) -> None:
    """A standby opens what the primary sealed, by the keys that its own setting names."""
    own.configure("listen_addresses = ''")
    with own.connect() as db:
        db.execute(insert(1, 1000))
    standby = Server(own.programs, own.folder / "standby")
    standby.folder.mkdir()
    standby.owned(standby.folder, 0o755)
    run(
        [
            own.programs.bin / "pg_basebackup",
            "-h",
            own.folder,
            "-U",
            "postgres",
            "-D",
            standby.data,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
        ]
    )
    standby.configure(f"unix_socket_directories = '{standby.folder}'", "hot_standby = on")
    try:
        standby.start()
        with own.connect() as db:
            db.execute(insert(1001, 1500))
            (end,) = db.execute("SELECT pg_current_wal_lsn()::text").fetchone()
        with standby.connect() as db:
            until = time.monotonic() + 60
            while not db.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [end]).fetchone()[0]:
                assert time.monotonic() < until
                time.sleep(0.05)
            assert db.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
            assert db.execute(RIGHT).fetchone() == (1500,)
            assert db.execute("SELECT octet_length(sivka_seal('v', 'patients')::bytea)").fetchone() == (29,)
            first = db.execute("SELECT substr(sivka_seal('', 'patients')::bytea, 1, 12)").fetchone()
        with own.connect() as db:
            assert db.execute("SELECT substr(sivka_seal('', 'patients')::bytea, 1, 12)").fetchone() != first
    finally:
        standby.stop()


def test_logical_replication_of_whole_rows(server: Server, database: str, db: psycopg.Connection) -> None:
    """Without a primary key, the subscriber looks for the row whose columns are all equal."""
    copy, name = f"{database}_subscriber", f"{database}_subscription"
    server.program("createdb", copy)
    db.execute("CREATE TABLE v (id int, note sealed, email sealed_token)")
    db.execute("ALTER TABLE v REPLICA IDENTITY FULL")
    db.execute("CREATE TABLE other (id int)")
    with server.connect(copy) as subscriber:
        subscriber.execute("CREATE EXTENSION sivka")
        subscriber.execute("CREATE TABLE v (id int, note sealed, email sealed_token)")
        subscriber.execute("CREATE TABLE other (id int)")
        db.execute("INSERT INTO v SELECT i, sivka_seal('v', 'orders'), sivka_token('v', 'orders') FROM generate_series(1, 9) i")
        db.execute(f"CREATE PUBLICATION {name} FOR TABLE v, other")
        db.execute(f"SELECT pg_create_logical_replication_slot('{name}', 'pgoutput')")
        subscriber.execute(
            f"CREATE SUBSCRIPTION {name} CONNECTION 'host={server.folder} port={server.port} dbname={database}"
            f" user=postgres' PUBLICATION {name} WITH (create_slot = false)"
        )
        rows = "SELECT array_agg((v.id, note::bytea) ORDER BY v.id)::text, (SELECT max(id) FROM other) FROM v"
        try:
            end = time.monotonic() + 30
            while subscriber.execute("SELECT count(*) FROM v").fetchone() != (9,):
                assert time.monotonic() < end
                time.sleep(0.05)
            db.execute("UPDATE v SET id = 10, note = sivka_seal('w', 'orders') WHERE id = 2")
            db.execute("DELETE FROM v WHERE id = 7")
            db.execute("INSERT INTO other VALUES (7)")
            while subscriber.execute(rows).fetchone() != db.execute(rows).fetchone():
                assert time.monotonic() < end
                time.sleep(0.05)
        finally:
            subscriber.execute(f"DROP SUBSCRIPTION {name}")


def test_dump_and_restore(server: Server, database: str, db: psycopg.Connection) -> None:
    """A dump has sealed bytes, keys' names and rights, and views; no plaintext, no key."""
    user = f"{database}_user"
    db.execute(TABLE)
    db.execute("CREATE INDEX ON people USING hash (email)")
    db.execute(insert(1, 300))
    db.execute(f"GRANT SELECT (open) ON sivka_key.patients TO {user}")
    db.execute(
        "CREATE VIEW opened AS SELECT id, sivka_open_text(note, 'patients', 'people.note.' || id) AS note,"
        " sivka_open_token_text(email, 'patients', 'people.email') AS email FROM people"
    )
    db.execute(f"GRANT SELECT ON opened TO {user}")
    for form in ("plain", "custom"):
        dump = server.folder / f"{database}.{form}"
        server.program("pg_dump", "-d", database, f"--format={form}", "-f", str(dump))
        assert b"note 7" not in dump.read_bytes() and b"CREATE VIEW sivka_key.patients" in dump.read_bytes()
        copy = f"{database}_{form}"
        server.program("createdb", copy)
        if form == "plain":
            server.program("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", copy, "-f", str(dump))
        else:
            server.program("pg_restore", "--exit-on-error", "-d", copy, str(dump))
        with server.connect(copy, user=user) as other:
            assert other.execute(
                "SELECT count(*) FROM opened WHERE note = 'note ' || id AND email = 'e' || id % 100"
            ).fetchone() == (300,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match='permission denied for key "patients"'):
                other.execute("SELECT sivka_seal('v', 'patients')")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match='permission denied for key "orders"'):
                other.execute("SELECT sivka_token('v', 'orders')")
        with server.connect(copy) as other:
            assert other.execute(RIGHT).fetchone() == (300,)


def test_what_others_see(server: Server, database: str, db: psycopg.Connection) -> None:
    """COPY, statistics, and logical decoding have sealed bytes; statistics and plans of what opens, plaintext."""
    db.execute(TABLE)
    db.execute(insert(1, 2000))
    db.execute("CREATE STATISTICS pair ON email, id FROM people")
    db.execute("ANALYZE people")
    columns = dict(
        db.execute(
            "SELECT attname, coalesce(most_common_vals::text, '') || coalesce(histogram_bounds::text, '')"
            " FROM pg_stats WHERE tablename = 'people'"
        ).fetchall()
    )
    assert columns["note"] == ""
    width = "SELECT avg_width, null_frac, n_distinct FROM pg_stats WHERE tablename = 'people' AND attname = 'note'"
    assert db.execute(width).fetchone() == (37, 0, -1)
    # Which tokens are frequent is what statistics are for.
    token = db.execute("SELECT sivka_token('e7', 'patients', 'people.email')::text").fetchone()[0]
    assert token[1:] in columns["email"] and "e7'" not in columns["email"]
    # Statistics of an expression keep what it gives: plaintext.
    db.execute("CREATE STATISTICS opened ON (sivka_open_token_text(email, 'patients', 'people.email')) FROM people")
    db.execute("ANALYZE people")
    kept = db.execute(
        "SELECT most_common_vals::text FROM pg_stats_ext_exprs WHERE statistics_name = 'opened'"
    ).fetchone()[0]
    assert "e7," in kept
    with db.cursor().copy("COPY people TO STDOUT") as copy:
        text = b"".join(bytes(part) for part in copy)
    assert b"note 7" not in text and text.count(b"\n") == 2000
    slot = f"{database}_slot"
    db.execute("SELECT pg_create_logical_replication_slot(%s, 'test_decoding')", [slot])
    db.execute("INSERT INTO people VALUES (3000, sivka_seal('a note for all', 'patients'))")
    changes = str(db.execute("SELECT data FROM pg_logical_slot_get_changes(%s, NULL, NULL)", [slot]).fetchall())
    assert "table public.people: INSERT" in changes and "a note for all" not in changes
    db.execute("SELECT pg_drop_replication_slot(%s)", [slot])
    db.execute("DELETE FROM people WHERE id = 3000")
    assert db.execute(RIGHT).fetchone() == (2000,)
    # A plan shows the value that is looked for, unless it is a parameter.
    find = "EXPLAIN (VERBOSE) SELECT id FROM people WHERE email = sivka_token({}, 'patients', 'people.email')"
    assert "e7" in str(db.execute(find.format("'e7'")).fetchall())
    db.execute("PREPARE find (text) AS SELECT id FROM people WHERE email = sivka_token($1, 'patients', 'people.email')")
    db.execute("SET plan_cache_mode = force_generic_plan")
    assert "$1" in str(db.execute("EXPLAIN (VERBOSE) EXECUTE find ('e7')").fetchall())
    db.execute("CREATE EXTENSION pg_stat_statements")
    db.execute("SELECT sivka_seal('of a query', 'patients')")
    db.execute("CREATE TABLE made AS SELECT sivka_seal('of a table', 'patients') AS note")
    kept = str(db.execute("SELECT query FROM pg_stat_statements").fetchall())
    assert "of a query" not in kept and "of a table" in kept


def test_an_update_of_the_extension_finds_its_library(programs: Programs) -> None:
    """The control file and the script are of one version."""
    control = (programs.share / "sivka.control").read_text()
    version = control.split("default_version = '")[1].split("'")[0]
    assert (programs.share / f"sivka--{version}.sql").exists()
    assert subprocess.run(as_user([programs.bin / "postgres", "--version"]), capture_output=True).returncode == 0
