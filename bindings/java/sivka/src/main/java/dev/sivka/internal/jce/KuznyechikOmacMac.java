package dev.sivka.internal.jce;

import dev.sivka.internal.NativeOmac;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;

/** Kuznyechik in OMAC (GOST R 34.13-2015, section 5.6) with tags of a whole block. */
public final class KuznyechikOmacMac extends MacSpi {
    private static final int TAG_LEN = 16;
    private static final int KEY_LEN = 32;

    /** Null before {@code init}. */
    private NativeOmac omac;

    @Override
    protected int engineGetMacLength() {
        return TAG_LEN;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec spec)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (spec != null) {
            throw new InvalidAlgorithmParameterException("OMAC has no parameters");
        }
        byte[] bytes = Transformation.Keys.KUZNYECHIK.bytes(key);
        try {
            if (bytes.length != KEY_LEN) {
                throw new InvalidKeyException("Kuznyechik has no keys of " + bytes.length + " bytes");
            }
            NativeOmac made = new NativeOmac(bytes, TAG_LEN);
            if (omac != null) {
                omac.close();
            }
            omac = made;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    protected void engineUpdate(byte input) {
        engineUpdate(new byte[] {input}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int len) {
        omac.update(Region.of(input, offset, len));
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        omac.update(Region.of(input));
        input.position(input.limit());
    }

    @Override
    protected byte[] engineDoFinal() {
        return omac.finish();
    }

    @Override
    protected void engineReset() {
        if (omac != null) {
            omac.finish();
        }
    }
}
