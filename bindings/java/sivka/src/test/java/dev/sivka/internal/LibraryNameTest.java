package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sivka.SivkaProvider;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which library of the jar is chosen on Linux, by the C library that the process uses, and its version. */
class LibraryNameTest {
    @TempDir Path root;

    private void make(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void assertChosen(String wanted) {
        assertEquals(wanted, Library.platform(root.toString()));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theLibraryOfTheProcessIsChosen() throws IOException {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        make("lib/ld-musl-" + arch + ".so.1", "");
        assertChosen("linux-" + arch + "-musl");
        make("lib64/ld-linux-x86-64.so.2", "");
        make("lib/ld-linux-aarch64.so.1", "");
        make("proc/self/maps", "7f00-7f01 r-xp 00000000 08:01 7 /usr/lib/ld-linux-x86-64.so.2\n");
        assertChosen("linux-" + arch);
        make("proc/self/maps", "7f00-7f01 r-xp 00000000 08:01 7 /lib/ld-musl-" + arch + ".so.1\n");
        assertChosen("linux-" + arch + "-musl");
        Files.delete(root.resolve("lib/ld-musl-" + arch + ".so.1"));
        assertChosen("linux-" + arch);
    }

    /** Root may do everything, so that no call of a test is denied its access. */
    @Test
    void deniedAccessHasItsOwnException() {
        FileSystemException e = Failures.ofSystem(Header.ERROR_READ, "here: denied", "here", 13);
        assertEquals(AccessDeniedException.class, e.getClass());
        assertEquals("here", e.getFile());
    }

    /** The provider says it without loading the library. */
    @Test
    void theProviderHasTheVersionOfTheLibrary() {
        assertEquals(Native.text(Native.call(Header.sivka_version)), new SivkaProvider().getVersionStr());
    }
}
