package dev.sivka.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Seals or opens all that a stream gives into another. Neither is closed. */
@FunctionalInterface
public interface StreamWork {
    void run(InputStream in, OutputStream out) throws IOException;
}
