using System;
using System.IO;
using System.Text;
using Sivka;

internal static class Copy
{
    internal static void Main()
    {
        using KeyFile key = KeyFile.Generate("copy");
        using var keys = new FileKeys(key);
        using var sealedFile = new MemoryStream();
        using (var stream = new SealingStream(sealedFile, keys, leaveOpen: true))
        {
            stream.Write("door opened\n"u8);
            stream.Write("door closed\n"u8);
            stream.Complete(); // not reached if the source throws: the file has no end then, and does not open
        }
        sealedFile.Position = 0;
        using var reader = new StreamReader(new OpeningStream(sealedFile, keys), Encoding.UTF8);
        Console.WriteLine($"{reader.ReadToEnd().Split('\n').Length - 1} lines");
    }
}
