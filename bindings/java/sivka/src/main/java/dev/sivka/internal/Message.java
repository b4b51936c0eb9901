package dev.sivka.internal;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One message on its way to native code and back, in an array, a part of one, or a byte buffer. A
 * nonce that is null is drawn to seal, and comes before the ciphertext to open.
 *
 * <p>There are two ways. A short message is copied to the memory of a {@link Lane}: AAD, nonce,
 * detached tag and text, one after another. A longer one is worked on where it is, with its arrays
 * lent.
 */
public final class Message {
    /** The longest input in bytes that is copied: to lend arrays costs less for a longer one. */
    static final int LONGEST_COPIED = 2560;

    /** What sealing may add: more than any nonce and tag, prefix and tag of a keyset. */
    private static final int MAX_OVERHEAD = 128;

    private final int operation;
    private final boolean isSealing;
    private final NativeKey key;
    private final byte[] nonce;
    private final int nonceLen;
    private final Region aad;
    /** If not null, those of the strings that the AAD consists of. */
    private final int[] aadLens;
    private final Region in;

    private Message(int operation, NativeKey key, byte[] nonce, Region aad, int[] aadLens, Region in) {
        this.operation = operation;
        this.key = key;
        this.nonce = nonce;
        this.aad = aad;
        this.aadLens = aadLens;
        this.in = in;
        nonceLen = nonce == null ? 0 : nonce.length;
        isSealing = operation % 2 == 0;
    }

    /** A message with its tag. */
    private static Message joined(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        int seal = nonce == null ? Native.SEAL : Native.SEAL_WITH_NONCE;
        return new Message(isSealing ? seal : seal + 1, key, nonce, aad, null, in);
    }

    /** Seals an array: ciphertext and tag, and the nonce before them if it is drawn. */
    public static byte[] seal(NativeKey key, byte[] nonce, byte[] plaintext, byte[] aad) {
        Region in = Region.of(Objects.requireNonNull(plaintext, "plaintext"));
        return intoNew(true, key, nonce, Region.ofData(aad), in);
    }

    /** Opens an array; null if it does not open. */
    public static byte[] open(NativeKey key, byte[] nonce, byte[] sealed, byte[] aad) {
        Region in = Region.of(Objects.requireNonNull(sealed, nonce == null ? "sealed" : "ciphertext"));
        return intoNew(false, key, nonce, Region.ofData(aad), in);
    }

    /** Seals or opens a region; null if it does not open. */
    public static byte[] intoNew(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        return joined(isSealing, key, nonce, aad, in).intoNew();
    }

    /**
     * Seals or opens from one place to another that is long enough; they may overlap in any way. The
     * length of what was written, or {@link Native#FORGED}, when it holds zeros or what it held.
     */
    public static int into(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in, Region out) {
        return joined(isSealing, key, nonce, aad, in).into(out);
    }

    /** The same from one buffer to another, which moves the positions of both unless it is forged. */
    public static int between(
            boolean isSealing, NativeKey key, byte[] nonce, ByteBuffer from, ByteBuffer data, ByteBuffer to) {
        Region in = Region.of(from);
        Region out = Region.writable(to);
        if (from == to) {
            throw new IllegalArgumentException(
                    "input and output are one buffer: give duplicates to work in place");
        }
        long needed = key.algorithm.outputLen(isSealing, nonce == null, in.len);
        if (out.len < needed) {
            throw new IllegalArgumentException(
                    "the output buffer is too small: " + needed + " bytes needed, " + out.len + " remaining");
        }
        int len = into(isSealing, key, nonce, Region.ofData(data), in, out.first((int) needed));
        if (len != Native.FORGED) {
            from.position(from.limit());
            to.position(to.position() + len);
        }
        return len;
    }

    /** Seals or opens in place, the tag apart. A text that does not open becomes zeros. */
    public static boolean inPlace(
            boolean isSealing, NativeKey key, byte[] nonce, Region text, byte[] aad, byte[] tag) {
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(tag, "tag");
        int operation = isSealing ? Native.SEAL_DETACHED : Native.OPEN_DETACHED;
        return new Message(operation, key, nonce, Region.ofData(aad), null, text).inPlace(tag) != Native.FORGED;
    }

    /** Seals or opens a region with a list of associated data; null if it does not open. */
    public static byte[] withList(boolean isSealing, NativeKey key, Region in, List<byte[]> list) {
        byte[][] strings = Batches.read(list, "data");
        int[] lens = Arrays.stream(strings).mapToInt(string -> string.length).toArray();
        long sum = Arrays.stream(lens).asLongStream().sum();
        ByteBuffer joined = ByteBuffer.allocate(Batches.arrayLen(sum, "data"));
        for (byte[] string : strings) {
            joined.put(string);
        }
        int operation = isSealing ? Native.SEAL : Native.OPEN;
        return new Message(operation, key, null, Region.of(joined.array()), lens, in).intoNew();
    }

