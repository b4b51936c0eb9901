"""What the page shows runs."""

from __future__ import annotations

from pathlib import Path

from conftest import BUILT, connect

PAGE = Path(__file__).parent.parent / "README.md"


def test_the_statements_of_the_page_run(paths: dict[str, Path]) -> None:
    blocks = PAGE.read_text(encoding="utf-8").split("```sql\n")[1:]
    assert len(blocks) == 1
    text = blocks[0].split("```")[0]
    text = text.replace("target/duckdb/sivka.duckdb_extension", str(BUILT / "sivka.duckdb_extension"))
    text = text.replace("/etc/sivka/patients.key", str(paths["patients"]))
    with connect() as db:
        db.execute("CREATE TABLE visits AS SELECT * FROM (VALUES ('4711', 'well'), ('4712', 'ill')) t(id, note)")
        assert db.execute(text).fetchall() == [("well",)]
        assert db.execute("SELECT count(*) FROM safe").fetchone() == (2,)
