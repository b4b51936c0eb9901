using System;
using System.Text;
using Sivka;

internal static class Keysets
{
    internal static void Main()
    {
        using Keyset master = Keyset.Generate("AES256_GCM_SIV"), users = Keyset.Generate("AES256_SIV");
        byte[] before = users.SealDeterministically("alice@example.org"u8, "users.email"u8);
        byte[] json = users.Encrypt(KeysetForm.Json, master, "prod/eu"u8); // any Tink decrypts it
        using Keyset read = Keyset.Decrypt(json, KeysetForm.Json, master, "prod/eu"u8);
        read.Promote(read.Add("AES256_SIV")); // seals from now on; the old key still opens
        byte[] text = read.OpenDeterministically(before, "users.email"u8);
        Console.WriteLine($"{read.Info.Keys.Count} keys: {Encoding.UTF8.GetString(text)}");
    }
}
