package dev.sivka.internal;

import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * One message on its way to native code and back. A short one is copied to the memory of a {@link
 * Lane}: AAD, nonce, detached tag and text, one after another. A longer one is worked on
 * where it is, with its arrays lent; what is small is in a lane even then.
 */
final class Message {
    /** The longest input in bytes that is copied: to lend arrays costs less for a longer one. */
    static final int LONGEST_COPIED = 1280;

    /** What sealing may add: more than any nonce and tag, prefix and tag of a keyset. */
    private static final int MAX_OVERHEAD = 128;

    private final int operation;
    private final boolean isSealing;
    private final NativeKey key;
    /** Null: it is drawn, or comes before the input. */
    private final byte[] nonce;
    private final int nonceLen;
    private final Region aad;
    private final Region in;

    private Message(int operation, NativeKey key, byte[] nonce, Region aad, Region in) {
        this.operation = operation;
        this.key = key;
        this.nonce = nonce;
        this.aad = aad;
        this.in = in;
        nonceLen = nonce == null ? 0 : nonce.length;
        isSealing = operation % 2 == 0;
    }

    /** A message with its tag, and with its nonce before it if that is null here. */
    static Message joined(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        int seal = nonce == null ? Native.SEAL : Native.SEAL_WITH_NONCE;
        return new Message(isSealing ? seal : seal + 1, key, nonce, aad, in);
    }

    /** A message without its tag. */
    static Message detached(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        return new Message(isSealing ? Native.SEAL_DETACHED : Native.OPEN_DETACHED, key, nonce, aad, in);
    }

    /** Gives the output in a new array; null if the message does not open. */
    byte[] intoNew() {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, 0)) {
                byte[] out = key.newOutput(isSealing, nonce == null, in.len);
                return cut(out, lent(lane, out, 0, out.length, null));
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

    /** Writes the output to a region; its length, or FORGED. */
    int into(Region out) {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, 0)) {
                return lent(lane, out.array, out.place(), out.len, null);
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

    /** Writes the output over the input; its length, or FORGED. */
    int inPlace(byte[] tag) {
        Lane lane = key.handle.enter();
        try {
            // Found here, because a JVM may lend copies, which overlap nothing.
            if (in.array == tag && in.overlaps(tag, 0, tag.length)) {
                throw new IllegalArgumentException("tag overlaps inOut");
            }
            if (!isApart(in.array, tag) || !isShort(lane, tag.length)) {
                return lent(lane, in.array, in.place(), in.len, tag);
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
    }

    private boolean isShort(Lane lane, int tagLen) {
        return in.len <= LONGEST_COPIED
                && lane.hasRoom((long) aad.len + nonceLen + tagLen + 2L * in.len + MAX_OVERHEAD);
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
        int tagLen = fill(lane, tag);
        in.copyTo(lane.memory, inAt(tagLen));
        int len = Native.inLane(
                operation, key.handle.address(), lane.address, aad.len, nonceLen, tagLen, inAt(tagLen),
                in.len, outAt(tagLen), in.len + overhead);
        takeTag(lane, tag);
        return len;
    }

    /** Where the bytes are. The output is an array and an index, or null and an address. */
    private int lent(Lane lane, byte[] out, long outAt, int outLen, byte[] tag) {
        boolean isCopied = in.isHidden() || in.overlaps(out, outAt, outLen) && !isTextAtText(outAt);
        Region from = isCopied ? Region.of(in.copy()) : in;
        int tagLen = tag == null ? 0 : tag.length;
        try {
            if (!lane.hasRoom((long) aad.len + nonceLen + tagLen) || !isApart(out, tag)) {
                return Native.message(
                        operation, key.handle.address(), nonce, 0, nonceLen, aad.array, aad.place(), aad.len,
                        from.array, from.place(), from.len, out, outAt, outLen, tag, 0, tagLen);
            }
            // To copy what is small costs less than to lend it.
            fill(lane, tag);
            long nonceAt = lane.address + aad.len;
            int len = Native.message(
                    operation, key.handle.address(), null, nonceAt, nonceLen, null, lane.address, aad.len,
                    from.array, from.place(), from.len, out, outAt, outLen, null, nonceAt + nonceLen, tagLen);
            takeTag(lane, tag);
            return len;
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

    /** Whether nothing that is written is an array of what is read: native code looks closer. */
    private boolean isApart(byte[] out, byte[] tag) {
        boolean isOutApart = out == null || out != nonce && out != aad.array;
        return isOutApart && (tag == null || tag != nonce && tag != aad.array);
    }

    /** Copies to a lane what is small: AAD, and nonce and tag if they are given. The tag's length. */
    private int fill(Lane lane, byte[] tag) {
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        if (tag == null) {
            return 0;
        }
        lane.memory.put(aad.len + nonceLen, tag);
        return tag.length;
    }

    private void takeTag(Lane lane, byte[] tag) {
        if (operation == Native.SEAL_DETACHED) {
            lane.memory.get(aad.len + nonceLen, tag);
        }
    }
}
