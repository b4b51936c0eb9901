"""Servers for tests and measurements: a copy of PostgreSQL with the extension, and databases of it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

HERE = Path(__file__).resolve().parent
EXTENSION = HERE.parent
sys.path.insert(0, str(EXTENSION.parent))
from engine_tests import SECRETS, key_file  # noqa: E402

CONFIG = os.environ.get("PG_CONFIG", "pg_config")


def user() -> str | None:
    """Whom a server runs as, where root may not."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def as_user(command: list) -> list[str]:
    name = user()
    drop = ["setpriv", f"--reuid={name}", f"--regid={pwd.getpwnam(name).pw_gid}", "--clear-groups"] if name else []
    return [*drop, *map(str, command)]


def run(command: list, **options) -> subprocess.CompletedProcess:
    done = subprocess.run(as_user(command), capture_output=True, text=True, cwd="/", **options)
    assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
    return done


def config(name: str) -> Path:
    out = subprocess.run([CONFIG, f"--{name}"], check=True, capture_output=True, text=True).stdout
    return Path(out.strip())


def wait(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


class Programs:
    """PostgreSQL's programs, copied: they find their libraries and extensions beside themselves."""

    def __init__(self, home: Path) -> None:
        self.home = home
        for name in ("bindir", "pkglibdir", "sharedir"):
            source = config(name)
            copy = home / source.relative_to("/")
            if not copy.exists():
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("locale", "pgxs", "bitcode"))
        self.bin = home / config("bindir").relative_to("/")
        library = home / config("pkglibdir").relative_to("/")
        share = home / config("sharedir").relative_to("/") / "extension"
        shutil.copy(EXTENSION / "sivka.so", library)
        for file in (*EXTENSION.glob("sivka--*.sql"), EXTENSION / "sivka.control"):
            shutil.copy(file, share)
        self.library, self.share = library, share
        subprocess.run(["chmod", "-R", "a+rX", home], check=True)


class Server:
    """A data folder and the server on it, on a socket in its folder."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self.programs, self.folder, self.data = programs, folder, folder / "data"
        self.log = folder / "log"
        self.port = 5432

    def owned(self, path: Path, mode: int) -> None:
        path.chmod(mode)
        if name := user():
            shutil.chown(path, name)

    def write_key(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.key"
        path.write_text(text)
        self.owned(path, 0o600)
        return path

    def create(self, *settings: str) -> Server:
        self.folder.mkdir(parents=True)
        self.owned(self.folder, 0o755)
        options = "-U postgres -A trust -E UTF8 --locale=C -N".split()
        run([self.programs.bin / "initdb", "-D", self.data, *options])
        paths = {name: self.write_key(name, key_file(secret)) for name, secret in SECRETS.items()}
        self.keys = ", ".join(f"{name}={path}" for name, path in paths.items())
        self.configure(
            "listen_addresses = ''",
            f"unix_socket_directories = '{self.folder}'",
            f"port = {self.port}",
            "fsync = off",
            "shared_buffers = '64MB'",
            "max_connections = 40",
            "log_statement = 'all'",
            f"sivka.keys = '{self.keys}'",
            *settings,
        )
        return self

    def configure(self, *settings: str) -> None:
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{line}\n" for line in settings)

    def control(self, *arguments: str) -> None:
        """The server's own output goes to its log, so that nobody waits for it."""
        command = [self.programs.bin / "pg_ctl", "-D", self.data, "-w", "-l", self.log, "-t", "60", *arguments]
        done = subprocess.run(as_user(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        assert done.returncode == 0, (arguments, self.log.read_text()[-3000:] if self.log.exists() else "")

    def start(self) -> Server:
        self.control("start")
        return self

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.control("-m", "immediate", "stop")

    def connect(self, database: str = "postgres", user: str = "postgres", **options) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.folder), port=self.port, dbname=database, user=user, autocommit=True, **options
        )

    def program(self, name: str, *arguments: str) -> str:
        return run(self.command(name, *arguments)).stdout

    def program_that_warns(self, name: str, *arguments: str) -> str:
        """What it writes to its standard error, whatever its status is."""
        command = as_user(self.command(name, *arguments))
        return subprocess.run(command, capture_output=True, text=True, cwd="/").stderr

    def command(self, name: str, *arguments: str) -> list:
        return [self.programs.bin / name, "-h", self.folder, "-p", self.port, "-U", "postgres", *arguments]


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that another user may enter, with a path short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="sivka-pg-") as name:
        Path(name).chmod(0o755)
        yield Path(name)
