package dev.sivka;

import java.util.List;

/**
 * What a sealed file says without a key. None of it is authenticated.
 *
 * @param suite the name of the suite that it was sealed with
 * @param slots its key slots, in their order
 */
public record SealedFileInfo(String suite, List<KeySlot> slots) {}
