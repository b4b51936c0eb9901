using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Sivka.Benchmark;

/// <summary>What a call costs outside the C interface, and what batches save.</summary>
internal static unsafe class Crossing
{
    /// <summary>Sealing 16 bytes through the package, and through a bare function pointer with everything pinned.</summary>
    internal static List<(string Name, Action Call)> At16()
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = new byte[12], text = new byte[16], tag = new byte[16], output = new byte[16];
        var aead = new AesGcmSiv(key);
        nint library = NativeLibrary.Load("sivka", typeof(Aead).Assembly, null);
        var make = (delegate* unmanaged<uint, byte*, nuint, nint*, int>)NativeLibrary.GetExport(library, "sivka_key_new");
        nint address = NativeLibrary.GetExport(library, "sivka_seal_detached");
        nint made = Make(make, key);
        byte* memory = (byte*)NativeMemory.AllocZeroed(64);
        nint nothing = NativeLibrary.GetExport(library, "sivka_abi_version");
        return
        [
            ("Sivka, Encrypt with spans", () => aead.Encrypt(nonce.AsSpan(), text, output, tag)),
            ("bare call, pinned, with the transition", () => Seal(address, made, memory)),
            ("bare call, pinned, without the transition", () => SealSuppressed(address, made, memory)),
            ("a call that does nothing", () => ((delegate* unmanaged<uint>)nothing)()),
            ("no call", () => { }),
        ];
    }

    private static nint Make(delegate* unmanaged<uint, byte*, nuint, nint*, int> make, byte[] key)
    {
        nint made;
        fixed (byte* bytes = key)
        {
            // SIVKA_AES_256_GCM_SIV
            Check.That(make(2, bytes, 32, &made) == 0);
        }
        return made;
    }

    private static void Seal(nint address, nint key, byte* memory) =>
        Check.That(((delegate* unmanaged<nint, byte*, nuint, byte*, nuint, byte*, nuint, byte*, nuint, byte*, nuint, int>)address)(
            key, memory, 12, null, 0, memory + 16, 16, memory + 32, 16, memory + 48, 16) == 0);

    private static void SealSuppressed(nint address, nint key, byte* memory) =>
        Check.That(((delegate* unmanaged[SuppressGCTransition]<nint, byte*, nuint, byte*, nuint, byte*, nuint, byte*, nuint, byte*, nuint, int>)address)(
            key, memory, 12, null, 0, memory + 16, 16, memory + 32, 16, memory + 48, 16) == 0);

    /// <summary>A million messages of 64 bytes: a loop over the platform's AesGcm, over ours, and one batch.</summary>
    internal static List<(string Name, Action Call)> Million(int count)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), texts = new byte[64 * count], tags = new byte[16 * count];
        byte[] nonces = RandomNumberGenerator.GetBytes(12 * count);
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++)
        {
            offsets[i + 1] = offsets[i] + 64;
        }
        var platform = new AesGcm(key, 16);
        var ours = new AesGcmSiv(key);
        return
        [
            ("a loop over AesGcm", () =>
            {
                for (int i = 0; i < count; i++)
                {
                    Span<byte> text = texts.AsSpan(64 * i, 64);
                    platform.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
                }
            }),
            ("a loop over Sivka", () =>
            {
                for (int i = 0; i < count; i++)
                {
                    Span<byte> text = texts.AsSpan(64 * i, 64);
                    ours.Encrypt(nonces.AsSpan(12 * i, 12), text, text, tags.AsSpan(16 * i, 16));
                }
            }),
            ("one batch of Sivka", () => ours.EncryptBatch(nonces, texts, offsets, tags)),
        ];
    }
}
