package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded way for bytes from one thread to another, either of which may end it with a failure.
 * ({@code java.io} has one, but its ends look for one another once a second.)
 */
final class Pipe {
    private static final int CAPACITY = 256 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final byte[] bytes = new byte[CAPACITY];
    /** Where the next byte is read, and how many are there. */
    private int at;
    private int count;
    private boolean ended;
    private Throwable failure;
    /** Whether the failure comes before the bytes that are there. */
    private boolean failsNow;

    final InputStream source = new Source();
    final OutputStream sink = new Sink();

    /** No more bytes come: who reads gets those that are there, and then the end. */
    void end() {
        finish(null, false);
    }

    /** No more bytes come: who reads gets those that are there, and then the failure. */
    void failAtEnd(Throwable why) {
        finish(why, false);
    }

    /** Ends it now: who reads or writes gets the failure. The first one stays. */
    void fail(Throwable why) {
        finish(why, true);
    }

    private void finish(Throwable why, boolean now) {
        lock.lock();
        try {
            if (failure == null) {
                failure = why;
            }
            failsNow |= now;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the bytes that nobody read. */
    void wipe() {
        lock.lock();
        try {
            Arrays.fill(bytes, (byte) 0);
            count = 0;
        } finally {
            lock.unlock();
        }
    }

    private void await() throws InterruptedIOException {
        try {
            changed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private final class Source extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, out.length);
            if (length == 0) {
                return 0;
            }
            lock.lock();
            try {
                while (count == 0 && !ended) {
                    await();
                }
                if (count == 0 || failsNow) {
                    Failures.rethrow(failure);
                    return -1;
                }
                int len = Math.min(Math.min(length, count), CAPACITY - at);
                System.arraycopy(bytes, at, out, offset, len);
                Arrays.fill(bytes, at, at + len, (byte) 0);
                at = (at + len) % CAPACITY;
                count -= len;
                changed.signalAll();
                return len;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int available() {
            lock.lock();
            try {
                return count;
            } finally {
                lock.unlock();
            }
        }
    }

    private final class Sink extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] in, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, in.length);
            lock.lock();
            try {
                int done = 0;
                while (done < length) {
                    while (count == CAPACITY && !ended) {
                        await();
                    }
                    Failures.rethrow(failure);
                    if (ended) {
                        throw new IOException("this stream is closed");
                    }
                    int end = (at + count) % CAPACITY;
                    int len = Math.min(Math.min(length - done, CAPACITY - count), CAPACITY - end);
                    System.arraycopy(in, offset + done, bytes, end, len);
                    done += len;
                    count += len;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
