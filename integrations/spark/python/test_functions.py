"""The functions from Python, and Python's package in Spark, in one process and through Spark Connect."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import sivka
import sivka.arrow
from engine_tests import SECRETS, key_file
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import arrow_udf

IS_CONNECT = os.environ["SIVKA_SPARK_MODE"] == "connect"


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "example.key"
    path.write_text(key_file(SECRETS["patients"]))
    return path


@pytest.fixture(scope="session")
def spark(key: Path) -> Iterator[SparkSession]:
    builder = SparkSession.builder
    builder = builder.remote("local[2]") if IS_CONNECT else builder.master("local[2]")
    builder = builder.config("spark.jars", os.environ["SIVKA_SPARK_JARS"])
    builder = builder.config("spark.ui.enabled", "false").config("spark.sivka.keys.example", str(key))
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_the_mode_is_the_one_that_is_meant(spark: SparkSession) -> None:
    assert type(spark).__module__.startswith("pyspark.sql.connect") == IS_CONNECT


def sealed(values: DataFrame) -> DataFrame:
    key, context = F.lit("example"), F.lit("people.name")
    return values.select(
        "v",
        F.call_function("sivka_seal", "v", key, context).alias("s"),
        F.call_function("sivka_token", "v", key, context).alias("t"),
    )


def test_call_function(spark: SparkSession) -> None:
    values = spark.createDataFrame([("a",), ("",), ("Grüße",), ("a",), (None,)], "v string")
    opened = sealed(values).select(
        "v",
        F.call_function("sivka_open", "s", F.lit("example"), F.lit("people.name")).cast("string").alias("o"),
        F.call_function("sivka_open_token", "t", F.lit("example"), F.lit("people.name")).cast("string").alias("p"),
        "t",
    )
    rows = opened.collect()
    assert [row.o for row in rows] == [row.p for row in rows] == [row.v for row in rows] == ["a", "", "Grüße", "a", None]
    assert rows[0].t == rows[3].t != rows[1].t


def test_arrow_udf(spark: SparkSession, key: Path) -> None:
    """What the package for Python seals in a worker, the functions open, and the other way round."""
    key_file = str(key)

    @arrow_udf("binary")
    def seal(names: Iterator[pa.Array]) -> Iterator[pa.Array]:
        aead = sivka.AESGCMSIV.for_columns(Path(key_file).read_bytes())
        for chunk in names:
            yield sivka.arrow.seal(aead, chunk, "people.name")

    @arrow_udf("string")
    def open_token(tokens: Iterator[pa.Array]) -> Iterator[pa.Array]:
        aead = sivka.XChaCha20BLAKE2bSIV.for_columns(Path(key_file).read_bytes())
        for chunk in tokens:
            yield sivka.arrow.open(aead, chunk, "people.name", type=pa.string())

    values = spark.range(5000).select(F.expr("CASE WHEN id % 7 > 0 THEN 'name ' || id END AS v"))
    rows = sealed(values).select("v", seal.asNondeterministic()("v").alias("s"), open_token("t").alias("o"))
    opened = rows.selectExpr("v", "s", "o", "CAST(sivka_open(s, 'example', 'people.name') AS STRING) AS p").collect()
    assert [row.o for row in opened] == [row.p for row in opened] == [row.v for row in opened]
    nonces = {bytes(row.s[:12]) for row in opened if row.s is not None}
    assert len(nonces) == sum(row.v is not None for row in opened) == 5000 - 715


def test_errors_are_those_of_spark(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException, match="not known") as wrong:
        spark.sql("SELECT sivka_seal('a', 'nobody')").collect()
    with pytest.raises(PySparkException, match="does not open") as forged:
        spark.sql("SELECT sivka_open(id || '', 'example') FROM range(3)").collect()
    for raised in (wrong, forged):
        assert raised.value.getSqlState() == "22023"
        assert raised.value.getCondition() == "INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR"


def test_the_programs_of_the_page_run(spark: SparkSession, key: Path) -> None:
    page = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    first, second = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    names = {"people": spark.createDataFrame([(1, "a@example.com", "Riga")], ["id", "email", "address"])}
    for program in (first.replace("customers", "example"), second.replace("/etc/sivka/customers.key", str(key))):
        exec(program, names)
        opened = F.call_function("sivka_open", "address", F.lit("example"), F.lit("people.address"))
        assert names["sealed"].select(opened.cast("string")).collect() == [("Riga",)]
