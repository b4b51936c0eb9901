package dev.sivka;

import dev.sivka.SealedFileException.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@link SealedFiles#salvage} found in a damaged file.
 *
 * @param intactLen bytes of plaintext that were intact, and are in the output
 * @param lostLen bytes of zeros in the place of plaintext that is lost
 * @param lost where they are, in their order
 * @param plaintextLen the length of the plaintext, if the last chunk is intact and proves it
 * @param contentIsWhole whether all of the plaintext was recovered and proved: the output is what
 *     was sealed, whatever is wrong with the header
 * @param endIsMissing whether the end is missing, and how much followed cannot be known
 * @param headerIsDamaged whether the header was changed
 * @param commitmentIsDamaged whether the commitment to the key after the header was changed
 * @param openError why {@link SealedFiles#open} refuses the same file; empty if it does not
 */
public record Salvage(
        long intactLen,
        long lostLen,
        List<Range> lost,
        OptionalLong plaintextLen,
        boolean contentIsWhole,
        boolean endIsMissing,
        boolean headerIsDamaged,
        boolean commitmentIsDamaged,
        Optional<Reason> openError) {
    /**
     * Keeps a copy of the list.
     *
     * @param intactLen as above
     * @param lostLen as above
     * @param lost as above
     * @param plaintextLen as above
     * @param contentIsWhole as above
     * @param endIsMissing as above
     * @param headerIsDamaged as above
     * @param commitmentIsDamaged as above
     * @param openError as above
     */
    public Salvage {
        lost = List.copyOf(lost);
    }

    /**
     * Some bytes of the plaintext.
     *
     * @param start the first one
     * @param len how many they are
     */
    public record Range(long start, long len) {}
}
