using System;
using System.Security.Cryptography;
using System.Text;
using Sivka;

internal static class InPlace
{
    internal static void Main()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        Span<byte> nonce = stackalloc byte[key.NonceSizeInBytes];
        Span<byte> tag = stackalloc byte[key.TagSizeInBytes];
        RandomNumberGenerator.Fill(nonce);
        byte[] text = "meet at ten"u8.ToArray();
        key.Encrypt(nonce, text, text, tag);
        key.Decrypt(nonce, text, tag, text);
        Console.WriteLine(Encoding.UTF8.GetString(text));
    }
}
