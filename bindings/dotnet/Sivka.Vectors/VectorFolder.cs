using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Serialization.Json;
using System.Xml;
using System.Xml.Linq;

namespace Sivka.Vectors;

/// <summary>The folder <c>vectors</c> of the source tree.</summary>
internal static class VectorFolder
{
    /// <summary>Upwards from the program, which is built inside the tree.</summary>
    internal static string Root { get; } = Find(AppDomain.CurrentDomain.BaseDirectory);

    /// <summary>The names of files, relative to the folder, with <c>/</c>.</summary>
    internal static List<string> Files(string extension)
    {
        IEnumerable<string> paths = Directory.EnumerateFiles(Root, "*" + extension, SearchOption.AllDirectories);
        List<string> names = paths.Select(path => path.Substring(Root.Length + 1).Replace('\\', '/')).ToList();
        names.Sort(StringComparer.Ordinal);
        return names;
    }

    internal static string PathOf(string name) => Path.Combine(Root, name);

    /// <summary>JSON as the XML that the runtime makes of it: it has a reader for it on every framework.</summary>
    internal static XElement Json(string name)
    {
        byte[] text = File.ReadAllBytes(PathOf(name));
        using XmlDictionaryReader reader = JsonReaderWriterFactory.CreateJsonReader(text, XmlDictionaryReaderQuotas.Max);
        return XElement.Load(reader);
    }

    internal static string TextOf(this XElement element, string name) =>
        element.Element(name)?.Value ?? throw new InvalidDataException($"a vector lacks '{name}'");

    internal static byte[] BytesOf(this XElement element, string name) => Hex.Bytes(element.TextOf(name));

    internal static string[] FieldsOf(this XElement element) =>
        element.Elements().Select(one => one.Name.LocalName).OrderBy(one => one, StringComparer.Ordinal).ToArray();

    private static string Find(string start)
    {
        for (DirectoryInfo? folder = new(start); folder is not null; folder = folder.Parent)
        {
            string vectors = Path.Combine(folder.FullName, "vectors");
            if (File.Exists(Path.Combine(vectors, "SHA256SUMS")))
            {
                return vectors;
            }
        }
        throw new DirectoryNotFoundException($"no folder 'vectors' above {start}");
    }
}
