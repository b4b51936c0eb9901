package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** The functions where Spark runs a task again. */
class ExecutionTest extends SparkTest {
    private static final int ROWS = 1000;

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) throws IOException {
        // The second number: how often a task may fail.
        return builder.master("local[2,3]");
    }

    @Test
    void aTaskThatRunsAgain() {
        spark.udf().register("fails_at_first", (UDF1<Long, Long>) id -> {
            if (id % 100 == 99 && TaskContext.get().attemptNumber() == 0) {
                throw new IllegalStateException("the first attempt fails");
            }
            return id;
        }, DataTypes.LongType);
        String sealing = "SELECT id, sivka_token(id || '', 'example') AS t, sivka_seal(id || '', 'example') AS s FROM ";
        String path = folder.resolve("retried").toString();
        spark.sql(sealing + "(SELECT fails_at_first(id) AS id FROM range(0, " + ROWS + ", 1, 4))").write().parquet(path);
        spark.read().parquet(path).createOrReplaceTempView("retried");
        spark.sql(sealing + "range(" + ROWS + ")").createOrReplaceTempView("direct");
        long same = one("SELECT count(*) FROM retried r JOIN direct d ON r.t = d.t AND r.id = d.id"
                + " WHERE CAST(sivka_open(r.s, 'example') AS STRING) = r.id || ''");
        assertEquals(ROWS, same);
        long nonces = one("SELECT count(DISTINCT substr(s, 1, 12)) FROM retried");
        assertEquals(ROWS, nonces);
    }
}
