using System;
using Xunit;

namespace Sivka.Tests;

/// <summary>Calls with many messages that are refused; the matrix makes the others.</summary>
public sealed class BatchTests
{
    [Fact]
    public void WrongCallsChangeNothing()
    {
        using var key = new AesGcmSiv(new byte[32]);
        byte[] texts = new byte[20], nonces = new byte[24], tags = new byte[32];
        bool[] opened = new bool[2];
        Named("nonces", () => key.EncryptBatch(nonces.AsSpan(1), texts, [0, 10, 20], tags));
        Named("tags", () => key.EncryptBatch(nonces, texts, [0, 10, 20], tags.AsSpan(1)));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 21], tags));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, texts, [0, 10, 5], tags));
        Named("offsets", () => key.EncryptBatch(nonces, texts, [-1, 10, 20], tags));
        Named("offsets", () => key.EncryptBatch(nonces, texts, default(ReadOnlySpan<int>), tags));
        Named("opened", () => key.DecryptBatch(nonces, texts, [0, 10, 20], tags, opened.AsSpan(1)));
        Named("opened", () => key.DecryptBatch(nonces, [texts, texts], tags, opened.AsSpan(1)));
        Named("associatedData", () => key.EncryptBatch(nonces, [texts, new byte[3]], tags, [default]));
        _ = Assert.Throws<ArgumentException>(() => key.EncryptBatch(nonces, [texts, texts.AsMemory(5)], tags));
        Assert.All(texts, one => Assert.Equal(0, one));
        key.EncryptBatch(default, [], default);
        key.EncryptBatch(default, default, [0], default);
        Assert.True(key.DecryptBatch(default, [], default, default));
    }

    private static void Named(string parameter, Action call) =>
        Assert.Equal(parameter, Assert.Throws<ArgumentException>(call).ParamName);
}
