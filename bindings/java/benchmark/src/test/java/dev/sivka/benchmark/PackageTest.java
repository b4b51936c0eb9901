package dev.sivka.benchmark;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the artefacts hold. It is here because they are packed before this module's tests. */
class PackageTest {
    @ParameterizedTest
    @CsvSource({
        "'', META-INF/LICENSE-APACHE",
        "'', META-INF/LICENSE-MIT",
        "-sources, dev/sivka/AesGcmSiv.java",
        "-sources, META-INF/LICENSE-MIT",
        "-javadoc, dev.sivka/dev/sivka/AesGcmSiv.html"
    })
    void isInTheJar(String classifier, String name) throws IOException {
        try (ZipFile jar = new ZipFile(Path.of("../sivka/target/sivka-0.1.0" + classifier + ".jar").toFile())) {
            assertNotNull(jar.getEntry(name));
        }
    }
}
