package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.Progress;
import dev.sivka.SealedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The functions of the native library. They check nothing that Java can check: every offset
 * and length lies within its array, and every handle is alive, or memory is corrupted.
 *
 * <p>A length that is returned is -1 for a message that does not open. Every other failure is
 * thrown by the native side, as {@link Failures} makes it: the words for it are kept in the
 * operating system's thread, which a virtual thread may leave between two calls.
 */
public final class Native {
    /** The length that says that a message does not open. */
    public static final int FORGED = -1;

    // What is to be done with a message; the first two, and VERIFY, with a file.
    public static final int VERIFY = 2;
    public static final int SEAL = 0;
    public static final int OPEN = 1;
    public static final int SEAL_WITH_NONCE = 2;
    public static final int OPEN_WITH_NONCE = 3;
    public static final int SEAL_DETACHED = 4;
    public static final int OPEN_DETACHED = 5;

    // Which text is added to file keys.
    public static final int PASSPHRASE = 0;
    public static final int RECIPIENTS = 1;
    public static final int IDENTITIES = 2;

    // What `free` is to free.
    public static final int KEY = 0;
    public static final int KUZNYECHIK = 1;
    public static final int FILE_KEYS = 2;
    public static final int FILE_READER = 3;
    public static final int KEYSET = 4;
    public static final int SEALER = 5;
    public static final int OPENER = 6;

    static {
        Library.load();
    }

    private Native() {}

    // Names and lengths.

    /** The number of an algorithm; {@code name} ends with a zero. */
    public static native int algorithm(byte[] name);

    /** Null beyond the end of the library's list. */
    public static native String nameAt(int index);

    /** Tells the lengths of key, nonce and tag, what a message grows by, and 1 if the tag comes first. */
    public static native void lengths(int algorithm, int[] told);

    public static native String version();

    public static native String statusMessage(int status);

    /** Of the first byte of a direct buffer, not that at its position. */
    public static native long address(ByteBuffer direct);

    // Keys.

    public static native void generateKey(int algorithm, byte[] key);
    public static native void randomNonces(int algorithm, byte[] nonces);
    public static native long newKey(int algorithm, byte[] key);
    public static native long newColumnKey(int algorithm, byte[] keyFile) throws SealedFileException;

    /** The room that a key's output needs for an input of a length. */
    public static native long outputLen(boolean seals, long key, int inputLen);

    public static native void free(int kind, long handle);

    // Messages. The result is the length of what was written, or FORGED.

    /**
     * One message in a lane's memory, which has AAD, nonce and detached tag from its beginning on.
     * Nothing is left there of a plaintext that was sealed.
     *
     * @param inAt an index of the memory, as {@code outAt}: text at text, or one after the other
     */
    public static native int inLane(
            int operation, long key, long memory, int aadLen, int nonceLen, int tagLen, int inAt, int inLen,
            int outAt, int outLen);

    /** One message with 0 to 126 strings of associated data, which are one after the other. */
    public static native int list(int operation, long key, byte[] strings, int[] lens, byte[] in, byte[] out);

    /** One message in arrays, or, where an array is null, in memory at an address. */
    public static native int message(
            int operation, long key, byte[] nonce, long nonceAt, int nonceLen, byte[] aad, long aadAt,
            int aadLen, byte[] in, long inAt, int inLen, byte[] out, long outAt, int outLen, byte[] tag,
            long tagAt, int tagLen);

    /**
     * Some messages in place, as sivka.h says of sivka_seal_many and its inverse.
     * Lengths and offsets are checked before.
     *
     * @param aadOffsets null: all of {@code aads} is the AAD of every message
     * @param statuses gets 0 for each message that was done
     */
    public static native void batch(
            boolean isSeal, long key, byte[] nonces, byte[] aads, int[] aadOffsets, byte[] texts,
            int[] textOffsets, byte[] tags, int[] statuses);

