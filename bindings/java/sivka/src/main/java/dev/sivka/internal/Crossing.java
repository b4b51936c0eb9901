package dev.sivka.internal;

import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * One message on its way to native code and back. A short one is copied to the memory of a
 * {@link Lane}, and sealed or opened there. A longer one is worked on in an array that is lent:
 * the only one, for its nonce, AAD and tag are in a lane, and a new array holds a copy of the
 * input. Other buffers are worked on in place, with every array lent.
 *
 * <p>A lane's memory has AAD, nonce, tag and text, one after another. The tag comes after the text
 * where both are in one array, unless the algorithm puts it first.
 */
final class Crossing {
    /** The longest input in bytes that is copied: to lend an array costs less for a longer one. */
    static final int LONGEST_COPIED = 1280;

    /** The same where two arrays would be lent. */
    static final int LONGEST_COPIED_FOR_TWO = 2560;

    /** The longest input of which a copy is lent: to lend two arrays costs less than more copying. */
    static final int LONGEST_COPY_LENT = 10 << 10;

    /** The longest text in bytes of the one array that is lent: LOAN_LEN of the native side. */
    private static final int LONGEST_LENT = 2 << 20;

    private final int operation;
    private final boolean isSealing;
    private final NativeKey key;
    /** Null: it is drawn, or comes before the input. */
    private final byte[] nonce;
    private final Region aad;
    private final Region in;
    private final int tagLen;
    // Places in a lane's memory: where the nonce ends, the text begins, and the sealed message begins.
    private final int tagAt;
    private final int textAt;
    private final int sealedAt;

    private Crossing(int operation, boolean isApart, NativeKey key, byte[] nonce, Region aad, Region in) {
        this.operation = operation;
        this.key = key;
        this.nonce = nonce;
        this.aad = aad;
        this.in = in;
        isSealing = operation % 2 == 0;
        tagLen = key.algorithm.tagLen();
        // What has no room there is not measured further: the sum would be no int.
        int nonceAt = Math.min(aad.len, Lane.CAPACITY + 1);
        tagAt = nonceAt + (nonce == null ? key.algorithm.nonceLen() : Math.min(nonce.length, Lane.CAPACITY + 1));
        textAt = tagAt + (isApart || key.algorithm.tagFirst() ? tagLen : 0);
        sealedAt = isApart ? textAt : nonce == null ? nonceAt : tagAt;
    }

    /** A message with its tag, and with its nonce before it if that is null here. */
    static Crossing joined(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        int seal = nonce == null ? Native.SEAL : Native.SEAL_WITH_NONCE;
        return new Crossing(isSealing ? seal : seal + 1, false, key, nonce, aad, in);
    }

    /** A message without its tag. */
    static Crossing detached(boolean isSealing, NativeKey key, byte[] nonce, Region aad, Region in) {
        int operation = isSealing ? Native.SEAL_DETACHED : Native.OPEN_DETACHED;
        return new Crossing(operation, true, key, nonce, aad, in);
    }

