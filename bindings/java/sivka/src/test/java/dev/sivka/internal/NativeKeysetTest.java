package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of native keysets, which changes replace. */
@Timeout(60)
class NativeKeysetTest {
    private static final String TEMPLATE = "AES256_GCM_SIV";
    private static final byte[] TEXT = {1, 2, 3};
    private static final byte[] AAD = {4};
    private static final int THREADS = 3;

    @Test
    void aReplacedKeysetIsFreedAfterItsLastUse() {
        NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
        Handle first = keyset.handle();
        Lane lane = first.enter();
        keyset.add(TEMPLATE, true);
        assertNotSame(first, keyset.handle());
        assertFalse(first.isFreed());
        assertThrows(IllegalStateException.class, first::enter);
        first.leave(lane);
        assertTrue(first.isFreed());

        Handle second = keyset.handle();
        assertThrows(IllegalArgumentException.class, () -> keyset.change(NativeKeyset.PROMOTE, 0));
        assertSame(second, keyset.handle());
        assertFalse(second.isFreed());
        keyset.close();
        assertTrue(second.isFreed());
        assertThrows(IllegalStateException.class, () -> keyset.add(TEMPLATE, true));
    }

    @Test
    void aForgottenKeysetIsFreed() throws InterruptedException {
        NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
        keyset.add(TEMPLATE, true);
        Handle handle = keyset.handle();
        keyset = null;
        while (!handle.isFreed()) {
            System.gc();
            Thread.sleep(10);
        }
        assertThrows(IllegalStateException.class, handle::enter);
    }

    /** Every message opens, and no call meets a freed handle. */
    @Test
    void threadsSealAndOpenWhileOthersRotate() throws Exception {
        NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS + 2);
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(THREADS);
        List<Future<Integer>> users = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            users.add(executor.submit(() -> sealAndOpen(keyset, stop, running)));
        }
        running.await();
        List<Future<?>> changers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            changers.add(executor.submit(() -> {
                for (int added = 0; added < 100; added++) {
                    keyset.add(TEMPLATE, true);
                }
            }));
        }
        for (Future<?> changer : changers) {
            changer.get();
        }
        stop.set(true);
        for (Future<Integer> user : users) {
            assertTrue(user.get() > 0);
        }
        assertEquals(201, keyset.info().keys().size());
        executor.shutdown();
        keyset.close();
        assertTrue(keyset.handle().isFreed());
    }

    private static int sealAndOpen(NativeKeyset keyset, AtomicBoolean stop, CountDownLatch running) {
        int done = 0;
        while (!stop.get() || done == 0) {
            byte[] sealed = keyset.seal(NativeKeyset.SEAL, TEXT, AAD);
            assertArrayEquals(TEXT, keyset.open(NativeKeyset.OPEN, sealed, AAD));
            done++;
            running.countDown();
        }
        return done;
    }

    @Test
    void keysetsAreClosedUnderCallsAndChanges() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        for (int round = 0; round < 50; round++) {
            NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
            long id = keyset.info().primaryKeyId();
            CountDownLatch running = new CountDownLatch(THREADS);
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Runnable work = i == 0
                        ? () -> keyset.change(NativeKeyset.PROMOTE, id)
                        : () -> keyset.open(NativeKeyset.OPEN, keyset.seal(NativeKeyset.SEAL, TEXT, AAD), AAD);
                futures.add(executor.submit(() -> untilClosed(work, running)));
            }
            running.await();
            keyset.close();
            for (Future<?> future : futures) {
                future.get();
            }
            assertTrue(keyset.handle().isFreed());
        }
        executor.shutdown();
    }

    private static void untilClosed(Runnable work, CountDownLatch running) {
        running.countDown();
        while (true) {
            try {
                work.run();
            } catch (IllegalStateException closed) {
                assertEquals("this keyset is closed", closed.getMessage());
                return;
            }
        }
    }
}
