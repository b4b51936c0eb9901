package dev.sivka.jce;

import static dev.sivka.jce.AeadCipher.AAD;
import static dev.sivka.jce.AeadCipher.key;
import static dev.sivka.jce.AeadCipher.nonce;
import static dev.sivka.jce.AeadCipher.nonceBytes;
import static dev.sivka.jce.AeadCipher.text;
import static dev.sivka.jce.Scenario.describe;
import static dev.sivka.jce.Scenario.seen;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What {@code init} takes, and when it has to be called again. */
final class InitScenarios {
    private InitScenarios() {}

    private static Scenario init(int mode, Key key, AlgorithmParameterSpec spec) {
        return aead -> {
            Cipher cipher = aead.make();
            return seen(() -> {
                cipher.init(mode, key, spec);
                return "done";
            }) + ", then " + seen(() -> describe(cipher.doFinal(new byte[5])));
        };
    }

    static void initialization(Map<String, Scenario> all) {
        int encrypt = Cipher.ENCRYPT_MODE;
        int decrypt = Cipher.DECRYPT_MODE;
        all.put("init to encrypt", init(encrypt, key(1, 32), nonce(1)));
        all.put("init to decrypt", init(decrypt, key(1, 32), nonce(1)));
        for (int bits : new int[] {120, 128, 192, 264}) {
            all.put("init to encrypt, " + bits + "-bit key", init(encrypt, key(1, bits / 8), nonce(1)));
        }
        all.put("init, no key", init(encrypt, null, nonce(1)));
        for (String algorithm : new String[] {"DES", "Rijndael"}) {
            all.put("init, key called " + algorithm, init(encrypt, new SecretKeySpec(new byte[32], algorithm), nonce(1)));
        }
        all.put("init, key that keeps its bytes", init(encrypt, new Scenario.HiddenKey(), nonce(1)));
        for (int bytes : new int[] {0, 11, 16}) {
            all.put("init, nonce of " + bytes + " bytes",
                    init(encrypt, key(1, 32), new GCMParameterSpec(128, new byte[bytes])));
        }
        for (int bits : new int[] {64, 96, 127, 256}) {
            all.put("init, tag of " + bits + " bits",
                    init(encrypt, key(1, 32), new GCMParameterSpec(bits, new byte[12])));
        }
        all.put("init, IvParameterSpec", init(encrypt, key(1, 32),
                new IvParameterSpec(new byte[12])));
        all.put("init, parameters of another kind", init(encrypt, key(1, 32),
                new PBEParameterSpec(new byte[12], 1)));
        all.put("init to encrypt, null parameters", init(encrypt, key(1, 32), null));
        all.put("init to decrypt, null parameters", init(decrypt, key(1, 32), null));
        for (int mode : new int[] {decrypt, Cipher.UNWRAP_MODE}) {
            all.put("init to " + (mode == decrypt ? "decrypt" : "unwrap") + ", no parameters", aead -> {
                Cipher cipher = aead.make();
                cipher.init(mode, key(1, 32));
                return "done";
            });
        }
        all.put("init to encrypt, no parameters", aead -> {
            Cipher cipher = aead.make();
            cipher.init(encrypt, key(1, 32));
            byte[] first = cipher.getIV();
            GCMParameterSpec spec = cipher.getParameters().getParameterSpec(GCMParameterSpec.class);
            boolean told = Arrays.equals(first, spec.getIV());
            byte[] sealed = cipher.doFinal(text(20));
            boolean kept = Arrays.equals(first, cipher.getIV());
            Cipher opener = aead.make();
            opener.init(decrypt, key(1, 32), cipher.getParameters());
            boolean opened = Arrays.equals(text(20), opener.doFinal(sealed));
            cipher.init(encrypt, key(1, 32));
            boolean fresh = !Arrays.equals(first, cipher.getIV());
            return describe(first) + ", tag " + spec.getTLen() + ", " + told + kept + opened + fresh;
        });
        all.put("nonce drawn from the caller's SecureRandom", aead -> {
            Cipher cipher = aead.make();
            cipher.init(encrypt, key(1, 32), new SecureRandom() {
                @Override
                public void nextBytes(byte[] bytes) {
                    Arrays.fill(bytes, (byte) 9);
                }
            });
            return Arrays.equals(nonceBytes(9, 12), cipher.getIV());
        });
        all.put("init, AlgorithmParameters null", aead -> {
            Cipher cipher = aead.make();
            cipher.init(encrypt, key(1, 32), (AlgorithmParameters) null);
            return describe(cipher.getIV());
        });
        all.put("init, AlgorithmParameters of another kind", aead -> {
            AlgorithmParameters params = AlgorithmParameters.getInstance("PBE");
            params.init(new PBEParameterSpec(new byte[8], 1));
            Cipher cipher = aead.make();
            cipher.init(encrypt, key(1, 32), params);
            return "done";
        });
        all.put("the encoding of the parameters", aead -> {
            Cipher cipher = aead.encrypting();
            return cipher.getParameters().getAlgorithm() + " "
                    + new java.math.BigInteger(1, cipher.getParameters().getEncoded()).toString(16);
        });
        all.put("before init", aead -> {
            Cipher cipher = aead.make();
            return describe(cipher.getIV()) + ", " + seen(() -> cipher.getOutputSize(1)) + ", "
                    + seen(() -> cipher.update(new byte[1])) + ", "
                    + seen(() -> cipher.doFinal()) + ", " + seen(() -> {
                        cipher.updateAAD(AAD);
                        return "done";
                    }) + ", parameters " + seen(() -> cipher.getParameters() != null);
        });
        all.put("getIV gives a copy", aead -> {
            Cipher cipher = aead.encrypting();
            cipher.getIV()[0] ^= 1;
            return Arrays.equals(nonceBytes(1, 12), cipher.getIV());
        });
        all.put("the caller's nonce array changes after init", aead -> {
            byte[] bytes = nonceBytes(1, 12);
            Cipher cipher = aead.make();
            cipher.init(encrypt, key(1, 32), new GCMParameterSpec(128, bytes));
            bytes[0] ^= 1;
            return Arrays.equals(aead.sealed(3), cipher.doFinal(text(3)));
        });
        all.put("block size", aead -> aead.make().getBlockSize());
        all.put("a failed init ends the old state", aead -> {
            Cipher cipher = aead.encrypting();
            return seen(() -> {
                cipher.init(encrypt, key(1, 15), nonce(2));
                return "done";
            }) + ", then " + seen(() -> describe(cipher.doFinal(new byte[5])));
        });
        all.put("init drops what was buffered", aead -> {
            Cipher cipher = aead.encrypting();
            cipher.updateAAD(AAD);
            cipher.update(new byte[100]);
            cipher.init(encrypt, key(1, 32), nonce(2));
            cipher.init(decrypt, key(1, 32), nonce(1));
            return aead.opens(cipher, 7);
        });
    }

