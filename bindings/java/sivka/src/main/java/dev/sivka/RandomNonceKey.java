package dev.sivka;

import dev.sivka.internal.Algorithm;
import dev.sivka.internal.Batches;
import dev.sivka.internal.Columns;
import dev.sivka.internal.Messages;
import dev.sivka.internal.NativeKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A key whose nonces are long enough to be random. */
abstract sealed class RandomNonceKey extends NonceKey implements KeysetMaster, NoncelessCalls
        permits AesGcmSiv, XChaCha20Blake2b, KuznyechikMgm {
    RandomNonceKey(Algorithm algorithm, byte[] key) {
        super(algorithm, key);
    }

    RandomNonceKey(NativeKey key) {
        super(key);
    }

    @Override
    public byte[] seal(byte[] plaintext, byte[] data) {
        return Messages.seal(key, null, plaintext, data);
    }

    @Override
    public Optional<byte[]> open(byte[] sealed, byte[] data) {
        return Optional.ofNullable(Messages.open(key, null, sealed, data));
    }

    @Override
    public int seal(ByteBuffer plaintext, byte[] data, ByteBuffer sealed) {
        return Messages.seal(key, null, plaintext, data, sealed);
    }

    @Override
    public boolean open(ByteBuffer sealed, byte[] data, ByteBuffer plaintext) {
        return Messages.open(key, null, sealed, data, plaintext);
    }

    @Override
    public List<byte[]> sealBatch(List<byte[]> plaintexts, byte[] data) {
        return Batches.seal(key, plaintexts, data);
    }

    @Override
    public List<Optional<byte[]>> openBatch(List<byte[]> sealed, byte[] data) {
        return Batches.open(key, sealed, data);
    }

    @Override
    public Column sealColumn(Column values, byte[] data, int[] dataOffsets) {
        return Columns.seal(key, values, data, dataOffsets);
    }

    @Override
    public OpenedColumn openColumn(Column sealed, byte[] data, int[] dataOffsets) {
        return Columns.open(key, sealed, data, dataOffsets);
    }
}
