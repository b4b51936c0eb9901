package dev.sivka.internal.jce;

import dev.sivka.internal.Message;
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
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * The cipher of every transformation. It behaves as {@code AES/GCM/NoPadding} of the JDK does;
 * the README lists where it does not, and a test compares the two.
 *
 * <p>What comes through {@code update} is kept until {@code doFinal}: a ciphertext because
 * nothing of it may be shown before its tag is verified, a plaintext because every byte of the
 * ciphertext depends on all of it. A message that comes with {@code doFinal} alone is not kept.
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

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        if (!transformation.hasMode(mode)) {
            throw new NoSuchAlgorithmException(
                    transformation.transformation + " has no mode " + mode);
        }
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        if (!transformation.hasPadding(padding)) {
            throw new NoSuchPaddingException(
                    transformation.transformation + " has no padding " + padding);
        }
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
        return session.nonce == null ? null : session.nonce.clone();
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
        if (session.aads != null) {
            throw new IllegalStateException("init was given all AADs, in an AesSivParameterSpec");
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
    protected byte[] engineDoFinal(byte[] input, int inputOffset, int inputLen)
            throws IllegalBlockSizeException, BadPaddingException {
        session.requireReady();
        try {
            return made(whole(input, inputOffset, inputLen));
        } catch (IllegalArgumentException e) {
            throw refused(e);
        } finally {
            finish();
        }
    }

    @Override
    protected int engineDoFinal(
            byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
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
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
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

    /** Seals or opens a message to a new array. */
    private byte[] made(Region in) throws AEADBadTagException {
        byte[] out = session.aads == null
                ? Message.intoNew(session.isSealing, session.key, session.nonceOrNone(), aad(), in)
                : Message.withList(session.isSealing, session.key, in, session.aads);
        return opened(out, out != null);
    }

    private static <T> T opened(T result, boolean is) throws AEADBadTagException {
        if (!is) {
            throw new AEADBadTagException("the message does not open under this key, nonce and AAD");
        }
        return result;
    }

    /** Seals or opens a message, wherever its output is. */
    private int message(Region in, Region out)
            throws IllegalBlockSizeException, AEADBadTagException {
        try {
            if (session.aads != null) {
                return out.take(made(in));
            }
            int len = Message.into(session.isSealing, session.key, session.nonceOrNone(), aad(), in, out);
            return opened(len, len != Message.FORGED);
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
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

    private static IllegalBlockSizeException refused(IllegalArgumentException e) {
        return (IllegalBlockSizeException)
                new IllegalBlockSizeException(e.getMessage()).initCause(e);
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
    protected byte[] engineWrap(Key key) throws IllegalBlockSizeException, InvalidKeyException {
        byte[] encoded = key.getEncoded();
        if (encoded == null || encoded.length == 0) {
            throw new InvalidKeyException("the key to be wrapped does not give its bytes");
        }
        try {
            return engineDoFinal(encoded, 0, encoded.length);
        } catch (BadPaddingException e) {
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
        } catch (BadPaddingException | IllegalBlockSizeException e) {
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