    private static Scenario again(Key key, AlgorithmParameterSpec spec) {
        return aead -> {
            Cipher cipher = aead.encrypting();
            cipher.doFinal(text(5));
            cipher.init(Cipher.ENCRYPT_MODE, key, spec);
            return describe(cipher.doFinal(text(5)));
        };
    }

    static void reuse(Map<String, Scenario> all) {
        all.put("encrypt twice", aead -> {
            Cipher cipher = aead.encrypting();
            cipher.doFinal(text(5));
            return seen(() -> describe(cipher.doFinal(text(5)))) + ", "
                    + seen(() -> describe(cipher.update(text(5)))) + ", " + seen(() -> {
                        cipher.updateAAD(AAD);
                        return "done";
                    }) + ", " + seen(() -> cipher.doFinal(new byte[40], 0))
                    + ", " + seen(() -> cipher.doFinal(ByteBuffer.allocate(5), ByteBuffer.allocate(40)))
                    + ", " + seen(() -> cipher.update(ByteBuffer.allocate(5), ByteBuffer.allocate(40)));
        });
        all.put("encrypt again under the same key and nonce", again(key(1, 32), nonce(1)));
        all.put("encrypt again under another nonce", again(key(1, 32), nonce(2)));
        all.put("encrypt again under another key", again(key(2, 32), nonce(1)));
        all.put("decrypt what was just encrypted", aead -> {
            Cipher cipher = aead.encrypting();
            byte[] sealed = cipher.doFinal(text(5));
            cipher.init(Cipher.DECRYPT_MODE, key(1, 32), nonce(1));
            return Arrays.equals(text(5), cipher.doFinal(sealed));
        });
        all.put("decrypt twice", aead -> {
            Cipher cipher = aead.decrypting();
            byte[] sealed = aead.sealed(5);
            return Arrays.equals(text(5), cipher.doFinal(sealed)) + ", "
                    + Arrays.equals(text(5), cipher.doFinal(sealed));
        });
        all.put("keys by turns", aead -> {
            Cipher cipher = aead.encrypting();
            byte[] first = cipher.doFinal(text(5));
            cipher.init(Cipher.ENCRYPT_MODE, key(2, 32), nonce(1));
            byte[] second = cipher.doFinal(text(5));
            cipher.init(Cipher.DECRYPT_MODE, key(1, 32), nonce(1));
            boolean opened = Arrays.equals(text(5), cipher.doFinal(first));
            cipher.init(Cipher.DECRYPT_MODE, key(2, 32), nonce(1));
            return opened + ", " + Arrays.equals(text(5), cipher.doFinal(second)) + ", "
                    + Arrays.equals(first, second);
        });
    }
}
