package dev.sivka;

import java.util.List;

/**
 * The fields of a sealed file that are visible without a key. None is authenticated.
 *
 * @param suite the name of the suite that it was sealed with
 * @param slots its key slots, in their order
 */
public record SealedFileInfo(String suite, List<KeySlot> slots) {}
