"""A server for all tests, and a database of its own for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from server import EXTENSION, Programs, Server, folder

NUMBERS = count()


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    with folder() as path:
        yield path


@pytest.fixture(scope="session")
def programs(home: Path) -> Programs:
    return Programs(home / "programs")


@pytest.fixture(scope="session")
def server(programs: Programs, home: Path) -> Iterator[Server]:
    """As the README has it: the library is loaded before the server forks."""
    made = Server(programs, home / "main").create("wal_level = logical", "track_functions = all")
    page = (EXTENSION / "README.md").read_text(encoding="utf-8")
    page = page.split("```ini\n")[1].split("```")[0].replace("'sivka'", "'sivka, pg_stat_statements'")
    made.configure("sivka.keys = ''", page.replace("patients=/etc/sivka/patients.key", made.keys))
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture
def database(server: Server) -> str:
    """One with the extension and both keys, and a role that may use neither."""
    name = f"test_{next(NUMBERS)}"
    with server.connect() as maintenance:
        maintenance.execute(f"CREATE DATABASE {name}")
        maintenance.execute(f"CREATE ROLE {name}_user LOGIN")
    with server.connect(name) as db:
        db.execute("CREATE EXTENSION sivka")
        db.execute("SELECT sivka_create_key('patients'), sivka_create_key('orders')")
        db.execute("GRANT USAGE, CREATE ON SCHEMA public TO PUBLIC")
    return name


@pytest.fixture
def db(server: Server, database: str) -> Iterator[psycopg.Connection]:
    """As a superuser."""
    with server.connect(database) as connection:
        yield connection
