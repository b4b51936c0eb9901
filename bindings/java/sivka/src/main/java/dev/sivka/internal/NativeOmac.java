package dev.sivka.internal;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;

/** A key of Kuznyechik for OMAC in native memory. Threads take turns. */
public final class NativeOmac implements AutoCloseable {
    private final Handle handle;
    private final Cleaner.Cleanable cleanable;
    private final int tagLen;

    public NativeOmac(byte[] key, int tagLen) {
        Objects.requireNonNull(key, "key");
        handle = new Handle(Native.OMAC, Native.newOmac(key, Numbers.notNegative("tagLength", tagLen)), "OMAC key");
        cleanable = handle.freeWith(this);
        this.tagLen = tagLen;
    }

    public int tagLen() {
        return tagLen;
    }

    public byte[] tag(Region message) {
        byte[] tag = new byte[tagLen];
        whole(shown(message), tag, false);
        return tag;
    }

    public boolean verify(Region message, byte[] tag) {
        return whole(shown(message), Objects.requireNonNull(tag, "tag"), true);
    }

    private synchronized boolean whole(Region message, byte[] tag, boolean isGiven) {
        Lane lane = handle.enter();
        try {
            return Native.omacWhole(handle.address(), message.array, message.place(), message.len, tag, isGiven);
        } finally {
            leave(lane, message);
        }
    }

    public void update(Region piece) {
        updateShown(shown(piece));
    }

    private synchronized void updateShown(Region piece) {
        Lane lane = handle.enter();
        try {
            Native.omacUpdate(handle.address(), piece.array, piece.place(), piece.len);
        } finally {
            leave(lane, piece);
        }
    }

    public byte[] finish() {
        byte[] tag = new byte[tagLen];
        finish(tag, false);
        return tag;
    }

    public boolean finishAndVerify(byte[] tag) {
        return finish(Objects.requireNonNull(tag, "tag"), true);
    }

    private synchronized boolean finish(byte[] tag, boolean isGiven) {
        Lane lane = handle.enter();
        try {
            return Native.omacFinish(handle.address(), tag, isGiven);
        } finally {
            leave(lane, null);
        }
    }

    @Override
    public void close() {
        cleanable.clean();
    }

    /** A copy of what Java shows neither as an array nor as an address. */
    private static Region shown(Region bytes) {
        return bytes.isHidden() ? Region.of(bytes.copy()) : bytes;
    }

    private void leave(Lane lane, Region used) {
        handle.leave(lane);
        Reference.reachabilityFence(this);
        Reference.reachabilityFence(used);
    }
}
