package dev.sivka.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An algorithm of the native library, with what that says about it. Lengths in bytes. They never
 * change, and are read once a process.
 */
public final class Algorithm {
    private static final Map<String, Algorithm> FOUND = new ConcurrentHashMap<>();

    private final int number;
    private final String name;
    private final int keyLen;
    private final int nonceLen;
    private final int tagLen;
    private final boolean tagFirst;
    /** What a message grows by under a nonce that is drawn: nonce and tag. */
    private final int overhead;

    private Algorithm(int number, String name) {
        this.number = number;
        this.name = name;
        int[] told = new int[5];
        Native.lengths(number, told);
        keyLen = told[0];
        nonceLen = told[1];
        tagLen = told[2];
        overhead = told[3];
        tagFirst = told[4] != 0;
    }

    /**
     * Finds an algorithm by its name, for example {@code AES-256-GCM-SIV}; upper and lower case
     * are the same.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Algorithm named(String name) {
        Algorithm found = FOUND.get(name);
        if (found == null) {
            found = new Algorithm(Native.algorithm(Arguments.text(name)), name);
            FOUND.put(name, found);
        }
        return found;
    }

    /** The names of all algorithms of the library. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name = Native.nameAt(0); name != null; name = Native.nameAt(names.size())) {
            names.add(name);
        }
        return names;
    }

    int number() {
        return number;
    }

    public String name() {
        return name;
    }

    public int keyLen() {
        return keyLen;
    }

    /** 0 for an algorithm without a nonce. */
    public int nonceLen() {
        return nonceLen;
    }

    public int tagLen() {
        return tagLen;
    }

    /** Whether the tag comes before the ciphertext where both are in one array. */
    boolean tagFirst() {
        return tagFirst;
    }

    /** Where the text begins in a sealed message of one operation of {@link Native}. */
    int textAt(int operation, boolean isDrawn) {
        boolean isDetached = operation == Native.SEAL_DETACHED || operation == Native.OPEN_DETACHED;
        return isDetached ? 0 : (isDrawn ? nonceLen : 0) + (tagFirst ? tagLen : 0);
    }

    /**
     * The length of what is written for an input of a length. A sealed message has its tag, and its
     * nonce if that is drawn. What is too short to open has 0.
     */
    public long outputLen(boolean isSealing, boolean isDrawn, long inputLen) {
        int more = isDrawn ? overhead : tagLen;
        return isSealing ? inputLen + more : Math.max(0, inputLen - more);
    }

    /**
     * A new array for it.
     *
     * @throws IllegalArgumentException if no array is so long
     */
    byte[] newOutput(boolean isSealing, boolean isDrawn, int inputLen) {
        return newArray(outputLen(isSealing, isDrawn, inputLen));
    }

    static byte[] newArray(long len) {
        if (len > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("plaintext is longer than a sealed array can be");
        }
        return new byte[(int) len];
    }

    /** Overwrites an array with nonces, one after another, that the operating system has drawn. */
    public void drawNonces(byte[] nonces) {
        Native.randomNonces(number, nonces);
    }

    /** A new random key. */
    public byte[] generateKey() {
        byte[] key = new byte[keyLen];
        Native.generateKey(number, key);
        return key;
    }
}
