package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a process gets at the native library. */
class LibraryTest {
    private static final String PROGRAM =
            """
            public class Program {
                public static void main(String[] args) {
                    try (dev.sivka.AesGcmSiv key = new dev.sivka.AesGcmSiv(new byte[16])) {
                        System.out.print(key.seal(new byte[10], new byte[0]).length);
                    }
                }
            }
            """;

    @TempDir Path folder;
    private Path jar;
    private Path temporary;

    @BeforeEach
    void pack() throws IOException {
        Programs.compile(folder, "Program", PROGRAM);
        temporary = Files.createDirectory(folder.resolve("temporary"));
        jar = folder.resolve("library.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(Programs.CLASSES)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                zip.putNextEntry(new ZipEntry(Programs.CLASSES.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
    }

    private Programs.Result run(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(options));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("Program");
        return Programs.java(command);
    }

    private void assertRuns(Programs.Result result) throws IOException {
        assertEquals(new Programs.Result(0, "38", ""), result);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static void assertFails(String text, Programs.Result result) {
        assertEquals(1, result.status());
        assertTrue(result.errors().contains("UnsatisfiedLinkError"), result.errors());
        assertTrue(result.errors().contains(text), result.errors());
    }

    @Test
    void fromAJarOnTheClassPathWithoutAWarning() throws Exception {
        assertRuns(run("--enable-native-access=ALL-UNNAMED", "-cp", jar + ":" + folder));
    }

    @Test
    void fromAJarOnTheModulePathWithoutAWarning() throws Exception {
        assertRuns(
                run(
                        "--enable-native-access=dev.sivka", "-p", jar.toString(), "--add-modules", "dev.sivka", "-cp",
                        folder.toString()));
    }

    @Test
    void fromAFolder() throws Exception {
        assertRuns(run("--enable-native-access=ALL-UNNAMED", "-cp", Programs.CLASSES + ":" + folder));
    }

    @Test
    void byItsPath() throws Exception {
        Path library;
        try (Stream<Path> files = Files.walk(Programs.CLASSES.resolve("dev/sivka/native"))) {
            library = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        Path copy = Files.copy(library, folder.resolve("a-copy.so"));
        assertRuns(
                run("--enable-native-access=ALL-UNNAMED", "-Ddev.sivka.library.path=" + copy, "-cp", jar + ":" + folder));
        assertFails("nothing-here.so", run("-Ddev.sivka.library.path=nothing-here.so", "-cp", jar + ":" + folder));
    }

    @Test
    void aPlatformWithoutOneIsNamed() throws Exception {
        assertFails(
                "no native library for linux-sparc",
                run("-Dos.name=Linux", "-Dos.arch=sparc", "-cp", jar + ":" + folder));
        assertFails(
                "no native library for windows-aarch64",
                run("-Dos.name=Windows 11", "-Dos.arch=aarch64", "-cp", Programs.CLASSES + ":" + folder));
    }

    @Test
    void aTemporaryFolderThatIsMissingIsNamed() throws Exception {
        Files.delete(temporary);
        assertFails("cannot be copied to " + temporary, run("-cp", jar + ":" + folder));
    }

    /** Mounts the temporary folder so that nothing runs from it, for one process; needs root or user namespaces. */
    private Programs.Result runOnNoexec(Path home) throws Exception {
        return Programs.java(
                List.of(
                        "unshare", "--map-root-user", "--mount", "sh", "-c",
                        "mount -t tmpfs -o noexec none \"$0\" && exec \"$@\"", temporary.toString()),
                List.of(
                        "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home,
                        "-cp", jar + ":" + folder, "Program"));
    }

    @Test
    void anotherFolderIsTriedWhereNothingRunsFromTheTemporaryOne() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        assertRuns(runOnNoexec(home));
        try (Stream<Path> left = Files.list(home)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void whereNothingRunsAnywhereThePropertyIsNamed() throws Exception {
        Programs.Result result = runOnNoexec(temporary);
        assertFails("noexec", result);
        assertFails("-Ddev.sivka.library.path", result);
    }
}
