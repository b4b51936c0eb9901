package dev.sivka;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Callers that change what they gave while it is read: nothing breaks, and nothing is mixed. */
class HostileCallersTest {
    private static final byte[] DATA = {1, 2, 3};

    /** Answers otherwise each time that it is asked for an element. */
    private static final class Fickle extends AbstractList<byte[]> {
        private final List<byte[]> first;
        private final int[] asked;

        Fickle(List<byte[]> first) {
            this.first = first;
            asked = new int[first.size()];
        }

        @Override
        public byte[] get(int index) {
            return asked[index]++ == 0 ? first.get(index) : Keys.paint(7 * index % 300 + asked[index], 99);
        }

        @Override
        public int size() {
            return asked.length;
        }

        void assertRead() {
            int[] once = new int[asked.length];
            Arrays.fill(once, 1);
            assertArrayEquals(once, asked);
        }
    }

    private static List<byte[]> list(IntFunction<byte[]> each) {
        return IntStream.range(0, 50).mapToObj(each).toList();
    }

    @Test
    void listsThatMakeTheirElementsAnew() {
        List<byte[]> texts = list(i -> Keys.paint(i * 13 % 200 + 40, i));
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            for (List<byte[]> given : Arrays.asList(null, list(i -> Keys.nonce(key, i)))) {
                Fickle nonces = given == null ? null : new Fickle(given);
                Fickle plaintexts = new Fickle(texts);
                Fickle sealed = new Fickle(given == null
                        ? key.sealBatch(plaintexts, DATA)
                        : key.sealBatchWithNonces(nonces, plaintexts, DATA));
                plaintexts.assertRead();
                List<Optional<byte[]>> opened = given == null
                        ? key.openBatch(sealed, DATA)
                        : key.openBatchWithNonces(new Fickle(given), sealed, DATA);
                sealed.assertRead();
                if (nonces != null) {
                    nonces.assertRead();
                }
                for (int i = 0; i < opened.size(); i++) {
                    assertArrayEquals(texts.get(i), opened.get(i).orElseThrow());
                }
            }
        }
    }

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
    void arraysOfColumns() throws InterruptedException {
        int count = 2000;
        byte[] bytes = new byte[count * 10];
        int[] offsets = new int[count + 1];
        int[] dataOffsets = new int[count + 1];
        byte[] validity = new byte[count / 8];
        Arrays.setAll(offsets, i -> 10 * i);
        Column values = new Column(bytes, offsets, validity);
        Random random = new Random(1);
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            byte[] sealed = key.sealColumn(new Column(new byte[count * 10], offsets.clone()), DATA, null).bytes();
            int[] rows = new int[count + 1];
            Column column = new Column(sealed, rows, validity);
            Arrays.setAll(rows, i -> 38 * i);
            against(
                    () -> {
                        int i = 1 + random.nextInt(count);
                        offsets[i] = random.nextInt(4) == 0 ? random.nextInt() : 10 * i - random.nextInt(3);
                        rows[i] = random.nextInt(4) == 0 ? random.nextInt() : 38 * i - random.nextInt(3);
                        offsets[i] = 10 * i;
                        rows[i] = 38 * i;
                        dataOffsets[i] = random.nextInt();
                        dataOffsets[i] = 0;
                        random.nextBytes(validity);
                    },
                    () -> {
                        Column result = key.sealColumn(values, DATA, dataOffsets);
                        assertEquals(result.bytes().length, result.offsets()[count]);
                        for (int i = 0; i < count; i += 50) {
                            assertEquals(result.isNull(i), result.offsets()[i] == result.offsets()[i + 1]);
                        }
                        OpenedColumn opened = key.openColumn(column, DATA, dataOffsets);
                        assertEquals(opened.values().bytes().length, opened.values().offsets()[count]);
                    });
        }
    }

    @Test
    void arraysOfBatches() throws InterruptedException {
        int[] offsets = new int[101];
        int[] dataOffsets = new int[101];
        try (AesGcmSiv key = new AesGcmSiv(new byte[32])) {
            Arrays.setAll(offsets, i -> 10 * i);
            against(
                    () -> {
                        int i = ThreadLocalRandom.current().nextInt(101);
                        offsets[i] = ThreadLocalRandom.current().nextInt();
                        offsets[i] = 10 * i;
                        dataOffsets[i] = ThreadLocalRandom.current().nextInt(5);
                        dataOffsets[i] = 0;
                    },
                    () -> key.sealBatchInPlace(
                            new byte[1200], new byte[1000], offsets, DATA, dataOffsets, new byte[1600]));
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
