package dev.sivka;

import java.security.spec.AlgorithmParameterSpec;
import java.util.List;

/**
 * The list of associated data of a message under {@code AES/SIV/NoPadding} (RFC 5297), for {@code
 * Cipher.init}. Number, order and bounds of its strings count; no string is not the same as an empty
 * one. The nonce of RFC 5297 section 3 is the last string.
 *
 * <pre>{@code
 * cipher.init(Cipher.ENCRYPT_MODE, key, new AesSivParameterSpec(table, column, nonce));
 * byte[] sealed = cipher.doFinal(plaintext);
 * }</pre>
 *
 * <p>Without it, a message has one string: all that {@code updateAAD} is given joined, or an empty
 * one. {@code Cipher} itself drops empty strings, so that it cannot tell one from none.
 */
public final class AesSivParameterSpec implements AlgorithmParameterSpec {
    private final List<byte[]> associatedData;

    /**
     * Makes a list.
     *
     * @param associatedData 0 to 126 strings, which are authenticated and not encrypted; copied
     */
    public AesSivParameterSpec(byte[]... associatedData) {
        this(List.of(associatedData));
    }

    /**
     * Makes a list. {@code init} refuses one of more than 126 strings.
     *
     * @param associatedData the strings, which are authenticated and not encrypted; copied
     */
    public AesSivParameterSpec(List<byte[]> associatedData) {
        this.associatedData = associatedData.stream().map(byte[]::clone).toList();
    }

    /**
     * The strings, in their order.
     *
     * @return copies
     */
    public List<byte[]> getAssociatedData() {
        return associatedData.stream().map(byte[]::clone).toList();
    }
}
