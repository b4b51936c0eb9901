package dev.sivka;

/**
 * Gets the number of bytes that are done, and may stop the work. The thread that works calls it
 * about once for each MiB. Its exceptions stop the work too, and the called method throws them.
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
