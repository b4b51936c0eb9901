package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.KeysetInfo;
import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.KeysetKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A Tink keyset in native memory, which one thread at a time uses. Its messages are sealed and opened
 * by a key that it gives, and gives anew after each change: calls under way go on with the old one,
 * which is wiped after the last of them.
 */
public final class NativeKeyset extends NativeObject {
    // How a keyset is written, and what is allowed in one that is read: flags of sivka.h.
    public static final int JSON = 1;
    public static final int DUPLICATE_IDS = 2;

    // How one key changes.
    public static final int PROMOTE = 0;
    public static final int ENABLE = 1;
    public static final int DISABLE = 2;
    public static final int DESTROY = 3;
    public static final int REMOVE = 4;

    private static final long LAST_ID = 0xffff_ffffL;

    private record Ready(Purpose purpose, NativeKey key) {}

    /** What is done with the keys of now. */
    public interface KeyWork<T, E extends Exception> {
        T with(NativeKey key) throws E;
    }

    /** Null before the first message, and after a change. */
    private volatile Ready ready;

    public NativeKeyset(long address) {
        super(Native.KEYSET, address, "keyset");
    }

    /** The handle of a keyset with one new key. */
    public static long generate(String template) {
        return Native.generateKeyset(name(template));
    }

    /** A template's name as C has it, where nothing may come after a zero. */
    private static byte[] name(String template) {
        if (Objects.requireNonNull(template, "template").indexOf('\0') >= 0) {
            throw new IllegalArgumentException("template: a zero is in the name");
        }
        return Arguments.text(template);
    }

    /** Uses the native keyset alone. What was read well may not suit the call. */
    public synchronized <T> T alone(Work<T, KeysetException> work) {
        try {
            return with(work);
        } catch (KeysetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    // Information and changes, after which messages are sealed by another key.

    public KeysetInfo info() {
        return alone(address -> {
            int[] about = new int[3];
            Native.keysetInfo(address, about);
            List<KeysetKey> keys = new ArrayList<>();
            int[] numbers = new int[3];
            for (int i = 0; i < about[0]; i++) {
                String type = new String(Native.keysetKeyAt(address, i, numbers), StandardCharsets.UTF_8);
                keys.add(new KeysetKey(
                        Integer.toUnsignedLong(numbers[0]), type, KeysetKey.Status.values()[numbers[1] - 1],
                        KeysetKey.Prefix.values()[numbers[2] - 1]));
            }
            Purpose purpose = about[2] == 0 ? Purpose.OTHER : Purpose.values()[about[2] - 1];
            return new KeysetInfo(Integer.toUnsignedLong(about[1]), purpose, List.copyOf(keys));
        });
    }

    /** Adds a new key, and returns its id. */
    public synchronized long add(String template, boolean promotes) {
        byte[] name = name(template);
        int id = alone(address -> Native.addToKeyset(address, name, promotes));
        forgetKey();
        return Integer.toUnsignedLong(id);
    }

    /** Changes the key with an id. */
    public synchronized void change(int operation, long id) {
        if (id < 0 || id > LAST_ID) {
            throw new IllegalArgumentException("id: a number from 0 to " + LAST_ID + " expected, " + id + " given");
        }
        alone(address -> {
            Native.changeKeyset(operation, address, (int) id);
            return null;
        });
        forgetKey();
    }

    private void forgetKey() {
        Ready old = ready;
        ready = null;
        if (old != null) {
            old.key.close();
        }
    }

    /** Seals or opens a message, or another keyset, under the keys of now. */
    public <T, E extends Exception> T withKey(Purpose purpose, KeyWork<T, E> work) throws E {
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
