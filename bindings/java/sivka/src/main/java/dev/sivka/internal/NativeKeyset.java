package dev.sivka.internal;

import dev.sivka.KeysetException;
import dev.sivka.KeysetInfo;
import dev.sivka.KeysetInfo.Purpose;
import dev.sivka.KeysetKey;
import dev.sivka.internal.Header.sivka_keyset_info;
import dev.sivka.internal.Header.sivka_keyset_key_info;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A Tink keyset in native memory, which one thread at a time uses. Its messages are sealed and opened
 * by a key that it gives, and gives anew after each change. Calls under way go on with the old one,
 * which is wiped after the last of them.
 */
public final class NativeKeyset extends NativeObject {
    private record Ready(Purpose purpose, NativeKey key) {}

    /** What is done with the keys of now. */
    public interface KeyWork<T, E extends Exception> {
        T with(NativeKey key) throws E;
    }

    /** What is done with a keyset. */
    public interface Work<T> {
        T run() throws KeysetException;
    }

    /** Null before the first message, and after a change. */
    private volatile Ready ready;

    public NativeKeyset(long address) {
        super(Header.sivka_keyset_free, address, "keyset");
    }

    /** The handle of a keyset with one new key. */
    public static long generate(String template) {
        return Native.call(Header.sivka_keyset_generate, Arguments.text("template", template));
    }

    /** Uses the native keyset alone. What was read well may not suit the call. */
    public synchronized <T> T alone(Work<T> work) {
        try {
            return work.run();
        } catch (KeysetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    // Information and changes, after which messages are sealed by another key.

    public synchronized KeysetInfo info() {
        long purpose = Native.call(Header.sivka_keyset_primitive, this);
        long made = Native.call(Header.sivka_inspect_keyset, this);
        try {
            ByteBuffer info = Native.structure(made, sivka_keyset_info.SIZE);
            int count = (int) info.getLong(sivka_keyset_info.key_count);
            ByteBuffer all = Native.structure(info.getLong(sivka_keyset_info.keys), count * sivka_keyset_key_info.SIZE);
            List<KeysetKey> keys = new ArrayList<>();
            for (int at = 0; at < all.capacity(); at += sivka_keyset_key_info.SIZE) {
                keys.add(new KeysetKey(
                        Integer.toUnsignedLong(all.getInt(at + sivka_keyset_key_info.id)),
                        Native.text(all.getLong(at + sivka_keyset_key_info.type_name)),
                        KeysetKey.Status.values()[all.getInt(at + sivka_keyset_key_info.status) - 1],
                        KeysetKey.Prefix.values()[all.getInt(at + sivka_keyset_key_info.prefix) - 1]));
            }
            Purpose[] purposes = Purpose.values();
            return new KeysetInfo(
                    Integer.toUnsignedLong(info.getInt(sivka_keyset_info.primary_key_id)),
                    purpose == 0 ? Purpose.OTHER : purposes[(int) purpose - 1], List.copyOf(keys));
        } finally {
            Native.call(Header.sivka_keyset_info_free, made);
        }
    }

    /** Adds a new key, and returns its id. */
    public synchronized long add(String template, boolean promotes) {
        byte[] name = Arguments.text("template", template);
        int flags = promotes ? Header.KEYSET_AS_PRIMARY : 0;
        long id = alone(() -> Native.<KeysetException>call(Header.sivka_keyset_add, this, name, flags));
        forgetKey();
        return id;
    }

    /** Changes the key with an id, as {@code KEYSET_PROMOTE} and so on say. */
    public synchronized void change(int change, long id) {
        alone(() -> Native.<KeysetException>call(Header.sivka_keyset_change, this, change, id));
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
            long key = alone(() -> Native.<KeysetException>call(Header.sivka_keyset_key, this, number));
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
