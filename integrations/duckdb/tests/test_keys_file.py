"""The keys file that the environment names: names, places, programs and rights, which no statement changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
from conftest import BUILT, connect
from engine_tests import SECRETS, key_file
from test_keys import message
from test_keysets import Judge

Database = duckdb.DuckDBPyConnection
CALLS = {
    "seal": "sivka_seal('v', {})",
    "open": "sivka_open('v'::BLOB, {})",
    "try_open": "sivka_try_open('v'::BLOB, {})",
    "token": "sivka_token('v', {})",
    "open_token": "sivka_open_token('v'::BLOB, {})",
    "try_open_token": "sivka_try_open_token('v'::BLOB, {})",
}


class KeysFile:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.path = folder / "duckdb.keys"
        monkeypatch.setenv("SIVKA_DUCKDB_KEYS", str(self.path))

    def secret(self, name: str, text: bytes | str, mode: int = 0o600) -> Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        return path

    def program(self, name: str, script: str) -> str:
        return f"|{self.secret(name, '#!/bin/sh' + chr(10) + script + chr(10), 0o700)}"

    def write(self, *lines: str) -> None:
        self.path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.path.chmod(0o644)

    def refusal(self, *lines: str) -> str:
        self.write(*lines)
        with pytest.raises(duckdb.Error) as error:
            connect()
        return str(error.value)


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeysFile:
    made = KeysFile(tmp_path, monkeypatch)
    for name, secret in SECRETS.items():
        made.secret(f"{name}.key", key_file(secret))
    return made


def test_rights(keys: KeysFile) -> None:
    """Who may seal, who may open; whoever may do either makes tokens."""
    path = keys.folder / "orders.key"
    keys.write("# names of keys", "", f"both seal,open {path}", f"  sealing\tseal  {path}  ", f"opening open {path}\r")
    allowed = {
        "both": set(CALLS),
        "sealing": {"seal", "token"},
        "opening": {"open", "try_open", "token", "open_token", "try_open_token"},
    }
    with connect() as db:
        for name, functions in allowed.items():
            for function, call in CALLS.items():
                # No row is opened: a right is looked at when the query is planned.
                query = f"SELECT {call.format(repr(name))} FROM range(0)"
                if function in functions:
                    assert db.execute(query).fetchall() == []
                else:
                    text = message(db, query)
                    assert f"sivka_{function}: permission denied for key '{name}'" in text
        sealed = db.execute("SELECT sivka_seal('v', 'sealing', 'c')").fetchone()
        assert db.execute("SELECT sivka_open(?, 'opening', 'c')", sealed).fetchone() == (b"v",)
        assert "there is no key 'nobody' in the file that SIVKA_DUCKDB_KEYS names" in message(
            db, "SELECT sivka_seal('v', 'nobody')")


def test_no_statement_changes_what_the_file_says(keys: KeysFile, monkeypatch: pytest.MonkeyPatch) -> None:
    keys.write(f"orders seal {keys.folder}/orders.key")
    with connect() as db:
        for scope in ("", "GLOBAL ", "SESSION "):
            assert "sivka_keys" in message(db, f"SET {scope}sivka_keys = MAP {{'orders': '/etc/passwd'}}")
        assert db.execute("SELECT count(*) FROM duckdb_settings() WHERE name LIKE 'sivka%'").fetchone() == (0,)
        # The file and the environment count when the extension is loaded, not later.
        keys.write(f"orders seal,open {keys.folder}/orders.key")
        db.execute(f"LOAD '{BUILT}/sivka.duckdb_extension'")
        assert "permission denied" in message(db, "SELECT sivka_open('v'::BLOB, 'orders')")
        with db.cursor() as session:
            assert "permission denied" in message(session, "SELECT sivka_open('v'::BLOB, 'orders')")
        # Another database of the process has its own.
        monkeypatch.delenv("SIVKA_DUCKDB_KEYS")
        with connect() as other:
            assert "in the setting sivka_keys" in message(other, "SELECT sivka_token('v', 'orders')")
        assert "permission denied" in message(db, "SELECT sivka_open('v'::BLOB, 'orders')")


def test_keys_need_no_access_of_sql_to_files(keys: KeysFile) -> None:
    """With which whoever writes SQL could read the key's file."""
    path = keys.folder / "orders.key"
    keys.write(f"orders open {path}")
    with connect() as db:
        assert "key: " in db.execute(f"SELECT content FROM read_text('{path}')").fetchone()[0]
        db.execute("SET enable_external_access = false")
        db.execute("SET lock_configuration = true")
        assert "disabled" in message(db, f"SELECT content FROM read_text('{path}')")
        assert db.execute("SELECT octet_length(sivka_token('v', 'orders'))").fetchone() == (33,)
        for statement in ("SET enable_external_access = true", f"COPY (SELECT 1) TO '{path}'"):
            message(db, statement)