    /**
     * Seals or opens a column, and returns the output.
     *
     * @param nonces to seal under, one for each value; null to draw them
     * @param validity a bit for each value, which nobody changes meanwhile; or null
     * @param aadOffsets as many as {@code offsets}, as {@code outOffsets}; or null for one AAD for all
     * @param opened one less
     */
    public static native byte[] column(
            boolean isSeal, long key, byte[] nonces, byte[] bytes, int[] offsets, byte[] validity, byte[] aads,
            int[] aadOffsets, int[] outOffsets, boolean[] opened);

    // Kuznyechik as a block cipher.

    public static native long newKuznyechik(byte[] key);

    /** Blocks of an array, or, if that is null, at an address. */
    public static native void blocks(boolean isEncrypt, long key, byte[] inOut, long at, int len);

    // Files. Paths and names end with a zero.

    public static native int suite(byte[] name);
    public static native long newFileKeys();
    public static native void addKeyFile(long keys, byte[] text, byte[] passphrase) throws SealedFileException;
    public static native void addText(int kind, long keys, byte[] text) throws SealedFileException;
    public static native void setRoom(long keys, int slots);
    public static native void setCost(long keys, int memoryKib, int passes, int lanes);
    public static native void setMaxCost(long keys, int memoryKib, int passes);

    /** The text of a key file, of a new random key if {@code key} is null. */
    public static native byte[] keyFile(byte[] name, byte[] key);

    /** A file to a file; to verify has no output. What a progress throws is thrown; it may be null. */
    public static native void file(
            int operation, byte[] input, byte[] output, long keys, int suite, boolean overwrite, Progress progress)
            throws IOException;

    // Streams, which need neither keys nor keyset any more.

    public static native long newStream(boolean seals, long keys, int suite);
    public static native long newKeysetStream(boolean seals, long keyset, byte[] aad);

    /**
     * Gives bytes to a stream, or, if {@code in} is null, its end, until that makes nothing any more.
     *
     * @return how many bytes were taken, times 2^32, and how many were made
     */
    public static native long step(
            boolean seals, long stream, byte[] in, int inAt, int inLen, byte[] out, int outAt, int outLen)
            throws IOException;

    // Key slots.

    /**
     * What a sealed file says without a key: the suite's name, and how many slots there are.
     *
     * @param numbers for each slot its kind, and the memory, passes and lanes of a passphrase
     * @param keyIds for each slot 8 bytes
     */
    public static native int inspectFile(byte[] file, String[] suite, int[] numbers, byte[] keyIds) throws IOException;

    /** Adds a key if the slot is -1, and removes one if {@code added} is 0; the place of the slot. */
    public static native int changeSlot(byte[] file, long keys, int slot, long added) throws IOException;

    public static native void keyFileId(byte[] text, byte[] id) throws SealedFileException;
    public static native void checkKeyPath(byte[] path);

    // Reading in any order.

    public static native long newFileReader(byte[] input, long keys) throws IOException;

    public static native long fileLen(long reader);

    /** Reads into an array, or, if that is null, to an address; how many bytes were read. */
    public static native int readFile(long reader, long position, byte[] out, long at, int len) throws IOException;

    // Keysets. Names end with a zero. Ids are unsigned.

    public static native long generateKeyset(byte[] template);

    /** Reads a keyset, in the clear if there is no master; 0 for an encrypted one that does not open. */
    public static native long readKeyset(byte[] bytes, int flags, long master, byte[] aad) throws KeysetException;

    /** Writes a keyset in a form of {@code Keyset}, which says what is given; the master may be 0. */
    public static native byte[] writeKeyset(int form, long keyset, int flags, long master, byte[] given)
            throws KeysetException;

    /** A key of the enabled keys for a purpose, as sivka.h numbers it. */
    public static native long newKeysetKey(long keyset, int purpose) throws KeysetException;

    /** Tells how many keys there are, the primary's id, and the purpose, or 0. */
    public static native void keysetInfo(long keyset, int[] numbers);

    /** The name of a key's type, in UTF-8; {@code numbers} gets its id, status and prefix. */
    public static native byte[] keysetKeyAt(long keyset, int index, int[] numbers);

    // Those that change a keyset need it alone.

    public static native int addToKeyset(long keyset, byte[] template, boolean promote) throws KeysetException;

    public static native void changeKeyset(int operation, long keyset, int id) throws KeysetException;
}
