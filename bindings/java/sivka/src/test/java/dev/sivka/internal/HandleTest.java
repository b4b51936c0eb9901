package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.Keyset;
import dev.sivka.KeysetInfo.Purpose;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The life of native keys and keysets. The matrix closes keys under the feet of running calls. */
@Timeout(60)
class HandleTest {
    private static final byte[] AAD = {1, 2, 3};
    private static final String TEMPLATE = "AES256_GCM_SIV";

    private static NativeKey key() {
        return new NativeKey(Algorithm.named("AES-256-GCM-SIV"), new byte[32]);
    }

    @Test
    void aHandleIsFreedWhenTheLastUseEnds() {
        NativeKey key = key();
        Lane first = key.handle.enter();
        Lane second = key.handle.enter();
        assertNotSame(first, second);
        key.close();
        assertFalse(key.handle.isFreed());
        assertThrows(IllegalStateException.class, key.handle::enter);
        assertThrows(IllegalStateException.class, () -> Message.seal(key, null, new byte[10], AAD));
        key.handle.leave(second);
        assertFalse(key.handle.isFreed());
        key.handle.leave(first);
        assertTrue(key.handle.isFreed());
        key.close();
    }

    @Test
    void usesBeyondTheLanesCountToo() {
        NativeKey key = key();
        NativeKey other = key();
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
    void whatIsForgottenIsFreed() throws InterruptedException {
        NativeKeyset keyset = new NativeKeyset(NativeKeyset.generate(TEMPLATE));
        List<Handle> handles = List.of(key().handle, keyset.handle, keyset.keyOfNow(Purpose.AEAD).handle);
        keyset = null;
        while (!handles.stream().allMatch(Handle::isFreed)) {
            System.gc();
            Thread.sleep(10);
        }
        assertThrows(IllegalStateException.class, handles.get(0)::enter);
    }

    private static void join(List<Future<?>> futures) throws Exception {
        for (Future<?> future : futures) {
            future.get();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void manyVirtualThreadsUseOneKey() throws Exception {
        // Compiled for an older Java, which does not know them.
        ExecutorService executor =
                (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try (NativeKey key = key()) {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                int thread = i;
                futures.add(executor.submit(() -> sealAndOpen(key, thread)));
            }
            join(futures);
        }
        executor.shutdown();
    }

    private static void sealAndOpen(NativeKey key, int thread) {
        byte[] nonce = ByteBuffer.allocate(12).putInt(thread).array();
        for (int length : new int[] {0, 37, 1300, 6000}) {
            byte[] text = new byte[length];
            Arrays.fill(text, (byte) thread);
            byte[] sealed = Message.seal(key, nonce, text, AAD);
            assertArrayEquals(text, Message.open(key, nonce, sealed, AAD));
            sealed[length] ^= 1;
            assertNull(Message.open(key, nonce, sealed, AAD));
        }
    }

    @Test
    void aReplacedKeyOfAKeysetIsFreedAfterItsLastUse() {
        NativeKeyset keyset = new NativeKeyset(NativeKeyset.generate(TEMPLATE));
        Handle first = keyset.keyOfNow(Purpose.AEAD).handle;
        Lane lane = first.enter();
        assertThrows(IllegalArgumentException.class, () -> keyset.change(Header.KEYSET_PROMOTE, 0));
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
    }

    /** Every message opens, and no call meets a freed handle, while others rotate and close. */
    @Test
    void threadsSealAndOpenWhileOthersRotateAndClose() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(5);
        for (int round = 0; round < 20; round++) {
            Keyset keyset = Keyset.generate(TEMPLATE);
            CountDownLatch running = new CountDownLatch(3);
            List<Future<?>> users = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                users.add(executor.submit(() -> sealAndOpen(keyset, running)));
            }
            running.await();
            List<Future<?>> changers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                changers.add(executor.submit(() -> {
                    for (int added = 0; added < 20; added++) {
                        keyset.rotate(TEMPLATE);
                    }
                }));
            }
            join(changers);
            assertEquals(41, keyset.info().keys().size());
            keyset.close();
            join(users);
        }
        executor.shutdown();
    }

    private static void sealAndOpen(Keyset keyset, CountDownLatch running) {
        while (true) {
            try {
                byte[] sealed = keyset.seal(AAD, AAD);
                assertArrayEquals(AAD, keyset.open(sealed, AAD).orElseThrow());
                running.countDown();
            } catch (IllegalStateException closed) {
                assertEquals("this keyset is closed", closed.getMessage());
                return;
            }
        }
    }
}
