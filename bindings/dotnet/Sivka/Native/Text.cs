using System;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Sivka.Native;

/// <summary>Strings as C reads them: UTF-8 with a zero at the end.</summary>
internal static class Text
{
    /// <summary>Strict: a lone half of a character is no text, and an <see cref="ArgumentException"/>.</summary>
    internal static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Refuses a zero, where the name would end before the rest of it.</summary>
    internal static byte[] OfName(string name, string parameter) => name.AsSpan().IndexOf('\0') < 0
        ? Utf8.GetBytes(name + '\0')
        : throw new ArgumentException("A name has no zero in it.", parameter);

    internal static byte[] OfPath(string path, string parameter)
    {
        if (path is null)
        {
            throw new ArgumentNullException(parameter);
        }
        if (path.Length == 0 || path.AsSpan().IndexOf('\0') >= 0)
        {
            throw new ArgumentException("A path is not empty and has no zero in it.", parameter);
        }
        return OfName(path, parameter);
    }

    /// <summary>A string of the native library, which is static.</summary>
    internal static unsafe string Of(byte* text) => new((sbyte*)text);

    /// <summary>One that is not ASCII only, or null.</summary>
    internal static unsafe string? OfUtf8(byte* text)
    {
        if (text is null)
        {
            return null;
        }
        int length = 0;
        while (text[length] != 0)
        {
            length++;
        }
        return Encoding.UTF8.GetString(text, length);
    }

    internal static string Hex(ReadOnlySpan<byte> bytes) =>
        string.Concat(bytes.ToArray().Select(static one => one.ToString("x2", CultureInfo.InvariantCulture)));
}
