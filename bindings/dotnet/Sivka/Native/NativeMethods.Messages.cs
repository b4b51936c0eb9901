using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>Keys, messages and what is there, in the order of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        uint sivka_abi_version();

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        byte* sivka_version();

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        byte* sivka_tier();

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        byte* sivka_status_message(int status);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_error_detail(byte* text, nuint capacity);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_error_os_code();

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_algorithm_from_name(byte* name, out uint algorithm);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_key_len(uint algorithm);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_nonce_len(uint algorithm);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_tag_len(uint algorithm);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_seal_len(uint algorithm, nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_open_len(uint algorithm, nuint sealedLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_seal_with_nonce_len(uint algorithm, nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_open_with_nonce_len(uint algorithm, nuint ciphertextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_generate_key(uint algorithm, byte* key, nuint keyLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_random_nonces(uint algorithm, byte* nonces, nuint noncesLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_key_new(uint algorithm, byte* key, nuint keyLength, out nint made);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        void sivka_key_free(nint key);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal(
            KeyHandle key, byte* aad, nuint aadLength, byte* plaintext, nuint plaintextLength,
            byte* sealedMessage, nuint sealedCapacity, out nuint sealedLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open(
            KeyHandle key, byte* aad, nuint aadLength, byte* sealedMessage, nuint sealedLength, byte* plaintext,
            nuint plaintextCapacity, out nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_with_nonce(
            KeyHandle key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* plaintext,
            nuint plaintextLength, byte* ciphertext, nuint ciphertextCapacity, out nuint ciphertextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_with_nonce(
            KeyHandle key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* ciphertext,
            nuint ciphertextLength, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_detached(
            KeyHandle key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* plaintext,
            nuint plaintextLength, byte* ciphertext, nuint ciphertextLength, byte* tag, nuint tagLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_detached(
            KeyHandle key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* ciphertext,
            nuint ciphertextLength, byte* tag, nuint tagLength, byte* plaintext, nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_batch(
            KeyHandle key, nuint count, byte* nonces, nuint noncesLength, byte** aads, nuint* aadLengths,
            byte** texts, nuint* textLengths, byte* tags, nuint tagsLength, int* statuses);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_batch(
            KeyHandle key, nuint count, byte* nonces, nuint noncesLength, byte** aads, nuint* aadLengths,
            byte** texts, nuint* textLengths, byte* tags, nuint tagsLength, int* statuses);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_batch_contiguous(
            KeyHandle key, nuint count, byte* nonces, nuint noncesLength, byte* aads, nuint aadsLength,
            nuint* aadOffsets, byte* texts, nuint textsLength, nuint* textOffsets, byte* tags, nuint tagsLength,
            int* statuses);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_batch_contiguous(
            KeyHandle key, nuint count, byte* nonces, nuint noncesLength, byte* aads, nuint aadsLength,
            nuint* aadOffsets, byte* texts, nuint textsLength, nuint* textOffsets, byte* tags, nuint tagsLength,
            int* statuses);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_kuznyechik_new(byte* key, nuint keyLength, out nint made);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        void sivka_kuznyechik_free(nint key);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_kuznyechik_encrypt_blocks(KuznyechikHandle key, byte* blocks, nuint blocksLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_kuznyechik_decrypt_blocks(KuznyechikHandle key, byte* blocks, nuint blocksLength);
}
