namespace Sivka.Native;

/// <summary>What a native call answers: <c>SIVKA_ERROR_*</c> of <c>sivka.h</c>, with which a test compares it.</summary>
internal static class Status
{
    internal const int Ok = 0;
    internal const int Open = 1;
    internal const int Batch = 2;

    internal const int Capacity = 18;
    internal const int UsageBound = 32;
    internal const int KeyState = 37;
    internal const int Primitive = 38;

    internal const int NoMemory = 66;
    internal const int Internal = 67;

    internal const int NotSivka = 96;
    internal const int Newer = 97;
    internal const int Damaged = 98;
    internal const int Truncated = 99;
    internal const int WrongKey = 100;
    internal const int CostLimit = 101;
    internal const int FileTooLong = 102;
    internal const int KeyFile = 103;
    internal const int Read = 104;
    internal const int Write = 105;
    internal const int Exists = 106;
    internal const int Cancelled = 107;
    internal const int Keyset = 108;
    internal const int KeyType = 109;

    /// <summary>16 to 63: the call is wrong, and will be wrong again.</summary>
    internal static bool IsMisuse(int status) => status is >= 16 and <= 63;
}
