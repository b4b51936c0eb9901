using System;
using System.Security.Cryptography;

namespace Sivka.Native;

/// <summary>An algorithm of the native library, with its lengths in bytes, which are asked for once.</summary>
internal sealed class Algorithm
{
    private unsafe Algorithm(string name, uint number)
    {
        sivka_algorithm_info* info = NativeMethods.sivka_inspect_algorithm(number);
        (Name, Number, KeyLength, NonceLength, TagLength) = (name, number, (int)info->KeyLen, (int)info->NonceLen, (int)info->TagLen);
    }

    internal string Name { get; }

    internal uint Number { get; }

    internal int KeyLength { get; }

    internal int NonceLength { get; }

    internal int TagLength { get; }

    internal static Algorithm Named(string name)
    {
        Library.Load();
        Failure.Check(NativeMethods.sivka_algorithm_from_name(Text.OfName(name, nameof(name)), out uint number));
        return new Algorithm(name, number);
    }

    /// <summary>The length of the output of <c>Seal</c>.</summary>
    internal int SealedLength(int plaintextLength)
    {
        long length = NotNegative(plaintextLength, nameof(plaintextLength)) + NonceLength + TagLength;
        return length > int.MaxValue ? throw TooLong(nameof(plaintextLength), plaintextLength) : (int)length;
    }

    /// <summary>The length of the output of <c>Open</c>; 0 also for a message that is too short.</summary>
    internal int OpenedLength(int sealedLength) =>
        (int)Math.Max(0, NotNegative(sealedLength, nameof(sealedLength)) - NonceLength - TagLength);

    internal byte[] GenerateKey()
    {
        byte[] key = new byte[KeyLength];
        Failure.Check(NativeMethods.sivka_generate_key(Number, key));
        return key;
    }

    internal void GenerateNonces(Span<byte> nonces) => Failure.Check(NativeMethods.sivka_random_nonces(Number, nonces));

    internal static long NotNegative(long given, string name) =>
        given < 0 ? throw new ArgumentOutOfRangeException(name, given, "A length is not negative.") : given;

    internal static ArgumentOutOfRangeException TooLong(string name, int given) =>
        new(name, given, "No array is so long as this message would be when sealed.");
}

/// <summary>The algorithms behind one class: they differ in the length of the key or of the tag.</summary>
internal sealed class AlgorithmFamily
{
    private readonly string[] _names;
    private Algorithm[]? _members;

    /// <summary>The default is named first.</summary>
    internal AlgorithmFamily(params string[] names) => _names = names;

    internal Algorithm Default => Members[0];

    internal KeySizes NonceSizes => Sizes(static algorithm => algorithm.NonceLength);

    internal KeySizes TagSizes => Sizes(static algorithm => algorithm.TagLength);

    /// <summary>Not in the constructor: a failure there would come as one to initialise a type.</summary>
    private Algorithm[] Members => _members ??= Array.ConvertAll(_names, Algorithm.Named);

    internal Algorithm ForKey(int keyLength, string parameter) =>
        Array.Find(Members, algorithm => algorithm.KeyLength == keyLength)
        ?? throw Unknown("key", static algorithm => algorithm.KeyLength, keyLength, parameter);

    internal Algorithm ForTag(int tagLength, string parameter) =>
        Array.Find(Members, algorithm => algorithm.TagLength == tagLength)
        ?? throw Unknown("tag", static algorithm => algorithm.TagLength, tagLength, parameter);

    private ArgumentException Unknown(string what, Func<Algorithm, int> length, int given, string parameter) =>
        new($"{what}: {string.Join(" or ", Array.ConvertAll(Members, algorithm => $"{length(algorithm)}"))} expected, {given} given", parameter);

    /// <summary>The lengths in the form that <c>System.Security.Cryptography</c> has for them.</summary>
    private KeySizes Sizes(Func<Algorithm, int> length)
    {
        int[] lengths = Array.ConvertAll(Members, algorithm => length(algorithm));
        Array.Sort(lengths);
        int least = lengths[0];
        int next = Array.Find(lengths, one => one > least);
        return new KeySizes(least, lengths[lengths.Length - 1], next == 0 ? 0 : next - least);
    }
}
