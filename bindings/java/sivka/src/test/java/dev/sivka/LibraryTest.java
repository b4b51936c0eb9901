package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Keys, streams and exceptions that are used, and those that are forgotten. */
    private static final String USES =
            """
            import dev.sivka.*;
            import java.io.*;

            public class Uses implements Runnable {
                @Override
                public void run() {
                    byte[] none = {};
                    AesGcmSiv key = new AesGcmSiv(AesGcmSiv.generateKey());
                    Keyset keyset = Keyset.generate("AES256_GCM_HKDF_4KB");
                    try (AesSiv siv = new AesSiv(AesSiv.generateKey())) {
                        siv.seal(new byte[5000], none);
                        key.sealWithNonce(new byte[11], none, none);
                    } catch (IllegalArgumentException expected) {
                        key.sealBatch(java.util.List.of(none), none);
                    }
                    try {
                        var cipher = javax.crypto.Cipher.getInstance("AES/GCM-SIV/NoPadding", new SivkaProvider());
                        cipher.init(javax.crypto.Cipher.ENCRYPT_MODE,
                                new javax.crypto.spec.SecretKeySpec(new byte[32], "AES"));
                        cipher.doFinal(new byte[100]);
                        FileKeys keys = new FileKeys().addKeyFile(FileKeys.generateKeyFile("uses"));
                        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
                        SealedStreams.seal(new ByteArrayInputStream(new byte[1 << 20]), sealed, keys);
                        SealedStreams.newInputStream(new ByteArrayInputStream(sealed.toByteArray()), keys).read();
                        SealedStreams.newOutputStream(new ByteArrayOutputStream(), keys).write(new byte[100]);
                        keyset.newOutputStream(new ByteArrayOutputStream(), none).write(new byte[100]);
                    } catch (IOException | java.security.GeneralSecurityException e) {
                        throw new IllegalStateException(e);
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
        return Programs.java(List.of(), command);
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
    void fromAJarWithoutAWarning() throws Exception {
        assertRuns(run("--enable-native-access=ALL-UNNAMED", "-cp", jar + ":" + folder));
        assertRuns(run(
                "--enable-native-access=dev.sivka", "-p", jar.toString(), "--add-modules", "dev.sivka", "-cp",
                folder.toString()));
    }

    @Test
    void fromAFolderOrByItsPath() throws Exception {
        assertRuns(run("--enable-native-access=ALL-UNNAMED", "-cp", Programs.CLASSES + ":" + folder));
        Path library;
        try (Stream<Path> files = Files.walk(Programs.CLASSES.resolve("dev/sivka/native"))) {
            library = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        Path copy = Files.copy(library, folder.resolve("a-copy.so"));
        String named = "-Ddev.sivka.library.path=" + copy;
        assertRuns(run("--enable-native-access=ALL-UNNAMED", named, "-cp", jar + ":" + folder));
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

    /** What a server does that loads programs anew: each has a copy of the library, which alone stays. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void classLoadersAreForgotten(boolean used) throws Exception {
        Path uses = folder.resolve("uses");
        Programs.compile(uses, "Uses", USES);
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            URL[] urls = {jar.toUri().toURL(), uses.toUri().toURL()};
            URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
            loaders.add(new WeakReference<>(loader));
            Runnable program = (Runnable) loader.loadClass("Uses").getConstructor().newInstance();
            if (used) {
                Thread thread = new Thread(program);
                thread.start();
                thread.join();
            }
            loader.close();
        }
        long end = System.nanoTime() + 30_000_000_000L;
        while (alive(loaders) > 0 && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(50);
        }
        assertEquals(0, alive(loaders));
    }

    private static long alive(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    /** Mounts the temporary folder with these options, for one process; needs root or user namespaces. */
    private Programs.Result runMounted(String options, Path home) throws Exception {
        return Programs.java(
                List.of(
                        "unshare", "--map-root-user", "--mount", "sh", "-c",
                        "mount -t tmpfs -o " + options + " none \"$0\" && exec \"$@\"", temporary.toString()),
                List.of(
                        "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home,
                        "-cp", jar + ":" + folder, "Program"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"noexec", "size=64k", "ro", ""})
    void anotherFolderIsTriedWhereTheTemporaryOneDoesNotServe(String options) throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        if (options.isEmpty()) {
            // It is missing then, of which newer JDKs warn by themselves.
            temporary = folder.resolve("missing");
            assertEquals("38", run("-Duser.home=" + home, "-cp", jar + ":" + folder).output());
        } else {
            assertRuns(runMounted(options, home));
        }
        try (Stream<Path> left = Files.list(home)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void whereNothingRunsAnywhereThePropertyIsNamed() throws Exception {
        Programs.Result result = runMounted("noexec", temporary);
        assertFails("from which programs may run", result);
        assertFails("-Ddev.sivka.library.path", result);
    }
}
