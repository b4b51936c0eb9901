import com.google.crypto.tink.Aead;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyTemplates;
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
import java.io.InputStream;
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

    private static KeysetHandle read(String word) throws GeneralSecurityException {
        String text = new String(bytesOf(word), StandardCharsets.UTF_8);
        return TinkJsonProtoKeysetFormat.parseKeyset(text, InsecureSecretKeyAccess.get());
    }

    private static String written(KeysetHandle handle) throws GeneralSecurityException {
        String text =
                TinkJsonProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get());
        return wordOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String make(String name) throws GeneralSecurityException {
        try {
            return written(KeysetHandle.generateNew(KeyTemplates.get(name)));
        } catch (GeneralSecurityException unknown) {
            return "unknown";
        }
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

    private static String stream(String question, StreamingAead streams, byte[] aad, byte[] text)
            throws GeneralSecurityException {
        try {
            if (question.equals("seal-stream")) {
                ByteArrayOutputStream sealed = new ByteArrayOutputStream();
                try (OutputStream writer = streams.newEncryptingStream(sealed, aad)) {
                    writer.write(text);
                }
                return wordOf(sealed.toByteArray());
            }
            try (InputStream reader =
                    streams.newDecryptingStream(new ByteArrayInputStream(text), aad)) {
                return wordOf(reader.readAllBytes());
            }
        } catch (IOException forged) {
            return "forged";
        }
    }

    private static String answer(String[] words) throws GeneralSecurityException {
        if (words[0].equals("make")) {
            return make(words[1]);
        }
        KeysetHandle handle = read(words[1]);
        if (words[0].equals("binary")) {
            return wordOf(
                    TinkProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get()));
        }
        byte[] aad = bytesOf(words[2]);
        if (words[0].endsWith("-stream")) {
            StreamingAead streams =
                    handle.getPrimitive(RegistryConfiguration.get(), StreamingAead.class);
            return stream(words[0], streams, aad, bytesOf(words[3]));
        }
        if (words[0].endsWith("-daead")) {
            DeterministicAead daead =
                    handle.getPrimitive(RegistryConfiguration.get(), DeterministicAead.class);
            byte[] text = bytesOf(words[3]);
            if (words[0].equals("seal-daead")) {
                return wordOf(daead.encryptDeterministically(text, aad));
            }
            try {
                return wordOf(daead.decryptDeterministically(text, aad));
            } catch (GeneralSecurityException forged) {
                return "forged";
            }
        }
        Aead aead = handle.getPrimitive(RegistryConfiguration.get(), Aead.class);
        switch (words[0]) {
            case "seal":
                return wordOf(aead.encrypt(bytesOf(words[3]), aad));
            case "open":
                try {
                    return wordOf(aead.decrypt(bytesOf(words[3]), aad));
                } catch (GeneralSecurityException forged) {
                    return "forged";
                }
            case "encrypt":
                KeysetHandle keyset = read(words[3]);
                String text = TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(keyset, aead, aad);
                return wordOf(text.getBytes(StandardCharsets.UTF_8));
            case "decrypt":
                String encrypted = new String(bytesOf(words[3]), StandardCharsets.UTF_8);
                try {
                    return written(
                            TinkJsonProtoKeysetFormat.parseEncryptedKeyset(encrypted, aead, aad));
                } catch (GeneralSecurityException forged) {
                    return "forged";
                }
            default:
                throw new GeneralSecurityException("no such question");
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
