/**
 * Authenticated encryption of messages and files.
 *
 * <p>A key of {@link dev.sivka.AesGcmSiv} seals messages, and does well even where a nonce is
 * repeated; {@link dev.sivka.XChaCha20Blake2b} commits to its key. {@link dev.sivka.SealedFiles}
 * seals files. A {@link dev.sivka.Keyset} reads, makes and uses what Tink has.
 *
 * <p>Where a method takes lengths or offsets, they are in bytes. An argument that is null, unless
 * it may be, is a {@link java.lang.NullPointerException}.
 */
package dev.sivka;
