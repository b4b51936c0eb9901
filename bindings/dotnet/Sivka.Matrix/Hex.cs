using System;
using System.Globalization;
using System.Text;

namespace Sivka.Matrix;

/// <summary>Hexadecimal digits, which netstandard2.0 has nothing for.</summary>
internal static class Hex
{
    internal static byte[] Bytes(string digits)
    {
        byte[] bytes = new byte[digits.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = byte.Parse(digits.Substring(2 * i, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        }
        return bytes;
    }

    internal static string Digits(ReadOnlySpan<byte> bytes)
    {
        var digits = new StringBuilder(2 * bytes.Length);
        foreach (byte one in bytes)
        {
            _ = digits.Append(one.ToString("x2", CultureInfo.InvariantCulture));
        }
        return digits.ToString();
    }
}
