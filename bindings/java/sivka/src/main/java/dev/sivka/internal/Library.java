package dev.sivka.internal;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** Finds and loads the native library. */
final class Library {
    /** Names a file that is loaded instead of the one in the jar. */
    static final String PATH_PROPERTY = "dev.sivka.library.path";

    private Library() {}

    /**
     * Loads the library into this process.
     *
     * @throws UnsatisfiedLinkError if there is none for this platform, or it cannot be loaded
     */
    static void load() {
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null) {
            System.load(new File(path).getAbsolutePath());
            return;
        }
        String resource = "/dev/sivka/native/" + platform() + "/" + System.mapLibraryName("sivka_java");
        try (InputStream library = Library.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new UnsatisfiedLinkError(
                        "this jar has no native library for " + platform() + " (" + resource
                                + "): build one on such a machine and name it with -D" + PATH_PROPERTY);
            }
            loadCopy(library);
        } catch (IOException e) {
            throw new UnsatisfiedLinkError(
                    "the native library cannot be copied to " + System.getProperty("java.io.tmpdir") + " ("
                            + e + "): set -Djava.io.tmpdir, or name a copy with -D" + PATH_PROPERTY);
        }
    }

    /** Loads a copy that only the owner of this process can read or replace, and deletes it. */
    private static void loadCopy(InputStream library) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                        }
                        : new FileAttribute<?>[0];
        // Without POSIX permissions the folder has those of the user's own temporary folder.
        Path folder = Files.createTempDirectory("sivka-", ownerOnly);
        Path copy = folder.resolve(System.mapLibraryName("sivka_java"));
        try {
            Files.copy(library, copy);
            System.load(copy.toString());
        } finally {
            try {
                Files.deleteIfExists(copy);
                Files.deleteIfExists(folder);
            } catch (IOException inUse) {
                // Windows keeps a loaded library; the folder goes last, so it is named first.
                folder.toFile().deleteOnExit();
                copy.toFile().deleteOnExit();
            }
        }
    }

    /** The platform as the folders in the jar are named, for example {@code linux-x86_64}. */
    static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (os.startsWith("mac")) {
            os = "macos";
        } else if (os.startsWith("windows")) {
            os = "windows";
        }
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        if (arch.equals("amd64") || arch.equals("x86-64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        return os + "-" + arch;
    }
}
