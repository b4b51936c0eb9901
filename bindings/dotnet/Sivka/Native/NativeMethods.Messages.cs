using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>Keys, messages and what is there, in the order of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
    [LibraryImport(Library.Name)]
    internal static partial uint sivka_abi_version();

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_version();

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_tier();

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_status_message(int status);

    [LibraryImport(Library.Name)]
    internal static partial NativeError* sivka_last_error();

    [LibraryImport(Library.Name)]
    internal static partial int sivka_algorithm_from_name(byte* name, out uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_key_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_nonce_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_tag_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_seal_len(uint algorithm, nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_open_len(uint algorithm, nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_seal_with_nonce_len(uint algorithm, nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_open_with_nonce_len(uint algorithm, nuint ciphertextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_generate_key(uint algorithm, byte* key, nuint keyLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_random_nonces(uint algorithm, byte* nonces, nuint noncesLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_new(uint algorithm, byte* key, nuint keyLength, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_key_free(nint key);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal(
        nint key, byte* aad, nuint aadLength, byte* plaintext, nuint plaintextLength,
        byte* sealedMessage, nuint sealedCapacity, out nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open(
        nint key, byte* aad, nuint aadLength, byte* sealedMessage, nuint sealedLength, byte* plaintext,
        nuint plaintextCapacity, out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_with_nonce(
        nint key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* plaintext,
        nuint plaintextLength, byte* ciphertext, nuint ciphertextCapacity, out nuint ciphertextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_with_nonce(
        nint key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* ciphertext,
        nuint ciphertextLength, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_detached(
        nint key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* plaintext,
        nuint plaintextLength, byte* ciphertext, nuint ciphertextLength, byte* tag, nuint tagLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_detached(
        nint key, byte* nonce, nuint nonceLength, byte* aad, nuint aadLength, byte* ciphertext,
        nuint ciphertextLength, byte* tag, nuint tagLength, byte* plaintext, nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_with_list(
        nint key, byte** aads, nuint* aadLengths, nuint aadCount, byte* plaintext, nuint plaintextLength,
        byte* sealedMessage, nuint sealedCapacity, out nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_with_list(
        nint key, byte** aads, nuint* aadLengths, nuint aadCount, byte* sealedMessage, nuint sealedLength,
        byte* plaintext, nuint plaintextCapacity, out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_batch(
        nint key, nuint count, byte* nonces, nuint noncesLength, byte** aads, nuint* aadLengths,
        byte** texts, nuint* textLengths, byte* tags, nuint tagsLength, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_batch(
        nint key, nuint count, byte* nonces, nuint noncesLength, byte** aads, nuint* aadLengths,
        byte** texts, nuint* textLengths, byte* tags, nuint tagsLength, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_batch_contiguous(
        nint key, nuint count, byte* nonces, nuint noncesLength, byte* aads, nuint aadsLength,
        nuint* aadOffsets, byte* texts, nuint textsLength, nuint* textOffsets, byte* tags, nuint tagsLength,
        int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_batch_contiguous(
        nint key, nuint count, byte* nonces, nuint noncesLength, byte* aads, nuint aadsLength,
        nuint* aadOffsets, byte* texts, nuint textsLength, nuint* textOffsets, byte* tags, nuint tagsLength,
        int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_new(byte* key, nuint keyLength, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_kuznyechik_free(nint key);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_encrypt_blocks(nint key, byte* blocks, nuint blocksLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_decrypt_blocks(nint key, byte* blocks, nuint blocksLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_ctr_new(byte* key, nuint keyLength, byte* iv, nuint ivLength, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_ctr_acpkm_new(
        byte* key, nuint keyLength, byte* iv, nuint ivLength, ulong sectionLength, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_kuznyechik_ctr_free(nint ctr);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_ctr_apply_keystream(nint ctr, byte* buffer, nuint bufferLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_new(byte* key, nuint keyLength, nuint tagLength, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_kuznyechik_omac_free(nint omac);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_kuznyechik_omac_tag_len(nint omac);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_tag(
        nint omac, byte* message, nuint messageLength, byte* tag, nuint tagLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_verify(
        nint omac, byte* message, nuint messageLength, byte* tag, nuint tagLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_update(nint omac, byte* piece, nuint pieceLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_finish(nint omac, byte* tag, nuint tagLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_omac_finish_and_verify(nint omac, byte* tag, nuint tagLength);
}
