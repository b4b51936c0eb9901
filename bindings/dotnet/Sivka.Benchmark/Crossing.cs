using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Sivka.Benchmark;

/// <summary>What a call costs outside the C interface.</summary>
internal static unsafe class Crossing
{
    /// <summary>SIVKA_AES_256_GCM_SIV.</summary>
    private const uint Aes256GcmSiv = 2;

    /// <summary>
    /// Sealing 16 bytes through the package, and through a bare function pointer with the same arrays, which never
    /// move. The last but one is what entering native code and leaving it costs.
    /// </summary>
    internal static List<(string Name, Action Call)> At16()
    {
        byte[] key = RandomNumberGenerator.GetBytes(32);
        byte[] nonce = Fixed(12), text = Fixed(16), output = Fixed(16), tag = Fixed(16), withNonce = Fixed(44);
        nint n = Address(nonce), p = Address(text), c = Address(output), t = Address(tag);
        var aead = new AesGcmSiv(key);
        nint library = NativeLibrary.Load("sivka", typeof(Aead).Assembly, null);
        nint seal = NativeLibrary.GetExport(library, "sivka_seal_detached");
        nint nothing = NativeLibrary.GetExport(library, "sivka_abi_version");
        nint made = Make(NativeLibrary.GetExport(library, "sivka_key_new"), key);
        return
        [
            ("Sivka", () => aead.Encrypt(nonce.AsSpan(), text, output, tag)),
            ("Sivka, nonce drawn", () => Check.That(aead.SealTo(text.AsSpan(), withNonce) == 44)),
            ("bare call", () => Check.That(((delegate* unmanaged<nint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, int>)seal)(
                made, n, 12, 0, 0, p, 16, c, 16, t, 16) == 0)),
            ("bare call, collector waits", () => Check.That(((delegate* unmanaged[SuppressGCTransition]<nint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, nint, nuint, int>)seal)(
                made, n, 12, 0, 0, p, 16, c, 16, t, 16) == 0)),
            ("native call of nothing", () => ((delegate* unmanaged<uint>)nothing)()),
            ("no call", () => { }),
        ];
    }

    private static byte[] Fixed(int length) => GC.AllocateArray<byte>(length, pinned: true);

    private static nint Address(byte[] array) => Marshal.UnsafeAddrOfPinnedArrayElement(array, 0);

    private static nint Make(nint make, byte[] key)
    {
        nint made;
        fixed (byte* bytes = key)
        {
            Check.That(((delegate* unmanaged<uint, byte*, nuint, nint*, int>)make)(Aes256GcmSiv, bytes, 32, &made) == 0);
        }
        return made;
    }
}
