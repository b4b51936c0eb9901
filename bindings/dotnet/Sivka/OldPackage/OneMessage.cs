using System;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka.ChaCha20BLAKE2;

/// <summary>
/// A key that seals or opens one message, as the old package has it. Its mistakes are found in that package's order and
/// have its exceptions.
/// </summary>
/// <remarks>The key has no object of the runtime's, whose finalizer would cost as much as sealing 16 bytes.</remarks>
internal static unsafe class OneMessage
{
    internal static byte[] Encrypt(
        AlgorithmFamily family, byte[] message, byte[] nonce, byte[] key, byte[]? additionalData, TagLength tagLength)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (message.Length == 0)
        {
            throw new ArgumentOutOfRangeException(nameof(message), 0, "At least 1 byte is expected.");
        }
        Algorithm algorithm = Checked(family, nonce, key, tagLength);
        byte[] ciphertext = AeadKey.NewArray(checked(message.Length + algorithm.TagLength));
        Failure.Check(Run(algorithm, seals: true, key, nonce, additionalData, message, ciphertext));
        return ciphertext;
    }

    internal static byte[] Decrypt(
        AlgorithmFamily family, byte[] ciphertext, byte[] nonce, byte[] key, byte[]? additionalData, TagLength tagLength)
    {
        ArgumentNullException.ThrowIfNull(ciphertext);
        if (ciphertext.Length <= (int)tagLength)
        {
            throw new ArgumentOutOfRangeException(
                nameof(ciphertext), ciphertext.Length, $"More than the {(int)tagLength} bytes of a tag are expected.");
        }
        Algorithm algorithm = Checked(family, nonce, key, tagLength);
        byte[] message = AeadKey.NewArray(ciphertext.Length - algorithm.TagLength);
        int status = Run(algorithm, seals: false, key, nonce, additionalData, ciphertext, message);
        if (status == Status.Open)
        {
            throw new CryptographicException("The message does not open.");
        }
        Failure.Check(status);
        return message;
    }

    /// <summary>The old package takes tags of any length from 16 to 64, for which its enumeration has no names.</summary>
    private static Algorithm Checked(AlgorithmFamily family, byte[] nonce, byte[] key, TagLength tagLength)
    {
        Algorithm first = family.Default;
        if (first.NonceLength > 0)
        {
            CheckLength(nonce, first.NonceLength, nameof(nonce));
        }
        CheckLength(key, first.KeyLength, nameof(key));
        return tagLength switch
        {
            TagLength.BLAKE2b256 => first,
            TagLength.BLAKE2b384 or TagLength.BLAKE2b512 => family.ForTag((int)tagLength, nameof(tagLength)),
            _ => throw new ArgumentOutOfRangeException(nameof(tagLength), tagLength, "Tags have 32, 48 or 64 bytes."),
        };
    }

    private static void CheckLength(byte[] bytes, int expected, string parameter)
    {
        ArgumentNullException.ThrowIfNull(bytes, parameter);
        if (bytes.Length != expected)
        {
            throw new ArgumentOutOfRangeException(parameter, bytes.Length, $"{expected} bytes are expected.");
        }
    }

    private static int Run(
        Algorithm algorithm, bool seals, byte[] key, byte[] nonce, byte[]? additionalData, byte[] input, byte[] output)
    {
        nint made = 0;
        nuint written;
        fixed (byte* keyBytes = key, nonceBytes = nonce, data = additionalData, from = input, to = output)
        {
            int status = NativeMethods.sivka_key_new(algorithm.Number, keyBytes, (nuint)key.Length, &made);
            if (status == Status.Ok)
            {
                var message = new sivka_message
                {
                    Nonce = nonceBytes is null ? keyBytes : nonceBytes,
                    NonceLen = (nuint)nonce.Length,
                    Aad = data,
                    AadLen = (nuint)(additionalData?.Length ?? 0),
                    Input = from,
                    InputLen = (nuint)input.Length,
                    Output = to,
                    OutputLen = (nuint)output.Length,
                };
                status = seals ? NativeMethods.sivka_seal(made, &message, &written) : NativeMethods.sivka_open(made, &message, &written);
                NativeMethods.sivka_key_free(made);
            }
            return status;
        }
    }
}