    private byte[] intoNew() {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, 0)) {
                byte[] out = key.newOutput(isSealing, nonce == null, in.len);
                return cut(out, lent(out, 0, out.length, null));
            }
            int len = copied(lane, null, MAX_OVERHEAD);
            if (len == Native.FORGED) {
                return null;
            }
            // Not made before: native code would wait until its zeros are in memory.
            byte[] out = new byte[len];
            lane.memory.get(outAt(0), out);
            wipe(lane, len);
            return out;
        } finally {
            leave(lane);
        }
    }

    private int into(Region out) {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, 0)) {
                return lent(out.array, out.place(), out.len, null);
            }
            int len = copied(lane, null, MAX_OVERHEAD);
            if (len != Native.FORGED) {
                out.copyFrom(lane.memory, outAt(0), len);
                wipe(lane, len);
            }
            return len;
        } finally {
            leave(lane);
            Reference.reachabilityFence(out);
        }
    }

    private int inPlace(byte[] tag) {
        Lane lane = key.handle.enter();
        try {
            // Found here, because a JVM may lend copies, which overlap nothing.
            if (in.array == tag && in.overlaps(tag, 0, tag.length)) {
                throw new IllegalArgumentException("tag overlaps inOut");
            }
            if (!isApart(in.array, tag) || !isShort(lane, tag.length)) {
                return lent(in.array, in.place(), in.len, tag);
            }
            int len = copied(lane, tag, 0);
            // Zeros, if it does not open.
            in.copyFrom(lane.memory, outAt(tag.length), in.len);
            lane.wipe(outAt(tag.length), in.len);
            return len;
        } finally {
            leave(lane);
        }
    }

    private void leave(Lane lane) {
        key.handle.leave(lane);
        Reference.reachabilityFence(key);
        Reference.reachabilityFence(in);
        Reference.reachabilityFence(aad);
    }

    private boolean isShort(Lane lane, int tagLen) {
        long textLen = key.algorithm == null ? 2L * in.len : in.len;
        return aadLens == null && in.len <= LONGEST_COPIED
                && lane.hasRoom(textLen + aad.len + nonceLen + tagLen + MAX_OVERHEAD);
    }

    /** Whether nothing that is written is an array of what is read: native code looks closer. */
    private boolean isApart(byte[] out, byte[] tag) {
        boolean isOutApart = out == null || out != nonce && out != aad.array;
        return isOutApart && tag != nonce && tag != aad.array;
    }

    // A text is sealed and opened where it is, which costs less; a keyset's key wants another place.

    private int inAt(int tagLen) {
        return aad.len + nonceLen + tagLen + (isSealing ? textAt() : 0);
    }

    private int outAt(int tagLen) {
        int at = aad.len + nonceLen + tagLen;
        return key.algorithm == null ? at + in.len : at + (isSealing ? 0 : textAt());
    }

    private int textAt() {
        return key.algorithm == null ? 0 : key.algorithm.textAt(operation, nonce == null);
    }

    /** Leaves no plaintext behind. */
    private void wipe(Lane lane, int len) {
        if (!isSealing) {
            lane.wipe(outAt(0), len);
        }
    }

    // The two ways. The result is the length of the output, or FORGED.

    /** Through a lane's memory, where native code wipes a plaintext that was sealed. */
    private int copied(Lane lane, byte[] tag, int overhead) {
        int tagLen = tag == null ? 0 : tag.length;
        int tagAt = aad.len + nonceLen;
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        if (tag != null) {
            lane.memory.put(tagAt, tag);
        }
        in.copyTo(lane.memory, inAt(tagLen));
        int len = Native.inLane(
                operation, key.handle.address(), lane.address, aad.len, nonceLen, tagLen, inAt(tagLen),
                in.len, outAt(tagLen), in.len + overhead);
        if (operation == Native.SEAL_DETACHED) {
            lane.memory.get(tagAt, tag);
        }
        return len;
    }

    /** Where the bytes are. The output is an array and an index, or null and an address. */
    private int lent(byte[] out, long outAt, int outLen, byte[] tag) {
        boolean isCopied = in.isHidden() || in.overlaps(out, outAt, outLen) && !isTextAtText(outAt);
        Region from = isCopied ? Region.of(in.copy()) : in;
        try {
            return Native.message(
                    operation, key.handle.address(), nonce, 0, nonceLen, aad.array, aad.place(), aad.len,
                    from.array, from.place(), from.len, out, outAt, outLen, tag, 0, tag == null ? 0 : tag.length,
                    aadLens);
        } finally {
            if (isCopied) {
                Arrays.fill(from.array, (byte) 0);
            }
        }
    }

    /** The beginning of an output whose room was longer; null if the message does not open. */
    private static byte[] cut(byte[] out, int len) {
        if (len == Native.FORGED || len == out.length) {
            return len == Native.FORGED ? null : out;
        }
        byte[] exact = Arrays.copyOf(out, len);
        Arrays.fill(out, (byte) 0);
        return exact;
    }

    /** Whether the text is where it will be: native code takes no other output that overlaps the input. */
    private boolean isTextAtText(long outAt) {
        if (key.algorithm == null) {
            return false;
        }
        return isSealing ? in.place() == outAt + textAt() : in.place() + textAt() == outAt;
    }
}
