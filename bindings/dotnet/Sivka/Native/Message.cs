using System;
using System.Runtime.CompilerServices;

namespace Sivka.Native;

/// <summary>Calls with one message.</summary>
internal static unsafe class Message
{
    /// <summary>A random nonce is in front, or detached, nonce and tag are the caller's. What is the caller's may be empty.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Run(
        bool seals, KeyHandle key, ReadOnlySpan<byte> data, ReadOnlySpan<byte> input, ReadOnlySpan<byte> output, out nuint written,
        bool isDetached = false, ReadOnlySpan<byte> nonce = default, ReadOnlySpan<byte> tag = default, PinnedList? list = null)
    {
        fixed (byte* nonceStart = nonce, dataStart = data, from = input, to = output, tagStart = tag)
        fixed (nint* aads = list?.Addresses)
        fixed (nuint* lengths = list?.Lengths)
        {
            byte nothing;
            byte* noString;
            var message = new sivka_message
            {
                Nonce = isDetached && nonceStart is null ? &nothing : nonceStart,
                NonceLen = (nuint)nonce.Length,
                Aad = dataStart,
                AadLen = (nuint)data.Length,
                Aads = list is not null && aads is null ? &noString : (byte**)aads,
                AadLens = lengths,
                AadCount = (nuint)(list?.Count ?? 0),
                Input = from,
                InputLen = (nuint)input.Length,
                Output = to,
                OutputLen = (nuint)output.Length,
                Tag = isDetached && tagStart is null ? &nothing : tagStart,
                TagLen = (nuint)tag.Length,
            };
            return seals ? NativeMethods.sivka_seal(key, &message, out written) : NativeMethods.sivka_open(key, &message, out written);
        }
    }
}
