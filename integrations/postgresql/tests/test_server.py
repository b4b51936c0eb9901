"""What happens to a server: processes that share a parent, replication, a copy of it."""

from __future__ import annotations

import psycopg
from server import Server, wait

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
            wait(lambda: subscriber.execute("SELECT count(*) FROM v").fetchone() == (9,))
            db.execute("UPDATE v SET id = 10, note = sivka_seal('w', 'orders') WHERE id = 2")
            db.execute("DELETE FROM v WHERE id = 7")
            db.execute("INSERT INTO other VALUES (7)")
            wait(lambda: subscriber.execute(rows).fetchone() == db.execute(rows).fetchone())
        finally:
            subscriber.execute(f"DROP SUBSCRIPTION {name}")


def test_a_dump_has_no_plaintext(server: Server, database: str, db: psycopg.Connection) -> None:
    """It has sealed bytes, keys' names and rights, and views, which work where it is restored."""
    db.execute(TABLE)
    db.execute("CREATE INDEX ON people USING hash (email)")
    db.execute(insert(1, 300))
    db.execute("CREATE VIEW opened AS SELECT sivka_open_text(note, 'patients', 'people.note.' || id) AS note FROM people")
    dump = server.folder / f"{database}.sql"
    server.program("pg_dump", "-d", database, "-f", str(dump))
    assert b"note 7" not in dump.read_bytes() and b"CREATE VIEW sivka_key.patients" in dump.read_bytes()
    server.program("createdb", f"{database}_copy")
    server.program("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", f"{database}_copy", "-f", str(dump))
    with server.connect(f"{database}_copy") as copy:
        assert copy.execute(RIGHT).fetchone() == (300,)
        assert copy.execute("SELECT count(*) FROM opened WHERE note LIKE 'note %'").fetchone() == (300,)


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
