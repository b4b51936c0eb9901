package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.KeysetInfo.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of native keysets, and of the keys that they give. */
@Timeout(60)
class NativeKeysetTest {
    private static final String TEMPLATE = "AES256_GCM_SIV";
    private static final byte[] TEXT = {1, 2, 3};
    private static final byte[] AAD = {4};
    private static final int THREADS = 3;

    @Test
    void aReplacedKeyIsFreedAfterItsLastUse() {
        NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
        Handle first = keyset.keyOfNow(Purpose.AEAD).handle;
        Lane lane = first.enter();
        assertThrows(IllegalArgumentException.class, () -> keyset.change(NativeKeyset.PROMOTE, 0));
        assertSame(first, keyset.keyOfNow(Purpose.AEAD).handle);
        keyset.add(TEMPLATE, true);
        Handle second = keyset.keyOfNow(Purpose.AEAD).handle;
        assertNotSame(first, second);
        assertFalse(first.isFreed());
        assertThrows(IllegalStateException.class, first::enter);
        first.leave(lane);
        assertTrue(first.isFreed());
        assertFalse(second.isFreed());
        keyset.close();
        assertTrue(second.isFreed());
        assertTrue(keyset.handle.isFreed());
        assertThrows(IllegalStateException.class, () -> keyset.add(TEMPLATE, true));
        assertThrows(IllegalStateException.class, () -> keyset.seal(Purpose.AEAD, TEXT, AAD));
    }

    @Test
    void aForgottenKeysetIsFreed() throws InterruptedException {
        NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
        List<Handle> handles = List.of(keyset.handle, keyset.keyOfNow(Purpose.AEAD).handle);
        keyset = null;
        while (!handles.get(0).isFreed() || !handles.get(1).isFreed()) {
            System.gc();
            Thread.sleep(10);
        }
    }

    /** Every message opens, and no call meets a freed handle, while others rotate and close. */
    @Test
    void threadsSealAndOpenWhileOthersRotateAndClose() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS + 2);
        for (int round = 0; round < 20; round++) {
            NativeKeyset keyset = NativeKeyset.generate(TEMPLATE);
            CountDownLatch running = new CountDownLatch(THREADS);
            List<Future<?>> users = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                users.add(executor.submit(() -> sealAndOpen(keyset, running)));
            }
            running.await();
            List<Future<?>> changers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                changers.add(executor.submit(() -> {
                    for (int added = 0; added < 20; added++) {
                        keyset.add(TEMPLATE, true);
                    }
                }));
            }
            for (Future<?> changer : changers) {
                changer.get();
            }
            assertEquals(41, keyset.info().keys().size());
            keyset.close();
            for (Future<?> user : users) {
                user.get();
            }
            assertTrue(keyset.handle.isFreed());
        }
        executor.shutdown();
    }

    private static void sealAndOpen(NativeKeyset keyset, CountDownLatch running) {
        while (true) {
            try {
                byte[] sealed = keyset.seal(Purpose.AEAD, TEXT, AAD);
                assertArrayEquals(TEXT, keyset.open(Purpose.AEAD, sealed, AAD));
                running.countDown();
            } catch (IllegalStateException closed) {
                assertEquals("this keyset is closed", closed.getMessage());
                return;
            }
        }
    }
}
