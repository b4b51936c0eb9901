package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.text;
import static dev.sivka.jce.ArrayScenarios.fill;
import static dev.sivka.jce.Scenario.of;
import static dev.sivka.jce.Scenario.seen;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import javax.crypto.Cipher;

/** The same with byte buffers; {@code n} bytes of text. */
final class BufferScenarios {
    private BufferScenarios() {}

    private static ByteBuffer copy(byte[] bytes, boolean direct) {
        int room = bytes.length + 7;
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
        buffer.position(3);
        buffer.put(bytes);
        return buffer.flip().position(3).slice();
    }

    private static byte[] written(ByteBuffer buffer) {
        return part(buffer, 0, buffer.position());
    }

    private static byte[] part(ByteBuffer buffer, int at, int length) {
        byte[] bytes = new byte[length];
        buffer.get(at, bytes);
        return bytes;
    }

    static void byteBuffers(Map<String, Scenario> all, int n) {
        for (boolean from : new boolean[] {false, true}) {
            for (boolean to : new boolean[] {false, true}) {
                String which = (from ? "direct" : "heap") + " to " + (to ? "direct" : "heap");
                for (boolean seals : new boolean[] {true, false}) {
                    all.put((seals ? "encrypt " : "decrypt ") + which + of(n), aead -> {
                        ByteBuffer out = copy(new byte[n + 20], to);
                        ByteBuffer in = copy(aead.given(seals, n), from);
                        int length = aead.cipher(seals).doFinal(in, out);
                        return length + " " + in.remaining() + " "
                                + Arrays.equals(aead.given(!seals, n), written(out));
                    });
                    all.put("short buffer " + (seals ? "to encrypt " : "") + which + of(n), aead -> {
                        Cipher cipher = aead.cipher(seals);
                        ByteBuffer in = copy(aead.given(seals, n), from);
                        int needed = seals ? n + 16 : n;
                        ByteBuffer out = copy(new byte[needed - 1], to);
                        String seen = seen(() -> cipher.doFinal(in, out));
                        ByteBuffer enough = copy(new byte[needed], to);
                        return seen + ", " + in.remaining() + " " + out.position() + ", again "
                                + cipher.doFinal(in, enough) + " "
                                + Arrays.equals(aead.given(!seals, n), written(enough));
                    });
                }
                all.put("decrypt pieces " + which + of(n), aead -> {
                    Cipher cipher = aead.decrypting();
                    byte[] sealed = aead.sealed(n);
                    cipher.update(copy(Arrays.copyOf(sealed, n - 10), from), copy(new byte[0], to));
                    ByteBuffer out = copy(new byte[n + 20], to);
                    int length = cipher.doFinal(copy(Arrays.copyOfRange(sealed, n - 10, n + 16), from), out);
                    return length + " " + Arrays.equals(text(n), written(out));
                });
                all.put("forged " + which + of(n), aead -> {
                    ByteBuffer out = copy(new byte[n + 20], to);
                    ByteBuffer in = copy(aead.forged(n), from);
                    String seen = seen(() -> aead.decrypting().doFinal(in, out));
                    byte[] written = new byte[n + 20];
                    out.duplicate().rewind().get(written);
                    return seen + ", output at " + out.position() + ", " + fill(written, (byte) 0);
                });
                all.put("forged " + which + ", the input" + of(n), aead -> {
                    ByteBuffer in = copy(aead.forged(n), from);
                    return seen(() -> aead.decrypting().doFinal(in, copy(new byte[n + 20], to)))
                            + ", " + in.remaining() + " remain";
                });
            }
        }
        for (boolean direct : new boolean[] {false, true}) {
            String which = direct ? "direct" : "heap";
            for (int shift : new int[] {-17, -1, 0, 1, 17}) {
                all.put("encrypt " + which + " buffer over itself, shifted by " + shift + of(n), aead -> {
                    ByteBuffer whole = copy(new byte[n + 100], direct);
                    whole.put(40, text(n), 0, n);
                    ByteBuffer in = whole.duplicate().position(40).limit(n + 40);
                    int length = aead.encrypting().doFinal(in, whole.duplicate().position(40 + shift));
                    return Arrays.equals(aead.sealed(n), part(whole, 40 + shift, length));
                });
                all.put("decrypt " + which + " slices over each other, shifted by " + shift + of(n), aead -> {
                    ByteBuffer whole = copy(new byte[n + 100], direct);
                    whole.put(40, aead.sealed(n), 0, n + 16);
                    int length = aead.decrypting().doFinal(whole.slice(40, n + 16), whole.slice(40 + shift, n + 20));
                    return Arrays.equals(text(n), part(whole, 40 + shift, length));
                });
            }
            all.put("read-only view of the " + which + " output as input" + of(n), aead -> {
                ByteBuffer whole = copy(new byte[n + 100], direct);
                whole.put(40, aead.sealed(n), 0, n + 16);
                ByteBuffer in = whole.asReadOnlyBuffer().position(40).limit(n + 56);
                int length = aead.decrypting().doFinal(in, whole.duplicate().position(41));
                return Arrays.equals(text(n), part(whole, 41, length));
            });
            all.put("read-only " + which + " output" + of(n), aead ->
                    aead.decrypting().doFinal(copy(aead.sealed(4), direct),
                            copy(new byte[n], direct).asReadOnlyBuffer()));
        }
        all.put("one buffer object as input and output" + of(n), aead -> {
            ByteBuffer buffer = ByteBuffer.allocate(n);
            return aead.encrypting().doFinal(buffer, buffer);
        });
        all.put("update to decrypt with buffers" + of(n), aead -> {
            ByteBuffer in = ByteBuffer.allocate(n);
            return aead.decrypting().update(in, ByteBuffer.allocate(0)) + " " + in.remaining();
        });
    }
}
