using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using Xunit;
using Old = ChaCha20BLAKE2;
using Ours = Sivka.ChaCha20BLAKE2;

namespace Sivka.Tests;

/// <summary>One list of programs, played with the package ChaCha20BLAKE2b 2.0.1 and with ours.</summary>
public sealed class OldPackageTests
{
    private static readonly Package[] s_old =
        [new(typeof(Old.ChaCha20BLAKE2b)), new(typeof(Old.XChaCha20BLAKE2b)), new(typeof(Old.XChaCha20BLAKE2bSIV))];

    private static readonly Package[] s_ours =
        [new(typeof(Ours.ChaCha20BLAKE2b)), new(typeof(Ours.XChaCha20BLAKE2b)), new(typeof(Ours.XChaCha20BLAKE2bSIV))];

    /// <summary>A class of either package: calls and constants have the same names in both.</summary>
    private sealed class Package(Type type)
    {
        internal int KeySize { get; } = (int)type.GetField("KeySize")!.GetRawConstantValue()!;

        /// <summary>0 where there is none.</summary>
        internal int NonceSize { get; } = (int?)type.GetField("NonceSize")?.GetRawConstantValue() ?? 0;

        internal byte[] Encrypt(byte[] text, byte[] nonce, byte[] key, byte[]? data, int tagLength) =>
            Call(nameof(Encrypt), text, nonce, key, data, tagLength);

        internal byte[] Decrypt(byte[] text, byte[] nonce, byte[] key, byte[]? data, int tagLength) =>
            Call(nameof(Decrypt), text, nonce, key, data, tagLength);

