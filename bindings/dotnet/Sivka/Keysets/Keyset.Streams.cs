using System;
using System.IO;
using System.Security.Cryptography;
using Sivka.Native;

namespace Sivka;

/// <content>Keysets for streams, which Tink's <c>StreamingAead</c> has too.</content>
public sealed partial class Keyset
{
    /// <summary>Begins a stream that the primary key seals. Nothing is written before a segment is full.</summary>
    /// <param name="output">Gets the sealed stream.</param>
    /// <param name="associatedData">Data that is authenticated and not in the sealed stream.</param>
    /// <param name="leaveOpen">Whether <paramref name="output"/> stays open when the new stream is closed.</param>
    /// <returns>
    /// A stream that seals the bytes written to it. Only <see cref="SealingStream.Complete"/> ends it; without that it
    /// does not open to its end. The keyset may be changed or disposed of before.
    /// </returns>
    /// <exception cref="ArgumentException"><paramref name="output"/> cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    /// <exception cref="InvalidDataException">The enabled keys are for different purposes.</exception>
    public SealingStream CreateSealingStream(
        Stream output, ReadOnlySpan<byte> associatedData = default, bool leaveOpen = false)
    {
        byte[] data = associatedData.ToArray();
        return With(state => new SealingStream(output, Flow.Sealing(state.Keyset, data), leaveOpen));
    }

    /// <summary>Begins to open a stream that an enabled key sealed, here or in any Tink.</summary>
    /// <param name="input">The sealed stream, from its position. Nothing is read before the first call that reads.</param>
    /// <param name="associatedData">The associated data that it was sealed with.</param>
    /// <param name="leaveOpen">Whether <paramref name="input"/> stays open when the new stream is closed.</param>
    /// <returns>
    /// A stream of authentic plaintext; only its end shows that it was all. A read that reaches a part that does not
    /// open throws an <see cref="AuthenticationTagMismatchException"/>. The keyset may be changed or disposed of
    /// before.
    /// </returns>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot be read.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose.</exception>
    /// <exception cref="InvalidDataException">The enabled keys are for different purposes.</exception>
    public OpeningStream CreateOpeningStream(
        Stream input, ReadOnlySpan<byte> associatedData = default, bool leaveOpen = false)
    {
        byte[] data = associatedData.ToArray();
        return With(state => new OpeningStream(input, Flow.Opening(state.Keyset, data), leaveOpen));
    }
}
