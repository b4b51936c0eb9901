package dev.sivka.internal;

import dev.sivka.KeyManagement;
import dev.sivka.KeysetException;
import dev.sivka.KeysetInfo;
import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.KeysetKey;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A Tink keyset in native memory. A native keyset that is changed must not be used meanwhile, so
 * every change is made on a copy, which takes its place: calls under way go on with the old one,
 * which is wiped after the last of them. Any number of threads may use and change one object.
 */
public final class NativeKeyset implements AutoCloseable {
    // How a keyset is written, and what is allowed in one that is read: flags of sivka.h.
    public static final int JSON = Constants.KEYSET_JSON;
    public static final int DUPLICATE_IDS = Constants.KEYSET_DUPLICATE_IDS;

    // How one key changes.
    public static final int PROMOTE = 0;
    public static final int ENABLE = 1;
    public static final int DISABLE = 2;
    public static final int DESTROY = 3;
    public static final int REMOVE = 4;

    // What is to be done with a message.
    public static final int SEAL = 0;
    public static final int OPEN = 1;
    public static final int SEAL_DETERMINISTICALLY = 2;
    public static final int OPEN_DETERMINISTICALLY = 3;

    // What encrypts a keyset.
    private static final int IN_THE_CLEAR = 0;
    private static final int UNDER_KEYSET = 1;
    private static final int UNDER_KEY = 2;

    private static final byte[] NO_AAD = {};
    private static final long LAST_ID = 0xffff_ffffL;
    /** The longest array that every JVM has. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    /** The native keyset of now, and what closes it. */
    private record Held(Handle handle, Cleaner.Cleanable cleanable) {}

    /** A native keyset that is not freed before {@link #leave}. */
    private record Use(Handle handle, Lane lane) {
        long address() {
            return handle.address();
        }
    }

    private interface Change {
        int apply(long copy) throws KeysetException;
    }

    /** Held by whoever puts another native keyset in the place of this one, or closes it. */
    private final Object changing = new Object();
    private volatile Held held;

    private NativeKeyset(long address) {
        held = hold(address);
    }

    private Held hold(long address) {
        Handle handle = new Handle(Native.KEYSET, address, "keyset");
        return new Held(handle, handle.freeWith(this));
    }

    /** Makes a keyset with one new key. */
    public static NativeKeyset generate(String template) {
        return new NativeKeyset(Native.generateKeyset(name(template)));
    }

    /** A template's name as C has it, where nothing may come after a zero. */
    private static byte[] name(String template) {
        if (Objects.requireNonNull(template, "template").indexOf('\0') >= 0) {
            throw new IllegalArgumentException("template: a zero is in the name");
        }
        return Algorithm.withZero(template);
    }

    // Forms.

    public static NativeKeyset fromInsecure(byte[] bytes, int flags) throws KeysetException {
        Objects.requireNonNull(bytes, "bytes");
        return new NativeKeyset(Native.readKeyset(bytes, flags, IN_THE_CLEAR, 0, NO_AAD));
    }

    /** Null if it does not open. */
    public static NativeKeyset decrypt(byte[] bytes, int flags, NativeKeyset master, byte[] aad)
            throws KeysetException {
        Use use = master.enter();
        try {
            return decrypted(bytes, flags, UNDER_KEYSET, use.address(), aad);
        } finally {
            master.leave(use);
        }
    }

    /** Null if it does not open. */
    public static NativeKeyset decrypt(byte[] bytes, int flags, NativeKey master, byte[] aad)
            throws KeysetException {
        Lane lane = master.handle.enter();
        try {
            return decrypted(bytes, flags, UNDER_KEY, master.handle.address(), aad);
        } finally {
            master.handle.leave(lane);
            Reference.reachabilityFence(master);
        }
    }

    /** Null if it does not open. */
    public static NativeKeyset decrypt(byte[] bytes, int flags, KeyManagement master, byte[] aad)
            throws KeysetException {
        Objects.requireNonNull(bytes, "bytes");
        long made = Native.readKeysetByService(bytes, flags, new ServiceCall(master, aad, false));
        return made == 0 ? null : new NativeKeyset(made);
    }