        private byte[] Call(string name, byte[] text, byte[] nonce, byte[] key, byte[]? data, int tagLength)
        {
            MethodInfo method = type.GetMethod(name)!;
            object length = Enum.ToObject(method.GetParameters()[^1].ParameterType, tagLength);
            object?[] arguments = NonceSize == 0 ? [text, key, data, length] : [text, nonce, key, data, length];
            return (byte[])method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, arguments, null)!;
        }
    }

    public static IEnumerable<TheoryDataRow<int, int>> Programs =>
        from algorithm in Enumerable.Range(0, 3)
        from tagLength in new[] { 32, 48, 64 }
        select new TheoryDataRow<int, int>(algorithm, tagLength);

    [Fact]
    public void NamesAndNumbersAreTheSame()
    {
        Assert.Equal(s_old.Select(one => (one.KeySize, one.NonceSize)), s_ours.Select(one => (one.KeySize, one.NonceSize)));
        Assert.Equal(Enum.GetNames<Old.TagLength>(), Enum.GetNames<Ours.TagLength>());
        Assert.Equal(Enum.GetValues<Old.TagLength>().Select(one => (int)one), Enum.GetValues<Ours.TagLength>().Select(one => (int)one));
        Assert.Equal(Ours.ChaCha20BLAKE2b.NonceSize, ChaCha20Blake2b.NonceByteSizes.MinSize);
        Assert.Equal(Ours.XChaCha20BLAKE2b.NonceSize, XChaCha20Blake2b.NonceByteSizes.MinSize);
        byte[] key = new byte[32], text = [1];
        Assert.Equal(Old.ChaCha20BLAKE2b.Encrypt(text, new byte[8], key), Ours.ChaCha20BLAKE2b.Encrypt(text, new byte[8], key));
        Assert.Equal(Old.XChaCha20BLAKE2bSIV.Encrypt(text, key), Ours.XChaCha20BLAKE2bSIV.Encrypt(text, key));
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void BytesGoBothWays(int algorithm, int tagLength)
    {
        (Package old, Package ours) = (s_old[algorithm], s_ours[algorithm]);
        foreach (int length in new[] { 1, 15, 16, 63, 64, 65, 128, 129, 500, 4096, 70_001 })
        {
            foreach (byte[]? data in new[] { null, [], RandomNumberGenerator.GetBytes(1), RandomNumberGenerator.GetBytes(200) })
            {
                byte[] text = RandomNumberGenerator.GetBytes(length), key = RandomNumberGenerator.GetBytes(32);
                byte[] nonce = RandomNumberGenerator.GetBytes(old.NonceSize);
                byte[] theirs = old.Encrypt(text, nonce, key, data, tagLength);
                byte[] mine = ours.Encrypt(text, nonce, key, data, tagLength);
                Assert.Equal(theirs, mine);
                Assert.Equal(text, ours.Decrypt(theirs, nonce, key, data, tagLength));
                Assert.Equal(text, old.Decrypt(mine, nonce, key, data, tagLength));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void MistakesHaveTheSameExceptions(int algorithm, int tagLength)
    {
        byte[] text = new byte[20], nonce = new byte[s_old[algorithm].NonceSize], key = new byte[32];
        byte[] made = s_old[algorithm].Encrypt(text, nonce, key, null, tagLength), forged = (byte[])made.Clone();
        forged[3] ^= 1;
        (string What, Func<Package, byte[]> Play)[] programs =
        [
            ("null message", one => one.Encrypt(null!, nonce, key, null, tagLength)),
            ("empty message", one => one.Encrypt([], nonce, key, null, tagLength)),
            ("null key", one => one.Encrypt(text, nonce, null!, null, tagLength)),
            ("short key", one => one.Encrypt(text, nonce, new byte[31], null, tagLength)),
            ("long key", one => one.Decrypt(made, nonce, new byte[33], null, tagLength)),
            ("null ciphertext", one => one.Decrypt(null!, nonce, key, null, tagLength)),
            ("empty ciphertext", one => one.Decrypt([], nonce, key, null, tagLength)),
            ("only a tag", one => one.Decrypt(new byte[tagLength], nonce, key, null, tagLength)),
            ("forged", one => one.Decrypt(forged, nonce, key, null, tagLength)),
            ("other data", one => one.Decrypt(made, nonce, key, [1], tagLength)),
            ("other key", one => one.Decrypt(made, nonce, [.. key.Select(_ => (byte)1)], null, tagLength)),
        ];
        if (nonce.Length != 0)
        {
            programs =
            [
                .. programs,
                ("null nonce", one => one.Encrypt(text, null!, key, null, tagLength)),
                ("short nonce", one => one.Encrypt(text, new byte[nonce.Length - 1], key, null, tagLength)),
                ("long nonce", one => one.Decrypt(made, new byte[nonce.Length + 1], key, null, tagLength)),
                ("all wrong", one => one.Encrypt([], [], [], null, tagLength)),
                ("nonce and key wrong", one => one.Decrypt(made, [], [], null, tagLength)),
            ];
        }
        foreach ((string what, Func<Package, byte[]> play) in programs)
        {
            Exception? theirs = Record.Exception(() => play(s_old[algorithm])), mine = Record.Exception(() => play(s_ours[algorithm]));
            Assert.NotNull(theirs);
            Assert.True(theirs.GetType() == mine?.GetType(), $"{what}: {theirs} and {mine}");
            Assert.Equal((theirs as ArgumentException)?.ParamName, (mine as ArgumentException)?.ParamName);
        }
    }

    [Fact]
    public void OtherTagLengthsAreRefused()
    {
        ArgumentException failure = Assert.Throws<ArgumentOutOfRangeException>(
            () => Ours.XChaCha20BLAKE2b.Encrypt([1], new byte[24], new byte[32], null, (Ours.TagLength)20));
        Assert.Equal("tagLength", failure.ParamName);
    }

#if AES_GCM_SIV_PORT
    [Fact]
    public void TheOldAesGcmSivHasTheSameBytes()
    {
        byte[] key = RandomNumberGenerator.GetBytes(32), nonce = RandomNumberGenerator.GetBytes(12);
        using var old = new global::Cryptography.AesGcmSiv(key);
        using var ours = new AesGcmSiv(key);
        foreach (int length in new[] { 0, 1, 15, 16, 17, 64, 127, 128, 129, 1000, 20_000 })
        {
            byte[] text = RandomNumberGenerator.GetBytes(length), data = RandomNumberGenerator.GetBytes(length % 50);
            byte[] theirs = new byte[length], mine = new byte[length], theirTag = new byte[16], myTag = new byte[16];
            old.Encrypt(nonce, text, theirs, theirTag, data);
            ours.Encrypt(nonce, text, mine, myTag, data);
            Assert.Equal(theirs, mine);
            Assert.Equal(theirTag, myTag);
            byte[] opened = new byte[length];
            old.Decrypt(nonce, mine, myTag, opened, data);
            Assert.Equal(text, opened);
            ours.Decrypt(nonce, theirs, theirTag, opened, data);
            Assert.Equal(text, opened);
        }
    }
#endif
}