def test_a_changed_file_is_taken_by_the_next_query(keys: KeysFile) -> None:
    keys.write(f"k seal {keys.folder}/orders.key")
    with connect() as db:
        old = db.execute("SELECT sivka_token('v', 'k')").fetchone()
        keys.secret("orders.key", key_file(SECRETS["patients"]))
        assert db.execute("SELECT sivka_token('v', 'k')").fetchone() != old


def test_a_program_gives_the_key(keys: KeysFile, capfd: pytest.CaptureFixture[str]) -> None:
    """It runs once, when the extension is loaded, and is named where the process writes its errors."""
    judge = Judge("AES256_GCM")
    keyset = keys.secret("keyset", judge.text("json"))
    of_file = keys.program("of_file", f"echo run >> '{keys.folder}/runs'; test $# = 0 && ! read line && "
                                      f"cat '{keys.folder}/orders.key'")
    of_keyset = keys.program("of keyset", f"cat '{keyset}'")
    keys.write(f"file seal,open {of_file}", f"keyset seal {of_keyset}", f"orders open {keys.folder}/orders.key")
    with connect() as db:
        for _ in range(3):
            assert db.execute("SELECT sivka_token('v', 'file') = sivka_token('v', 'orders')").fetchone() == (True,)
            assert db.execute("SELECT sivka_open(sivka_seal('v', 'file'), 'file')").fetchone() == (b"v",)
            (sealed,) = db.execute("SELECT sivka_seal('v', 'keyset', 'c')").fetchone()
            assert judge.decrypt(sealed, b"c") == b"v"
        assert "permission denied" in message(db, "SELECT sivka_open('v'::BLOB, 'keyset')")
    assert (keys.folder / "runs").read_text() == "run\n"
    assert f'sivka: the program "{of_keyset[1:]}" gives key "keyset"' in capfd.readouterr().err


FAILING = {
    "fails": ("cat orders.key; exit 3", "failed"),
    "is killed": ("cat orders.key; kill -9 $$", "failed"),
    "prints garbage": ("echo garbage", "is not a key file"),
    "prints nothing": ("true", "is not a key file"),
    "prints half a keyset": ("""echo '{"primaryKeyId": 1'""", "is not a keyset whose keys are known here"),
    "prints without an end": ("yes", "is too long"),
}


@pytest.mark.parametrize("what", FAILING)
def test_a_program_that(keys: KeysFile, what: str) -> None:
    """Nothing of what it printed is in the error; when it succeeds, the extension loads."""
    script, reason = FAILING[what]
    place = keys.program("program", f"cd '{keys.folder}'; {script}")
    assert f"the program of key 'k' {reason}" in (text := keys.refusal(f"k seal {place}"))
    assert SECRETS["orders"].hex() not in text and "garbage" not in text
    keys.program("program", f"cat '{keys.folder}/orders.key'")
    with connect() as db:
        assert db.execute("SELECT sivka_seal('v', 'k') IS NOT NULL").fetchone() == (True,)


HANGING = ["sleep 1000", "cat orders.key; exec >/dev/null; sleep 1000", "sleep 1000 & exit 0"]
LOAD = """
import sys, time, duckdb
database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
begin = time.monotonic()
try:
    database.execute(f"LOAD '{sys.argv[1]}'")
except duckdb.Error as error:
    print(time.monotonic() - begin, error)
"""


def test_programs_that_hang(keys: KeysFile) -> None:
    """They are ended after their time, with what they started."""
    loading = []
    for number, script in enumerate(HANGING):
        place = keys.program(f"program{number}", f"cd '{keys.folder}'; echo $$ > group{number}; {script}")
        path = keys.secret(f"{number}.keys", f"k seal {place}\n")
        command = [sys.executable, "-c", LOAD, f"{BUILT}/sivka.duckdb_extension"]
        environment = {**os.environ, "SIVKA_DUCKDB_KEYS": str(path)}
        loading.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    for number, process in enumerate(loading):
        seconds, text = process.communicate(timeout=60)[0].split(" ", 1)
        assert "the program of key 'k' did not end in time" in text
        assert 19 < float(seconds) < 40
        group = int((keys.folder / f"group{number}").read_text())
        end = time.monotonic() + 10
        while is_alive(group):
            assert time.monotonic() < end, HANGING[number]
            time.sleep(0.05)