    private static NativeKeyset decrypted(byte[] bytes, int flags, int kind, long master, byte[] aad)
            throws KeysetException {
        Objects.requireNonNull(bytes, "bytes");
        long made = Native.readKeyset(bytes, flags, kind, master, Region.data(aad));
        return made == 0 ? null : new NativeKeyset(made);
    }

    public byte[] toInsecure(int flags) {
        return written(flags, IN_THE_CLEAR, 0, NO_AAD);
    }

    public byte[] encrypt(int flags, NativeKeyset master, byte[] aad) {
        Use use = master.enter();
        try {
            return written(flags, UNDER_KEYSET, use.address(), aad);
        } finally {
            master.leave(use);
        }
    }

    public byte[] encrypt(int flags, NativeKey master, byte[] aad) {
        Lane lane = master.handle.enter();
        try {
            return written(flags, UNDER_KEY, master.handle.address(), aad);
        } finally {
            master.handle.leave(lane);
            Reference.reachabilityFence(master);
        }
    }

    public byte[] encrypt(int flags, KeyManagement master, byte[] aad) {
        ServiceCall call = new ServiceCall(master, aad, true);
        Use use = enter();
        try {
            return Native.writeKeysetByService(use.address(), flags, call);
        } catch (KeysetException e) {
            throw unusable(e);
        } finally {
            leave(use);
        }
    }

    private byte[] written(int flags, int kind, long master, byte[] aad) {
        Use use = enter();
        try {
            return Native.writeKeyset(use.address(), flags, kind, master, Region.data(aad));
        } catch (KeysetException e) {
            throw unusable(e);
        } finally {
            leave(use);
        }
    }

    // What may be told.

    // Streams.

    /** What seals a stream, or opens one, under the keys of now. */
    public NativeStream stream(boolean seals, byte[] aad) {
        Use use = enter();
        try {
            return new NativeStream(seals, Native.newKeysetStream(seals, use.address(), Region.data(aad)));
        } finally {
            leave(use);
        }
    }

    public KeysetInfo info() {
        Use use = enter();
        try {
            long address = use.address();
            List<KeysetKey> keys = new ArrayList<>();
            int[] numbers = new int[3];
            for (int i = 0; i < Native.keysetKeyCount(address); i++) {
                String type = new String(Native.keysetKeyAt(address, i, numbers), StandardCharsets.UTF_8);
                keys.add(
                        new KeysetKey(
                                Integer.toUnsignedLong(numbers[0]), type,
                                KeysetKey.Status.values()[numbers[1] - 1], KeysetKey.Prefix.values()[numbers[2] - 1]));
            }
            int primitive = Native.keysetPrimitive(address);
            Purpose purpose = primitive == 0 ? Purpose.OTHER : Purpose.values()[primitive - 1];
            return new KeysetInfo(Integer.toUnsignedLong(Native.keysetPrimaryKeyId(address)), purpose, keys);
        } finally {
            leave(use);
        }
    }

    // Changes.

    /** Adds a new key, and returns its id. */
    public long add(String template, boolean promote) {
        byte[] name = name(template);
        return Integer.toUnsignedLong(apply(copy -> Native.addToKeyset(copy, name, promote)));
    }

    /** Changes the key with an id. */
    public void change(int operation, long id) {
        if (id < 0 || id > LAST_ID) {
            throw new IllegalArgumentException("id: a number from 0 to " + LAST_ID + " expected, " + id + " given");
        }
        apply(copy -> {
            Native.changeKeyset(operation, copy, (int) id);
            return 0;
        });
    }

    private int apply(Change change) {
        synchronized (changing) {
            Held old = held;
            Held made = hold(copyOf(old.handle));
            Held unneeded = made;
            try {
                int result = change.apply(made.handle.address());
                held = made;
                unneeded = old;
                return result;
            } catch (KeysetException e) {
                throw unusable(e);
            } finally {
                unneeded.cleanable.clean();
                Reference.reachabilityFence(this);
            }
        }
    }

