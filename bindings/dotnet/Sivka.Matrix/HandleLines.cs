using System;
using System.Globalization;
using System.Linq;
using System.Threading;

namespace Sivka.Matrix;

/// <summary>Keys that are disposed of, or forgotten, while threads call them.</summary>
internal static class HandleLines
{
    private const int Threads = 4;
    private const int CallsOfForgotten = 20;

    private static int closed;
    private static int forgotten;

    internal static string Answer(string[] words)
    {
        int rounds = int.Parse(words[1], CultureInfo.InvariantCulture);
        byte[] text = new byte[int.Parse(words[2], CultureInfo.InvariantCulture)];
        (closed, forgotten) = (0, 0);
        for (int round = 0; round < rounds; round++)
        {
            Round(round % 3, text);
        }
        return $"closed {closed} forgotten {forgotten}";
    }

    /// <summary>So many threads dispose of the key at the same moment.</summary>
    private static void Round(int closers, byte[] text)
    {
        using var started = new CountdownEvent(Threads);
        (Thread[] users, Thread[] others) = Begin(closers, text, started);
        started.Wait();
        Array.ForEach(others, other => other.Start());
        GC.Collect();
        Array.ForEach(users, user => user.Join());
        Array.ForEach(others, other => other.Join());
    }

    /// <summary>Apart, so that only the threads know the key.</summary>
    private static (Thread[] Users, Thread[] Others) Begin(int closers, byte[] text, CountdownEvent started)
    {
        var key = new AesGcmSiv(new byte[32]);
        int calls = closers == 0 ? CallsOfForgotten : int.MaxValue;
        Thread[] users = [.. Enumerable.Range(0, Threads).Select(_ => new Thread(() => Use(key, text, calls, started)))];
        Array.ForEach(users, user => user.Start());
        return (users, [.. Enumerable.Range(0, closers).Select(_ => new Thread(key.Dispose))]);
    }

    private static void Use(AesGcmSiv key, byte[] text, int calls, CountdownEvent started)
    {
        byte[] nonce = new byte[12], expected = new byte[16], tag = new byte[16], ciphertext = new byte[text.Length];
        try
        {
            key.Encrypt(nonce, text, ciphertext, expected);
            _ = started.Signal();
            for (int i = 0; i < calls; i++)
            {
                key.Encrypt(nonce, text, ciphertext, tag);
                if (!tag.SequenceEqual(expected))
                {
                    return;
                }
            }
            _ = Interlocked.Increment(ref forgotten);
        }
        catch (ObjectDisposedException)
        {
            _ = Interlocked.Increment(ref closed);
        }
    }
}
