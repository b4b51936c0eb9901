package dev.sivka.internal;

/** Numbers of callers, which native code takes as unsigned. */
final class Numbers {
    private Numbers() {}

    /**
     * Refuses a number below 0.
     *
     * @param what the argument's name
     */
    static long notNegative(String what, long given) {
        if (given < 0) {
            throw new IllegalArgumentException(what + ": 0 or more expected, " + given + " given");
        }
        return given;
    }

    static int notNegative(String what, int given) {
        return (int) notNegative(what, (long) given);
    }
}
