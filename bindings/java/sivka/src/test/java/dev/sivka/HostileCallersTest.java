package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Callers that change what they gave while it is read: nothing breaks, and nothing is mixed. */
class HostileCallersTest {
    private static final byte[] DATA = {1, 2, 3};

    /** Gives the very array that it works with, and which another thread writes. */
    private static final class Leaking extends AbstractList<byte[]> {
        final byte[][] elements;

        Leaking(byte[]... elements) {
            this.elements = elements;
        }

        @Override
        public byte[] get(int index) {
            return elements[index];
        }

        @Override
        public int size() {
            return elements.length;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T[] toArray(T[] array) {
            return (T[]) elements;
        }
    }

    /** Runs a call again and again while another thread changes what it was given. */
    private static void against(Runnable change, Runnable call) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!stop.get()) {
                change.run();
            }
        });
        other.start();
        try {
            long end = System.nanoTime() + 300_000_000;
            for (int i = 0; i < 200 || System.nanoTime() < end; i++) {
                try {
                    call.run();
                } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
                    // What was there just then did not fit.
                }
            }
        } finally {
            stop.set(true);
            other.join();
        }
    }

    @Test
    void listsWhoseElementsAreReplaced() throws InterruptedException {
        byte[] one = Keys.paint(100, 1);
        byte[] other = Keys.paint(3000, 2);
        Leaking list = new Leaking(one, one, one);
        try (AesSiv siv = new AesSiv(new byte[64]);
                AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            against(
                    () -> list.elements[1] = list.elements[1] == one ? other : one,
                    () -> {
                        byte[] sealed = siv.sealWithList(DATA, list);
                        assertTrue(
                                siv.openWithList(sealed, List.of(one, one, one)).isPresent()
                                        || siv.openWithList(sealed, List.of(one, other, one)).isPresent());
                        byte[] middle = key.open(key.sealBatch(list, DATA).get(1), DATA).orElseThrow();
                        assertTrue(Arrays.equals(one, middle) || Arrays.equals(other, middle));
                        assertEquals(Optional.empty(), key.openBatch(list, DATA).get(1));
                    });
        }
    }

    @Test
    void buffersThatMove() throws InterruptedException {
        for (int capacity : new int[] {3000, 100_000}) {
            ByteBuffer in = ByteBuffer.allocateDirect(capacity);
            ByteBuffer out = ByteBuffer.allocateDirect(capacity + 100);
            try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
                against(
                        () -> {
                            ThreadLocalRandom random = ThreadLocalRandom.current();
                            in.clear().position(random.nextInt(100)).limit(100 + random.nextInt(capacity - 100));
                            out.clear().position(random.nextInt(100)).limit(100 + random.nextInt(capacity));
                        },
                        () -> {
                            key.seal(in, null, out);
                            key.open(in, null, out);
                        });
            }
        }
    }
}
