using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>CTR, CTR-ACPKM and OMAC beyond their published vectors, which the matrix plays.</summary>
public sealed class KuznyechikModesTests
{
    private static readonly byte[] s_key = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
    private static readonly byte[] s_iv = [.. Enumerable.Range(0, 8).Select(i => (byte)i)];

    [Fact]
    public void KeystreamsGoOnWhereTheyStand()
    {
        foreach (Func<KuznyechikCtr> start in new Func<KuznyechikCtr>[] { () => new(s_key, s_iv), () => KuznyechikCtr.CreateAcpkm(s_key, s_iv, 48) })
        {
            byte[] whole = new byte[100_000], pieces = new byte[whole.Length];
            using KuznyechikCtr one = start(), other = start();
            one.ApplyKeystream(whole);
            int[] lengths = [0, 1, 15, 16, 17, 1000, 70_000];
            for (int at = 0, turn = 0; at < pieces.Length; turn++)
            {
                int length = Math.Min(lengths[turn % lengths.Length], pieces.Length - at);
                other.ApplyKeystream(pieces.AsSpan(at, length));
                at += length;
            }
            Assert.Equal(whole, pieces);
            Assert.Equal(whole.Length / 16, whole.Chunk(16).Select(Convert.ToHexString).Distinct().Count());
        }
    }

