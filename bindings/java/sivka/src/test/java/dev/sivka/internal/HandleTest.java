package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The life of native keys: many threads, closing under their feet, and forgetting. */
@Timeout(60)
class HandleTest {
    private static final Algorithm ALGORITHM = Algorithm.named("AES-256-GCM-SIV");
    private static final byte[] NONCE = new byte[12];
    private static final byte[] AAD = {1, 2, 3};
    private static final int THREADS = 8;

    @Test
    void aHandleIsFreedWhenTheLastUseEnds() {
        NativeKey key = new NativeKey(ALGORITHM, new byte[32]);
        Lane first = key.handle.enter();
        Lane second = key.handle.enter();
        assertNotSame(first, second);
        key.close();
        assertFalse(key.handle.isFreed());
        assertThrows(IllegalStateException.class, key.handle::enter);
        assertThrows(IllegalStateException.class, () -> Messages.seal(key, null, new byte[10], AAD));
        key.handle.leave(second);
        assertFalse(key.handle.isFreed());
        key.handle.leave(first);
        assertTrue(key.handle.isFreed());
        key.close();
    }

    @Test
    void usesBeyondTheLanesCountToo() {
        NativeKey key = new NativeKey(ALGORITHM, new byte[32]);
        NativeKey other = new NativeKey(ALGORITHM, new byte[32]);
        List<Lane> taken = new ArrayList<>();
        do {
            taken.add(other.handle.enter());
        } while (taken.get(taken.size() - 1) != Lane.NONE);
        Lane beyond = key.handle.enter();
        assertSame(Lane.NONE, beyond);
        key.close();
        assertFalse(key.handle.isFreed());
        assertFalse(other.handle.isFreed());
        assertThrows(IllegalStateException.class, key.handle::enter);
        key.handle.leave(beyond);
        assertTrue(key.handle.isFreed());
        other.close();
        taken.forEach(lane -> {
            assertFalse(other.handle.isFreed());
            other.handle.leave(lane);
        });
        assertTrue(other.handle.isFreed());
    }

    @Test
    void aForgottenKeyIsFreed() throws InterruptedException {
        Handle handle = new NativeKey(ALGORITHM, new byte[32]).handle;
        while (!handle.isFreed()) {
            System.gc();
            Thread.sleep(10);
        }
        assertThrows(IllegalStateException.class, handle::enter);
    }

    @Test
    void manyThreadsUseOneKey() throws Exception {
        try (NativeKey key = new NativeKey(ALGORITHM, new byte[32])) {
            onThreads(Executors.newFixedThreadPool(THREADS), THREADS, thread -> sealAndOpen(key, thread, 800));
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void manyVirtualThreadsUseOneKey() throws Exception {
        // Compiled for an older Java, which does not know them.
        ExecutorService executor =
                (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try (NativeKey key = new NativeKey(ALGORITHM, new byte[32])) {
            onThreads(executor, 1000, thread -> sealAndOpen(key, thread, 8));
        }
    }

    @Test
    void keysAreClosedUnderRunningCalls() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        for (int round = 0; round < 60; round++) {
            NativeKey key = new NativeKey(ALGORITHM, new byte[32]);
            byte[] text = new byte[round % 3 == 0 ? 20_000 : 100];
            byte[] expected = seal(key, NONCE, text);
            CountDownLatch running = new CountDownLatch(THREADS);
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                futures.add(executor.submit(() -> useUntilClosed(key, text, expected, running)));
            }
            running.await();
            key.close();
            for (Future<?> future : futures) {
                future.get();
            }
            assertTrue(key.handle.isFreed());
        }
        executor.shutdown();
    }

    private static byte[] seal(NativeKey key, byte[] nonce, byte[] text) {
        return Messages.seal(key, nonce, text, AAD);
    }

    private static byte[] open(NativeKey key, byte[] nonce, byte[] sealed) {
        return Messages.open(key, nonce, sealed, AAD);
    }

    private static void useUntilClosed(NativeKey key, byte[] text, byte[] expected, CountDownLatch running) {
        boolean isRunning = false;
        while (true) {
            try {
                assertArrayEquals(expected, seal(key, NONCE, text));
            } catch (IllegalStateException closed) {
                assertEquals("this AES-256-GCM-SIV key is closed", closed.getMessage());
                return;
            } finally {
                if (!isRunning) {
                    running.countDown();
                    isRunning = true;
                }
            }
        }
    }

    private interface Work {
        void run(int thread);
    }

    private static void onThreads(ExecutorService executor, int count, Work work) throws Exception {
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            futures.add(executor.submit(() -> work.run(thread)));
        }
        for (Future<?> future : futures) {
            future.get();
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(10, TimeUnit.SECONDS));
    }

    private static void sealAndOpen(NativeKey key, int thread, int times) {
        byte[] nonce = new byte[12];
        nonce[0] = (byte) thread;
        nonce[1] = (byte) (thread >> 8);
        for (int i = 0; i < times; i++) {
            byte[] text = new byte[(i * 37 + thread) % 6000];
            Arrays.fill(text, (byte) (thread + i));
            byte[] sealed = seal(key, nonce, text);
            assertArrayEquals(text, open(key, nonce, sealed));
            sealed[sealed.length - 1] ^= 1;
            assertEquals(null, open(key, nonce, sealed));
        }
    }
}
