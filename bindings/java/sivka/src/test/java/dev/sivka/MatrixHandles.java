package dev.sivka;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Keys that are closed, or forgotten, while threads call them. */
final class MatrixHandles {
    private static final int THREADS = 4;
    private static final int CALLS_OF_FORGOTTEN = 20;

    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger forgotten = new AtomicInteger();

    private MatrixHandles() {}

    static String answer(String[] words) {
        MatrixHandles handles = new MatrixHandles();
        int rounds = Integer.parseInt(words[1]);
        byte[] text = new byte[Integer.parseInt(words[2])];
        try {
            for (int round = 0; round < rounds; round++) {
                handles.round(round % 3, text);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "closed " + handles.closed + " forgotten " + handles.forgotten;
    }

    /** So many threads close the key at the same moment. */
    private void round(int closers, byte[] text) throws InterruptedException {
        AesGcmSiv key = new AesGcmSiv(new byte[32]);
        CountDownLatch started = new CountDownLatch(THREADS);
        Thread[] users = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            users[i] = new Thread(user(key, text, closers == 0 ? CALLS_OF_FORGOTTEN : Integer.MAX_VALUE, started));
            users[i].start();
        }
        Thread[] others = new Thread[closers];
        for (int i = 0; i < closers; i++) {
            others[i] = new Thread(key::close);
        }
        started.await();
        Arrays.stream(others).forEach(Thread::start);
        key = null;
        System.gc();
        for (Thread user : users) {
            user.join();
        }
        for (Thread other : others) {
            other.join();
        }
    }

    private Runnable user(AesGcmSiv key, byte[] text, int calls, CountDownLatch started) {
        return () -> {
            byte[] nonce = new byte[12];
            byte[] data = new byte[0];
            try {
                byte[] expected = key.sealWithNonce(nonce, text, data);
                started.countDown();
                for (int i = 0; i < calls; i++) {
                    if (!Arrays.equals(expected, key.sealWithNonce(nonce, text, data))) {
                        return;
                    }
                }
                forgotten.incrementAndGet();
            } catch (IllegalStateException e) {
                if (e.getMessage().endsWith("is closed")) {
                    closed.incrementAndGet();
                }
            }
        };
    }
}
