using System;
using System.Text;
using Sivka;

internal static class Batch
{
    internal static void Main()
    {
        using var key = new AesGcmSiv(AesGcmSiv.GenerateKey());
        byte[] texts = "firstsecond"u8.ToArray();
        int[] offsets = [0, 5, 11]; // message i is from offsets[i] to offsets[i + 1]
        byte[] nonces = new byte[2 * key.NonceSizeInBytes];
        byte[] tags = new byte[2 * key.TagSizeInBytes];
        bool[] opened = new bool[2];
        key.GenerateNonces(nonces);
        key.EncryptBatch(nonces, texts, offsets, tags);
        tags[0] ^= 1;
        key.DecryptBatch(nonces, texts, offsets, tags, opened);
        Console.WriteLine($"{opened[0]}, {opened[1]}: {Encoding.UTF8.GetString(texts, 5, 6)}");
    }
}
