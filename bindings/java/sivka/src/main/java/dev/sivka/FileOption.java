package dev.sivka;

import dev.sivka.internal.Arguments;
import dev.sivka.internal.Header;
import dev.sivka.internal.Native;
import java.util.Objects;

/** How a file or a stream is sealed, opened or verified; without any, as it is usual. */
public final class FileOption {
    /** Replaces an output that exists. */
    public static final FileOption REPLACE_EXISTING = new FileOption("REPLACE_EXISTING", null, null);

    private final String name;
    final String suite;
    final Progress progress;

    private FileOption(String name, String suite, Progress progress) {
        this.name = name;
        this.suite = suite;
        this.progress = progress;
    }

    /**
     * Seals with another suite than AES-256-GCM-SIV.
     *
     * @param name {@code aes-256-gcm-siv}, {@code xchacha20-blake2b} or {@code kuznyechik-mgm}
     * @return the option; a call that seals with it refuses a name that no suite has
     */
    public static FileOption suite(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("suite: a name expected, an empty text given");
        }
        return new FileOption("suite " + name, name, null);
    }

    /**
     * Tells how far it is.
     *
     * @param progress hears how much is done, and may stop it
     * @return the option
     */
    public static FileOption progress(Progress progress) {
        return new FileOption("progress", null, Objects.requireNonNull(progress, "progress"));
    }

    @Override
    public String toString() {
        return name;
    }

    /** Several of them. A suite of 0 is the usual one; a progress of null hears nothing. */
    record Set(int suite, Progress progress, int flags) {
        /** Refuses those that the call does not have. */
        static Set of(FileOption[] options, boolean takesSuite, boolean takesProgress, boolean takesReplacing) {
            int suite = 0;
            Progress progress = null;
            int flags = 0;
            for (FileOption option : options) {
                boolean isTaken = option.suite != null
                        ? takesSuite
                        : option.progress != null ? takesProgress : takesReplacing;
                if (!isTaken) {
                    throw new UnsupportedOperationException("this call does not have the option " + option);
                }
                if (option.suite != null) {
                    suite = (int) Native.call(Header.sivka_suite_from_name, Arguments.text("suite", option.suite));
                }
                progress = option.progress == null ? progress : option.progress;
                flags |= option == REPLACE_EXISTING ? Header.OVERWRITE : 0;
            }
            return new Set(suite, progress, flags);
        }
    }
}
