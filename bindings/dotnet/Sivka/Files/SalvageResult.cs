using System.Collections.Generic;
using Sivka.Native;

namespace Sivka;

/// <summary>What <see cref="SealedFile.Salvage"/> found in a damaged file.</summary>
public sealed class SalvageResult
{
    internal SalvageResult(in NativeSalvage found, IReadOnlyList<LostRange> lost)
    {
        IntactLength = (long)found.IntactLength;
        LostLength = (long)found.LostLength;
        Lost = lost;
        PlaintextLength = found.PlaintextLength == ulong.MaxValue ? null : (long)found.PlaintextLength;
        Opens = found.OpenStatus == Status.Ok;
        ContentIsWhole = found.ContentIsWhole != 0;
        EndIsMissing = found.EndIsMissing != 0;
        HeaderIsDamaged = found.HeaderIsDamaged != 0;
        CommitmentIsDamaged = found.CommitmentIsDamaged != 0;
    }

    /// <summary>Gets how many bytes of plaintext were intact, and are in the output.</summary>
    public long IntactLength { get; }

    /// <summary>Gets how many bytes of zeros are in the place of plaintext that is lost.</summary>
    public long LostLength { get; }

    /// <summary>Gets where they are, in their order.</summary>
    public IReadOnlyList<LostRange> Lost { get; }

    /// <summary>Gets the length of the plaintext, if the last chunk is intact and proves it; else null.</summary>
    public long? PlaintextLength { get; }

    /// <summary>Gets whether nothing is wrong with the file: <see cref="SealedFile.Open(string, string, FileKeys, SealedFileOptions)"/> opens it.</summary>
    public bool Opens { get; }

    /// <summary>
    /// Gets whether all of the plaintext was recovered and proved: the output is what was sealed, whatever is wrong with
    /// the header.
    /// </summary>
    public bool ContentIsWhole { get; }

    /// <summary>Gets whether the end is missing, and how much followed cannot be known.</summary>
    public bool EndIsMissing { get; }

    /// <summary>Gets whether the header was changed.</summary>
    public bool HeaderIsDamaged { get; }

    /// <summary>Gets whether the commitment to the key, after the header, was changed.</summary>
    public bool CommitmentIsDamaged { get; }

    /// <summary>How much is there and how much is lost.</summary>
    /// <returns>A few words.</returns>
    public override string ToString() => ContentIsWhole
        ? $"{IntactLength} bytes, nothing lost"
        : $"{IntactLength} bytes intact, {LostLength} lost{(EndIsMissing ? ", the end is missing" : "")}";
}

/// <summary>Some bytes of the plaintext that are lost.</summary>
public sealed class LostRange
{
    internal LostRange(long start, long length)
    {
        Start = start;
        Length = length;
    }

    /// <summary>Gets where the first one is.</summary>
    public long Start { get; }

    /// <summary>Gets how many they are.</summary>
    public long Length { get; }

    /// <summary>The first one, and how many.</summary>
    /// <returns>A few words.</returns>
    public override string ToString() => $"{Length} bytes from {Start}";
}
