import com.google.crypto.tink.Aead;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.KmsClient;
import com.google.crypto.tink.KmsClients;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.StreamingAead;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.daead.DeterministicAeadConfig;
import com.google.crypto.tink.streamingaead.StreamingAeadConfig;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.Base64;
import java.util.HexFormat;
import org.conscrypt.Conscrypt;

/** Answers keyset/tests/tink.rs with tink-java: the protocol is there. */
public final class TinkJudge {
    private static byte[] bytesOf(String word) {
        return word.equals("-") ? new byte[0] : HexFormat.of().parseHex(word);
    }

    private static String wordOf(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    private static KeysetHandle parsed(byte[] json) throws GeneralSecurityException {
        String text = new String(json, StandardCharsets.UTF_8);
        return TinkJsonProtoKeysetFormat.parseKeyset(text, InsecureSecretKeyAccess.get());
    }

    private static byte[] written(KeysetHandle handle) throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A key-management service whose URIs are keysets: that of Tink's tests in Go and Python. */
    private static final class FakeKms implements KmsClient {
        private static final String PREFIX = "fake-kms://";

        @Override
        public boolean doesSupport(String uri) {
            return uri.startsWith(PREFIX);
        }

        @Override
        public KmsClient withCredentials(String path) {
            return this;
        }

        @Override
        public KmsClient withDefaultCredentials() {
            return this;
        }

        @Override
        public Aead getAead(String uri) throws GeneralSecurityException {
            byte[] keyset = Base64.getUrlDecoder().decode(uri.substring(PREFIX.length()));
            return TinkProtoKeysetFormat.parseKeyset(keyset, InsecureSecretKeyAccess.get())
                    .getPrimitive(RegistryConfiguration.get(), Aead.class);
        }
    }

    /** Seals or opens a text with associated data. */
    private interface Work {
        byte[] apply(byte[] text, byte[] aad) throws GeneralSecurityException, IOException;
    }

    private static byte[] sealStream(StreamingAead streams, byte[] text, byte[] aad)
            throws GeneralSecurityException, IOException {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream writer = streams.newEncryptingStream(sealed, aad)) {
            writer.write(text);
        }
        return sealed.toByteArray();
    }

    private static <P> P primitive(KeysetHandle handle, Class<P> primitive)
            throws GeneralSecurityException {
        return handle.getPrimitive(RegistryConfiguration.get(), primitive);
    }

    private static Work workOf(String question, KeysetHandle handle)
            throws GeneralSecurityException {
        if (question.endsWith("-stream")) {
            StreamingAead streams = primitive(handle, StreamingAead.class);
            return question.startsWith("seal")
                    ? (text, aad) -> sealStream(streams, text, aad)
                    : (text, aad) ->
                            streams.newDecryptingStream(new ByteArrayInputStream(text), aad)
                                    .readAllBytes();
        }
        if (question.endsWith("-daead")) {
            DeterministicAead daead = primitive(handle, DeterministicAead.class);
            return question.startsWith("seal")
                    ? daead::encryptDeterministically
                    : daead::decryptDeterministically;
        }
        Aead aead = primitive(handle, Aead.class);
        return switch (question) {
            case "seal" -> aead::encrypt;
            case "open" -> aead::decrypt;
            case "encrypt" -> (keyset, aad) ->
                    TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(parsed(keyset), aead, aad)
                            .getBytes(StandardCharsets.UTF_8);
            default -> (encrypted, aad) -> {
                String text = new String(encrypted, StandardCharsets.UTF_8);
                return written(TinkJsonProtoKeysetFormat.parseEncryptedKeyset(text, aead, aad));
            };
        };
    }

    private static String answer(String[] words) throws GeneralSecurityException {
        KeysetHandle handle = parsed(bytesOf(words[1]));
        if (words[0].equals("binary")) {
            return wordOf(
                    TinkProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get()));
        }
        Work work = workOf(words[0], handle);
        try {
            return wordOf(work.apply(bytesOf(words[3]), bytesOf(words[2])));
        } catch (GeneralSecurityException | IOException failed) {
            return words[0].startsWith("open") || words[0].equals("decrypt") ? "forged" : "refused";
        }
    }

    public static void main(String[] args) throws Exception {
        Security.addProvider(Conscrypt.newProvider());
        AeadConfig.register();
        DeterministicAeadConfig.register();
        StreamingAeadConfig.register();
        KmsClients.add(new FakeKms());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answered;
            try {
                answered = answer(line.split(" "));
            } catch (GeneralSecurityException | IllegalArgumentException error) {
                // The second is what its Base64 throws.
                System.err.println(error.getMessage());
                answered = "refused";
            }
            System.out.println(answered);
        }
    }
}
