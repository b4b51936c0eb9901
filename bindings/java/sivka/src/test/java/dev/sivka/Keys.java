package dev.sivka;

import dev.sivka.internal.Algorithm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/** Keys by the names of their algorithms, and calls that are written once for all of them. */
final class Keys {
    /** Every algorithm of the native library. */
    static final List<String> NAMES = Algorithm.names();

    private Keys() {}

    static Key make(String name, byte[] key) {
        TagLength tagLength = TagLength.BYTES_32;
        String stem = name;
        for (TagLength length : TagLength.values()) {
            if (!length.suffix.isEmpty() && name.endsWith(length.suffix)) {
                tagLength = length;
                stem = name.substring(0, name.length() - length.suffix.length());
            }
        }
        Key made =
                switch (stem) {
                    case "AES-128-GCM-SIV", "AES-256-GCM-SIV" -> new AesGcmSiv(key);
                    case "ChaCha20-BLAKE2b" -> new ChaCha20Blake2b(key, tagLength);
                    case "XChaCha20-BLAKE2b" -> new XChaCha20Blake2b(key, tagLength);
                    case "XChaCha20-BLAKE2b-SIV" -> new XChaCha20Blake2bSiv(key, tagLength);
                    case "Kuznyechik-MGM" -> new KuznyechikMgm(key);
                    case "AES-SIV-256", "AES-SIV-384", "AES-SIV-512" -> new AesSiv(key);
                    default -> throw new IllegalArgumentException("unknown algorithm " + name);
                };
        if (!made.algorithm().equals(name)) {
            made.close();
            throw new IllegalArgumentException("the key is one for " + made.algorithm() + ", not " + name);
        }
        return made;
    }

    /** A key whose bytes are painted. */
    static Key make(String name) {
        return make(name, paint(keyLength(name), 1));
    }

    /** The length of an algorithm's keys in bytes. */
    static int keyLength(String name) {
        return Algorithm.named(name).keyLen();
    }

    /** Ciphertext and tag in the order of the algorithm. */
    static byte[] join(Key key, byte[] ciphertext, byte[] tag) {
        byte[] first = key instanceof AesSiv ? tag : ciphertext;
        byte[] second = key instanceof AesSiv ? ciphertext : tag;
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    /** A nonce that every algorithm allows. */
    static byte[] nonce(Key key, int seed) {
        byte[] nonce = paint(key.nonceLength(), seed);
        if (nonce.length > 0) {
            nonce[0] &= 0x7f;
        }
        return nonce;
    }

    static byte[] paint(int len, int seed) {
        byte[] bytes = new byte[len];
        for (int i = 0; i < len; i++) {
            bytes[i] = (byte) (i * 31 + i / 251 + seed * 17);
        }
        return bytes;
    }

    static byte[] seal(Keyset keyset, byte[] text, byte[] data) {
        return switch (keyset.info().purpose()) {
            case AEAD -> keyset.seal(text, data);
            case DETERMINISTIC_AEAD -> keyset.sealDeterministically(text, data);
            default -> sealStream(keyset, text, data);
        };
    }

    private static byte[] sealStream(Keyset keyset, byte[] text, byte[] data) {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (SealingOutputStream out = keyset.newOutputStream(sealed, data)) {
            out.write(text);
            out.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sealed.toByteArray();
    }

    static Optional<byte[]> open(Keyset keyset, byte[] sealed, byte[] data) {
        return switch (keyset.info().purpose()) {
            case AEAD -> keyset.open(sealed, data);
            case DETERMINISTIC_AEAD -> keyset.openDeterministically(sealed, data);
            default -> openStream(keyset, sealed, data);
        };
    }

    private static Optional<byte[]> openStream(Keyset keyset, byte[] sealed, byte[] data) {
        try (InputStream in = keyset.newInputStream(new ByteArrayInputStream(sealed), data)) {
            return Optional.of(in.readAllBytes());
        } catch (IOException e) {
            if (e.getCause() instanceof AEADBadTagException) {
                return Optional.empty();
            }
            throw new UncheckedIOException(e);
        }
    }
}
