using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// The keystream of one message under Kuznyechik: CTR (GOST R 34.13-2015 section 5.2), or CTR-ACPKM (RFC 8645
/// section 6.2.2), which replaces its key on the way.
/// </summary>
/// <remarks>
/// <para>
/// Nothing is authenticated, and two messages under one key and IV reveal the difference of their plaintexts: use
/// <see cref="KuznyechikMgm"/> unless a protocol asks for this mode.
/// </para>
/// <para>A message may come whole or in pieces of any lengths. Threads take turns.</para>
/// </remarks>
public sealed class KuznyechikCtr : IDisposable
{
    private readonly KuznyechikCtrHandle _handle;
    private readonly object _turn = new();

    /// <summary>Starts a keystream of CTR, which has 2^64 blocks.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <param name="iv">8 bytes that no other message under this key has; copied.</param>
    /// <exception cref="ArgumentNullException">One of the two is null.</exception>
    /// <exception cref="ArgumentException">One has another length.</exception>
    /// <exception cref="DllNotFoundException">The native library is missing.</exception>
    public KuznyechikCtr(byte[] key, byte[] iv)
        : this(
            (ReadOnlySpan<byte>)(key ?? throw new ArgumentNullException(nameof(key))),
            (ReadOnlySpan<byte>)(iv ?? throw new ArgumentNullException(nameof(iv))))
    {
    }

    /// <inheritdoc cref="KuznyechikCtr(byte[], byte[])"/>
    public KuznyechikCtr(ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv)
        : this(KuznyechikCtrHandle.Create(key, iv))
    {
    }

    private KuznyechikCtr(KuznyechikCtrHandle handle) => _handle = handle;

    /// <summary>Gets whether the native library is there and has the algorithm.</summary>
    public static bool IsSupported => Library.IsAvailable;

    /// <summary>Gets the length of a key in bytes.</summary>
    public static KeySizes KeyByteSizes => KuznyechikMgm.KeyByteSizes;

    /// <summary>Starts a keystream of CTR-ACPKM.</summary>
    /// <param name="key">32 bytes, uniformly random; copied.</param>
    /// <param name="iv">8 bytes that no other message under this key has; copied.</param>
    /// <param name="sectionSizeInBytes">
    /// After so many bytes of keystream the key is replaced by one derived from it: a positive multiple of 16.
    /// </param>
    /// <returns>Where it starts.</returns>
    /// <exception cref="ArgumentException">One has another length.</exception>
    /// <exception cref="DllNotFoundException">The native library is missing.</exception>
    public static KuznyechikCtr CreateAcpkm(ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv, long sectionSizeInBytes) =>
        new(KuznyechikCtrHandle.Create(key, iv, sectionSizeInBytes));

    /// <summary>XORs the next bytes of the keystream into a buffer, which encrypts and decrypts alike; allocates nothing.</summary>
    /// <param name="buffer">The next bytes of the message.</param>
    /// <exception cref="ArgumentException">The keystream is not so long; the buffer is as it was.</exception>
    /// <exception cref="ObjectDisposedException">The keystream was disposed of.</exception>
    public unsafe void ApplyKeystream(Span<byte> buffer)
    {
        lock (_turn)
        {
            fixed (byte* bytes = buffer)
            {
                int status = NativeMethods.sivka_kuznyechik_ctr_apply_keystream(_handle.Enter(out bool alone), bytes, (nuint)buffer.Length);
                _handle.Leave(alone);
                Failure.Check(status, nameof(buffer));
            }
        }
    }

    /// <summary>Wipes the keystream. Calls that use it in other threads end before that; later ones fail.</summary>
    public void Dispose() => _handle.Dispose();
}
