using System;
#if !NET
using Sivka.Native;
#endif

namespace Sivka.ChaCha20BLAKE2;

/// <summary>The mistakes that the old package finds, in its order and with its exceptions.</summary>
internal static class Arguments
{
    internal static void Message(byte[] message)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (message.Length == 0)
        {
            throw new ArgumentOutOfRangeException(nameof(message), 0, "At least 1 byte is expected.");
        }
    }

    internal static void Ciphertext(byte[] ciphertext, TagLength tagLength)
    {
        ArgumentNullException.ThrowIfNull(ciphertext);
        if (ciphertext.Length <= (int)tagLength)
        {
            throw new ArgumentOutOfRangeException(
                nameof(ciphertext), ciphertext.Length, $"More than the {(int)tagLength} bytes of a tag are expected.");
        }
    }

    internal static void Length(byte[] bytes, int expected, string parameter)
    {
        ArgumentNullException.ThrowIfNull(bytes, parameter);
        if (bytes.Length != expected)
        {
            throw new ArgumentOutOfRangeException(parameter, bytes.Length, $"{expected} bytes are expected.");
        }
    }

    /// <summary>The old package takes any number from 16 to 64, which its enumeration has no names for.</summary>
    internal static int TagLength(TagLength tagLength) =>
        tagLength is ChaCha20BLAKE2.TagLength.BLAKE2b256 or ChaCha20BLAKE2.TagLength.BLAKE2b384 or ChaCha20BLAKE2.TagLength.BLAKE2b512
            ? (int)tagLength
            : throw new ArgumentOutOfRangeException(nameof(tagLength), tagLength, "Tags have 32, 48 or 64 bytes.");
}
