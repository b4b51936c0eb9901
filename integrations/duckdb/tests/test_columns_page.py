"""What the page of all engines shows runs here."""

from __future__ import annotations

from pathlib import Path

from conftest import connect, set_keys

PAGE = Path(__file__).parents[3] / "docs" / "columns.md"


def test_the_statement_of_the_page_finds_its_row(paths: dict[str, Path]) -> None:
    (block,) = PAGE.read_text(encoding="utf-8").split("```sql\n")[1:]
    statement = block.split("```")[0]
    with connect() as db:
        set_keys(db, {"customers": paths["patients"]})
        db.execute(
            "CREATE TABLE people AS SELECT id, sivka_token(email, 'customers', 'person') AS email "
            "FROM (VALUES (1, 'alice@example.com'), (2, 'bob@example.com')) t(id, email)"
        )
        assert [row[0] for row in db.execute(statement).fetchall()] == [1]
