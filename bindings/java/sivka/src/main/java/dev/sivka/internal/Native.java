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
final class Native {
    /** The length that says that a message does not open. */
    static final int FORGED = -1;

    // What is to be done with a file.
    static final int VERIFY = 2;

    // What is to be done with a message; the first two with a file, too.
    static final int SEAL = 0;
    static final int OPEN = 1;
    static final int SEAL_WITH_NONCE = 2;
    static final int OPEN_WITH_NONCE = 3;
    static final int SEAL_DETACHED = 4;
    static final int OPEN_DETACHED = 5;

    // Which text is added to file keys.
    static final int PASSPHRASE = 0;
    static final int RECIPIENTS = 1;
    static final int IDENTITIES = 2;

    // What `free` is to free.
    static final int KEY = 0;
    static final int KUZNYECHIK = 1;
    static final int FILE_KEYS = 2;
    static final int FILE_READER = 3;
    static final int KEYSET = 4;
    static final int SEALER = 5;
    static final int OPENER = 6;

    static {
        Library.load();
    }

    private Native() {}

    // Names and lengths.

    /** The number of an algorithm; {@code name} ends with a zero. */
    static native int algorithm(byte[] name);

    /** The name of the algorithm at a place in the library's list; null beyond its end. */
    static native String nameAt(int index);

    /** Tells the lengths of key, nonce and tag, what a message grows by, and 1 if the tag comes first. */
    static native void lengths(int algorithm, int[] told);

    static native String version();

    static native String statusMessage(int status);

    /** Where the bytes of a direct buffer are: its first, not that at its position. */
    static native long address(ByteBuffer direct);

    // Keys.

    static native void generateKey(int algorithm, byte[] key);

    static native void randomNonces(int algorithm, byte[] nonces);

    static native long newKey(int algorithm, byte[] key);

    static native long newColumnKey(int algorithm, byte[] keyFile) throws SealedFileException;

    /** The room that a key's output needs for an input of a length. */
    static native long outputLen(boolean seals, long key, int inputLen);

    static native void free(int kind, long handle);

    // Messages. The result is the length of what was written, or FORGED.

    /**
     * One message in a lane's memory, which has AAD, nonce and detached tag from its beginning on.
     * Nothing is left there of a plaintext that was sealed.
     *
     * @param inAt an index of the memory, as {@code outAt}: text at text, or one after the other
     */
    static native int inLane(
            int operation, long key, long memory, int aadLen, int nonceLen, int tagLen, int inAt, int inLen,
            int outAt, int outLen);

    /**
     * One message with a list of associated data.
     *
     * @param operation {@link #SEAL} or {@link #OPEN}
     * @param strings one after the other
     * @param lens of each string, in bytes; 0 to 126 of them
     */
    static native int list(int operation, long key, byte[] strings, int[] lens, byte[] in, byte[] out);

