package dev.sivka.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.Column;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Rows that change while they are gathered: each value is read once, and is as long as it was then. */
class HostileRowsTest {
    private static final int COUNT = 1000;

    /** Answers otherwise each time that it is asked. */
    private static final class Fickle extends GenericInternalRow {
        private static final long serialVersionUID = 1;

        private final byte[] first;
        int asked;

        Fickle(byte[] first) {
            super(1);
            this.first = first;
        }

        private byte[] next() {
            return asked++ == 0 ? first : new byte[1 << asked];
        }

        @Override
        public boolean isNullAt(int at) {
            return false;
        }

        @Override
        public byte[] getBinary(int at) {
            return next();
        }

        @Override
        public UTF8String getUTF8String(int at) {
            return UTF8String.fromBytes(next());
        }
    }

    private static byte[] value(int i) {
        byte[] value = new byte[i * 7 % 300];
        Arrays.fill(value, (byte) i);
        return value;
    }

    private static void assertGathered(Gathered gathered, int i) {
        Column column = gathered.column();
        assertArrayEquals(
                value(i), Arrays.copyOfRange(column.bytes(), column.offsets()[i], column.offsets()[i + 1]));
    }

    @Test
    void valuesAreReadOnce() {
        for (boolean isText : new boolean[] {false, true}) {
            Gathered gathered = new Gathered(COUNT, bytes -> {});
            for (int i = 0; i < COUNT; i++) {
                Fickle row = new Fickle(value(i));
                assertEquals(value(i).length, gathered.add(row, 0, isText));
                assertEquals(1, row.asked);
            }
            for (int i = 0; i < COUNT; i++) {
                assertGathered(gathered, i);
            }
        }
    }

    @Test
    void bytesThatAnotherThreadChanges() throws InterruptedException {
        UnsafeRowWriter writer = new UnsafeRowWriter(1, 1024);
        writer.reset();
        writer.write(0, new byte[500]);
        UnsafeRow row = writer.getRow();
        byte[] memory = (byte[]) row.getBaseObject();
        // After what says where the value is: its bytes.
        int from = row.getSizeInBytes() - 500;
        AtomicBoolean stop = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!stop.get()) {
                Arrays.fill(memory, from, from + 500, (byte) ThreadLocalRandom.current().nextInt());
            }
        });
        other.start();
        try {
            for (int round = 0; round < 100; round++) {
                Gathered gathered = new Gathered(COUNT, bytes -> {});
                for (int i = 0; i < COUNT; i++) {
                    assertEquals(500, gathered.add(row, 0, i % 2 == 0));
                }
                Column column = gathered.column();
                assertEquals(500 * COUNT, column.offsets()[COUNT]);
                assertTrue(column.bytes().length >= 500 * COUNT);
            }
        } finally {
            stop.set(true);
            other.join();
        }
    }
}
