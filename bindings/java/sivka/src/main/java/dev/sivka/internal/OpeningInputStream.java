package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The plaintext of a sealed file, or of a keyset's stream, that another stream gives. */
public final class OpeningInputStream extends InputStream {
    private final NativeStream stream;
    private final InputStream sealed;
    private byte[] input = {};
    private int at;
    private int end;
    private boolean hasEnded;
    private volatile boolean closed;

    public OpeningInputStream(NativeStream opener, InputStream sealed) {
        stream = opener;
        this.sealed = sealed;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] out, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, out.length);
        NativeStream.checkOpen(closed);
        return length == 0 ? 0 : stream.guarded(() -> opened(out, offset, length));
    }

    private int opened(byte[] out, int offset, int length) throws IOException {
        while (true) {
            long step = stream.step(
                    hasEnded ? null : input, at, end - at, out, offset, Math.min(length, NativeStream.PIECE_LEN));
            at += NativeStream.used(step);
            int made = NativeStream.made(step);
            if (made > 0 || hasEnded) {
                return made > 0 ? made : -1;
            }
            if (at == end) {
                input = NativeStream.longer(input, end);
                at = 0;
                end = NativeStream.read(sealed, input);
                hasEnded = end < 0;
                end = Math.max(end, 0);
            }
        }
    }

    @Override
    public int available() throws IOException {
        NativeStream.checkOpen(closed);
        return 0;
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            stream.close();
            sealed.close();
        }
    }
}
