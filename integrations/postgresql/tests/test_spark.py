"""Spark opens a column of the server through JDBC, and the server what Spark wrote.

SIVKA_SPARK_CLASS_PATH has Spark, Sivka's jars for Java and Spark, and PostgreSQL's JDBC driver.
"""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from server import SECRETS, Programs, Server, key_file
from test_engines import RIGHT, table

HERE = Path(__file__).resolve().parent
POM = HERE.parents[1] / "spark" / "pom.xml"


def java() -> list[str | Path]:
    """As Spark's tests start it."""
    options = ElementTree.parse(POM).find(".//{*}argLine").text.split()
    home = os.environ.get("JAVA_HOME")
    return [Path(home) / "bin" / "java" if home else "java", *options, "-cp", os.environ["SIVKA_SPARK_CLASS_PATH"]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_jdbc(programs: Programs, home: Path, tmp_path: Path) -> None:
    server = Server(programs, home / "jdbc")
    # JDBC has no Unix sockets.
    server.port = free_port()
    server.create("listen_addresses = '127.0.0.1'", "shared_preload_libraries = 'sivka'")
    (tmp_path / "patients.key").write_text(key_file(SECRETS["patients"]))
    url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres?user=postgres"
    try:
        with server.start().connect() as db:
            db.execute("CREATE EXTENSION sivka")
            table(db)
            db.execute(
                "INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients', 'people.note.' || i),"
                " sivka_token('e' || i % 10, 'patients', 'people.email') FROM generate_series(1, 2000) i"
            )
            db.execute("CREATE TABLE arrived (id int, note bytea, email bytea)")
            program = [*java(), HERE / "SparkOverJdbc.java", url, tmp_path / "patients.key"]
            done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)
            assert done.returncode == 0, done.stderr[-3000:]
            assert "[2000,2000,2000]" in done.stdout
            db.execute("TRUNCATE people")
            db.execute("INSERT INTO people SELECT id, note::sealed, email::sealed_token FROM arrived")
            assert db.execute(RIGHT).fetchone() == (2000,)
    finally:
        server.stop()
