using System;
using System.Diagnostics.CodeAnalysis;
using Sivka.Native;

namespace Sivka;

/// <summary>A key of an algorithm for authenticated encryption with associated data.</summary>
/// <remarks>
/// Any number of threads may use one key at the same time. The key is in native memory;
/// <see cref="Dispose"/> wipes it as soon as no call uses it any more, and the garbage collector does so
/// for a key that was forgotten.
/// </remarks>
public abstract class Aead : IDisposable
{
    private protected Aead(Algorithm algorithm, ReadOnlySpan<byte> key)
    {
        Algorithm = algorithm;
        Handle = KeyHandle.Create(GetType(), algorithm, key);
    }

    /// <summary>Gets the name of the algorithm, as <c>AES-256-GCM-SIV</c>.</summary>
    public string AlgorithmName => Algorithm.Name;

    /// <summary>Gets the length of a nonce in bytes; 0 for an algorithm that takes none.</summary>
    public int NonceSizeInBytes => Algorithm.NonceLength;

    /// <summary>Gets the length of a tag in bytes.</summary>
    public int TagSizeInBytes => Algorithm.TagLength;

    private protected Algorithm Algorithm { get; }

    internal KeyHandle Handle { get; }

    /// <summary>Wipes the key. Calls that use it in other threads end before that; later ones fail.</summary>
    public void Dispose()
    {
        Handle.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Nonce, ciphertext and tag in a new array.</summary>
    private protected byte[] SealToArray(ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData)
    {
        byte[] sealedMessage = NewArray(Algorithm.SealedLength(plaintext.Length));
        Failure.Check(Message.Seal(Handle, plaintext, sealedMessage, associatedData, out _));
        return sealedMessage;
    }

    private protected byte[] SealToArray(byte[] plaintext, byte[]? associatedData)
    {
        ArgumentNullException.ThrowIfNull(plaintext);
        return SealToArray((ReadOnlySpan<byte>)plaintext, associatedData);
    }

    private protected int SealToSpan(ReadOnlySpan<byte> plaintext, Span<byte> destination, ReadOnlySpan<byte> associatedData)
    {
        int status = Message.Seal(Handle, plaintext, destination, associatedData, out int written);
        Failure.Check(status, "sealed", nameof(destination));
        return written;
    }

    private protected byte[] OpenToArray(ReadOnlySpan<byte> sealedMessage, ReadOnlySpan<byte> associatedData) =>
        TryOpenToArray(sealedMessage, associatedData, out byte[]? plaintext) ? plaintext : throw Failure.Forged();

    private protected byte[] OpenToArray(byte[] sealedMessage, byte[]? associatedData)
    {
        ArgumentNullException.ThrowIfNull(sealedMessage);
        return OpenToArray((ReadOnlySpan<byte>)sealedMessage, associatedData);
    }

    private protected bool TryOpenToArray(
        ReadOnlySpan<byte> sealedMessage,
        ReadOnlySpan<byte> associatedData,
        [NotNullWhen(true)] out byte[]? plaintext)
    {
        byte[] opened = new byte[Algorithm.OpenedLength(sealedMessage.Length)];
        plaintext = TryOpenToSpan(sealedMessage, opened, associatedData, out _) ? opened : null;
        return plaintext is not null;
    }

    private protected bool TryOpenToSpan(
        ReadOnlySpan<byte> sealedMessage,
        Span<byte> destination,
        ReadOnlySpan<byte> associatedData,
        out int written)
    {
        int status = Message.Open(Handle, sealedMessage, destination, associatedData, out written);
        if (status == Status.Open)
        {
            return false;
        }
        Failure.Check(status, "plaintext", nameof(destination));
        return true;
    }

    /// <summary>Whether a message opened; what else went wrong is thrown.</summary>
    private protected static bool Opened(int status)
    {
        if (status == Status.Open)
        {
            return false;
        }
        Failure.Check(status);
        return true;
    }

    /// <summary>Ciphertext and tag in a new array.</summary>
    internal byte[] EncryptJoined(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plaintext, ReadOnlySpan<byte> associatedData)
    {
        byte[] ciphertext = NewArray(Algorithm.CiphertextAndTagLength(plaintext.Length));
        Failure.Check(Message.SealWithNonce(Handle, nonce, plaintext, ciphertext, associatedData));
        return ciphertext;
    }

    /// <summary>The plaintext, or null for a forgery.</summary>
    internal byte[]? DecryptJoined(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> ciphertext, ReadOnlySpan<byte> associatedData)
    {
        byte[] plaintext = NewArray(Algorithm.PlaintextLength(ciphertext.Length));
        int status = Message.OpenWithNonce(Handle, nonce, ciphertext, plaintext, associatedData);
        if (status == Status.Open)
        {
            return null;
        }
        Failure.Check(status);
        return plaintext;
    }

    /// <summary>An array that is written in whole, or thrown away.</summary>
    private protected static byte[] NewArray(int length)
    {
#if NET
        return GC.AllocateUninitializedArray<byte>(length);
#else
        return new byte[length];
#endif
    }
}
