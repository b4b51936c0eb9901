using System;
using Sivka.Native;

namespace Sivka;

/// <summary>The block cipher Kuznyechik (GOST R 34.12-2015, RFC 7801): blocks of 16 bytes, keys of 32.</summary>
/// <remarks>
/// To seal messages use <see cref="KuznyechikMgm"/>: a block cipher by itself hides neither equal blocks nor changes.
/// Any number of threads may use one key at the same time. Other exceptions that each call may throw are those of
/// <see cref="AeadKey"/>.
/// </remarks>
public sealed class Kuznyechik : IDisposable
{
    private readonly KuznyechikHandle _handle;

    /// <inheritdoc cref="ChaCha20Blake2b(byte[])"/>
    public Kuznyechik(byte[] key)
        : this((ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))))
    {
    }

    /// <inheritdoc cref="Kuznyechik(byte[])"/>
    public Kuznyechik(ReadOnlySpan<byte> key)
    {
        Library.Load();
        Failure.Check(NativeMethods.sivka_kuznyechik_new(key, out _handle));
    }

    /// <summary>Gets whether the native library is there and has the algorithm.</summary>
    public static bool IsSupported => Library.IsAvailable;

    /// <summary>
    /// Encrypts each block on its own, in place. Many blocks in one call are several times as fast a block.
    /// </summary>
    /// <param name="blocks">Whole blocks, one after another.</param>
    /// <exception cref="ArgumentException">The length is no multiple of a block's; nothing was changed.</exception>
    public void EncryptBlocks(Span<byte> blocks) =>
        Failure.Check(NativeMethods.sivka_kuznyechik_encrypt_blocks(_handle, blocks));

    /// <summary>Decrypts each block on its own, in place.</summary>
    /// <param name="blocks">Whole blocks, one after another.</param>
    /// <exception cref="ArgumentException">The length is no multiple of a block's; nothing was changed.</exception>
    public void DecryptBlocks(Span<byte> blocks) =>
        Failure.Check(NativeMethods.sivka_kuznyechik_decrypt_blocks(_handle, blocks));

    /// <summary>Wipes the key. Calls that use it in other threads end before that; later ones fail.</summary>
    public void Dispose() => _handle.Dispose();
}
