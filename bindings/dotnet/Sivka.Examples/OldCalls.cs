using System;
using System.Security.Cryptography;
using System.Text;
using Sivka.ChaCha20BLAKE2; // was: using ChaCha20BLAKE2;

internal static class OldCalls
{
    internal static void Main()
    {
        byte[] key = RandomNumberGenerator.GetBytes(XChaCha20BLAKE2b.KeySize);
        byte[] nonce = RandomNumberGenerator.GetBytes(XChaCha20BLAKE2b.NonceSize);
        byte[] ciphertext = XChaCha20BLAKE2b.Encrypt(Encoding.UTF8.GetBytes("as before"), nonce, key);
        Console.WriteLine(Encoding.UTF8.GetString(XChaCha20BLAKE2b.Decrypt(ciphertext, nonce, key)));
    }
}
