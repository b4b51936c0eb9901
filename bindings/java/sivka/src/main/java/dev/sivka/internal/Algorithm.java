package dev.sivka.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An algorithm of the native library, with what that says about it. Lengths are in bytes, and read
 * once a process.
 *
 * @param nonceLen 0 for an algorithm without a nonce
 * @param tagFirst whether the tag comes before the ciphertext where both are in one array
 */
public record Algorithm(int number, String name, int keyLen, int nonceLen, int tagLen, boolean tagFirst) {
    private static final Map<String, Algorithm> FOUND = new ConcurrentHashMap<>();

    /** Finds an algorithm by its name, as {@code AES-256-GCM-SIV}, in upper or lower case; or an exception. */
    public static Algorithm named(String name) {
        Algorithm found = FOUND.get(name);
        if (found == null) {
            int number = Native.algorithm(Arguments.text(name));
            int[] told = new int[5];
            Native.lengths(number, told);
            found = new Algorithm(number, name, told[0], told[1], told[2], told[4] != 0);
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
        int more = isDrawn ? nonceLen + tagLen : tagLen;
        return isSealing ? inputLen + more : Math.max(0, inputLen - more);
    }

    /** A new array for it; an exception if none is so long. */
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
