package dev.sivka.internal;

import dev.sivka.KeyManagement;
import dev.sivka.KeysetException;
import dev.sivka.KeysetInfo;
import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.KeysetKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Tink keyset in native memory, which one thread at a time uses. Its messages are sealed and opened
 * by a key that it gives, and gives anew after each change: calls under way go on with the old one,
 * which is wiped after the last of them.
 */
public final class NativeKeyset extends NativeObject {
    // How a keyset is written, and what is allowed in one that is read: flags of sivka.h.
    public static final int JSON = Constants.KEYSET_JSON;
    public static final int DUPLICATE_IDS = Constants.KEYSET_DUPLICATE_IDS;

    // How one key changes.
    public static final int PROMOTE = 0;
    public static final int ENABLE = 1;
    public static final int DISABLE = 2;
    public static final int DESTROY = 3;
    public static final int REMOVE = 4;

    // What is written: with AAD, around what a service encrypted, or that alone.
    private static final int IN_THE_CLEAR = 0;
    private static final int UNDER_KEY = 1;
    private static final int BY_SERVICE = 2;
    private static final int FOR_SERVICE = 3;

    private static final byte[] NOTHING = {};
    private static final long LAST_ID = 0xffff_ffffL;

    private record Ready(Purpose purpose, NativeKey key) {}

    /** What is done with the keys of now. */
    private interface KeyWork<T, E extends Exception> {
        T with(NativeKey key) throws E;
    }

    /** Null before the first message, and after a change. */
    private volatile Ready ready;

