package dev.sivka.internal;

import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * One message on its way to native code and back. A short one is copied to the memory of a
 * {@link Lane}, and sealed or opened there. A longer one is worked on in an array that is lent:
 * the only one, for its nonce, AAD and tag are in a lane, and a new array holds a copy of the
 * input. Other buffers are worked on in place, with every array lent.
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
    private final NativeKey key;
    /** Null: it is drawn, or comes before the input. */
    private final byte[] nonce;
    private final Region aad;
    private final Region in;
    /** Where AAD and nonce end in a lane's memory: the place of a tag that is apart. */
    private final int tagAt;
    /** Where the text is there: behind its tag too, if that is first. */
    private final int textAt;

    Crossing(int operation, NativeKey key, byte[] nonce, Region aad, Region in) {
        this.operation = operation;
        this.key = key;
        this.nonce = nonce;
        this.aad = aad;
        this.in = in;
        tagAt = aad.len + (nonce == null ? key.algorithm.nonceLen() : nonce.length);
        textAt = tagAt + key.algorithm.textAt();
    }

    /** Gives the output in a new array of this length; null if the message does not open. */
    byte[] intoNew(int outLen) {
        Lane lane = key.handle.enter();
        try {
            if (!isShort(lane, LONGEST_COPIED)) {
                return isLendable(lane, LONGEST_COPY_LENT) ? copyLent(lane, outLen) : lent(lane, outLen);
            }
            int len = copied(lane, operation, in.len);
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
            int len = copied(lane, operation, in.len);
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
                throw new IllegalArgumentException("tag overlaps the text");
            }
            if (tag.length != key.algorithm.tagLen() || !isApart(in.array, tag)) {
                return lent(lane, in.array, in.place(), in.len, tag);
            }
            if (isShort(lane, LONGEST_COPIED)) {
                return copied(lane, tag);
            }
            return isLendable(lane, LONGEST_LENT) ? textLent(lane, tag) : lent(lane, in.array, in.place(), in.len, tag);
        } finally {
            leave(lane);
        }
    }

    private void leave(Lane lane) {
        key.handle.leave(lane);
        Reference.reachabilityFence(key);
        Reference.reachabilityFence(in);
    }

    // Through a lane's memory: AAD, nonce, text and tag, one after another.

    private boolean isShort(Lane lane, int longest) {
        return in.len <= longest && lane.hasRoom((long) textAt + in.len + key.algorithm.tagLen());
    }

    private int copied(Lane lane, int undetached, int inLen) {
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        in.copyTo(lane.memory, operation == Native.OPEN ? aad.len : textAt);
        return Native.inLane(undetached, key.handle.address(), lane.address, aad.len, textAt, inLen);
    }

    private int outAt() {
        return operation == Native.SEAL ? aad.len : textAt;
    }

    /** Leaves no plaintext behind. */
    private void wipe(Lane lane, int len) {
        if (operation == Native.OPEN || operation == Native.OPEN_WITH_NONCE) {
            lane.wipe(textAt, len);
        }
    }

    private int copied(Lane lane, byte[] tag) {
        // Native code takes what comes before the text for a nonce, unless it is to draw one.
        boolean tagFirst = textAt > tagAt;
        int besideText = tagAt + key.algorithm.tagAt(in.len);
        if (operation == Native.SEAL_DETACHED) {
            int len = copied(lane, tagFirst ? Native.SEAL : Native.SEAL_WITH_NONCE, in.len);
            in.copyFrom(lane.memory, textAt, in.len);
            lane.memory.get(besideText, tag);
            return len;
        }
        lane.memory.put(besideText, tag);
        int len = copied(lane, tagFirst ? Native.OPEN : Native.OPEN_WITH_NONCE, in.len + tag.length);
        if (len == Native.FORGED) {
            lane.wipe(textAt, in.len);
        }
        in.copyFrom(lane.memory, textAt, in.len);
        lane.wipe(textAt, in.len);
        return len;
    }

    // In one array that is lent; AAD, nonce and tag are in a lane's memory.

    private boolean isLendable(Lane lane, int longest) {
        return in.array != null
                && in.len > LONGEST_COPIED
                && in.len <= longest
                && lane.hasRoom((long) textAt + key.algorithm.tagLen());
    }

    /** In a new array, which gets a copy of the text. Java does not clear it before that. */
    private byte[] copyLent(Lane lane, int outLen) {
        byte[] from = in.array;
        int at = in.at;
        int nonceLen = nonce == null ? key.algorithm.nonceLen() : 0;
        if (operation == Native.SEAL || operation == Native.SEAL_WITH_NONCE) {
            byte[] out = new byte[outLen];
            int outAt = nonceLen + key.algorithm.textAt();
            System.arraycopy(from, at, out, outAt, in.len);
            inArray(operation, lane, textAt, out, outAt, in.len);
            return out;
        }
        byte[] out = new byte[outLen];
        System.arraycopy(from, at + nonceLen + key.algorithm.textAt(), out, 0, outLen);
        if (nonce == null) {
            lane.memory.put(aad.len, from, at, nonceLen);
        }
        lane.memory.put(tagAt, from, at + nonceLen + key.algorithm.tagAt(outLen), key.algorithm.tagLen());
        return inArray(Native.OPEN_DETACHED, lane, tagAt, out, 0, outLen) == Native.FORGED ? null : out;
    }

    private int textLent(Lane lane, byte[] tag) {
        if (operation == Native.OPEN_DETACHED) {
            lane.memory.put(tagAt, tag);
            return inArray(operation, lane, tagAt, in.array, in.at, in.len);
        }
        int len = inArray(operation, lane, tagAt, in.array, in.at, in.len);
        lane.memory.get(tagAt, tag);
        return len;
    }

    /** {@code end}: where nonce and, if the array has room for it before the text, the tag end. */
    private int inArray(int undrawn, Lane lane, int end, byte[] array, int at, int textLen) {
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        int behindText = end > tagAt ? 0 : key.algorithm.tagLen();
        return Native.inArray(
                undrawn, key.handle.address(), lane.address, aad.len, end, array, at, textLen, behindText);
    }

    // Where the bytes are. The output is an array and an index, or null and an address.

    private byte[] lent(Lane lane, int outLen) {
        byte[] out = new byte[outLen];
        return lent(lane, out, 0, outLen, null) == Native.FORGED ? null : out;
    }

    private int lent(Lane lane, byte[] out, long outAt, int outLen, byte[] tag) {
        if (in.isHidden() || in.overlaps(out, outAt, outLen) && !mayBeginAt(outAt)) {
            byte[] copy = in.copy();
            try {
                return new Crossing(operation, key, nonce, aad, Region.of(copy)).lent(lane, out, outAt, outLen, tag);
            } finally {
                Arrays.fill(copy, (byte) 0);
            }
        }
        int nonceLen = nonce == null ? 0 : nonce.length;
        int tagLen = tag == null ? 0 : tag.length;
        if (!lane.hasRoom((long) textAt + tagLen) || !isApart(out, tag)) {
            return Native.message(
                    operation, key.handle.address(), nonce, 0, nonceLen, aad.array, aad.place(), aad.len,
                    in.array, in.place(), in.len, out, outAt, outLen, tag, 0, tagLen);
        }
        // To copy what is small costs less than to lend it.
        aad.copyTo(lane.memory, 0);
        if (nonce != null) {
            lane.memory.put(aad.len, nonce);
        }
        if (tag != null) {
            lane.memory.put(textAt, tag);
        }
        int len = Native.message(
                operation, key.handle.address(), null, lane.address + aad.len, nonceLen, null, lane.address,
                aad.len, in.array, in.place(), in.len, out, outAt, outLen, null, lane.address + textAt, tagLen);
        if (operation == Native.SEAL_DETACHED) {
            lane.memory.get(textAt, tag);
        }
        return len;
    }

    /** Whether native code takes an output here that overlaps the input. */
    private boolean mayBeginAt(long outAt) {
        return operation >= Native.SEAL_WITH_NONCE && in.place() == outAt;
    }

    /** Whether nothing that is written is an array of what is read: native code looks closer. */
    private boolean isApart(byte[] out, byte[] tag) {
        boolean isOutApart = out == null || out != nonce && out != aad.array;
        return isOutApart && (tag == null || tag != nonce && tag != aad.array);
    }
}
