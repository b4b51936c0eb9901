"""What is sealed, opened and made a token of, in every shape in which DuckDB has vectors."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from engine_tests import SECRETS, expand

Database = duckdb.DuckDBPyConnection

# Of no length, inlined in DuckDB's strings (up to 12 bytes) and not, before and after sealing.
LENGTHS = [0, 1, 11, 12, 13, 15, 16, 17, 31, 32, 33, 255, 256, 4095, 65537]
PAIRS = [("sivka_seal", "sivka_open"), ("sivka_token", "sivka_open_token")]


def rows(db: Database, query: str, *arguments: Any) -> list[Any]:
    return [row[0] for row in db.execute(query, *arguments).fetchall()]


@pytest.mark.parametrize(("seal", "open_"), PAIRS)
@pytest.mark.parametrize("context", ["", ", 'table.column'", ", '\\x00\\xFF'::BLOB"])
def test_every_length_opens(db: Database, seal: str, open_: str, context: str) -> None:
    values = [bytes(i % 251 for i in range(n)) for n in LENGTHS]
    given = pa.table({"v": pa.array([None, *values, None], pa.binary())})
    db.register("given", given)
    db.execute(f"CREATE TABLE sealed AS SELECT v, {seal}(v, 'patients'{context}) AS s FROM given")
    sealed = rows(db, "SELECT s FROM sealed")
    assert sealed[0] is None
    assert [len(s) - n for s, n in zip(sealed[1:-1], LENGTHS, strict=True)] == [
        28 if seal == "sivka_seal" else 32
    ] * len(LENGTHS)
    opened = rows(db, f"SELECT {open_}(s, 'patients'{context}) FROM sealed")
    assert opened == [None, *values, None]
    with pytest.raises(duckdb.InvalidInputException):
        db.execute(f"SELECT {open_}(s, 'patients', 'other') FROM sealed").fetchall()


def test_rows_are_those_of_every_engine(db: Database) -> None:
    """Spark's tests read the same file: what one engine seals, the other opens."""
    vectors = Path(__file__).resolve().parents[3] / "vectors" / "column-v1" / "rows.csv"
    db.execute(
        "CREATE TABLE shared AS SELECT function, unhex(context) AS c, unhex(value) AS v, unhex(sealed) AS s"
        " FROM read_csv(?, all_varchar = true, nullstr = 'NULL')",
        [str(vectors)],
    )
    assert rows(db, "SELECT count(*) FROM shared") == [14]
    opened = "SELECT count(*) FROM shared WHERE function = 'sivka_seal' AND sivka_try_open(s, 'patients', c) = v"
    assert rows(db, opened) == [7]
    tokens = "sivka_token(v, 'patients', c) = s AND sivka_try_open_token(s, 'patients', c) = v"
    assert rows(db, f"SELECT count(*) FROM shared WHERE {tokens}") == [7]


def test_each_row_has_its_own_context(db: Database) -> None:
    judge = AESGCMSIV(expand(SECRETS["orders"], "sivka.column.v1 AES-256-GCM-SIV", 32))
    contexts = ["", "short", "a context that is not inlined", None, "short"]
    given = pa.table({"v": ["v", "w", "x", None, None], "c": contexts})
    db.register("given", given)
    sealed = rows(db, "SELECT sivka_seal(v, 'orders', c) FROM given")
    assert sealed[3:] == [None, None]
    for value, context, row in zip("vwx", contexts, sealed[:3], strict=False):
        assert judge.decrypt(row[:12], row[12:], context.encode()) == value.encode()
    db.execute("CREATE TABLE s AS SELECT c, sivka_seal(v, 'orders', c) AS s FROM given WHERE c IS NOT NULL")
    assert rows(db, "SELECT count(*) FROM s a, s b WHERE sivka_try_open(a.s, 'orders', b.c) IS NOT NULL") == [4]


@pytest.mark.parametrize("function", ["seal", "open", "try_open", "token", "open_token", "try_open_token"])
def test_a_value_without_its_context_fails(db: Database, function: str) -> None:
    """A null in its place would lose the value."""
    given = pa.table({"v": pa.array([bytes(40), None], pa.binary()), "c": pa.array([None, None], pa.string())})
    db.register("given", given)
    call = f"sivka_{function}(v, 'orders', c)"
    assert rows(db, f"SELECT {call} FROM given WHERE v IS NULL") == [None]
    for query in (f"SELECT {call} FROM given", f"SELECT sivka_{function}('\\x00'::BLOB, 'orders', NULL)"):
        with pytest.raises(duckdb.Error, match="the context of a value is NULL"):
            db.execute(query).fetchall()


