using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Sivka.Benchmark;

/// <summary>What a call costs beside sealing: outside the C interface, and for each of many messages.</summary>
internal static unsafe class Calls
{
    internal const int BatchedLength = 64;

    /// <summary>SIVKA_AES_256_GCM_SIV.</summary>
    private const uint Aes256GcmSiv = 2;

    /// <summary>
    /// Sealing 16 bytes through the package, and through a bare function pointer with the same arrays, which never
    /// move; and what entering native code and leaving it costs.
    /// </summary>
    internal static List<Contender> Crossing()
    {
        byte[] key = RandomNumberGenerator.GetBytes(32);
        byte[] nonce = Fixed(12), text = Fixed(16), output = Fixed(16), tag = Fixed(16), withNonce = Fixed(44);
        nint n = Address(nonce), p = Address(text), c = Address(output), t = Address(tag);
        var aead = new AesGcmSiv(key);
        nint library = NativeLibrary.Load("sivka", typeof(Aead).Assembly, null);
        nint seal = NativeLibrary.GetExport(library, "sivka_seal_detached");
        nint nothing = NativeLibrary.GetExport(library, "sivka_abi_version");
        nint made;
        fixed (byte* bytes = key)
        {
            Contender.That(((delegate* unmanaged<uint, byte*, nuint, nint*, int>)NativeLibrary.GetExport(library, "sivka_key_new"))(
                Aes256GcmSiv, bytes, 32, &made) == 0);
        }
        nint entered = made;
        return
        [
            Way("Sivka", () => aead.Encrypt(nonce.AsSpan(), text, output, tag)),
            Way("Sivka that draws a nonce", () => Contender.That(aead.SealTo(text.AsSpan(), withNonce) == 44)),
            Way("bare call", () => Contender.That(((delegate* unmanaged<nint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, int>)seal)(
                entered, n, 12, 0, 0, p, 16, c, 16, t, 16) == 0)),
            Way("native call of nothing", () => ((delegate* unmanaged<uint>)nothing)()),
            Way("no call", () => { }),
        ];
    }

    /// <summary>Many messages in one buffer: a loop over the platform's AesGcm, over ours, and one batch.</summary>
    internal static List<Contender> Batch(int count)
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), texts = new byte[BatchedLength * count], tags = new byte[16 * count];
        byte[] nonces = RandomNumberGenerator.GetBytes(12 * count);
        int[] offsets = [.. Enumerable.Range(0, count + 1).Select(i => BatchedLength * i)];
        var platform = new AesGcm(key, 16);
        var ours = new AesGcmSiv(key);
        return
        [
            Batched("a loop over AesGcm", "yardstick", "aes-256-gcm", () => Each((nonce, text, tag) => platform.Encrypt(nonce, text, text, tag))),
            Batched("a loop over Sivka", "ours", "aes-256-gcm-siv", () => Each((nonce, text, tag) => ours.Encrypt(nonce, text, text, tag))),
            Batched("one batch of Sivka", "ours", "aes-256-gcm-siv", () => ours.EncryptBatch(nonces, texts, offsets, tags)),
        ];

        void Each(Encrypting encrypt)
        {
            for (int i = 0; i < count; i++)
            {
                encrypt(nonces.AsSpan(12 * i, 12), texts.AsSpan(BatchedLength * i, BatchedLength), tags.AsSpan(16 * i, 16));
            }
        }

        // They work in place, on what the one before has left: compared is what they make of zeros.
        Contender Batched(string name, string kind, string algorithm, Action call) => new(name, kind, algorithm, call)
        {
            Sealed = () =>
            {
                Array.Clear(texts);
                call();
                return [.. texts, .. tags];
            },
        };
    }

    private delegate void Encrypting(ReadOnlySpan<byte> nonce, Span<byte> text, Span<byte> tag);

    private static Contender Way(string name, Action call) => new(name, "ours", name, call);

    private static byte[] Fixed(int length) => GC.AllocateArray<byte>(length, pinned: true);

    private static nint Address(byte[] array) => Marshal.UnsafeAddrOfPinnedArrayElement(array, 0);
}
