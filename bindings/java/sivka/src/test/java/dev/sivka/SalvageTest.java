package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sivka.SealedFileException.Reason;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is intact of a damaged file is recovered, and the rest is told. */
class SalvageTest {
    private static final int CHUNK = 16 << 10;
    private static final int TAG = 16;
    private static final byte[] TEXT = Keys.paint(5 * CHUNK + 7, 3);

    @TempDir
    Path folder;

    private FileKeys keys;
    private byte[] sealed;
    private int head;
    private Path input;
    private Path output;

    @BeforeEach
    void seal() throws IOException {
        keys = new FileKeys().addKeyFile(FileKeys.generateKeyFile("test"));
        sealed = SealedStreams.seal(TEXT, keys);
        head = sealed.length - TEXT.length - 6 * TAG;
        input = folder.resolve("damaged");
        output = folder.resolve("salvaged");
    }

    @AfterEach
    void closeKeys() {
        keys.close();
    }

    private Salvage salvage(byte[] damaged) throws IOException {
        Files.write(input, damaged);
        return SealedFiles.salvage(input, output, keys, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void wholeFileIsWhole() throws IOException {
        assertEquals(
                new Salvage(
                        TEXT.length, 0, List.of(), OptionalLong.of(TEXT.length), true, false, false, false,
                        Optional.empty()),
                salvage(sealed));
        assertArrayEquals(TEXT, Files.readAllBytes(output));
    }

    @Test
    void lostChunksAreZerosAndTold() throws IOException {
        for (int chunk : new int[] {1, 3, 4}) {
            sealed[head + chunk * (CHUNK + TAG) + 99] ^= 1;
        }
        Salvage found = salvage(sealed);
        List<Salvage.Range> lost = List.of(new Salvage.Range(CHUNK, CHUNK), new Salvage.Range(3 * CHUNK, 2 * CHUNK));
        assertEquals(
                new Salvage(
                        2 * CHUNK + 7, 3 * CHUNK, lost, OptionalLong.of(TEXT.length), false, false, false, false,
                        Optional.of(Reason.DAMAGED)),
                found);
        byte[] expected = TEXT.clone();
        Arrays.fill(expected, CHUNK, 2 * CHUNK, (byte) 0);
        Arrays.fill(expected, 3 * CHUNK, 5 * CHUNK, (byte) 0);
        assertArrayEquals(expected, Files.readAllBytes(output));
    }

    @Test
    void missingEndIsTold() throws IOException {
        Salvage found = salvage(Arrays.copyOf(sealed, head + 2 * (CHUNK + TAG)));
        assertEquals(
                new Salvage(
                        2 * CHUNK, 0, List.of(), OptionalLong.empty(), false, true, false, false,
                        Optional.of(Reason.TRUNCATED)),
                found);
        assertArrayEquals(Arrays.copyOf(TEXT, 2 * CHUNK), Files.readAllBytes(output));
    }

    @Test
    void damagedHeaderHidesNothing() throws IOException {
        // The last bytes of the header are its MAC.
        sealed[2047] ^= 1;
        Salvage found = salvage(sealed);
        assertEquals(
                new Salvage(
                        TEXT.length, 0, List.of(), OptionalLong.of(TEXT.length), true, false, true, false,
                        Optional.of(Reason.DAMAGED)),
                found);
        assertArrayEquals(TEXT, Files.readAllBytes(output));
    }

    @Test
    void progressIsToldAndStops() throws IOException {
        Files.write(input, sealed);
        List<Long> told = new ArrayList<>();
        assertThrows(CancellationException.class, () -> SealedFiles.salvage(input, output, keys, done -> false));
        assertFalse(Files.exists(output));
        SealedFiles.salvage(input, output, keys, told::add);
        assertEquals(TEXT.length, told.get(told.size() - 1));
    }

    @Test
    void failuresNameThePathAndLeaveNoFile() throws IOException {
        assertThrows(NoSuchFileException.class, () -> SealedFiles.salvage(input, output, keys));
        Files.write(input, sealed);
        Files.write(output, TEXT);
        assertThrows(FileAlreadyExistsException.class, () -> SealedFiles.salvage(input, output, keys));
        Files.delete(output);
        try (FileKeys others = new FileKeys().addKeyFile(FileKeys.generateKeyFile("other"))) {
            SealedFileException e =
                    assertThrows(SealedFileException.class, () -> SealedFiles.salvage(input, output, others));
            assertEquals(Reason.WRONG_KEY, e.reason());
        }
        assertFalse(Files.exists(output));
    }
}