    /**
     * One message in arrays, or, where an array is null, in memory at an address.
     *
     * @return the length of what was written to {@code out}, or FORGED
     */
    static native int message(
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
    static native void batch(
            boolean isSeal, long key, byte[] nonces, byte[] aads, int[] aadOffsets, byte[] texts,
            int[] textOffsets, byte[] tags, int[] statuses);

    /**
     * Seals or opens a column.
     *
     * @param nonces to seal under, one for each value; null to draw them
     * @param validity a bit for each value, which nobody changes meanwhile; or null
     * @param aadOffsets as many as {@code offsets}, or null for one AAD for all
     * @param outOffsets as many as {@code offsets}, for those of the output
     * @param opened one less
     * @return the output
     */
    static native byte[] column(
            boolean isSeal, long key, byte[] nonces, byte[] bytes, int[] offsets, byte[] validity, byte[] aads,
            int[] aadOffsets, int[] outOffsets, boolean[] opened);

    // Kuznyechik as a block cipher.

    static native long newKuznyechik(byte[] key);

    /** Blocks of an array, or, if that is null, at an address. */
    static native void blocks(boolean isEncrypt, long key, byte[] inOut, long at, int len);

    // Files. Paths and names end with a zero.

    static native int suite(byte[] name);

    static native long newFileKeys();

    static native void addKeyFile(long keys, byte[] text, byte[] passphrase) throws SealedFileException;

    static native void addText(int kind, long keys, byte[] text) throws SealedFileException;

    static native void setRoom(long keys, int slots);

    static native void setCost(long keys, int memoryKib, int passes, int lanes);

    static native void setMaxCost(long keys, int memoryKib, int passes);

    /** The text of a key file, of a new random key if {@code key} is null. */
    static native byte[] keyFile(byte[] name, byte[] key);

    /**
     * A file to a file.
     *
     * @param operation {@link #SEAL}, {@link #OPEN} or {@link #VERIFY}, which has no output
     * @param progress may be null; what it throws is thrown
     */
    static native void file(
            int operation, byte[] input, byte[] output, long keys, int suite, boolean overwrite, Progress progress)
            throws IOException;

    // Streams, which need neither keys nor keyset any more.

    static native long newStream(boolean seals, long keys, int suite);

    static native long newKeysetStream(boolean seals, long keyset, byte[] aad);

    /**
     * Gives bytes to a stream, or, if {@code in} is null, its end, until that makes nothing any more.
     *
     * @return how many bytes were taken, times 2^32, and how many were made
     */
    static native long step(
            boolean seals, long stream, byte[] in, int inAt, int inLen, byte[] out, int outAt, int outLen)
            throws IOException;

    // Key slots.

    /**
     * What a sealed file says without a key.
     *
     * @param suite gets its name
     * @param numbers for each slot its kind, and the memory, passes and lanes of a passphrase
     * @param keyIds for each slot 8 bytes
     * @return how many slots there are
     */
    static native int inspectFile(byte[] file, String[] suite, int[] numbers, byte[] keyIds)
            throws IOException;

    /** Adds a key if the slot is -1, and removes one if {@code added} is 0; the place of the slot. */
    static native int changeSlot(byte[] file, long keys, int slot, long added) throws IOException;

    static native void keyFileId(byte[] text, byte[] id) throws SealedFileException;

    static native void checkKeyPath(byte[] path);

    // Reading in any order.

    static native long newFileReader(byte[] input, long keys)
            throws IOException;

    static native long fileLen(long reader);

    /** Reads into an array, or, if that is null, to an address; how many bytes were read. */
    static native int readFile(long reader, long position, byte[] out, long at, int len)
            throws IOException;

    // Keysets. Names end with a zero. Ids are unsigned.

    static native long generateKeyset(byte[] template);

    /**
     * Reads a keyset.
     *
     * @param master a key, or 0 for one in the clear
     * @return 0 for an encrypted one that does not open
     */
    static native long readKeyset(byte[] bytes, int flags, long master, byte[] aad) throws KeysetException;

    /**
     * Writes a keyset.
     *
     * @param form one of the constants of {@link NativeKeyset}, which say what {@code given} is
     * @param master a key, or 0
     */
    static native byte[] writeKeyset(int form, long keyset, int flags, long master, byte[] given)
            throws KeysetException;

    /** A key of the enabled keys for a purpose, as sivka.h numbers it. */
    static native long newKeysetKey(long keyset, int purpose) throws KeysetException;

    /** Tells how many keys there are, the primary's id, and the purpose, or 0. */
    static native void keysetInfo(long keyset, int[] numbers);

    /** The name of a key's type, in UTF-8; {@code numbers} gets its id, status and prefix. */
    static native byte[] keysetKeyAt(long keyset, int index, int[] numbers);

    // Those that change a keyset need it alone.

    static native int addToKeyset(long keyset, byte[] template, boolean promote) throws KeysetException;

    static native void changeKeyset(int operation, long keyset, int id) throws KeysetException;
}