def test_nonces_are_never_the_same(db: Database) -> None:
    """Also for constants, in one query twice, and on all threads."""
    db.execute("SET threads = 4")
    db.execute("CREATE TABLE t AS SELECT sivka_seal('x', 'patients') AS a, "
               "sivka_seal('x', 'patients') AS b FROM range(200000)")
    query = "SELECT count(DISTINCT s[1:12]) FROM (SELECT a AS s FROM t UNION ALL SELECT b FROM t)"
    assert rows(db, query) == [400_000]


def test_tokens_are_equal_where_values_are(db: Database) -> None:
    db.execute("SET threads = 4")
    db.execute("CREATE TABLE left_ AS SELECT i, sivka_token((i % 1000)::VARCHAR, 'orders', 'id') AS k "
               "FROM range(100000) t(i)")
    db.execute("CREATE TABLE right_ AS SELECT sivka_token(i::VARCHAR, 'orders', 'id') AS k, i AS j "
               "FROM range(1000) t(i)")
    assert rows(db, "SELECT count(*) FROM left_ JOIN right_ USING (k) WHERE i % 1000 = j") == [100_000]
    assert rows(db, "SELECT count(DISTINCT k) FROM left_") == [1000]
    assert rows(db, "SELECT count(*) FROM left_ WHERE k = sivka_token('7', 'orders', 'id')") == [100]
    others = "SELECT sivka_token('7', 'orders', 'id') IN (sivka_token('7', 'patients', 'id'), "
    assert rows(db, others + "sivka_token('7', 'orders'), sivka_token('7', 'orders', 'x'))") == [False]


def test_the_token_of_a_constant_is_made_once_and_pushed(db: Database, tmp_path: Path) -> None:
    """A look-up reads the row groups that may have the token, not all of them."""
    db.execute("CREATE TABLE t AS SELECT sivka_token(i::VARCHAR, 'orders', 'id') AS k FROM range(20000) r(i) ORDER BY k")
    db.execute(f"COPY t TO '{tmp_path}/t.parquet' (ROW_GROUP_SIZE 2048)")
    token = "sivka_token('7', 'orders', 'id')"
    ((_, plan),) = db.execute(f"EXPLAIN SELECT * FROM '{tmp_path}/t.parquet' WHERE k = {token}").fetchall()
    assert "sivka_token" not in plan and "Filters" in plan, plan
    assert rows(db, f"SELECT count(*) FROM '{tmp_path}/t.parquet' WHERE k = {token}") == [1]
    ((_, profile),) = db.execute(f"EXPLAIN ANALYZE SELECT * FROM '{tmp_path}/t.parquet' WHERE k = {token}").fetchall()
    assert "1 row" in profile, profile


def test_what_duckdb_1_does_wrong(db: Database, tmp_path: Path) -> None:
    """As the README says: Bloom filters of bytes hide rows, and correlated subqueries run once for equal values."""
    right = not duckdb.__version__.startswith("1.")
    db.execute("CREATE TABLE t AS SELECT range AS i, sivka_token('v' || range % 50, 'patients') AS t FROM range(5000)")
    db.execute(f"COPY t TO '{tmp_path}/filtered.parquet'")
    db.execute(f"COPY t TO '{tmp_path}/plain.parquet' (write_bloom_filter false)")
    for file, condition, found in (
        ("filtered", "t = sivka_token('v7', 'patients')", right),
        ("filtered", "hex(t) = hex(sivka_token('v7', 'patients'))", True),
        ("plain", "t = sivka_token('v7', 'patients')", True),
    ):
        query = f"SELECT count(*) FROM '{tmp_path}/{file}.parquet' WHERE {condition}"
        assert db.execute(query).fetchone() == (100 * found,), (file, condition)
    for call in ("sivka_seal(t.t, 'patients')", "(t.i - t.i + random())"):
        query = f"SELECT count(DISTINCT s) FROM (SELECT i % 50 AS i, t FROM t) t, LATERAL (SELECT {call} AS s)"
        assert db.execute(query).fetchone() == (5000 if right else 50,), call


def test_filtered_sliced_and_repeated_vectors(db: Database, tmp_path: Path) -> None:
    """Selection vectors, dictionaries out of Parquet, constants; nulls between."""
    db.execute("CREATE TABLE t AS SELECT i, CASE WHEN i % 7 = 0 THEN NULL ELSE "
               "repeat('v', (i % 40)::INT) || i % 40 END AS v FROM range(20000) r(i)")
    db.execute(f"COPY t TO '{tmp_path}/t.parquet' (DICTIONARY_SIZE_LIMIT 100000)")
    for source in ("t", f"'{tmp_path}/t.parquet'"):
        for where in ("true", "i % 3 = 1", "i > 19990", "i % 40 = 12", "i = 14", "false"):
            query = (f"SELECT count(*) FROM (SELECT v, sivka_open(sivka_seal(v, 'orders', v), 'orders', v) AS o, "
                     f"sivka_open_token(sivka_token(v, 'orders', 'c'), 'orders', 'c') AS p FROM {source} "
                     f"WHERE {where}) WHERE decode(o) IS DISTINCT FROM v OR decode(p) IS DISTINCT FROM v")
            assert rows(db, query) == [0], (source, where)
    assert rows(db, f"SELECT count(*) FROM '{tmp_path}/t.parquet' WHERE sivka_token(v, 'orders') IS NULL") == [2858]


