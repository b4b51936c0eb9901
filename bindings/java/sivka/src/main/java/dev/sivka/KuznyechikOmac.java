package dev.sivka;

import dev.sivka.internal.NativeOmac;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;

/**
 * A key of Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC): a message authentication
 * code. Keys have 32 bytes; the length of the tags is fixed when the key is made.
 *
 * <p>Whole messages go through {@link #tag} and {@link #verify}; one message at a time may come in
 * pieces, through {@link #update} and {@link #finish} or {@link #finishAndVerify}. Threads take
 * turns.
 */
public final class KuznyechikOmac implements AutoCloseable {
    private final NativeOmac omac;

    /**
     * Makes a key.
     *
     * @param key 32 bytes, uniformly random, which are copied; the caller wipes its own. A shorter
     *     tag is the beginning of a longer one, so they should serve one length only
     * @param tagLength the length of every tag in bytes, 4 to 16
     * @throws IllegalArgumentException if one has another length
     */
    public KuznyechikOmac(byte[] key, int tagLength) {
        omac = new NativeOmac(key, tagLength);
    }

    /**
     * The length of the tags.
     *
     * @return in bytes
     */
    public int tagLength() {
        return omac.tagLen();
    }

    /**
     * The tag of a whole message.
     *
     * @param message any number of bytes
     * @return a new array
     * @throws IllegalStateException if this key is closed
     */
    public byte[] tag(byte[] message) {
        return omac.tag(Region.of(message));
    }

    /**
     * The tag of a whole message, which remains in a buffer. The position does not move.
     *
     * @param message any number of bytes
     * @return a new array
     * @throws IllegalStateException if this key is closed
     */
    public byte[] tag(ByteBuffer message) {
        return omac.tag(Region.of(message));
    }

    /**
     * Whether a tag is that of a whole message. Takes the same time whatever the bytes are.
     *
     * @param message any number of bytes
     * @param tag as long as the tags of this key
     * @return whether it is
     * @throws IllegalArgumentException if the tag has another length
     * @throws IllegalStateException if this key is closed
     */
    public boolean verify(byte[] message, byte[] tag) {
        return omac.verify(Region.of(message), tag);
    }

    /**
     * Whether a tag is that of a whole message, which remains in a buffer. The position does not
     * move.
     *
     * @param message any number of bytes
     * @param tag as long as the tags of this key
     * @return whether it is
     * @throws IllegalArgumentException if the tag has another length
     * @throws IllegalStateException if this key is closed
     */
    public boolean verify(ByteBuffer message, byte[] tag) {
        return omac.verify(Region.of(message), tag);
    }

    /**
     * Goes on with the message in pieces.
     *
     * @param piece any number of bytes
     * @throws IllegalStateException if this key is closed
     */
    public void update(byte[] piece) {
        omac.update(Region.of(piece));
    }

    /**
     * Goes on with the message in pieces by a part of an array.
     *
     * @param piece has the bytes, from {@code offset} on
     * @param offset where they begin
     * @param length how many they are
     * @throws IndexOutOfBoundsException if they are not within the array
     * @throws IllegalStateException if this key is closed
     */
    public void update(byte[] piece, int offset, int length) {
        omac.update(Region.of(piece, offset, length));
    }

    /**
     * Goes on with the message in pieces by what remains in a buffer. The position does not move.
     *
     * @param piece any number of bytes
     * @throws IllegalStateException if this key is closed
     */
    public void update(ByteBuffer piece) {
        omac.update(Region.of(piece));
    }

    /**
     * The tag of all pieces since the key was made, or since a message last ended. That ends the
     * message: the next piece is the first of another one.
     *
     * @return a new array
     * @throws IllegalStateException if this key is closed
     */
    public byte[] finish() {
        return omac.finish();
    }

    /**
     * {@link #finish} that says whether the tag is this one. Takes the same time whatever the
     * bytes are.
     *
     * @param tag as long as the tags of this key
     * @return whether it is; the message has ended
     * @throws IllegalArgumentException if the tag has another length; the message has not ended
     * @throws IllegalStateException if this key is closed
     */
    public boolean finishAndVerify(byte[] tag) {
        return omac.finishAndVerify(tag);
    }

    /** Wipes and frees the key; calls that come later throw an {@link IllegalStateException}. */
    @Override
    public void close() {
        omac.close();
    }
}
