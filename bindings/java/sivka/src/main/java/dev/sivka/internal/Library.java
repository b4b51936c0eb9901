package dev.sivka.internal;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.Locale;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Finds and loads the native library. All of this is part of the first call of a process: it
 * takes the ways that load the fewest classes.
 */
final class Library {
    /** Names a file that is loaded instead of the one in the jar. */
    static final String PATH_PROPERTY = "dev.sivka.library.path";

    private Library() {}

    /** Loads the library into this process. */
    static void load() {
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null) {
            System.load(new File(path).getAbsolutePath());
            return;
        }
        String resource = "dev/sivka/native/" + platform() + "/" + System.mapLibraryName("sivka_java");
        try {
            File origin = origin();
            if (origin == null) {
                loadCopy(bytes(Library.class.getResourceAsStream("/" + resource), resource));
            } else if (origin.isDirectory()) {
                loadFrom(origin, resource);
            } else {
                // The stream that a class loader gives takes ten times as long to be opened.
                try (ZipFile jar = new ZipFile(origin)) {
                    ZipEntry entry = jar.getEntry(resource);
                    loadCopy(bytes(entry == null ? null : jar.getInputStream(entry), resource));
                }
            }
        } catch (IOException e) {
            throw new UnsatisfiedLinkError(
                    "the native library cannot be read from the jar (" + e + "): name a copy with -D" + PATH_PROPERTY);
        }
    }

    /** The jar or folder that this class comes from; null if it is no such thing. */
    private static File origin() {
        CodeSource source = Library.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null || !source.getLocation().getProtocol().equals("file")) {
            return null;
        }
        try {
            URI location = source.getLocation().toURI();
            return location.isOpaque() || location.getAuthority() != null ? null : new File(location);
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Loads a library that is beside the classes. */
    private static void loadFrom(File folder, String resource) {
        File library = new File(folder, resource);
        if (!library.exists()) {
            throw missing(resource);
        }
        System.load(library.getAbsolutePath());
    }

    private static byte[] bytes(InputStream library, String resource) throws IOException {
        if (library == null) {
            throw missing(resource);
        }
        try (library) {
            return library.readAllBytes();
        }
    }

    /** Loads a copy from the temporary folder, or, if that is missing, full, read-only or noexec, from another. */
    private static void loadCopy(byte[] library) {
        String temporary = System.getProperty("java.io.tmpdir");
        String home = System.getProperty("user.home");
        try {
            loadCopy(library, Path.of(temporary));
        } catch (IOException | UnsatisfiedLinkError refused) {
            try {
                loadCopy(library, Path.of(home));
            } catch (IOException | UnsatisfiedLinkError e) {
                UnsatisfiedLinkError both = new UnsatisfiedLinkError(
                        "the native library cannot be loaded from " + temporary + " (" + refused + "), nor from " + home
                                + " (" + e + "): set -Djava.io.tmpdir to a folder with room from which programs may"
                                + " run, or name a copy with -D" + PATH_PROPERTY);
                both.addSuppressed(refused);
                both.addSuppressed(e);
                throw both;
            }
        }
    }

    /** Loads a copy that only the owner of this process can replace, and deletes it. */
    private static void loadCopy(byte[] library, Path parent) throws IOException {
        Path folder = newFolder(parent);
        Path copy = folder.resolve(System.mapLibraryName("sivka_java"));
        try {
            try (FileOutputStream out = new FileOutputStream(copy.toFile())) {
                out.write(library);
            }
            System.load(copy.toString());
        } finally {
            try {
                Files.deleteIfExists(copy);
                Files.deleteIfExists(folder);
            } catch (IOException inUse) {
                // Windows keeps a loaded library. What is named last is deleted first.
                folder.toFile().deleteOnExit();
                copy.toFile().deleteOnExit();
            }
        }
    }

    /** Makes a folder that only the owner of this process may enter. Who takes its name makes us take another. */
    private static Path newFolder(Path parent) throws IOException {
        boolean isPosix = parent.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly = {};
        if (isPosix) {
            // An EnumSet would load what reflection needs.
            Set<PosixFilePermission> permissions = Set.of(
                    PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
            ownerOnly = new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
        }
        for (int i = 0; ; i++) {
            try {
                String name = "sivka-" + Long.toHexString(System.nanoTime() + i);
                return Files.createDirectory(parent.resolve(name), ownerOnly);
            } catch (FileAlreadyExistsException e) {
                if (i == 1000) {
                    throw e;
                }
            }
        }
    }

    private static UnsatisfiedLinkError missing(String resource) {
        return new UnsatisfiedLinkError(
                "this package has no native library for " + platform() + " (" + resource
                        + "): build one on such a machine and name it with -D" + PATH_PROPERTY);
    }

    /** The platform as the folders in the jar are named, for example {@code linux-x86_64-musl}. */
    static String platform() {
        return platform("");
    }

    /** The same with the folder in which the system's folders lie; empty for the system itself. */
    static String platform(String root) {
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
        return os + "-" + arch + (os.equals("linux") && isMusl(root, arch) ? "-musl" : "");
    }

    /** Whether this process uses musl's C library. Where both are installed, the one that is loaded tells. */
    private static boolean isMusl(String root, String arch) {
        String loader = "ld-musl-" + arch;
        if (!new File(root + "/lib/" + loader + ".so.1").exists()) {
            return false;
        }
        boolean hasGlibc =
                new File(root + "/lib64/ld-linux-x86-64.so.2").exists()
                        || new File(root + "/lib/ld-linux-aarch64.so.1").exists();
        if (!hasGlibc) {
            return true;
        }
        try {
            byte[] maps = Files.readAllBytes(Path.of(root + "/proc/self/maps"));
            return new String(maps, StandardCharsets.UTF_8).contains(loader);
        } catch (IOException e) {
            return false;
        }
    }

    /** How this platform writes a path in bytes. */
    static Charset pathCharset() {
        boolean windows = platform().startsWith("windows");
        String encoding = windows ? null : System.getProperty("sun.jnu.encoding");
        return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    }
}
