package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CurrentUserContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may seal and who may open under a name, by the session's user. */
class KeyRightsTest extends SparkTest {
    private static final Set<ColumnFunction> SEALING = EnumSet.of(ColumnFunction.SEAL, ColumnFunction.TOKEN);

    @Override
    SparkSession.Builder configured(SparkSession.Builder builder) {
        String path = folder.resolve("example.key").toString();
        return builder
                .config("spark.sivka.keys.both", path)
                .config("spark.sivka.allow.seal.both", "loader, alice")
                .config("spark.sivka.allow.open.both", " alice ,doctor")
                .config("spark.sivka.keys.open-only", path)
                .config("spark.sivka.allow.open.open-only", "*")
                .config("spark.sivka.keys.nobodys", path)
                .config("spark.sivka.allow.seal.nobodys", "");
    }

    @AfterEach
    void disconnect() {
        CurrentUserContext.CURRENT_USER().remove();
    }

    @ParameterizedTest
    @CsvSource({
        "alice,  both,      true,  true",
        "loader, both,      true,  false",
        "doctor, both,      false, true",
        "ali,    both,      false, false",
        "Alice,  both,      false, false",
        "*,      both,      false, false",
        "anyone, open-only, false, true",
        "anyone, nobodys,   false, false",
        "anyone, example,   true,  true",
    })
    void aUserHasTheRightsOfTheLists(String user, String name, boolean maySeal, boolean mayOpen) {
        CurrentUserContext.CURRENT_USER().set(user);
        assertEquals(user, one("SELECT current_user()"));
        for (ColumnFunction function : ColumnFunction.values()) {
            boolean allowed = SEALING.contains(function)
                    ? maySeal || function == ColumnFunction.TOKEN && mayOpen
                    : mayOpen;
            String sql = "SELECT " + function.sqlName + "(v, '" + name + "') FROM VALUES (X'00') AS t(v) WHERE v = X'01'";
            if (allowed) {
                assertEquals(0, rows(sql).size());
            } else {
                AnalysisException thrown = assertThrows(AnalysisException.class, () -> spark.sql(sql));
                String message = thrown.getMessage();
                assertTrue(message.contains("[FORBIDDEN_OPERATION] ") && !message.contains("CRYPTO"), message);
                assertTrue(message.contains("permission denied for key '" + name + "'"), message);
                assertTrue(message.contains("`" + function.sqlName + "`"), message);
                assertTrue(message.contains("does not list the user '" + user + "'"), message);
            }
        }
    }

    @Test
    void withoutAConnectionTheUserIsTheApplications() {
        String user = one("SELECT current_user()");
        String message = messages(assertThrows(Exception.class, () -> spark.sql("SELECT sivka_seal('v', 'both')")));
        assertTrue(message.contains("does not list the user '" + user + "'"), message);
        assertThrows(Exception.class, () -> spark.sql("SELECT sivka_seal('v', 'nobodys')"));
    }

    @Test
    void aSessionCannotChangeTheLists() {
        CurrentUserContext.CURRENT_USER().set("loader");
        spark.conf().set("spark.sivka.allow.open.both", "loader");
        String message = messages(assertThrows(Exception.class, () -> spark.sql("SELECT sivka_open(X'00', 'both')")));
        assertTrue(message.contains("permission denied"), message);
        spark.conf().unset("spark.sivka.allow.open.both");
    }

    @Test
    void aViewIsOpenedByWhoReadsIt() {
        CurrentUserContext.CURRENT_USER().set("alice");
        spark.sql("CREATE OR REPLACE GLOBAL TEMPORARY VIEW opened AS"
                + " SELECT sivka_open(sivka_seal('v', 'both'), 'both') AS v");
        assertEquals(1, rows("SELECT * FROM global_temp.opened").size());
        CurrentUserContext.CURRENT_USER().set("loader");
        assertThrows(Exception.class, () -> spark.sql("SELECT * FROM global_temp.opened"));
    }
}
