package dev.sivka.spark;

import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.CurrentUserContext;
import org.apache.spark.util.Utils;

/**
 * Who may seal and who may open under a name, as the application's configuration says. They are
 * looked at when the driver analyses a query, for the user whom {@code current_user()} names.
 */
final class KeyRights {
    static final String SEAL = "spark.sivka.allow.seal.";
    static final String OPEN = "spark.sivka.allow.open.";

    private static final String EVERYBODY = "*";

    private KeyRights() {}

    /**
     * Checks the right of the session's user. Users who may seal or open may make tokens. A name
     * without either setting is everybody's.
     *
     * @throws ColumnException if he has none
     */
    static void check(ColumnFunction function, String name, SparkConf configuration) {
        String sealers = configuration.get(SEAL + name, null);
        String openers = configuration.get(OPEN + name, null);
        if (sealers == null && openers == null) {
            return;
        }
        String user = user();
        boolean maySeal = has(sealers, user);
        boolean mayOpen = has(openers, user);
        boolean allowed = function.seals() ? maySeal || function.isOfTokens() && mayOpen : mayOpen;
        if (!allowed) {
            throw ColumnException.denied(
                    "permission denied for key '" + name + "': " + (function.seals() ? SEAL : OPEN)
                            + name + " does not list the user '" + user + "'");
        }
    }

    private static boolean has(String users, String user) {
        return users != null
                && Arrays.stream(users.split(",")).map(String::strip).anyMatch(one -> one.equals(EVERYBODY) || one.equals(user));
    }

    /** Whom {@code current_user()} names: who connected to a server that says so, or the application's user. */
    private static String user() {
        String connected = CurrentUserContext.CURRENT_USER().get();
        return connected == null ? Utils.getCurrentUserName() : connected;
    }
}
