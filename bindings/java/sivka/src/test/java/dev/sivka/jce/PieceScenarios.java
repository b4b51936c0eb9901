package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.AAD;
import static dev.sivka.jce.AeadCipher.text;
import static dev.sivka.jce.Scenario.describe;
import static dev.sivka.jce.Scenario.seen;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import javax.crypto.Cipher;

/** Messages and their AAD in pieces. */
final class PieceScenarios {
    private PieceScenarios() {}

    static void outputSizes(Map<String, Scenario> all) {
        all.put("output size to encrypt", aead -> {
            Cipher cipher = aead.encrypting();
            return cipher.getOutputSize(0) + " " + cipher.getOutputSize(1) + " "
                    + cipher.getOutputSize(1000);
        });
        all.put("output size to decrypt", aead -> {
            Cipher cipher = aead.decrypting();
            return cipher.getOutputSize(0) + " " + cipher.getOutputSize(15) + " "
                    + cipher.getOutputSize(16) + " " + cipher.getOutputSize(17) + " "
                    + cipher.getOutputSize(1000);
        });
        all.put("output size to decrypt after update", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.update(new byte[30]);
            return cipher.getOutputSize(0) + " " + cipher.getOutputSize(1000);
        });
        all.put("output size to encrypt after update of less than a block", aead -> {
            Cipher cipher = aead.encrypting();
            cipher.update(new byte[5]);
            return cipher.getOutputSize(0) + " " + cipher.getOutputSize(1000);
        });
        all.put("output size after doFinal", aead -> {
            Cipher cipher = aead.encrypting();
            cipher.doFinal(new byte[7]);
            return cipher.getOutputSize(3);
        });
    }

    static void additionalData(Map<String, Scenario> all) {
        all.put("AAD in pieces", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD, 0, 5);
            cipher.updateAAD(AAD, 5, 0);
            ByteBuffer rest = ByteBuffer.wrap(AAD, 5, AAD.length - 5);
            cipher.updateAAD(rest);
            return rest.remaining() + " " + aead.opens(cipher, 40, AAD);
        });
        for (boolean direct : new boolean[] {true, false}) {
            all.put("AAD from a " + (direct ? "direct" : "read-only") + " buffer", aead -> {
                ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(AAD.length).put(0, AAD) : ByteBuffer.wrap(AAD);
                buffer = buffer.asReadOnlyBuffer();
                Cipher cipher = aead.decrypting();
                cipher.updateAAD(buffer);
                return buffer.remaining() + " " + aead.opens(cipher, 40, AAD);
            });
        }
        all.put("AAD is copied", aead -> {
            byte[] aad = AAD.clone();
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(aad);
            aad[0] ^= 1;
            return aead.opens(cipher, 40, AAD);
        });
        for (boolean seals : new boolean[] {true, false}) {
            all.put("AAD after text to " + (seals ? "encrypt" : "decrypt"), aead -> {
                Cipher cipher = aead.cipher(seals);
                cipher.update(new byte[20]);
                cipher.updateAAD(AAD);
                return "done";
            });
        }
        all.put("AAD, text, AAD", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD);
            cipher.update(new byte[20]);
            cipher.updateAAD(AAD);
            return "done";
        });
        all.put("AAD refused late leaves the message whole", aead -> {
            Cipher cipher = aead.decrypting();
            byte[] sealed = aead.sealed(40, AAD);
            cipher.updateAAD(AAD);
            cipher.update(sealed, 0, 20);
            return seen(() -> {
                cipher.updateAAD(AAD);
                return "done";
            }) + ", " + Arrays.equals(text(40), cipher.doFinal(sealed, 20, sealed.length - 20));
        });
        all.put("AAD after an empty update", aead -> {
            Cipher cipher = aead.decrypting();
            byte[] got = cipher.update(new byte[0]);
            cipher.updateAAD(AAD);
            return describe(got) + ", " + aead.opens(cipher, 40, AAD);
        });
        all.put("AAD after an empty update of buffers", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.update(ByteBuffer.allocate(0), ByteBuffer.allocate(0));
            cipher.updateAAD(AAD);
            return "done";
        });
        all.put("AAD ends with its message", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD);
            cipher.doFinal(aead.sealed(5, AAD));
            return aead.opens(cipher, 5);
        });
        all.put("AAD for each of two messages", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD);
            cipher.doFinal(aead.sealed(5, AAD));
            cipher.updateAAD(AAD);
            return aead.opens(cipher, 5, AAD);
        });
        all.put("AAD missing", aead ->
                describe(aead.decrypting().doFinal(aead.sealed(5, AAD))));
        all.put("only AAD", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.updateAAD(AAD);
            return describe(cipher.doFinal(aead.sealed(0, AAD)));
        });
    }

    static void pieces(Map<String, Scenario> all) {
        all.put("update to encrypt, 5 bytes", aead -> describe(aead.encrypting().update(new byte[5])));
        all.put("update to encrypt, 40 bytes", aead -> describe(aead.encrypting().update(new byte[40])));
        all.put("update to decrypt, 40 bytes", aead -> describe(aead.decrypting().update(new byte[40])));
        all.put("update to decrypt into an array", aead ->
                aead.decrypting().update(new byte[40], 0, 40, new byte[0]));
        all.put("encrypt in pieces", aead -> {
            Cipher cipher = aead.encrypting();
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            byte[] text = text(1000);
            for (int i = 0; i < 1000; i += 125) {
                byte[] out = cipher.update(text, i, 125);
                if (out != null) {
                    written.write(out);
                }
            }
            written.write(cipher.doFinal());
            return Arrays.equals(aead.sealed(1000), written.toByteArray());
        });
        all.put("decrypt in pieces", aead -> {
            byte[] sealed = aead.sealed(1000);
            boolean right = true;
            for (int cut = 0; cut <= sealed.length; cut += 127) {
                Cipher cipher = aead.decrypting();
                cipher.update(sealed, 0, cut);
                right &= Arrays.equals(text(1000), cipher.doFinal(sealed, cut, sealed.length - cut));
            }
            return right;
        });
        all.put("decrypt in pieces without a last one", aead -> {
            Cipher cipher = aead.decrypting();
            cipher.update(aead.sealed(40));
            return Arrays.equals(text(40), cipher.doFinal());
        });
        all.put("the pieces are copied", aead -> {
            Cipher cipher = aead.decrypting();
            byte[] sealed = aead.sealed(40);
            cipher.update(sealed);
            sealed[0] ^= 1;
            return Arrays.equals(text(40), cipher.doFinal());
        });
        all.put("pieces end with their message", aead -> {
            Cipher cipher = aead.decrypting();
            byte[] sealed = aead.sealed(40);
            cipher.update(sealed);
            cipher.doFinal();
            return Arrays.equals(text(40), cipher.doFinal(sealed));
        });
        all.put("nothing at all to encrypt", aead -> describe(aead.encrypting().doFinal()));
        all.put("nothing at all to decrypt", aead -> describe(aead.decrypting().doFinal()));
        all.put("only a tag to decrypt", aead -> describe(aead.decrypting().doFinal(aead.sealed(0))));
        all.put("decrypt less than a tag", aead -> describe(aead.decrypting().doFinal(new byte[15])));
        all.put("arguments beyond the array", aead -> {
            Cipher cipher = aead.encrypting();
            return seen(() -> describe(cipher.doFinal(new byte[5], 3, 5))) + ", "
                    + seen(() -> describe(cipher.doFinal(new byte[5], -1, 2))) + ", "
                    + seen(() -> describe(cipher.update(new byte[5], 0, -1))) + ", "
                    + seen(() -> cipher.doFinal(new byte[5], 0, 5, new byte[30], -1)) + ", "
                    + seen(() -> cipher.doFinal(new byte[5], 0, 5, new byte[30], 31)) + ", "
                    + seen(() -> describe(cipher.doFinal(text(5))));
        });
    }
}
