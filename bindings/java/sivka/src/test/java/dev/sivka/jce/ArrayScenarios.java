package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.AAD;
import static dev.sivka.jce.AeadCipher.key;
import static dev.sivka.jce.AeadCipher.nonce;
import static dev.sivka.jce.AeadCipher.text;
import static dev.sivka.jce.Scenario.describe;
import static dev.sivka.jce.Scenario.of;
import static dev.sivka.jce.Scenario.seen;

import java.util.Arrays;
import java.util.Map;
import javax.crypto.Cipher;

/** Where the output of {@code doFinal} goes, and what of a forgery; {@code n} bytes of text. */
final class ArrayScenarios {
    private ArrayScenarios() {}

    static void outputArrays(Map<String, Scenario> all, int n) {
        all.put("encrypt into a short array" + of(n), aead -> {
            Cipher cipher = aead.encrypting();
            cipher.updateAAD(AAD);
            byte[] out = new byte[n + 15];
            return seen(() -> cipher.doFinal(text(n), 0, n, out, 0)) + ", " + fill(out, (byte) 0)
                    + ", again " + Arrays.equals(aead.sealed(n, AAD), cipher.doFinal(text(n)));
        });
        all.put("encrypt pieces into a short array" + of(n), aead -> {
            Cipher cipher = aead.encrypting();
            cipher.update(text(5));
            return seen(() -> cipher.doFinal(new byte[20], 0)) + ", again "
                    + Arrays.equals(aead.sealed(5), cipher.doFinal());
        });
        all.put("decrypt into a short array" + of(n), aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD);
            byte[] out = new byte[n - 1];
            byte[] sealed = aead.sealed(n, AAD);
            return seen(() -> cipher.doFinal(sealed, 0, n + 16, out, 0)) + ", " + fill(out, (byte) 0)
                    + ", again " + Arrays.equals(text(n), cipher.doFinal(sealed));
        });
        all.put("decrypt pieces into a short array" + of(n), aead -> {
            Cipher cipher = aead.decrypting();
            byte[] sealed = aead.sealed(n);
            cipher.update(sealed, 0, n - 10);
            byte[] out = new byte[n - 1];
            return seen(() -> cipher.doFinal(sealed, n - 10, 26, out, 0)) + ", " + fill(out, (byte) 0)
                    + ", again " + Arrays.equals(text(n), cipher.doFinal(sealed, n - 10, 26));
        });
        all.put("nothing is written beyond the output" + of(n), aead -> {
            byte[] out = new byte[n + 60];
            Arrays.fill(out, (byte) 0x5a);
            int written = aead.encrypting().doFinal(text(n), 0, n, out, 20);
            byte[] back = new byte[n + 60];
            Arrays.fill(back, (byte) 0x5a);
            int opened = aead.decrypting().doFinal(out, 20, n + 16, back, 9);
            return written + " " + out[19] + out[n + 36] + ", " + opened + " " + back[8] + back[n + 9]
                    + ", " + Arrays.equals(text(n), Arrays.copyOfRange(back, 9, n + 9));
        });
        for (int shift : new int[] {-17, -1, 0, 1, 16, 17}) {
            for (boolean seals : new boolean[] {true, false}) {
                all.put((seals ? "encrypt" : "decrypt") + " over itself, shifted by " + shift + of(n), aead -> {
                    byte[] array = new byte[n + 100];
                    byte[] given = aead.given(seals, n);
                    System.arraycopy(given, 0, array, 40, given.length);
                    int length = aead.cipher(seals).doFinal(array, 40, given.length, array, 40 + shift);
                    byte[] got = Arrays.copyOfRange(array, 40 + shift, 40 + shift + length);
                    return Arrays.equals(aead.given(!seals, n), got);
                });
            }
        }
    }

    private interface Opening {
        Object open(Cipher cipher, byte[] forged) throws Exception;
    }

    static void forgeries(Map<String, Scenario> all, int n) {
        all.put("forged" + of(n), aead -> describe(aead.decrypting().doFinal(aead.forged(n))));
        Map<String, Opening> openings = Map.of(
                "forged", (cipher, forged) -> describe(cipher.doFinal(forged)),
                "forged in pieces", (cipher, forged) -> {
                    cipher.updateAAD(AAD);
                    cipher.update(forged);
                    return describe(cipher.doFinal());
                },
                "forged, into an array", (cipher, forged) ->
                        cipher.doFinal(forged, 0, forged.length, new byte[n + 10], 0),
                "forged pieces, into an array", (cipher, forged) -> {
                    cipher.update(forged);
                    return cipher.doFinal(new byte[n + 10], 0);
                });
        openings.forEach((name, opening) -> all.put(name + ", then another message" + of(n), aead -> {
            Cipher cipher = aead.decrypting();
            return seen(() -> opening.open(cipher, aead.forged(n))) + ", "
                    + seen(() -> aead.opens(cipher, n));
        }));
        all.put("forged, into an array" + of(n), aead -> {
            byte[] out = new byte[n + 10];
            Arrays.fill(out, (byte) 0x5a);
            byte[] forged = aead.forged(n);
            return seen(() -> aead.decrypting().doFinal(forged, 0, n + 16, out, 0)) + ", "
                    + fill(out, (byte) 0x5a) + ", " + out[n];
        });
        all.put("forged, in place" + of(n), aead -> {
            byte[] array = aead.forged(n);
            byte[] before = array.clone();
            String seen = seen(() -> aead.decrypting().doFinal(array, 0, n + 16, array, 0));
            return seen + ", " + (Arrays.equals(before, array) ? "as before" : "changed");
        });
        all.put("forged, in place, no plaintext" + of(n), aead -> {
            byte[] array = aead.forged(n);
            String seen = seen(() -> aead.decrypting().doFinal(array, 0, n + 16, array, 0));
            return seen + ", " + Arrays.equals(text(8), Arrays.copyOf(array, 8));
        });
        for (int other : new int[] {0, 1}) {
            all.put("other " + (other == 0 ? "key" : "nonce") + of(n), aead -> {
                Cipher cipher = aead.make();
                cipher.init(Cipher.DECRYPT_MODE, key(2 - other, 32), nonce(1 + other));
                return describe(cipher.doFinal(aead.sealed(n)));
            });
        }
    }

    /** Whether bytes that were all {@code with} hold that still, or zeros. */
    static String fill(byte[] bytes, byte with) {
        for (byte b : bytes) {
            if (b != 0 && b != with) {
                return "touched";
            }
        }
        return "zeros or as before";
    }
}
