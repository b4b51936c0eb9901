package dev.sivka.internal.jce;

import dev.sivka.internal.NativeKeystream;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;

/**
 * Kuznyechik in CTR (GOST R 34.13-2015, section 5.2). Each {@code update} gives as many bytes as it
 * takes. {@code doFinal} ends a message: the next one that is encrypted wants {@code init} with
 * another IV, and one that is decrypted begins anew under the same.
 */
public final class KuznyechikCtrCipher extends CipherSpi {
    public static final String TRANSFORMATION = "Kuznyechik/CTR/NoPadding";
    /** The {@link AlgorithmParameters} that hold the IV. */
    public static final String PARAMETERS = "Kuznyechik-CTR";

    private static final int BLOCK_LEN = 16;
    private static final int IV_LEN = 8;
    private static final int KEY_LEN = 32;
    private static final byte[] NONE = new byte[0];

    private final Provider provider;
    private boolean isEncrypting;
    private byte[] keyBytes = NONE;
    private byte[] iv;
    /** Null before {@code init}, and when the IV has encrypted a message. */
    private NativeKeystream keystream;
    /** What was encrypted with last. */
    private byte[] usedKeyBytes = NONE;
    private byte[] usedIv = NONE;

    public KuznyechikCtrCipher(Provider provider) {
        this.provider = provider;
    }

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        if (!mode.equalsIgnoreCase("CTR")) {
            throw new NoSuchAlgorithmException(TRANSFORMATION + " has no mode " + mode);
        }
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        if (!padding.equalsIgnoreCase("NoPadding")) {
            throw new NoSuchPaddingException(TRANSFORMATION + " has no padding " + padding);
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return BLOCK_LEN;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        Arrays.fill(bytes(key), (byte) 0);
        return KEY_LEN * Byte.SIZE;
    }

    @Override
    protected int engineGetOutputSize(int inputLen) {
        return inputLen;
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (iv == null) {
            return null;
        }
        try {
            AlgorithmParameters made = AlgorithmParameters.getInstance(PARAMETERS, provider);
            made.init(new IvParameterSpec(iv));
            return made;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException e) {
            throw new ProviderException("no parameters for an IV: " + PARAMETERS, e);
        }
    }

    // Initialization.

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(mode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        try {
            engineInit(mode, key, params == null ? null : params.getParameterSpec(IvParameterSpec.class), random);
        } catch (InvalidParameterSpecException e) {
            end();
            throw new InvalidAlgorithmParameterException("no IV: " + params.getAlgorithm(), e);
        }
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        end();
        if (mode != Cipher.ENCRYPT_MODE && mode != Cipher.DECRYPT_MODE) {
            throw new UnsupportedOperationException("keys are not wrapped by a mode that does not authenticate");
        }
        byte[] bytes = bytes(key);
        try {
            byte[] newIv = iv(spec);
            boolean encrypting = mode == Cipher.ENCRYPT_MODE;
            if (encrypting) {
                requireFresh(bytes, newIv);
            }
            // Not of the fields, which a thread that shares the cipher may be wiping.
            keystream = new NativeKeystream(bytes, newIv);
            isEncrypting = encrypting;
            keyBytes = bytes.clone();
            iv = newIv;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static byte[] bytes(Key key) throws InvalidKeyException {
        byte[] bytes = Transformation.Keys.KUZNYECHIK.bytes(key);
        if (bytes.length != KEY_LEN) {
            Arrays.fill(bytes, (byte) 0);
            throw new InvalidKeyException(TRANSFORMATION + " has no keys of " + bytes.length + " bytes");
        }
        return bytes;
    }

    private static byte[] iv(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
        if (!(spec instanceof IvParameterSpec given)) {
            throw new InvalidAlgorithmParameterException(
                    "an IvParameterSpec is needed: IVs of " + IV_LEN + " bytes are too short to be random");
        }
        byte[] iv = given.getIV();
        if (iv.length != IV_LEN) {
            throw new InvalidAlgorithmParameterException(
                    "the IV of " + TRANSFORMATION + " has " + IV_LEN + " bytes, not " + iv.length);
        }
        return iv;
    }

    /** Two messages under one key and IV reveal the difference of their plaintexts. */
    private void requireFresh(byte[] bytes, byte[] newIv) throws InvalidAlgorithmParameterException {
        if (Arrays.equals(usedIv, newIv) && MessageDigest.isEqual(usedKeyBytes, bytes)) {
            throw new InvalidAlgorithmParameterException(
                    "this key and IV were used already; " + TRANSFORMATION + " needs another IV for every message");
        }
        Arrays.fill(usedKeyBytes, (byte) 0);
        usedKeyBytes = bytes.clone();
        usedIv = newIv;
    }

    /** Forgets that there was an {@code init}. */
    private void end() {
        if (keystream != null) {
            keystream.close();
            keystream = null;
        }
        Arrays.fill(keyBytes, (byte) 0);
        keyBytes = NONE;
        iv = null;
    }

    // Messages.

    @Override
    protected byte[] engineUpdate(byte[] input, int inputOffset, int inputLen) {
        requireReady();
        byte[] out = inputLen == 0 ? new byte[0] : Arrays.copyOfRange(input, inputOffset, inputOffset + inputLen);
        keystream.apply(Region.of(out));
        return out;
    }

    @Override
    protected int engineUpdate(byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException {
        requireReady();
        requireRoom(inputLen, output.length - outputOffset);
        if (inputLen > 0) {
            System.arraycopy(input, inputOffset, output, outputOffset, inputLen);
            keystream.apply(Region.of(output, outputOffset, inputLen));
        }
        return inputLen;
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        requireReady();
        int len = input.remaining();
        requireRoom(len, output.remaining());
        ByteBuffer written = output.slice().limit(len);
        // As if through a copy, where the two overlap.
        output.put(input);
        keystream.apply(Region.writable(written));
        return len;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int inputOffset, int inputLen) {
        byte[] out = engineUpdate(input, inputOffset, inputLen);
        finish();
        return out;
    }

    @Override
    protected int engineDoFinal(byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException {
        int len = engineUpdate(input, inputOffset, inputLen, output, outputOffset);
        finish();
        return len;
    }

    @Override
    protected int engineDoFinal(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        int len = engineUpdate(input, output);
        finish();
        return len;
    }

    private void finish() {
        keystream.close();
        keystream = isEncrypting ? null : new NativeKeystream(keyBytes, iv);
    }

    private void requireReady() {
        if (keystream == null) {
            throw new IllegalStateException(iv == null
                    ? "the cipher is not initialized"
                    : "this IV has encrypted a message: call init with another one");
        }
    }

    private static void requireRoom(int inputLen, int room) throws ShortBufferException {
        if (inputLen > room) {
            throw new ShortBufferException(inputLen + " bytes are needed for the output, not " + room);
        }
    }
}