    private NativeKeyset(long address) {
        super(Native.KEYSET, address, "keyset");
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

    /** Uses the native keyset alone. What was read well may not suit the call. */
    private synchronized <T> T alone(Work<T, KeysetException> work) {
        try {
            return with(work);
        } catch (KeysetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    // Forms.

    public static NativeKeyset fromInsecure(byte[] bytes, int flags) throws KeysetException {
        return new NativeKeyset(Native.readKeyset(Objects.requireNonNull(bytes, "bytes"), flags, 0, NOTHING));
    }

    /** Null if it does not open. */
    public static NativeKeyset decrypt(byte[] bytes, int flags, NativeKeyset master, byte[] aad)
            throws KeysetException {
        return master.withKey(Purpose.AEAD, key -> decrypt(bytes, flags, key, aad));
    }

    /** Null if it does not open. */
    public static NativeKeyset decrypt(byte[] bytes, int flags, NativeKey master, byte[] aad)
            throws KeysetException {
        Objects.requireNonNull(bytes, "bytes");
        long made = master.<Long, KeysetException>with(key -> Native.readKeyset(bytes, flags, key, Region.data(aad)));
        return made == 0 ? null : new NativeKeyset(made);
    }

    /** Null if it does not open. */
    public static <E extends Exception> NativeKeyset decrypt(
            byte[] bytes, int flags, KeyManagement<E> service, byte[] aad) throws KeysetException, E {
        Objects.requireNonNull(bytes, "bytes");
        byte[] encrypted = Native.writeKeyset(FOR_SERVICE, 0, flags & JSON, 0, bytes);
        Optional<byte[]> clear = service.decrypt(encrypted, Region.data(aad));
        if (Objects.requireNonNull(clear, "the keyset").isEmpty()) {
            return null;
        }
        try {
            return fromInsecure(clear.get(), flags & ~JSON);
        } finally {
            Arrays.fill(clear.get(), (byte) 0);
        }
    }

    public byte[] toInsecure(int flags) {
        return alone(keyset -> Native.writeKeyset(IN_THE_CLEAR, keyset, flags, 0, NOTHING));
    }

    public byte[] encrypt(int flags, NativeKeyset master, byte[] aad) {
        return master.withKey(Purpose.AEAD, key -> encrypt(flags, key, aad));
    }

    public byte[] encrypt(int flags, NativeKey master, byte[] aad) {
        return alone(keyset -> master.with(key -> Native.writeKeyset(UNDER_KEY, keyset, flags, key, Region.data(aad))));
    }

    public <E extends Exception> byte[] encrypt(int flags, KeyManagement<E> service, byte[] aad) throws E {
        byte[] clear = toInsecure(0);
        // A copy, for the keyset may change while the service is asked.
        try (NativeKeyset now = fromInsecure(clear, 0)) {
            byte[] encrypted = service.encrypt(clear, Region.data(aad));
            Objects.requireNonNull(encrypted, "the encrypted keyset");
            return now.alone(keyset -> Native.writeKeyset(BY_SERVICE, keyset, flags, 0, encrypted));
        } catch (KeysetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } finally {
            Arrays.fill(clear, (byte) 0);
        }
    }

    // What may be told.

    public KeysetInfo info() {
        return alone(keyset -> {
            int[] about = new int[3];
            Native.keysetInfo(keyset, about);
            List<KeysetKey> keys = new ArrayList<>();
            int[] numbers = new int[3];
            for (int i = 0; i < about[0]; i++) {
                String type = new String(Native.keysetKeyAt(keyset, i, numbers), StandardCharsets.UTF_8);
                keys.add(
                        new KeysetKey(
                                Integer.toUnsignedLong(numbers[0]), type,
                                KeysetKey.Status.values()[numbers[1] - 1], KeysetKey.Prefix.values()[numbers[2] - 1]));
            }
            Purpose purpose = about[2] == 0 ? Purpose.OTHER : Purpose.values()[about[2] - 1];
            return new KeysetInfo(Integer.toUnsignedLong(about[1]), purpose, keys);
        });
    }

    // Changes.

    /** Adds a new key, and returns its id. */
    public long add(String template, boolean promote) {
        byte[] name = name(template);
        int id = alone(keyset -> Native.addToKeyset(keyset, name, promote));
        forgetKey();
        return Integer.toUnsignedLong(id);
    }

    /** Changes the key with an id. */
    public void change(int operation, long id) {
        if (id < 0 || id > LAST_ID) {
            throw new IllegalArgumentException("id: a number from 0 to " + LAST_ID + " expected, " + id + " given");
        }
        alone(keyset -> {
            Native.changeKeyset(operation, keyset, (int) id);
            return null;
        });
        forgetKey();
    }

    private synchronized void forgetKey() {
        Ready old = ready;
        ready = null;
        if (old != null) {
            old.key.close();
        }
    }

    // Streams and messages, under the keys of now.

    /** What seals a stream, or opens one. */
    public NativeStream stream(boolean seals, byte[] aad) {
        return new NativeStream(seals, alone(keyset -> Native.newKeysetStream(seals, keyset, Region.data(aad))));
    }

    /** Seals with the primary key. */
    public byte[] seal(Purpose purpose, byte[] plaintext, byte[] aad) {
        return withKey(purpose, key -> Messages.seal(key, null, plaintext, aad));
    }

    /** Opens with whichever enabled key sealed the message; null if it does not open. */
    public byte[] open(Purpose purpose, byte[] sealed, byte[] aad) {
        return withKey(purpose, key -> Messages.open(key, null, sealed, aad));
    }

    private <T, E extends Exception> T withKey(Purpose purpose, KeyWork<T, E> work) throws E {
        while (true) {
            Ready found = ready;
            if (found == null || found.purpose != purpose) {
                found = ready(purpose);
            }
            try {
                return work.with(found.key);
            } catch (IllegalStateException closed) {
                if (ready == found) {
                    throw closed;
                }
                // Changed between the look at it and its use: there is another key.
            }
        }
    }

    NativeKey keyOfNow(Purpose purpose) {
        return ready(purpose).key;
    }

    private synchronized Ready ready(Purpose purpose) {
        Ready found = ready;
        if (found == null || found.purpose != purpose) {
            int number = purpose.ordinal() + 1;
            long key = alone(keyset -> Native.newKeysetKey(keyset, number));
            found = new Ready(purpose, NativeKey.ofKeyset(key));
            ready = found;
        }
        return found;
    }

    /** Wipes and frees the keys, when the last call that uses them has returned. */
    @Override
    public synchronized void close() {
        super.close();
        forgetKey();
    }
}