def is_alive(group: int) -> bool:
    """Whether a process of the group is there that is not dead; who adopts one may not have asked for it yet."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = stat.read_text().rsplit(")", 1)[1].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of) == group and state != "Z":
            return True
    return False


def test_a_program_that_cannot_be_run(keys: KeysFile) -> None:
    path = keys.secret("program", "#!/bin/sh\n", 0o600)
    for place in ("|/no/such/program", f"|{path}"):
        assert "the program of key 'k' cannot be run" in keys.refusal(f"k seal {place}")


def test_lines_that_are_refused(keys: KeysFile) -> None:
    """Nothing of a line is in the error: somebody may have put a key there."""
    secret, path = SECRETS["orders"].hex(), keys.folder / "orders.key"
    for line, reason in {
        f"{secret} seal {path}": "the name of a key has 1 to 40",
        f"orders,x seal {path}": "the name of a key has 1 to 40",
        f"orders {path}": "rights are seal, open or seal,open",
        f"orders own {path}": "rights are",
        "orders seal": "the absolute path of a key file",
        "orders seal orders.key": "the absolute path",
        "orders seal |unwrap": "the absolute path",
        f"orders seal {secret}": "the absolute path",
        f"orders seal key: {secret}": "the absolute path",
        f"good seal {path}\ngood open {path}": "another line has this name",
    }.items():
        text = keys.refusal(f"first seal {path}", line)
        number = 3 if "\n" in line else 2
        assert f"sivka: line {number} of the file that SIVKA_DUCKDB_KEYS names: {reason}" in text
        assert secret not in text and str(path) not in text


def test_files_that_are_refused(keys: KeysFile, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "SIVKA_DUCKDB_KEYS names is too long, or no text" in keys.refusal(f"# {'x' * (64 << 10)}")
    assert "is too long, or no text" in keys.refusal("# \0")
    # Nobody writes to it, and no statement is to wait for that.
    os.mkfifo(keys.folder / "pipe", 0o600)
    passwd = keys.secret("no.key", "no key")
    for path, reason in {
        keys.folder / "gone.key": "cannot be read",
        keys.folder: "is no ordinary file",
        keys.folder / "pipe": "is no ordinary file",
        passwd: "is not a key file",
    }.items():
        text = keys.refusal(f"orders seal {keys.folder}/orders.key", f"wrong seal {path}")
        assert "the file of key 'wrong' " in text and reason in text and str(keys.folder) not in text
    keys.write(f"orders seal {keys.folder}/orders.key")
    with connect() as db:
        for mode in (0o604, 0o640 if os.geteuid() else 0o660, 0o602):
            (keys.folder / "orders.key").chmod(mode)
            assert "the file of key 'orders' can be read by others" in message(db, "SELECT sivka_seal('v', 'orders')")
    (keys.folder / "orders.key").chmod(0o600)
    for mode in (0o664, 0o646):
        keys.path.chmod(mode)
        with pytest.raises(duckdb.Error, match="SIVKA_DUCKDB_KEYS names can be written by others"):
            connect()
    for path in (keys.folder / "nowhere", ""):
        monkeypatch.setenv("SIVKA_DUCKDB_KEYS", str(path))
        with pytest.raises(duckdb.Error, match="SIVKA_DUCKDB_KEYS names cannot be read"):
            connect()


def test_a_byte_order_mark_may_come_first(keys: KeysFile) -> None:
    """As in a key file; nowhere else, and not twice."""
    mark, line = "\ufeff", f"orders seal,open {keys.folder}/orders.key"
    keys.write(f"{mark}{line}")
    with connect() as db:
        assert db.execute("SELECT sivka_open(sivka_seal('v', 'orders'), 'orders')").fetchone() == (b"v",)
    for number, lines in ((1, [f"{mark}{mark}{line}"]), (2, ["", f"{mark}{line}"])):
        assert f"line {number} of the file that SIVKA_DUCKDB_KEYS names: the name of a key" in keys.refusal(*lines)


def test_a_setting_names_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever may write SQL would run it."""
    monkeypatch.delenv("SIVKA_DUCKDB_KEYS", raising=False)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/was run'\n")
    program.chmod(0o700)
    with connect() as db:
        db.execute(f"SET GLOBAL sivka_keys = MAP {{'k': '|{program}'}}")
        assert "the file of key 'k' cannot be read" in message(db, "SELECT sivka_seal('v', 'k')")
    assert not (tmp_path / "was run").exists()
