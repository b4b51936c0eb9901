package dev.sivka.internal;

import dev.sivka.internal.Header.sivka_algorithm_info;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

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
            found = of((int) Native.call(Header.sivka_algorithm_from_name, Arguments.text("name", name)), name);
            FOUND.put(name, found);
        }
        return found;
    }

    private static Algorithm of(int number, String name) {
        ByteBuffer info = Native.structure(Native.call(Header.sivka_inspect_algorithm, number), sivka_algorithm_info.SIZE);
        return new Algorithm(
                number, name == null ? Native.text(info.getLong(sivka_algorithm_info.name)) : name,
                (int) info.getLong(sivka_algorithm_info.key_len), (int) info.getLong(sivka_algorithm_info.nonce_len),
                (int) info.getLong(sivka_algorithm_info.tag_len), info.getInt(sivka_algorithm_info.tag_first) != 0);
    }

    /** The names of all algorithms of the library. */
    public static List<String> names() {
        return IntStream.iterate(1, n -> Native.call(Header.sivka_inspect_algorithm, n) != 0, n -> n + 1)
                .mapToObj(number -> of(number, null).name)
                .toList();
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

    /** A new random key. */
    public byte[] generateKey() {
        byte[] key = new byte[keyLen];
        Native.call(Header.sivka_generate_key, number, key);
        return key;
    }
}
