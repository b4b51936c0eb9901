using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>What was found in a damaged file: <c>sivka_salvage</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeSalvage
{
    internal ulong IntactChunks;
    internal ulong LostChunks;
    internal ulong IntactLength;
    internal ulong LostLength;
    internal ulong PlaintextLength;
    internal int OpenStatus;
    internal byte ContentIsWhole;
    internal byte EndIsMissing;
    internal byte HeaderIsDamaged;
    internal byte CommitmentIsDamaged;
}
