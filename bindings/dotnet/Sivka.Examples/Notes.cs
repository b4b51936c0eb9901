using System;
using System.IO;
using System.Text;
using Sivka;

internal static class Notes
{
    internal static void Main()
    {
        string folder = Directory.CreateTempSubdirectory("notes").FullName;
        string text = Path.Combine(folder, "notes.txt"), sealedText = text + ".sivka";
        File.WriteAllText(text, "milk, bread, 42 eggs");
        using KeyFile key = KeyFile.Generate("notes");
        using var keys = new FileKeys(key);
        SealedFile.Seal(text, sealedText, keys);
        using (var stream = new SealedFileStream(sealedText, keys))
        {
            byte[] end = new byte[7];
            stream.Seek(-7, SeekOrigin.End);
            stream.ReadExactly(end);
            Console.WriteLine(Encoding.UTF8.GetString(end).Trim());
        }
        Directory.Delete(folder, recursive: true);
    }
}
