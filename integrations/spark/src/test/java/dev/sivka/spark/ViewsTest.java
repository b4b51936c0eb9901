package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Permanent views, which have only what is built in, and sessions that did not make them. */
class ViewsTest extends SparkTest {
    @Test
    void permanentViews() {
        spark.sql("CREATE TABLE people USING parquet AS SELECT id, sivka_seal('name ' || id, 'example', 'n') AS name FROM range(100)");
        spark.sql("CREATE VIEW names AS SELECT id, CAST(sivka_open(name, 'example', 'n') AS STRING) AS name FROM people");
        assertEquals("name 7", this.<String>one("SELECT name FROM names WHERE id = 7"));
        assertEquals(100L, spark.newSession().table("names").where("name = 'name ' || id").count());
    }
}
