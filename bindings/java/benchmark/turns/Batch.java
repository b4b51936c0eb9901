import dev.sivka.AesGcmSiv;
import dev.sivka.SivkaProvider;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Messages of one length with one build of the package, which its class loader chose. */
public final class Batch implements IntToLongFunction, Supplier<byte[]> {
    private static final byte[] NO_AAD = {};

    private final boolean isSeal;
    private final AesGcmSiv key = new AesGcmSiv(new byte[32]);
    private final Cipher cipher;
    private final SecretKey secret = new SecretKeySpec(new byte[32], "AES");
    private final byte[] nonce = new byte[12];
    private final byte[] plaintext;
    private final byte[] sealed;
    private byte[] last;

    /** Checks that both interfaces do the same, before anything is timed. */
    public Batch(boolean isSeal, boolean isProvider, int len) throws GeneralSecurityException {
        this.isSeal = isSeal;
        plaintext = new byte[len];
        sealed = key.seal(nonce, plaintext, NO_AAD);
        cipher = isProvider ? Cipher.getInstance("AES/GCM-SIV/NoPadding", new SivkaProvider()) : null;
        if (isProvider && !Arrays.equals(sealed, provide(Cipher.ENCRYPT_MODE, plaintext))) {
            throw new IllegalStateException("the provider seals differently");
        }
    }

    /** What this build seals. */
    @Override
    public byte[] get() {
        return sealed;
    }

    @Override
    public long applyAsLong(int times) {
        try {
            return cipher == null ? direct(times) : provider(times);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private long direct(int times) {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            if (isSeal) {
                next();
                last = key.seal(nonce, plaintext, NO_AAD);
            } else {
                last = key.open(nonce, sealed, NO_AAD).orElseThrow();
            }
        }
        return System.nanoTime() - begin;
    }

    private long provider(int times) throws GeneralSecurityException {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            if (isSeal) {
                next();
                last = provide(Cipher.ENCRYPT_MODE, plaintext);
            } else {
                last = provide(Cipher.DECRYPT_MODE, sealed);
            }
        }
        return System.nanoTime() - begin;
    }

    private byte[] provide(int mode, byte[] text) throws GeneralSecurityException {
        cipher.init(mode, secret, new GCMParameterSpec(128, nonce));
        return cipher.doFinal(text);
    }

    /** A nonce that was not there before, as for ciphers that take none twice. */
    private void next() {
        for (int i = 0; ++nonce[i] == 0; ) {
            i++;
        }
    }
}