    /** Gives the output in a new array; null if the message does not open. */
    byte[] intoNew() {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, LONGEST_COPIED)) {
                return isLendable(lane, LONGEST_COPY_LENT) ? copyLent(lane) : lent(lane);
            }
            int len = copied(lane, null);
            if (len == Native.FORGED) {
                return null;
            }
            // Not made before: native code would wait until its zeros are in memory.
            byte[] out = new byte[len];
            lane.memory.get(outAt(), out);
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
            if (!isShort(lane, LONGEST_COPIED_FOR_TWO)) {
                return lent(lane, out.array, out.place(), out.len, null);
            }
            int len = copied(lane, null);
            if (len != Native.FORGED) {
                out.copyFrom(lane.memory, outAt(), len);
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
            boolean isTag = tag.length == tagLen && isApart(in.array, tag);
            boolean isShort = isTag && isShort(lane, LONGEST_COPIED);
            if (!isShort && !(isTag && isLendable(lane, LONGEST_LENT))) {
                return lent(lane, in.array, in.place(), in.len, tag);
            }
            int len;
            if (isShort) {
                len = copied(lane, tag);
                // Zeros, if it does not open.
                in.copyFrom(lane.memory, textAt, in.len);
                wipe(lane, in.len);
            } else {
                len = inLane(operation, lane, tag, in.array, in.at, in.len, in.at, in.len);
            }
            if (isSealing) {
                lane.memory.get(tagAt, tag);
            }
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

    private boolean isShort(Lane lane, int longest) {
        return in.len <= longest && lane.hasRoom((long) textAt + in.len + tagLen);
    }

    private boolean isLendable(Lane lane, int longest) {
        return in.array != null && in.len > LONGEST_COPIED && in.len <= longest && lane.hasRoom((long) tagAt + tagLen);
    }

    // The three ways. The result is the length of the output, or FORGED.

    /** Through a lane's memory. */
    private int copied(Lane lane, byte[] tag) {
        int inAt = isSealing ? textAt : sealedAt;
        in.copyTo(lane.memory, inAt);
        int room = tag == null ? Lane.CAPACITY - outAt() : in.len;
        return inLane(operation, lane, tag, null, inAt, in.len, outAt(), room);
    }

    private int outAt() {
        return isSealing ? sealedAt : textAt;
    }

    /** Leaves no plaintext behind. */
    private void wipe(Lane lane, int len) {
        if (!isSealing) {
            lane.wipe(textAt, len);
        }
    }

    /** In a new array, which gets a copy of the text. Java does not clear it before that. */
    private byte[] copyLent(Lane lane) {
        byte[] from = in.array;
        int at = in.at;
        int before = textAt - sealedAt;
        if (isSealing) {
            byte[] out = key.algorithm.newOutput(true, nonce == null, in.len);
            System.arraycopy(from, at, out, before, in.len);
            inLane(operation, lane, null, out, before, in.len, 0, out.length);
            return out;
        }
        byte[] out = key.algorithm.newOutput(false, nonce == null, in.len);
        System.arraycopy(from, at + before, out, 0, out.length);
        // The nonce, if it is here, and the tag are taken apart from the text.
        lane.memory.put(sealedAt, from, at, tagAt - sealedAt);
        lane.memory.put(tagAt, from, at + (textAt > tagAt ? tagAt - sealedAt : before + out.length), tagLen);
        int len = inLane(Native.OPEN_DETACHED, lane, null, out, 0, out.length, 0, out.length);
        return len == Native.FORGED ? null : out;
    }

    private byte[] lent(Lane lane) {
        byte[] out = key.algorithm.newOutput(isSealing, nonce == null, in.len);
        return lent(lane, out, 0, out.length, null) == Native.FORGED ? null : out;
    }

    /** Where the bytes are. The output is an array and an index, or null and an address. */
    private int lent(Lane lane, byte[] out, long outAt, int outLen, byte[] tag) {
        boolean isCopied = in.isHidden() || in.overlaps(out, outAt, outLen) && !isTextAtText(outAt);
        Region from = isCopied ? Region.of(in.copy()) : in;
        int nonceLen = nonce == null ? 0 : nonce.length;
        int apartLen = tag == null ? 0 : tag.length;
        try {
            if (!lane.hasRoom((long) tagAt + apartLen) || !isApart(out, tag)) {
                return Native.message(
                        operation, key.handle.address(), nonce, 0, nonceLen, aad.array, aad.place(), aad.len,
                        from.array, from.place(), from.len, out, outAt, outLen, tag, 0, apartLen);
            }
            // To copy what is small costs less than to lend it.
            fill(lane, tag);
            int len = Native.message(
                    operation, key.handle.address(), null, lane.address + aad.len, nonceLen, null, lane.address,
                    aad.len, from.array, from.place(), from.len, out, outAt, outLen, null, lane.address + tagAt,
                    apartLen);
            if (operation == Native.SEAL_DETACHED) {
                lane.memory.get(tagAt, tag);
            }
            return len;
        } finally {
            if (isCopied) {
                Arrays.fill(from.array, (byte) 0);
            }
        }
    }

    /** Whether the text is where it will be: native code takes no other output that overlaps the input. */
    private boolean isTextAtText(long outAt) {
        int before = textAt - sealedAt;
        return isSealing ? in.place() == outAt + before : in.place() + before == outAt;
    }

    /** Whether nothing that is written is an array of what is read: native code looks closer. */
    private boolean isApart(byte[] out, byte[] tag) {
        boolean isOutApart = out == null || out != nonce && out != aad.array;
        return isOutApart && (tag == null || tag != nonce && tag != aad.array);
    }

    /** Copies to a lane what is small: AAD, and nonce and tag if they are given. */
    private void fill(Lane lane, byte[] tag) {
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        if (tag != null) {
            lane.memory.put(tagAt, tag);
        }
    }

    private int inLane(
            int how, Lane lane, byte[] tag, byte[] array, int inAt, int inLen, int outAt, int outLen) {
        fill(lane, tag);
        return Native.inLane(
                how, key.handle.address(), lane.address, aad.len, tagAt, tagLen, array, inAt, inLen, outAt, outLen);
    }
}
