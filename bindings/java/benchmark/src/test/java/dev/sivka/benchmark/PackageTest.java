package dev.sivka.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What the artefacts hold. It is here because they are packed before this module's tests. */
class PackageTest {
    private static ZipFile jar(String classifier) throws IOException {
        return new ZipFile(Path.of("../sivka/target/sivka-0.1.0" + classifier + ".jar").toFile());
    }

    @Test
    void licencesAreInTheJar() throws IOException {
        try (ZipFile jar = jar("")) {
            for (String name : new String[] {"LICENSE-APACHE", "LICENSE-MIT"}) {
                byte[] packed = jar.getInputStream(jar.getEntry("META-INF/" + name)).readAllBytes();
                String expected = Files.readString(Path.of("../../..", name));
                assertEquals(expected, new String(packed, StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void sourcesAndDocumentationAreJars() throws IOException {
        try (ZipFile sources = jar("-sources")) {
            assertNotNull(sources.getEntry("dev/sivka/AesGcmSiv.java"));
            assertNotNull(sources.getEntry("META-INF/LICENSE-MIT"));
        }
        try (ZipFile javadoc = jar("-javadoc")) {
            assertNotNull(javadoc.getEntry("dev.sivka/dev/sivka/AesGcmSiv.html"));
        }
    }
}
