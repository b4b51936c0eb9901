package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** CTR, CTR-ACPKM and OMAC beyond the vectors: long messages, every kind of bytes, wrong calls. */
class KuznyechikModesTest {
    /** Longer than what is lent to native code at once. */
    private static final int LONG = (2 << 20) + 5;
    private static final byte[] KEY = Keys.paint(32, 7);
    private static final byte[] IV = Keys.paint(8, 8);

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    @Test
    void keystreamIsTheSameInArraysAndBuffers() {
        byte[] text = Keys.paint(LONG, 1);
        byte[] inArray = text.clone();
        ByteBuffer inMemory = direct(text);
        try (KuznyechikCtr one = new KuznyechikCtr(KEY, IV);
                KuznyechikCtr other = new KuznyechikCtr(KEY, IV)) {
            one.applyKeystream(inArray);
            other.applyKeystream(inMemory);
        }
        byte[] copied = new byte[LONG];
        inMemory.get(copied);
        assertArrayEquals(copied, inArray);
        // CTR of the block cipher: the IV, and a number of the block.
        byte[] block = new byte[16];
        int number = (LONG - 5) / 16;
        ByteBuffer.wrap(block).put(IV).putLong(number);
        try (Kuznyechik cipher = new Kuznyechik(KEY)) {
            cipher.encryptBlocks(block);
        }
        for (int i = 0; i < 5; i++) {
            assertTrue((inArray[LONG - 5 + i] ^ text[LONG - 5 + i]) == block[i]);
        }
    }

    @Test
    void tagIsTheSameHoweverTheMessageComes() {
        byte[] message = Keys.paint(LONG, 2);
        try (KuznyechikOmac omac = new KuznyechikOmac(KEY, 16)) {
            byte[] tag = omac.tag(message);
            assertArrayEquals(tag, omac.tag(direct(message)));
            assertArrayEquals(tag, omac.tag(ByteBuffer.wrap(message).asReadOnlyBuffer()));
            assertTrue(omac.verify(message, tag) && omac.verify(direct(message), tag));
            omac.update(message);
            assertTrue(omac.finishAndVerify(tag));
            omac.update(direct(message));
            assertArrayEquals(tag, omac.finish());
            omac.update(ByteBuffer.wrap(message).asReadOnlyBuffer());
            assertTrue(omac.finishAndVerify(tag));
            // What was verified has ended, right or not.
            tag[15] ^= 1;
            omac.update(message);
            assertFalse(omac.finishAndVerify(tag));
            assertFalse(omac.verify(message, tag));
            assertArrayEquals(omac.tag(new byte[0]), omac.finish());
        }
    }

    @Test
    void wrongCallsAreRefused() {
        byte[] none = {};
        assertMisuse("key: 32 expected, 31 given", () -> new KuznyechikCtr(new byte[31], IV));
        assertMisuse("iv: 8 expected, 16 given", () -> new KuznyechikCtr(KEY, new byte[16]));
        for (long section : new long[] {0, 8, -16, Long.MIN_VALUE}) {
            assertMisuse("section", () -> KuznyechikCtr.acpkm(KEY, IV, section));
        }
        for (int tagLen : new int[] {-1, 0, 3, 17}) {
            assertMisuse("tag", () -> new KuznyechikOmac(KEY, tagLen));
        }
        try (KuznyechikOmac omac = new KuznyechikOmac(KEY, 8)) {
            assertMisuse("tag: 8 expected, 16 given", () -> omac.verify(none, new byte[16]));
            omac.update(IV);
            assertMisuse("tag: 8 expected, 7 given", () -> omac.finishAndVerify(new byte[7]));
            assertTrue(omac.finishAndVerify(omac.tag(IV)));
            assertThrows(NullPointerException.class, () -> omac.verify(none, null));
        }
        KuznyechikCtr ctr = new KuznyechikCtr(KEY, IV);
        assertThrows(IndexOutOfBoundsException.class, () -> ctr.applyKeystream(IV, 5, 4));
        ByteBuffer readOnly = ByteBuffer.wrap(IV).asReadOnlyBuffer();
        assertThrows(ReadOnlyBufferException.class, () -> ctr.applyKeystream(readOnly));
        ctr.close();
        assertThrows(IllegalStateException.class, () -> ctr.applyKeystream(none));
        KuznyechikOmac omac = new KuznyechikOmac(KEY, 16);
        omac.close();
        assertThrows(IllegalStateException.class, () -> omac.tag(none));
        assertThrows(IllegalStateException.class, omac::finish);
    }

    private static void assertMisuse(String words, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }
}
