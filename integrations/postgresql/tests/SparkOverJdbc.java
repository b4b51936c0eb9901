import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Opens in Spark what PostgreSQL sealed, and seals there what PostgreSQL opens: {@code URL KEY_FILE}. */
public class SparkOverJdbc {
    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sivka.keys.patients", arguments[1])
                .getOrCreate();
        // Its types are none of JDBC's: the server casts them.
        read(spark, arguments[0], "SELECT id, note::bytea AS note, email::bytea AS email FROM people").createOrReplaceTempView("people");
        spark.sql("SELECT count(*), count_if(CAST(sivka_open(note, 'patients', 'people.note.' || id) AS STRING) = 'note ' || id),"
                        + " count_if(email = sivka_token('e' || id % 10, 'patients', 'people.email')) FROM people")
                .collectAsList()
                .forEach(System.out::println);
        spark.sql("SELECT CAST(id AS INT) AS id, sivka_seal('note ' || id, 'patients', 'people.note.' || id) AS note,"
                        + " sivka_token('e' || id % 10, 'patients', 'people.email') AS email FROM range(1, 2001)")
                .write()
                .format("jdbc")
                .option("url", arguments[0])
                .option("dbtable", "arrived")
                .mode(SaveMode.Append)
                .save();
        spark.stop();
    }

    private static Dataset<Row> read(SparkSession spark, String url, String query) {
        return spark.read().format("jdbc").option("url", url).option("query", query).load();
    }
}
