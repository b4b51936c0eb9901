using System;
using System.IO;

namespace Sivka.Vectors;

/// <summary>Plays every vector, and says how many there were.</summary>
internal static class Program
{
    internal static int Main()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"sivka-vectors-{Guid.NewGuid():N}");
        _ = Directory.CreateDirectory(folder);
        try
        {
            Console.WriteLine($"messages and blocks: {MessageVectors.PlayAll()}");
            (int opened, int refused) = FileVectors.PlayAll(folder);
            Console.WriteLine($"files: {opened} opened, {refused} refused");
            return opened == 15 && refused == 85 ? 0 : 1;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
