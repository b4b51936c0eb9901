package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;

/** A stream that a keyset seals or opens, once, in whichever thread {@link #run}s it. */
final class KeysetStream implements StreamWork {
    /** Has what it needs of the keyset. */
    private final long address;

    KeysetStream(long keyset, byte[] aad, boolean isSealing) {
        address = Native.newKeysetStream(keyset, aad, isSealing);
    }

    @Override
    public void run(InputStream in, OutputStream out) throws IOException {
        StreamCalls calls = new StreamCalls(in, out, null);
        try {
            Native.runKeysetStream(address, calls, calls.input, calls.output);
        } catch (FileSystemException e) {
            calls.rethrow();
            throw e;
        } finally {
            Native.freeKeysetStream(address);
            calls.wipe();
        }
    }
}