    [Fact]
    public void KeystreamsSayWhatIsWrong()
    {
        Null("key", () => new KuznyechikCtr(null!, s_iv));
        Null("iv", () => new KuznyechikCtr(s_key, null!));
        Wrong("key", "32 expected, 31 given", () => new KuznyechikCtr(new byte[31], s_iv));
        Wrong("key", "32 expected, 33 given", () => KuznyechikCtr.CreateAcpkm(new byte[33], s_iv, 48));
        Wrong("iv", "8 expected, 16 given", () => new KuznyechikCtr(s_key, new byte[16]));
        Wrong("iv", "8 expected, 0 given", () => KuznyechikCtr.CreateAcpkm(s_key, default, 48));
        foreach (int section in new[] { 0, 8, 24 })
        {
            Wrong("sectionSizeInBytes", $"multiple of 16 bytes, {section} given", () => KuznyechikCtr.CreateAcpkm(s_key, s_iv, section));
        }
        Wrong("sectionSizeInBytes", "not negative", () => KuznyechikCtr.CreateAcpkm(s_key, s_iv, -16));
        var ctr = new KuznyechikCtr(s_key, s_iv);
        ctr.ApplyKeystream(default);
        ctr.Dispose();
        ctr.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => ctr.ApplyKeystream(new byte[1]));
        _ = Assert.Throws<ObjectDisposedException>(() => ctr.ApplyKeystream(default));
    }

    [Fact]
    public void AShorterTagIsTheBeginningOfALongerOne()
    {
        using var longest = new KuznyechikOmac(s_key, 16);
        byte[] message = [.. Enumerable.Range(0, 100).Select(i => (byte)i)], whole = longest.Tag(message);
        for (int length = 4; length <= 16; length++)
        {
            using var key = new KuznyechikOmac(s_key, length);
            byte[] tag = key.Tag(message);
            Assert.Equal(length, key.TagSizeInBytes);
            Assert.Equal(whole[..length], tag);
            Assert.True(key.Verify(message, tag));
            for (int bit = 0; bit < 8 * length; bit++)
            {
                tag[bit / 8] ^= (byte)(1 << bit % 8);
                Assert.False(key.Verify(message, tag));
                tag[bit / 8] ^= (byte)(1 << bit % 8);
            }
        }
        // A message that was ended is forgotten.
        longest.AppendData([1]);
        Assert.False(longest.VerifyAndReset(whole));
        longest.AppendData(message);
        Assert.Equal(whole, longest.GetTagAndReset());
        Assert.Equal(longest.Tag(default), longest.GetTagAndReset());
    }

    [Fact]
    public void OmacSaysWhatIsWrong()
    {
        Null("key", () => new KuznyechikOmac((byte[])null!, 16));
        Wrong("key", "32 expected, 16 given", () => new KuznyechikOmac(new byte[16], 16));
        Wrong("tagSizeInBytes", "tagSizeInBytes: 4 to 16 expected, 3 given", () => new KuznyechikOmac(s_key, 3));
        Wrong("tagSizeInBytes", "tagSizeInBytes: 4 to 16 expected, 17 given", () => new KuznyechikOmac(s_key, 17));
        Wrong("tagSizeInBytes", "not negative", () => new KuznyechikOmac(s_key, -1));
        var key = new KuznyechikOmac(s_key, 8);
        byte[] room = new byte[40];
        Wrong("tag", "8 expected, 7 given", () => key.Tag(room, new byte[7]));
        Wrong("tag", "overlaps message", () => key.Tag(room.AsSpan(0, 30), room.AsSpan(29, 8)));
        Wrong("tag", "8 expected, 16 given", () => key.Verify(room, new byte[16]));
        Assert.All(room, one => Assert.Equal(0, one));

        // The message in pieces goes on after a call that was wrong.
        byte[] expected = key.Tag([1, 2]);
        key.AppendData([1]);
        Wrong("tag", "8 expected, 9 given", () => key.GetTagAndReset(new byte[9]));
        Wrong("tag", "8 expected, 0 given", () => key.VerifyAndReset(default));
        key.AppendData([2]);
        Assert.True(key.VerifyAndReset(expected));

        key.Dispose();
        key.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => key.Tag(room));
        _ = Assert.Throws<ObjectDisposedException>(() => key.Verify(room, new byte[8]));
        _ = Assert.Throws<ObjectDisposedException>(() => key.AppendData(room));
        _ = Assert.Throws<ObjectDisposedException>(() => key.GetTagAndReset());
        _ = Assert.Throws<ObjectDisposedException>(() => key.VerifyAndReset(new byte[8]));
    }

    /// <summary>Each byte of the keystream is given out once, whoever asks for it, and no piece is lost.</summary>
    [Fact]
    public async Task ThreadsTakeTurns()
    {
        const int Threads = 4, Pieces = 2000, Length = 16;
        using var ctr = new KuznyechikCtr(s_key, s_iv);
        using var omac = new KuznyechikOmac(s_key, 16);
        byte[][] given = [.. Enumerable.Range(0, Threads).Select(_ => new byte[Pieces * Length])];
        byte[] piece = new byte[Length];
        await Task.WhenAll(given.Select(part => Task.Factory.StartNew(
            () =>
            {
                for (int i = 0; i < Pieces; i++)
                {
                    ctr.ApplyKeystream(part.AsSpan(i * Length, Length));
                    omac.AppendData(piece);
                }
            },
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));

        byte[] whole = new byte[Threads * Pieces * Length];
        byte[] tag = omac.GetTagAndReset();
        Assert.Equal(omac.Tag(whole), tag);
        using (var again = new KuznyechikCtr(s_key, s_iv))
        {
            again.ApplyKeystream(whole);
        }
        Assert.Equal(Blocks(whole), Blocks([.. given.SelectMany(part => part)]));

        static string[] Blocks(byte[] keystream) => [.. keystream.Chunk(Length).Select(Convert.ToHexString).Order(StringComparer.Ordinal)];
    }

    private static void Wrong(string parameter, string what, Action call)
    {
        ArgumentException failure = Assert.ThrowsAny<ArgumentException>(call);
        Assert.Equal(parameter, failure.ParamName);
        Assert.Contains(what, failure.Message, StringComparison.Ordinal);
    }

    private static void Null(string parameter, Action call) =>
        Assert.Equal(parameter, Assert.Throws<ArgumentNullException>(call).ParamName);
}
