package dev.sivka.internal.jce;

import java.io.IOException;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.spec.IvParameterSpec;

/**
 * A nonce as parameters. They are encoded as those of ChaCha20-Poly1305 are in RFC 8103,
 * section 2: an OCTET STRING in DER.
 */
public final class AeadParameters extends AlgorithmParametersSpi {
    private static final byte OCTET_STRING = 0x04;

    private byte[] nonce;

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!(spec instanceof IvParameterSpec iv)) {
            throw new InvalidParameterSpecException("an IvParameterSpec is expected");
        }
        byte[] given = iv.getIV();
        // Longer ones have no short form of their length, and no algorithm has them.
        if (given.length == 0 || given.length > Byte.MAX_VALUE) {
            throw new InvalidParameterSpecException("a nonce of " + given.length + " bytes");
        }
        nonce = given;
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        boolean right = encoded.length > 2 && encoded[0] == OCTET_STRING
                && encoded[1] == encoded.length - 2;
        if (!right) {
            throw new IOException("not a nonce in an OCTET STRING");
        }
        nonce = Arrays.copyOfRange(encoded, 2, encoded.length);
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        requireDer(format);
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> spec)
            throws InvalidParameterSpecException {
        if (!spec.isAssignableFrom(IvParameterSpec.class)) {
            throw new InvalidParameterSpecException("only IvParameterSpec can be given");
        }
        return spec.cast(new IvParameterSpec(nonce));
    }

    @Override
    protected byte[] engineGetEncoded() {
        byte[] encoded = new byte[nonce.length + 2];
        encoded[0] = OCTET_STRING;
        encoded[1] = (byte) nonce.length;
        System.arraycopy(nonce, 0, encoded, 2, nonce.length);
        return encoded;
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        requireDer(format);
        return engineGetEncoded();
    }

    private static void requireDer(String format) throws IOException {
        if (format != null && !format.equalsIgnoreCase("ASN.1") && !format.equalsIgnoreCase("DER")) {
            throw new IOException("no format " + format);
        }
    }

    @Override
    protected String engineToString() {
        return "nonce " + HexFormat.of().formatHex(nonce);
    }
}
