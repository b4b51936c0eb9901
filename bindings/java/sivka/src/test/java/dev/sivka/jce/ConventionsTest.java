package dev.sivka.jce;

import static org.junit.jupiter.api.Assertions.*;

import dev.sivka.SivkaProvider;
import java.security.Security;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every {@link Scenario} with the JDK's {@code AES/GCM/NoPadding} and with our {@code
 * AES/GCM-SIV/NoPadding}: what a caller sees is the same, but for the differences that are
 * listed here with their reasons.
 */
class ConventionsTest {
    private static final AeadCipher JDK = new AeadCipher("SunJCE", "AES/GCM/NoPadding");
    private static final AeadCipher OURS = new AeadCipher(SivkaProvider.NAME, "AES/GCM-SIV/NoPadding");

    /**
     * What is seen with ours where the JDK shows something else.
     *
     * @param jdk what versions of the JDK show; where one of them shows the same as ours, it is
     *     listed too
     */
    private record Difference(String ours, String why, String... jdk) {}

    private static Map<String, Difference> differences() {
        Map<String, Difference> all = new LinkedHashMap<>();
        String length = "RFC 8452: keys of 128 or 256 bits, nonces of 96, tags of 128, and no others";
        String noKey = "InvalidKeyException, then IllegalStateException";
        String noParameters = "InvalidAlgorithmParameterException, then IllegalStateException";
        all.put("init to encrypt, 192-bit key", new Difference(noKey, length, "done, then 21 bytes"));
        all.put("init, nonce of 11 bytes", new Difference(noParameters, length, "done, then 21 bytes"));
        all.put("init, nonce of 16 bytes", new Difference(noParameters, length, "done, then 21 bytes"));
        all.put("init, tag of 96 bits", new Difference(noParameters, length, "done, then 17 bytes"));
        all.put("init, IvParameterSpec",
                new Difference("done, then 21 bytes",
                        "Conscrypt and BouncyCastle take it for GCM-SIV, whose tags have one length",
                        noParameters));
        all.put("init to decrypt, null parameters",
                new Difference(noParameters, "a nonce that is drawn to decrypt opens nothing",
                        "done, then AEADBadTagException", "done, then ProviderException"));
        all.put("before init",
                new Difference("null, IllegalStateException, IllegalStateException, "
                                + "IllegalStateException, IllegalStateException, parameters false",
                        "parameters with a nonce that init will not use would mislead",
                        "null, IllegalStateException, IllegalStateException, "
                                + "IllegalStateException, IllegalStateException, parameters true"));
        all.put("encrypt again under the same key and nonce",
                new Difference("21 bytes",
                        "GCM-SIV is made to survive it, and what seals equal records equally needs it",
                        "InvalidAlgorithmParameterException"));
        all.put("update to encrypt, 40 bytes",
                new Difference("0 bytes", "every byte of the ciphertext depends on all of the plaintext",
                        "32 bytes"));
        String tooShort = "a message that is too short is a forgery like all others";
        for (String name : List.of("decrypt less than a tag", "nothing at all to decrypt")) {
            all.put(name, new Difference("AEADBadTagException", tooShort, "AEADBadTagException",
                    "ProviderException"));
        }
        all.put("init to decrypt", new Difference("done, then AEADBadTagException", tooShort,
                "done, then AEADBadTagException", "done, then ProviderException"));
        for (String of : List.of("", ", long")) {
            forgeries(all, of);
        }
        return all;
    }

    private static void forgeries(Map<String, Difference> all, String of) {
        String messages = "init alone decides the state: what did not open leaves no trace";
        all.put("forged, into an array, then another message" + of,
                new Difference("AEADBadTagException, true", messages, "AEADBadTagException, false",
                        "AEADBadTagException, true"));
        all.put("forged pieces, into an array, then another message" + of,
                new Difference("AEADBadTagException, true", messages,
                        "AEADBadTagException, AEADBadTagException"));
        String inPlace = "JDK 25 leaves the plaintext of a forgery where it was decrypted in place; "
                + "ours leaves the ciphertext of a short one and zeros of a long one";
        all.put("forged, in place" + of,
                new Difference(of.isEmpty() ? "AEADBadTagException, as before"
                                : "AEADBadTagException, changed", inPlace,
                        "AEADBadTagException, as before", "AEADBadTagException, changed"));
        all.put("forged, in place, no plaintext" + of,
                new Difference("AEADBadTagException, false", inPlace,
                        "AEADBadTagException, false", "AEADBadTagException, true"));
    }

    @BeforeAll
    static void install() {
        Security.addProvider(new SivkaProvider());
    }

    @AfterAll
    static void remove() {
        Security.removeProvider(SivkaProvider.NAME);
    }

    @TestFactory
    Stream<DynamicTest> isAsInTheJdk() {
        Map<String, Difference> differences = differences();
        return Scenario.all().entrySet().stream().map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
            String jdk = Scenario.tell(each.getValue(), JDK);
            String ours = Scenario.tell(each.getValue(), OURS);
            Difference difference = differences.get(each.getKey());
            if (difference == null) {
                assertEquals(jdk, ours);
            } else {
                assertEquals(difference.ours(), ours, difference.why());
                assertTrue(List.of(difference.jdk()).contains(jdk), () -> "this JDK shows: " + jdk);
            }
        }));
    }

    /** Without this a scenario that is renamed would lose its difference in silence, or its place. */
    @Test
    void everyDifferenceHasItsScenario() {
        assertTrue(Scenario.all().keySet().containsAll(differences().keySet()));
        differences().forEach((name, difference) ->
                assertNotEquals(List.of(difference.ours()), List.of(difference.jdk()), name));
        assertEquals(252, Scenario.all().size());
    }
}
