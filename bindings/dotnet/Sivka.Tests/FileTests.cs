using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Sivka.Tests;

/// <summary>Sealed files and streams, key files, and key slots.</summary>
public sealed class FileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("sivka-files-").FullName;
    private readonly KeyFile _key = KeyFile.Generate("test");
    private readonly FileKeys _keys;

    public FileTests() => _keys = new FileKeys(_key);

    public void Dispose()
    {
        _keys.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void WhatIsThereIsNotReplacedUnasked()
    {
        File.WriteAllText(PathOf("plain"), "text");
        File.WriteAllText(PathOf("there"), "here");
        _ = Assert.Throws<IOException>(() => SealedFile.Seal(PathOf("plain"), PathOf("there"), _keys));
        Assert.Equal("here", File.ReadAllText(PathOf("there")));
        var overwrite = new SealedFileOptions { Overwrite = true };
        SealedFile.Seal(PathOf("plain"), PathOf("there"), _keys, overwrite);
        SealedFile.Open(PathOf("there"), PathOf("plain"), _keys, overwrite);
        Assert.Equal("text", File.ReadAllText(PathOf("plain")));
    }

    private void NamesOnce(string name, Exception failure) =>
        Assert.Equal(2, failure.Message.Split(PathOf(name)).Length);

    [Fact]
    public void TheSystemsFailuresAreThoseOfSystemIo()
    {
        File.WriteAllText(PathOf("plain"), "text");
        FileNotFoundException missing = Assert.Throws<FileNotFoundException>(() => SealedFile.Verify(PathOf("none"), _keys));
        Assert.Equal(PathOf("none"), missing.FileName);
        NamesOnce("none", missing);
        NamesOnce("none/out", Assert.Throws<DirectoryNotFoundException>(() => SealedFile.Seal(PathOf("plain"), PathOf("none/out"), _keys)));
        NamesOnce("plain", Assert.Throws<IOException>(() => SealedFile.Seal(PathOf("plain"), PathOf("plain"), _keys)));
        _ = Assert.Throws<FileNotFoundException>(() => SealedFile.Seal(PathOf("none"), PathOf("x"), _keys));
        _ = Assert.Throws<FileNotFoundException>(() => new SealedFileStream(PathOf("none"), _keys));
        _ = Assert.Throws<FileNotFoundException>(() => SealedFile.Inspect(PathOf("none")));
        _ = Assert.Throws<DirectoryNotFoundException>(() => SealedFile.Verify(PathOf("plain/none"), _keys));
        _ = Assert.Throws<DirectoryNotFoundException>(() => SealedFile.Verify(PathOf("none/file"), _keys));
        NamesOnce("plain", Assert.Throws<InvalidDataException>(() => SealedFile.Verify(PathOf("plain"), _keys)));
        NamesOnce("plain", Assert.Throws<InvalidDataException>(() => KeyFile.Load(PathOf("plain"))));
        NamesOnce("plain", Assert.Throws<InvalidDataException>(() => new FileKeys().AddKeyFile(PathOf("plain"))));
        _ = Assert.Throws<ArgumentException>(() => SealedFile.Verify("", _keys));
        _ = Assert.Throws<ArgumentException>(() => SealedFile.Verify("a\0b", _keys));
        using var none = new FileKeys();
        _ = Assert.Throws<ArgumentException>(() => SealedFile.Seal(PathOf("plain"), PathOf("x"), none));
        none.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(() => SealedFile.Seal(PathOf("plain"), PathOf("x"), none));
        Assert.False(File.Exists(PathOf("x")));
    }

    /// <summary>The matrix opens what is sealed. Long enough for several turns, and for all cores.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(9_000_000)]
    public async Task StreamsComeBackAsTasks(int length)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        byte[] text = RandomNumberGenerator.GetBytes(length);
        Assert.Equal(["aes-256-gcm-siv", "xchacha20-blake2b", "kuznyechik-mgm"], SealedFile.Suites);
        using MemoryStream file = new(), opened = new(), again = new();
        Heard sealing = new(), opening = new();
        await SealedFile.SealAsync(new MemoryStream(text), file, _keys, new() { Progress = sealing }, token);
        await SealedFile.VerifyAsync(new MemoryStream(file.ToArray()), _keys, cancellationToken: token);
        await SealedFile.OpenAsync(new MemoryStream(file.ToArray()), opened, _keys, new() { Progress = opening }, token);
        Assert.Equal(text, opened.ToArray());
        Assert.Equal((length, length), (sealing.Last, opening.Last));
        SealedFile.Open(new OneWay(file.ToArray()), again, _keys);
        Assert.Equal(text, again.ToArray());
    }

    [Fact]
    public async Task WhatAStreamThrowsComesThrough()
    {
        byte[] text = new byte[2_000_000];
        var failure = new InvalidTimeZoneException("mine");
        using MemoryStream first = new(), second = new();
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(
            () => SealedFile.Seal(new OneWay(text) { FailsAt = 700_000, Failure = failure }, first, _keys)));
        Assert.Same(failure, Assert.Throws<InvalidTimeZoneException>(
            () => SealedFile.Seal(new OneWay(text), new OneWay([]) { FailsAt = 700_000, Failure = failure }, _keys)));
        Assert.Same(failure, await Assert.ThrowsAsync<InvalidTimeZoneException>(
            () => SealedFile.SealAsync(new OneWay(text), second, _keys, new() { Progress = new Heard { Failure = failure } }, TestContext.Current.CancellationToken)));

        // What there is of it never looks whole.
        foreach (MemoryStream part in new[] { first, second })
        {
            _ = Assert.Throws<EndOfStreamException>(() => SealedFile.Verify(new OneWay(part.ToArray()), _keys));
        }
    }

    [Fact]
    public async Task CancellationLeavesNoFile()
    {
        File.WriteAllBytes(PathOf("plain"), new byte[20_000_000]);
        using var stop = new CancellationTokenSource();
        var progress = new Heard { Then = stop.Cancel };
        _ = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => SealedFile.SealAsync(PathOf("plain"), PathOf("sealed"), _keys, new() { Progress = progress }, stop.Token));
        Assert.False(File.Exists(PathOf("sealed")));
        _ = Assert.Single(Directory.GetFiles(_folder));

        var heard = new Heard();
        await SealedFile.SealAsync(PathOf("plain"), PathOf("sealed"), _keys, new() { Progress = heard }, TestContext.Current.CancellationToken);
        Assert.Equal(20_000_000, heard.Last);
        await SealedFile.OpenAsync(PathOf("sealed"), PathOf("opened"), _keys, new() { Progress = heard }, TestContext.Current.CancellationToken);
        await SealedFile.VerifyAsync(PathOf("sealed"), _keys, new() { Progress = heard }, TestContext.Current.CancellationToken);
        Assert.Equal(20_000_000, new FileInfo(PathOf("opened")).Length);
    }

    /// <summary>The sealed file is at a path; or it begins at the position of a stream, and comes in pieces.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void APartIsReadWithoutTheRest(bool isInStream)
    {
        byte[] text = RandomNumberGenerator.GetBytes(200_000), part = new byte[50_000];
        using var input = new Pieces();
        input.Write("before"u8);
        SealedFile.Seal(new MemoryStream(text), input, _keys);
        byte[] file = input.ToArray();
        file[6 + 50_000] ^= 1;
        File.WriteAllBytes(PathOf("sealed"), file[6..]);
        input.SetLength(0);
        input.Write(file);
        input.Position = 6;
        using SealedFileStream stream = isInStream ? new(input, _keys) : new(PathOf("sealed"), _keys);
        Assert.True(stream.CanRead && stream.CanSeek && !stream.CanWrite);
        Assert.Equal(200_000, stream.Length);
        // The damage is in the fourth chunk.
        foreach (int position in new[] { 81_920, 149_999, 65_536, 170_000, 300_000 })
        {
            Assert.Equal(position, stream.Seek(position, SeekOrigin.Begin));
            int expected = Math.Clamp(200_000 - position, 0, 50_000);
            Assert.Equal(expected, stream.ReadAtLeast(part, part.Length, throwOnEndOfStream: false));
            Assert.Equal(text.AsSpan(Math.Min(position, 200_000), expected), part.AsSpan(0, expected));
            Assert.Equal(position + expected, stream.Position);
        }
        Assert.Equal(199_990, stream.Seek(-10, SeekOrigin.End));
        Assert.Equal(199_995, stream.Seek(5, SeekOrigin.Current));
        _ = Assert.Throws<ArgumentOutOfRangeException>(() => stream.Read(part, 49_999, 2));
        stream.Position = 47_000;
        _ = Assert.Throws<InvalidDataException>(() => stream.Read(part, 0, 1000));
        Assert.All(part.Take(1000), one => Assert.Equal(0, one));
        stream.Dispose();
        Assert.Equal(!isInStream, input.CanRead);
        _ = Assert.Throws<ObjectDisposedException>(() => stream.Read(part, 0, 1));
        _ = Assert.Throws<ObjectDisposedException>(() => stream.Seek(0, SeekOrigin.Begin));
    }

    [Fact]
    public async Task WhatAStreamThrowsWhileAPartIsReadComesThrough()
    {
        byte[] part = new byte[100];
        using var input = new Pieces();
        SealedFile.Seal(new MemoryStream(new byte[200_000]), input, _keys);
        input.Position = 0;
        using var stream = new SealedFileStream(input, _keys, leaveOpen: true);
        input.Fails = true;
        stream.Position = 100_000;
        _ = Assert.Throws<NotSupportedException>(() => stream.Read(part, 0, 100));
        input.Fails = false;
        Assert.Equal(100, stream.Read(part, 0, 100));
        // Without a call that blocks.
        input.Fails = true;
        stream.Position = 150_000;
        _ = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.ReadAsync(part, 0, 100, new CancellationToken(canceled: true)));
        Assert.Equal(0, input.AsyncReads);
        Assert.Equal(100, await stream.ReadAsync(part, CancellationToken.None));
        Assert.Equal(4, input.AsyncReads);
        Assert.Equal(150_100, stream.Position);
        input.Fails = false;
        input.Position = 1;
        _ = Assert.Throws<InvalidDataException>(() => new SealedFileStream(input, _keys, leaveOpen: true));
        Assert.Equal("input", Assert.Throws<ArgumentException>(() => new SealedFileStream(new Pieces { Forward = true }, _keys)).ParamName);
    }

    /// <summary>A stream that reads little.</summary>
    private sealed class Pieces : MemoryStream
    {
        internal bool Fails { get; set; }

        internal int AsyncReads { get; private set; }

        internal bool Forward { get; set; }

        public override bool CanSeek => !Forward;

        public override int Read(byte[] buffer, int offset, int count)
        {
            return Fails ? throw new NotSupportedException() : base.Read(buffer, offset, Math.Min(count, 4999));
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            AsyncReads++;
            await Task.Yield();
            byte[] part = new byte[Math.Min(buffer.Length, 4999)];
            int read = base.Read(part, 0, part.Length);
            part.AsSpan(0, read).CopyTo(buffer.Span);
            return read;
        }
    }

    /// <summary>A key file that a passphrase protects is one call, and whose fault it is can be told.</summary>
    [Fact]
    public void KeyFilesThatAPassphraseProtects()
    {
        const string passphrase = "correct horse";
        _key.Save(PathOf("clear.key"));
        using (var words = new FileKeys().AddPassphrase(passphrase).SetCost(64, 1, 1))
        {
            SealedFile.Seal(PathOf("clear.key"), PathOf("protected.key"), words);
        }
        byte[] content = File.ReadAllBytes(PathOf("protected.key"));
        using (KeyFile parsed = KeyFile.Parse(content, passphrase), loaded = KeyFile.Load(PathOf("protected.key"), passphrase))
        {
            Assert.Equal(_key.ToText(), parsed.ToText());
            Assert.Equal(_key.ToText(), loaded.ToText());
        }
        using KeyFile clear = KeyFile.Load(PathOf("clear.key"), passphrase);
        Assert.Equal(_key.Id, clear.Id);
        _ = Assert.ThrowsAny<CryptographicException>(() => KeyFile.Parse(content, "wrong horse"));
        Assert.Contains("passphrase", Assert.Throws<ArgumentException>(() => KeyFile.Parse(content)).Message, StringComparison.Ordinal);
        _ = Assert.Throws<ArgumentException>(() => KeyFile.Load(PathOf("protected.key")));
        _ = Assert.ThrowsAny<ArgumentException>(() => KeyFile.Parse(content, "\ud800"));
        _ = Assert.Throws<EndOfStreamException>(() => KeyFile.Parse(content.AsSpan(0, 100), passphrase));
        content[^1] ^= 1;
        _ = Assert.Throws<EndOfStreamException>(() => KeyFile.Parse(content, passphrase));
    }

    [Fact]
    public void KeyFilesAreSavedForTheirOwner()
    {
        _key.Save(PathOf("key"));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(PathOf("key")));
        }
        _ = Assert.Throws<IOException>(() => _key.Save(PathOf("key")));
        using KeyFile loaded = KeyFile.Load(PathOf("key"));
        Assert.Equal(_key.Id, loaded.Id);
        Assert.Equal(_key.ToText(), loaded.ToText());
        Assert.Equal("not a sivka key file: its first line is not `sivka key file, version 1`", Assert.Throws<InvalidDataException>(() => KeyFile.Parse([0xff])).Message);
        File.WriteAllBytes(PathOf("long"), new byte[100_000]);
        _ = Assert.Throws<InvalidDataException>(() => KeyFile.Load(PathOf("long")));
        _ = Assert.Throws<FileNotFoundException>(() => KeyFile.Load(PathOf("none")));
        foreach (string name in new[] { " a", "a\0b", "\ud800" })
        {
            _ = Assert.ThrowsAny<ArgumentException>(() => KeyFile.Generate(name));
        }
        _ = Assert.Throws<ArgumentException>(() => KeyFile.FromKey(new byte[31], "short"));
        loaded.Dispose();
        _ = Assert.Throws<ObjectDisposedException>(loaded.ToText);
        _ = Assert.Throws<ObjectDisposedException>(() => new FileKeys(loaded));
    }

    /// <summary>Whoever gives a key where its path belongs does not find it in a log, too.</summary>
    [Fact]
    public void TheTextOfAKeyIsNeverQuoted()
    {
        string text = Encoding.UTF8.GetString(_key.ToText());
        string secret = text.Substring(text.IndexOf("key: ", StringComparison.Ordinal) + 5, 64);
        File.WriteAllText(PathOf("plain"), "text");
        List<Action> calls =
        [
            () => SealedFile.Verify(text, _keys),
            () => SealedFile.Seal(text, PathOf("out"), _keys),
            () => SealedFile.Seal(PathOf("plain"), text, _keys),
            () => new SealedFileStream(text, _keys).Dispose(),
            () => SealedFile.Inspect(text),
        ];
        foreach (string given in new[] { text, text.Trim(), "key: " + secret, secret })
        {
            calls.Add(() => KeyFile.Load(given));
            calls.Add(() => new FileKeys().AddKeyFile(given));
        }
        foreach (Action call in calls)
        {
            ArgumentException exception = Assert.Throws<ArgumentException>(call);
            Assert.Contains("the text of a key given", exception.Message, StringComparison.Ordinal);
            Assert.DoesNotContain(secret, exception.ToString(), StringComparison.Ordinal);
        }
    }

    /// <summary>The example of C2SP's age specification.</summary>
    [Fact]
    public void PeopleOpenWhatIsSealedForThem()
    {
        string plain = PathOf("plain"), path = PathOf("for-people");
        File.WriteAllText(plain, "text");
        using FileKeys people = new FileKeys()
            .AddRecipients("age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj").SetSpareSlots(20);
        using FileKeys person = new FileKeys().AddIdentities(
            "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"u8);
        SealedFile.Seal(plain, path, people);
        KeySlot slot = Assert.Single(SealedFile.Inspect(path).Slots);
        Assert.Equal((null, false, true, (bool?)false), (slot.KeyId, slot.IsPassphrase, slot.IsRecipient, slot.IsPostQuantum));
        Assert.Equal("recipient", slot.ToString());
        SealedFile.Verify(path, person);
        _ = Assert.Throws<InvalidDataException>(() => people.AddRecipients("age1qqq"));
        _ = Assert.Throws<InvalidDataException>(() => people.AddIdentities("AGE-SECRET-KEY-1Q"u8));
        _ = people.SetSpareSlots(60);
        _ = Assert.Throws<ArgumentException>(() => SealedFile.Seal(plain, path + "2", people));
    }

    [Fact]
    public void SlotsChange()
    {
        File.WriteAllText(PathOf("plain"), "text");
        SealedFile.Seal(PathOf("plain"), PathOf("sealed"), _keys);
        string path = PathOf("sealed");
        using KeyFile second = KeyFile.Generate("second");
        using var seconds = new FileKeys(second);
        using FileKeys passphrase = new FileKeys().AddPassphrase("correct horse").SetCost(1024, 1, 2);
        Assert.Equal(1, SealedFile.AddSlot(path, _keys, seconds));
        Assert.Equal(2, SealedFile.AddSlot(path, seconds, passphrase));
        SealedFileInfo info = SealedFile.Inspect(path);
        Assert.Equal([_key.Id, second.Id, null], info.Slots.Select(slot => slot.KeyId));
        KeySlot last = info.Slots[2];
        Assert.Equal((true, 1024, 1, 2), (last.IsPassphrase, last.MemoryKib, last.Passes, last.Lanes));
        Assert.Equal(
            [$"key file {_key.Id}", $"key file {second.Id}", "passphrase: 1024 KiB, 1 passes, 2 lanes"],
            info.Slots.Select(slot => slot.ToString()));
        SealedFile.RemoveSlot(path, passphrase, 0);
        _ = Assert.Throws<CryptographicException>(() => SealedFile.Verify(path, _keys));
        SealedFile.ReplaceSlot(path, seconds, 1, _keys);
        Assert.Equal([second.Id, _key.Id], SealedFile.Inspect(path).Slots.Select(slot => slot.KeyId));

        Assert.Contains("slot 2", Assert.Throws<ArgumentException>(() => SealedFile.RemoveSlot(path, _keys, 2)).Message, StringComparison.Ordinal);
        using var none = new FileKeys();
        _ = Assert.Throws<ArgumentException>(() => SealedFile.AddSlot(path, _keys, none));
    }

    [Fact]
    public void PassphrasesHaveACostAndALimit()
    {
        using FileKeys keys = new FileKeys().AddPassphrase("пароль").SetCost(2048, 1, 1);
        using var output = new MemoryStream();
        SealedFile.Seal(new MemoryStream([1, 2, 3]), output, keys);
        using FileKeys open = new FileKeys().AddPassphrase("пароль".AsSpan());
        SealedFile.Verify(new MemoryStream(output.ToArray()), open);
        _ = open.SetMaxCost(1024, 1);
        _ = Assert.Throws<InvalidDataException>(() => SealedFile.Verify(new MemoryStream(output.ToArray()), open));
        _ = Assert.ThrowsAny<ArgumentException>(() => keys.AddPassphrase("\ud800"));
    }

    private string PathOf(string name) => Path.Combine(_folder, name);

    private sealed class Heard : IProgress<long>
    {
        private readonly ConcurrentQueue<long> _values = new();

        public long Last => _values.LastOrDefault(-1);

        public Action? Then { get; init; }

        public Exception? Failure { get; init; }

        public void Report(long value)
        {
            _values.Enqueue(value);
            Then?.Invoke();
            if (Failure is not null)
            {
                throw Failure;
            }
        }
    }
}
