using System;
using System.IO;
using System.Text;
using System.Threading;
using Sivka;

internal static class Pipe
{
    internal static void Main()
    {
        using KeyFile key = KeyFile.Generate("pipe");
        using var keys = new FileKeys(key);
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        using var input = new MemoryStream("any stream"u8.ToArray());
        using var sealedStream = new MemoryStream();
        SealedFile.SealAsync(input, sealedStream, keys, cancellationToken: limit.Token).Wait();
        sealedStream.Position = 0;
        using var output = new MemoryStream();
        SealedFile.OpenAsync(sealedStream, output, keys, cancellationToken: limit.Token).Wait();
        Console.WriteLine(Encoding.UTF8.GetString(output.ToArray()));
    }
}
