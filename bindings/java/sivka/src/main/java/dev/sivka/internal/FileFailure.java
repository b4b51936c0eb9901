package dev.sivka.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Trouble with the file system, as the native library has it: without a path. Whoever knows the
 * paths throws what {@link #about} makes of it.
 */
final class FileFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status {@link Status#READ}, {@link Status#WRITE} or {@link Status#EXISTS}
     */
    FileFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    /**
     * The exception that {@code java.nio} has for it. The library does not say why the operating
     * system refused, so that is asked about the path, again.
     *
     * @param output null where nothing is written
     */
    FileSystemException about(Path input, Path output) {
        FileSystemException made;
        if (status == Status.EXISTS) {
            made = new FileAlreadyExistsException(output.toString());
        } else if (status == Status.WRITE && output != null) {
            // It is written under another name in its folder first.
            Path folder = output.toAbsolutePath().getParent();
            made = refusal(folder == null ? output : folder, output, AccessMode.WRITE);
        } else {
            made = refusal(input, input, AccessMode.READ);
        }
        made.initCause(this);
        return made;
    }

    /** The same for a file that is changed where it stands. */
    FileSystemException aboutChanged(Path file) {
        FileSystemException made = refusal(file, file, AccessMode.READ, AccessMode.WRITE);
        made.initCause(this);
        return made;
    }

    private FileSystemException refusal(Path asked, Path named, AccessMode... modes) {
        try {
            asked.getFileSystem().provider().checkAccess(asked, modes);
        } catch (NoSuchFileException e) {
            return new NoSuchFileException(named.toString());
        } catch (AccessDeniedException e) {
            return new AccessDeniedException(named.toString());
        } catch (IOException e) {
            // Something else: the library has said what.
        }
        return new FileSystemException(named.toString(), null, getMessage());
    }
}
