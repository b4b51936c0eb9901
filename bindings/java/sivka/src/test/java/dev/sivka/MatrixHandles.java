package dev.sivka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(new Thread(user(key, text, closers == 0 ? CALLS_OF_FORGOTTEN : Integer.MAX_VALUE, started)));
        }
        threads.forEach(Thread::start);
        started.await();
        for (int i = 0; i < closers; i++) {
            Thread closer = new Thread(key::close);
            closer.start();
            threads.add(closer);
        }
        key = null;
        System.gc();
        for (Thread thread : threads) {
            thread.join();
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
