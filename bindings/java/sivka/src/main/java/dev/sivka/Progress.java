package dev.sivka;

/**
 * Hears how far a file or a stream is, and may stop it. It is called about once for each MiB by
 * the thread that works; what it throws stops the work too, and is thrown by the method that was
 * called.
 */
@FunctionalInterface
public interface Progress {
    /**
     * Some more was done.
     *
     * @param plaintextLen the bytes of plaintext that are done so far
     * @return true to go on; false to stop as soon as possible, with a
     *     {@link java.util.concurrent.CancellationException}
     */
    boolean reached(long plaintextLen);
}
