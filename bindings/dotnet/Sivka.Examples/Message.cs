using System;
using System.Text;
using Sivka;

internal static class Message
{
    internal static void Main()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        byte[] sealedMessage = key.Seal("meet at noon"u8, "to Alice"u8);
        bool opened = key.TryOpen(sealedMessage, out byte[]? plaintext, "to Alice"u8);
        Console.WriteLine(opened ? Encoding.UTF8.GetString(plaintext!) : "forged");
    }
}