    private static long copyOf(Handle handle) {
        Lane lane = handle.enter();
        try {
            return Native.copyKeyset(handle.address());
        } finally {
            handle.leave(lane);
        }
    }

    // Messages.

    /** Seals with the primary key. */
    public byte[] seal(int operation, byte[] plaintext, byte[] aad) {
        return message(operation, Objects.requireNonNull(plaintext, "plaintext"), aad);
    }

    /** Opens with whichever enabled key sealed the message; null if it does not open. */
    public byte[] open(int operation, byte[] sealed, byte[] aad) {
        return message(operation, Objects.requireNonNull(sealed, "sealed"), aad);
    }

    private byte[] message(int operation, byte[] in, byte[] given) {
        byte[] aad = Region.data(given);
        Use use = enter();
        try {
            boolean isShort = in.length <= Message.LONGEST_COPIED
                    && use.lane.hasRoom(aad.length + 2L * in.length + Constants.KEYSET_MAX_OVERHEAD);
            if (isShort) {
                return copied(operation, use, in, aad);
            }
            return isSealing(operation) ? sealLent(operation, use, in, aad) : openLent(operation, use, in, aad);
        } catch (KeysetException e) {
            throw unusable(e);
        } finally {
            leave(use);
        }
    }

    private static boolean isSealing(int operation) {
        return operation == SEAL || operation == SEAL_DETERMINISTICALLY;
    }

    /** Through a lane's memory, in one call. */
    private static byte[] copied(int operation, Use use, byte[] in, byte[] aad) throws KeysetException {
        Lane lane = use.lane;
        lane.memory.put(0, aad).put(aad.length, in);
        int outAt = aad.length + in.length;
        int len = Native.keysetInLane(
                operation, use.address(), lane.address, aad.length, in.length, Lane.CAPACITY - outAt);
        if (len == Native.FORGED) {
            return null;
        }
        // Not made before: native code would wait until its zeros are in memory.
        byte[] out = new byte[len];
        lane.memory.get(outAt, out);
        if (!isSealing(operation)) {
            lane.wipe(outAt, len);
        }
        return out;
    }

    private static byte[] sealLent(int operation, Use use, byte[] plaintext, byte[] aad) throws KeysetException {
        // 0 if the keyset neither seals nor opens: the next call says why.
        long len = Native.keysetSealLen(use.address(), plaintext.length);
        if (len > LONGEST) {
            throw new IllegalArgumentException("plaintext is longer than a sealed array can be");
        }
        byte[] sealed = new byte[(int) len];
        Native.keysetMessage(operation, use.address(), aad, plaintext, sealed);
        return sealed;
    }

    private static byte[] openLent(int operation, Use use, byte[] sealed, byte[] aad) throws KeysetException {
        byte[] room = new byte[Native.keysetOpenLen(use.address(), sealed.length)];
        int len = Native.keysetMessage(operation, use.address(), aad, sealed, room);
        if (len == Native.FORGED || len == room.length) {
            return len == Native.FORGED ? null : room;
        }
        byte[] plaintext = Arrays.copyOf(room, len);
        Arrays.fill(room, (byte) 0);
        return plaintext;
    }

    /** What was read well does not suit the call. */
    private static IllegalStateException unusable(KeysetException e) {
        return new IllegalStateException(e.getMessage(), e);
    }

    // The life of the native keyset.

    Handle handle() {
        return held.handle;
    }

    /** Wipes and frees the keys, when the last call that uses them has returned. */
    @Override
    public void close() {
        synchronized (changing) {
            held.cleanable.clean();
        }
    }

    /** Begins a use of the native keyset of now. */
    private Use enter() {
        while (true) {
            Handle found = held.handle;
            try {
                return new Use(found, found.enter());
            } catch (IllegalStateException closed) {
                if (held.handle == found) {
                    throw closed;
                }
                // Changed between the look at it and its use: it has a new place.
            }
        }
    }

    private void leave(Use use) {
        use.handle.leave(use.lane);
        Reference.reachabilityFence(this);
    }
}
