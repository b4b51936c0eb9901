"""Measures the extension beside pgcrypto and copying: `python compare.py [ROWS]`.

Needs the extension as test.py builds it, its Python, and pgcrypto. Prints the columns that
evidence/bench/README.md names, and on standard error what runs.
With a million rows it takes two minutes on a core of its own, and many times that where others take the cores.
All take the same values of 32 bytes, in one session without parallel plans, and take turns. Times are those
that the session's process ran on a CPU, as Linux counts them, so that what else the machine does changes them
little; each has the minimum and the median of its runs. What was sealed is opened and compared before anything
is measured. pgp_sym_encrypt takes a large part of a millisecond, so it has fewer rows.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import sivka

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
from server import Programs, Server, folder  # noqa: E402

RUNS = int(os.environ.get("SIVKA_RUNS", "7"))
FEW_ROWS = 2000
PASSWORD = "a password of some length"
AES = "'\\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'::bytea"
# Tink's keysets: the algorithm of key files, the one that Tink's own documents take, and its deterministic one.
KEYSETS = {"gcm_siv": "AES256_GCM_SIV", "gcm": "AES256_GCM", "siv": "AES256_SIV"}
COLUMNS = {
    "s": "sivka_seal(v, 'patients')",
    "k": "sivka_token(v, 'patients')",
    "gcm_siv": "sivka_seal(v, 'gcm_siv')",
    "gcm": "sivka_seal(v, 'gcm')",
    "siv": "sivka_token(v, 'siv')",
    "a": f"encrypt(v, {AES}, 'aes-cbc')",
}
CALLS = [
    ("seal", "copy", "copy_value(v)", "none"),
    ("seal", "sivka_seal", COLUMNS["s"], "aes-256-gcm-siv"),
    ("seal", "sivka_token", COLUMNS["k"], "xchacha20-blake2b-siv"),
    ("seal", "sivka_seal by a keyset AES256_GCM_SIV", COLUMNS["gcm_siv"], "aes-256-gcm-siv"),
    ("seal", "sivka_seal by a keyset AES256_GCM", COLUMNS["gcm"], "aes-256-gcm"),
    ("seal", "sivka_token by a keyset AES256_SIV", COLUMNS["siv"], "aes-siv-512"),
    ("seal", "pgcrypto encrypt", COLUMNS["a"], "aes-256-cbc"),
    ("open", "copy", "copy_value(s::bytea)", "none"),
    ("open", "sivka_open", "sivka_open(s, 'patients')", "aes-256-gcm-siv"),
    ("open", "sivka_open_token", "sivka_open_token(k, 'patients')", "xchacha20-blake2b-siv"),
    ("open", "sivka_open by a keyset AES256_GCM_SIV", "sivka_open(gcm_siv, 'gcm_siv')", "aes-256-gcm-siv"),
    ("open", "sivka_open by a keyset AES256_GCM", "sivka_open(gcm, 'gcm')", "aes-256-gcm"),
    ("open", "sivka_open_token by a keyset AES256_SIV", "sivka_open_token(siv, 'siv')", "aes-siv-512"),
    ("open", "pgcrypto decrypt", f"decrypt(a, {AES}, 'aes-cbc')", "aes-256-cbc"),
]
# What each contender computes.
ALGORITHMS = {name: algorithm for _, name, _, algorithm in CALLS} | {
    "pgcrypto pgp_sym_encrypt_bytea": "openpgp",
    "pgcrypto pgp_sym_decrypt_bytea": "openpgp",
}


def progress(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def install(programs: Programs) -> None:
    """The copying function."""
    include = subprocess.run(
        [os.environ.get("PG_CONFIG", "pg_config"), "--includedir-server"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run(
        ["cc", "-O2", "-fPIC", "-shared", "-I", include, HERE / "copy.c", "-o", programs.library / "copy_value.so"],
        check=True,
    )
    subprocess.run(["chmod", "-R", "a+rX", programs.home], check=True)


def prepare(db: psycopg.Connection, rows: int) -> None:
    db.execute("CREATE EXTENSION sivka")
    db.execute("CREATE EXTENSION pgcrypto")
    db.execute(
        "CREATE FUNCTION copy_value(bytea) RETURNS bytea AS 'copy_value' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE"
    )
    for setting in (
        "max_parallel_workers_per_gather = 0",
        "jit = off",
        "work_mem = '512MB'",
        "maintenance_work_mem = '256MB'",
    ):
        db.execute(f"SET {setting}")
    progress(f"makes {rows} rows")
    columns = [f"{call} AS {name}" for name, call in COLUMNS.items()]
    db.execute(
        f"CREATE UNLOGGED TABLE t AS SELECT i, v, {', '.join(columns)} FROM"
        f" (SELECT i, substr(sha256(i::text::bytea), 1, 32) AS v FROM generate_series(1, {rows}) i) x"
    )
    db.execute(
        f"CREATE UNLOGGED TABLE few AS SELECT v, pgp_sym_encrypt_bytea(v, '{PASSWORD}') AS p FROM t LIMIT {FEW_ROWS}"
    )
    db.execute("VACUUM ANALYZE t")
    progress("opens what was sealed")
    for operation, name, call, _ in CALLS:
        if operation == "open" and name != "copy":
            assert db.execute(f"SELECT count(*) FROM t WHERE {call} = v").fetchone() == (rows,), name
    opened = db.execute(f"SELECT count(*) FROM few WHERE pgp_sym_decrypt_bytea(p, '{PASSWORD}') = v").fetchone()
    assert opened == (FEW_ROWS,)


def on_cpu(db: psycopg.Connection) -> float:
    """How long the session's process has run on a CPU, in seconds."""
    return int(Path(f"/proc/{db.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9


def seconds(db: psycopg.Connection, query: str) -> float:
    begin = on_cpu(db)
    db.execute(query)
    return on_cpu(db) - begin


def turns(operation: str, contenders: dict[str, Callable[[], float]]) -> dict[str, tuple[float, float]]:
    """The minimum and the median of each, which take turns."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(RUNS):
        progress(f"{operation}: turn {turn + 1} of {RUNS}")
        for name, run in contenders.items():
            taken[name].append(run())
    return {name: (min(each), statistics.median(each)) for name, each in taken.items()}


def report(operation: str, results: dict[str, tuple[float, float]], count: dict[str, int]) -> None:
    for name, times in results.items():
        kind = "ours" if name.startswith("sivka") else "yardstick"
        least, middle = (seconds / count[name] * 1e9 for seconds in times)
        what = f"postgresql,{operation},32,0,{count[name]},{name},{kind},{ALGORITHMS.get(name, 'none')}"
        print(f"{what},{least:.0f},{middle:.0f}", flush=True)


def functions(db: psycopg.Connection, rows: int) -> None:
    for operation in ("seal", "open"):
        calls = {name: call for kind, name, call, _ in CALLS if kind == operation}
        contenders = {
            name: (lambda call=call: seconds(db, f"SELECT count({call}) FROM t")) for name, call in calls.items()
        }
        counts = dict.fromkeys(contenders, rows)
        pgp = "pgp_sym_encrypt_bytea(v" if operation == "seal" else "pgp_sym_decrypt_bytea(p"
        slow = "pgcrypto " + pgp.split("(")[0]
        contenders[slow] = lambda pgp=pgp: seconds(db, f"SELECT count({pgp}, '{PASSWORD}')) FROM few")
        counts[slow] = FEW_ROWS
        report(operation, turns(operation, contenders), counts)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    # So that a server is stopped where a time limit ends this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    progress("copies the server's programs")
    with folder() as home:
        programs = Programs(home / "programs")
        install(programs)
        server = Server(programs, home / "server").create(
            "shared_preload_libraries = 'sivka'",
            "log_statement = none",
            "shared_buffers = '1GB'",
            "max_wal_size = '4GB'",
            "autovacuum = off",
            "checkpoint_timeout = '1h'",
        )
        for name, template in KEYSETS.items():
            path = server.write_key(name, sivka.Keyset.generate(template).to_insecure("json").decode())
            server.keys += f", {name}={path}"
        server.configure(f"sivka.keys = '{server.keys}'")
        try:
            with server.start().connect() as db:
                progress(db.execute("SELECT version()").fetchone()[0])
                print("algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns", flush=True)
                prepare(db, rows)
                functions(db, rows)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