def test_what_a_filter_took_away_is_not_opened(db: Database, tmp_path: Path) -> None:
    """A dictionary may hold values that no row has left; a forged one must not fail the rest."""
    db.execute("CREATE TABLE t AS SELECT i, CASE WHEN i % 2 = 0 THEN sivka_token((i % 10)::VARCHAR, 'orders') "
               "ELSE 'forged and longer than a tag of this kind is'::BLOB END AS s FROM range(5000) r(i)")
    db.execute(f"COPY t TO '{tmp_path}/t.parquet'")
    query = f"SELECT count(sivka_open_token(s, 'orders')) FROM '{tmp_path}/t.parquet' WHERE i % 2 = 0"
    assert rows(db, query) == [2500]


def test_what_does_not_open(db: Database) -> None:
    (sealed,) = rows(db, "SELECT sivka_seal('a secret of some length', 'patients')")
    wrong = [sealed[:n] for n in (0, 1, 11, 12, 27, 28, len(sealed) - 1)]
    wrong += [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    for value in wrong:
        with pytest.raises(duckdb.InvalidInputException, match="sivka_open, key 'patients'") as error:
            db.execute("SELECT sivka_open(?, 'patients')", [value])
        assert "secret" not in str(error.value)
        assert SECRETS["patients"].hex() not in str(error.value)
    given = pa.table({"s": pa.array([sealed, *wrong, None, sealed], pa.binary())})
    db.register("given", given)
    opened = rows(db, "SELECT sivka_try_open(s, 'patients') FROM given")
    assert opened == [b"a secret of some length", *[None] * (len(wrong) + 1), b"a secret of some length"]
    assert rows(db, "SELECT sivka_try_open(s, 'orders') FROM given") == [None] * len(opened)


def test_large_rows(db: Database) -> None:
    db.execute("CREATE TABLE t AS SELECT i, repeat('0123456789abcdef', CASE WHEN i % 2 = 0 THEN 1048576 "
               "ELSE i END::INT) AS v FROM range(6) r(i)")
    db.execute("CREATE TABLE s AS SELECT i, v, sivka_seal(v, 'orders', 'big') AS s FROM t")
    assert rows(db, "SELECT max(octet_length(s)) FROM s") == [(16 << 20) + 28]
    assert rows(db, "SELECT count(*) FROM s WHERE decode(sivka_open(s, 'orders', 'big')) = v") == [6]


def test_threads_share_a_database(db: Database) -> None:
    def work(mine: Database) -> list[Any]:
        return rows(mine, "SELECT count(*) FROM range(100000) t(i) WHERE decode(sivka_open("
                    "sivka_seal(i::VARCHAR, 'orders'), 'orders')) = i::VARCHAR")

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(work, [db.cursor() for _ in range(4)])) == [[100_000]] * 4


def test_values_that_another_thread_changes(db: Database) -> None:
    """Arrow's buffers are read where they are: each value is read once, and so opens."""
    count, length = 3000, 100
    source = bytearray(count * length)
    offsets = pa.py_buffer(pa.array(range(0, (count + 1) * length, length), pa.int32()).buffers()[1])
    buffers = [None, offsets, pa.py_buffer(source)]
    db.register("given", pa.table({"v": pa.Array.from_buffers(pa.binary(), count, buffers)}))
    stop = threading.Event()

    def change() -> None:
        number = 0
        while not stop.is_set():
            number = (number + 1) % 256
            source[:] = bytes([number]) * len(source)

    with ThreadPoolExecutor() as pool:
        changing = pool.submit(change)
        try:
            for _ in range(20):
                db.execute("CREATE OR REPLACE TABLE sealed AS SELECT sivka_seal(v, 'patients') AS s FROM given")
                opened = rows(db, "SELECT sivka_open(s, 'patients') FROM sealed")
                assert len(opened) == count and {len(each) for each in opened} == {length}
                db.execute("SELECT sivka_try_open(v, 'patients', v) FROM given").fetchall()
        finally:
            stop.set()
        changing.result()
