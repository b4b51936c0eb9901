package dev.sivka.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
    /** Whether every array of the right length is a nonce. */
    private final boolean everyNonce;

    private Algorithm(int number, String name) {
        this.number = number;
        this.name = name;
        keyLen = Native.keyLen(number);
        nonceLen = Native.nonceLen(number);
        tagLen = Native.tagLen(number);
        tagFirst = Native.tagFirst(number);
        overhead = Native.overhead(number);
        byte[] ones = new byte[nonceLen];
        Arrays.fill(ones, (byte) 0xff);
        everyNonce = Native.nonceAllowed(number, ones);
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
            found = new Algorithm(Native.algorithm(withZero(name)), name);
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

    /** The bytes of a C string. */
    static byte[] withZero(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + 1);
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

    /** Where the text is beside its tag in one array: after the tag, or at the beginning. */
    int textAt() {
        return tagFirst ? tagLen : 0;
    }

    /** Where the tag is beside its text in one array. */
    int tagAt(int textLen) {
        return tagFirst ? 0 : textLen;
    }

    /** Whether nonces are long enough to be random, or not needed. */
    public boolean randomNoncesAllowed() {
        return Native.randomNoncesAllowed(number);
    }

    /** Whether this is a nonce of the algorithm, by its length and bits. */
    public boolean isNonce(byte[] nonce) {
        return nonce.length == nonceLen && (everyNonce || Native.nonceAllowed(number, nonce));
    }

    /** What sealing under a random nonce gives: nonce, ciphertext and tag; 0 if too long. */
    public int sealLen(int plaintextLen) {
        return longer(plaintextLen, overhead);
    }

    /** What opening that gives; 0 also for a message that is too short. */
    public int openLen(int sealedLen) {
        return Math.max(0, sealedLen - overhead);
    }

    /** What sealing with a nonce of the caller's gives: ciphertext and tag; 0 if too long. */
    public int sealWithNonceLen(int plaintextLen) {
        return longer(plaintextLen, tagLen);
    }

    /** What opening with a nonce of the caller's gives; 0 also for a message that is too short. */
    public int openWithNonceLen(int ciphertextLen) {
        return Math.max(0, ciphertextLen - tagLen);
    }

    private static int longer(int len, int more) {
        return len <= Integer.MAX_VALUE - more ? len + more : 0;
    }

    /** A new random key. */
    public byte[] generateKey() {
        byte[] key = new byte[keyLen];
        Native.generateKey(number, key);
        return key;
    }
}
