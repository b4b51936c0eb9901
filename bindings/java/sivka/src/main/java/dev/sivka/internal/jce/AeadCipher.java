package dev.sivka.internal.jce;

import dev.sivka.internal.Message;
import dev.sivka.internal.Native;
import dev.sivka.internal.Region;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * The cipher of every transformation. It behaves as {@code AES/GCM/NoPadding} of the JDK does;
 * the README lists where it does not, and a test compares the two.
 *
 * <p>Input of {@code update} is kept until {@code doFinal}. Nothing of a ciphertext may be shown
 * before its tag is verified, and every byte of a ciphertext depends on all of the plaintext.
 * A message that comes with {@code doFinal} alone is not kept.
 */
public final class AeadCipher extends CipherSpi {
    private static final byte[] NONE = new byte[0];

    private final Transformation transformation;
    private final Session session;
    private final SecretBuffer aad = new SecretBuffer();
    private final SecretBuffer text = new SecretBuffer();
    /** Whether text has come, so that no more AAD may. */
    private boolean hasText;

    public AeadCipher(Transformation transformation) {
        this.transformation = transformation;
        session = new Session(transformation);
    }

    /** Never called: every transformation is a service of its own, with mode and padding. */
    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException(transformation.transformation + " has no mode " + mode);
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        throw new NoSuchPaddingException(transformation.transformation + " has no padding " + padding);
    }

    @Override
    protected int engineGetBlockSize() {
        return 16;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        byte[] bytes = transformation.keyBytes(key);
        Arrays.fill(bytes, (byte) 0);
        return Math.multiplyExact(transformation.algorithm(bytes.length).keyLen(), Byte.SIZE);
    }

    @Override
    protected byte[] engineGetIV() {
        return session.nonce.length == 0 ? null : session.nonce.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        return session.parameters();
    }

    @Override
    protected int engineGetOutputSize(int inputLen) {
        int len = outputLen(inputLen);
        if (inputLen == 0 || text.len() < SecretBuffer.KEPT) {
            return len;
        }
        // The streams of JDK 17 make an array of this size whenever it grows: so it seldom does.
        return Math.max(len, outputLen(text.capacityWith(inputLen) - text.len()));
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
        clear();
        session.end();
        engineInit(mode, key, Session.spec(params), random);
    }

    @Override
    protected void engineInit(
            int mode, Key key, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        clear();
        session.begin(mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE, key, params, random);
    }

    // Pieces.

    @Override
    protected void engineUpdateAAD(byte[] src, int offset, int len) {
        requireAadTime();
        aad.append(src, offset, len);
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer src) {
        requireAadTime();
        aad.append(src);
    }

    private void requireAadTime() {
        session.requireReady();
        if (hasText) {
            throw new IllegalStateException("AAD comes before the text, which has begun");
        }
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int inputOffset, int inputLen) {
        session.requireReady();
        hasText = true;
        text.append(input, inputOffset, inputLen);
        return NONE;
    }

    @Override
    protected int engineUpdate(
            byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset) {
        return engineUpdate(input, inputOffset, inputLen).length;
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) {
        session.requireReady();
        hasText = true;
        text.append(input);
        return 0;
    }

    // Whole messages.

    @Override
    protected byte[] engineDoFinal(byte[] input, int inputOffset, int inputLen) throws AEADBadTagException {
        session.requireReady();
        outputLen(inputLen);
        try {
            Region in = whole(input, inputOffset, inputLen);
            byte[] out = Message.intoNew(session.isSealing, session.key, session.nonce, aad(), in);
            return opened(out, out != null);
        } finally {
            finish();
        }
    }

    @Override
    protected int engineDoFinal(
            byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException, AEADBadTagException {
        session.requireReady();
        int len = requireRoom(inputLen, output.length - outputOffset);
        try {
            Region in = whole(input, inputOffset, inputLen);
            return message(in, Region.of(output, outputOffset, len));
        } finally {
            finish();
        }
    }

    @Override
    protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
            throws ShortBufferException, AEADBadTagException {
        session.requireReady();
        int len = requireRoom(input.remaining(), output.remaining());
        try {
            int written = message(whole(input), Region.of(output.slice().limit(len)));
            input.position(input.limit());
            output.position(output.position() + written);
            return written;
        } finally {
            finish();
        }
    }

    /** The message that the last piece completes. */
    private Region whole(byte[] last, int at, int len) {
        if (text.len() == 0) {
            return len == 0 ? Region.of(NONE, 0, 0) : Region.of(last, at, len);
        }
        if (len > 0) {
            text.append(last, at, len);
        }
        return Region.of(text.bytes(), 0, text.len());
    }

    private Region whole(ByteBuffer last) {
        if (text.len() == 0) {
            return Region.of(last);
        }
        text.append(last.duplicate());
        return Region.of(text.bytes(), 0, text.len());
    }

    private static <T> T opened(T result, boolean is) throws AEADBadTagException {
        if (!is) {
            throw new AEADBadTagException("the message does not open under this key, nonce and AAD");
        }
        return result;
    }

    /** Seals or opens a message, wherever its output is. */
    private int message(Region in, Region out) throws AEADBadTagException {
        int len = Message.into(session.isSealing, session.key, session.nonce, aad(), in, out);
        return opened(len, len != Native.FORGED);
    }

    private Region aad() {
        return Region.of(aad.bytes(), 0, aad.len());
    }

    /** What {@code doFinal} with so many more bytes would write. */
    private int outputLen(int inputLen) {
        session.requireKey();
        long whole = (long) text.len() + inputLen;
        long len = session.key.algorithm().outputLen(session.isSealing, false, whole);
        if (Math.max(whole, len) > Integer.MAX_VALUE) {
            throw new ProviderException("a message of " + whole + " bytes is longer than an array");
        }
        return (int) len;
    }

    private int requireRoom(int inputLen, int room) throws ShortBufferException {
        int len = outputLen(inputLen);
        if (len > room) {
            throw new ShortBufferException(len + " bytes are needed for the output, not " + room);
        }
        return len;
    }

    /** Ends a message, opened or not. */
    private void finish() {
        clear();
        session.finishMessage();
    }

    private void clear() {
        aad.clear();
        text.clear();
        hasText = false;
    }

    // Keys as messages.

    @Override
    protected byte[] engineWrap(Key key) throws InvalidKeyException {
        byte[] encoded = key.getEncoded();
        if (encoded == null || encoded.length == 0) {
            throw new InvalidKeyException("the key to be wrapped does not give its bytes");
        }
        try {
            return engineDoFinal(encoded, 0, encoded.length);
        } catch (AEADBadTagException e) {
            throw new ProviderException("sealing cannot meet a forgery", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        byte[] encoded;
        try {
            encoded = engineDoFinal(wrapped, 0, wrapped.length);
        } catch (AEADBadTagException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
        try {
            return switch (type) {
                case Cipher.SECRET_KEY -> new SecretKeySpec(encoded, algorithm);
                case Cipher.PRIVATE_KEY ->
                        KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                case Cipher.PUBLIC_KEY ->
                        KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
                default -> throw new NoSuchAlgorithmException("no keys of type " + type);
            };
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            throw new InvalidKeyException("what was wrapped is no such key", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}
