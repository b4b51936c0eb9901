// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>The functions of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_algorithm_count();

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_algorithm_at(nuint index);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_algorithm_from_name(byte* name, out uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_algorithm_name(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_key_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_nonce_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_tag_len(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_tag_first(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_overhead(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_random_nonces_allowed(uint algorithm);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_nonce_allowed(uint algorithm, byte* nonce, nuint nonceLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_generate_key(uint algorithm, byte* key, nuint keyLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_random_nonces(uint algorithm, byte* nonces, nuint noncesLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_batch(nint key, nuint count, byte* nonces, nuint noncesLen, byte** aads, nuint* aadLens, byte** texts, nuint* textLens, byte* tags, nuint tagsLen, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_batch(nint key, nuint count, byte* nonces, nuint noncesLen, byte** aads, nuint* aadLens, byte** texts, nuint* textLens, byte* tags, nuint tagsLen, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_batch_contiguous(nint key, nuint count, byte* nonces, nuint noncesLen, byte* aads, nuint aadsLen, nuint* aadOffsets, byte* texts, nuint textsLen, nuint* textOffsets, byte* tags, nuint tagsLen, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_batch_contiguous(nint key, nuint count, byte* nonces, nuint noncesLen, byte* aads, nuint aadsLen, nuint* aadOffsets, byte* texts, nuint textsLen, nuint* textOffsets, byte* tags, nuint tagsLen, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_sealed_column_len(nint key, nuint count, nint values, out nuint len);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_opened_column_len(nint key, nuint count, nint @sealed, out nuint len);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_column(nint key, nuint count, nint values, byte* aads, nuint aadsLen, nuint* aadOffsets, byte* nonces, nuint noncesLen, byte* @sealed, nuint sealedLen, nint offsets, uint offsetBits);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_column(nint key, nuint count, nint @sealed, byte* aads, nuint aadsLen, nuint* aadOffsets, byte* values, nuint valuesLen, nint offsets, uint offsetBits, int* statuses);

    [LibraryImport(Library.Name)]
    internal static partial NativeError* sivka_last_error();

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_of_function(nint readAt, ulong inputLen, nint context, FileKeysHandle keys, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_generate_key_file(byte* name, byte* text, nuint textCapacity, out nuint textLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_file_from_bytes(byte* key, nuint keyLen, byte* name, byte* text, nuint textCapacity, out nuint textLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_check_key_path(byte* path, nuint pathLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_new(out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_file_keys_free(nint keys);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_key_file(FileKeysHandle keys, byte* text, nuint textLen, byte* passphrase, nuint passphraseLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_passphrase(FileKeysHandle keys, byte* passphrase, nuint passphraseLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_recipients(FileKeysHandle keys, byte* text, nuint textLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_identities(FileKeysHandle keys, byte* text, nuint textLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_set_room(FileKeysHandle keys, nuint slots);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_set_cost(FileKeysHandle keys, uint memoryKib, uint passes, uint lanes);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_set_max_cost(FileKeysHandle keys, uint memoryKib, uint passes);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_new(byte* input, FileKeysHandle keys, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial ulong sivka_file_reader_len(FileReaderHandle reader);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_read(FileReaderHandle reader, ulong position, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_file_reader_free(nint reader);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_file(byte* input, byte* output, FileKeysHandle keys, uint suite, uint flags, nint progress, nint progressContext);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_file(byte* input, byte* output, FileKeysHandle keys, uint flags, nint progress, nint progressContext);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_verify_file(byte* input, FileKeysHandle keys, nint progress, nint progressContext);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_new(uint algorithm, byte* key, nuint keyLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_new_by_name(byte* name, byte* key, nuint keyLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_column_key_new(uint algorithm, byte* text, nuint textLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_set_usage_bound(nint key, ulong messages, ulong messageLen);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_key_free(nint key);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_key_algorithm(nint key);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_key_tier(nint key);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_key_seal_len(nint key, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_key_open_len(nint key, nuint sealedLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_from_insecure(byte* input, nuint inputLen, uint flags, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_to_insecure(nint keyset, uint flags, byte* output, nuint capacity, out nuint writtenLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_decrypt(nint master, byte* aad, nuint aadLen, byte* input, nuint inputLen, uint flags, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_encrypted_keyset_ciphertext(byte* input, nuint inputLen, uint flags, byte* ciphertext, nuint capacity, out nuint writtenLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_encrypt(nint keyset, nint master, byte* aad, nuint aadLen, uint flags, byte* output, nuint capacity, out nuint writtenLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_encrypted_keyset_of(nint keyset, byte* ciphertext, nuint ciphertextLen, uint flags, byte* output, nuint capacity, out nuint writtenLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_key_count(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_keyset_primary_key_id(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_keyset_primitive(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_key_at(nint keyset, nuint index, nint key);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_key_type(nint keyset, nuint index, byte* text, nuint capacity);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_key(nint keyset, uint purpose, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_add(nint keyset, byte* templateName, out uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_rotate(nint keyset, byte* templateName, out uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_promote(nint keyset, uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_enable(nint keyset, uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_disable(nint keyset, uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_destroy(nint keyset, uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_remove(nint keyset, uint id);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_sealer_new(nint keyset, byte* aad, nuint aadLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_opener_new(nint keyset, byte* aad, nuint aadLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_generate(byte* templateName, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_copy(nint keyset, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_keyset_free(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_new(byte* key, nuint keyLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_kuznyechik_free(nint key);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_encrypt_blocks(nint key, byte* inOut, nuint inOutLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_kuznyechik_decrypt_blocks(nint key, byte* inOut, nuint inOutLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_seal_memory_len(FileKeysHandle keys, uint suite, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_open_memory_len(byte* @sealed, nuint sealedLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_memory(byte* plaintext, nuint plaintextLen, byte* @sealed, nuint sealedCapacity, out nuint sealedLen, FileKeysHandle keys, uint suite);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_memory(byte* @sealed, nuint sealedLen, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLen, FileKeysHandle keys);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_with_list(nint key, byte** aads, nuint* aadLens, nuint aadCount, byte* plaintext, nuint plaintextLen, byte* @sealed, nuint sealedCapacity, out nuint sealedLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_with_list(nint key, byte** aads, nuint* aadLens, nuint aadCount, byte* @sealed, nuint sealedLen, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_detached_with_list(nint key, byte** aads, nuint* aadLens, nuint aadCount, byte* plaintext, nuint plaintextLen, byte* ciphertext, nuint ciphertextLen, byte* tag, nuint tagLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_detached_with_list(nint key, byte** aads, nuint* aadLens, nuint aadCount, byte* ciphertext, nuint ciphertextLen, byte* tag, nuint tagLen, byte* plaintext, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_seal_len(uint algorithm, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_open_len(uint algorithm, nuint sealedLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_seal_with_nonce_len(uint algorithm, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_open_with_nonce_len(uint algorithm, nuint ciphertextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal(nint key, byte* aad, nuint aadLen, byte* plaintext, nuint plaintextLen, byte* @sealed, nuint sealedCapacity, out nuint sealedLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open(nint key, byte* aad, nuint aadLen, byte* @sealed, nuint sealedLen, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_with_nonce(nint key, byte* nonce, nuint nonceLen, byte* aad, nuint aadLen, byte* plaintext, nuint plaintextLen, byte* ciphertext, nuint ciphertextCapacity, out nuint ciphertextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_with_nonce(nint key, byte* nonce, nuint nonceLen, byte* aad, nuint aadLen, byte* ciphertext, nuint ciphertextLen, byte* plaintext, nuint plaintextCapacity, out nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_detached(nint key, byte* nonce, nuint nonceLen, byte* aad, nuint aadLen, byte* plaintext, nuint plaintextLen, byte* ciphertext, nuint ciphertextLen, byte* tag, nuint tagLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_detached(nint key, byte* nonce, nuint nonceLen, byte* aad, nuint aadLen, byte* ciphertext, nuint ciphertextLen, byte* tag, nuint tagLen, byte* plaintext, nuint plaintextLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_inspect_file(byte* input, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_inspect_memory(byte* @sealed, nuint sealedLen, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_inspection_free(nint inspection);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_inspection_suite(InspectionHandle inspection);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_inspection_slot_count(InspectionHandle inspection);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_inspection_slot(InspectionHandle inspection, nuint index, out NativeSlot slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_file_id(byte* text, nuint textLen, byte* id, nuint idLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_add_slot(byte* file, FileKeysHandle keys, FileKeysHandle added, out nuint slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_remove_slot(byte* file, FileKeysHandle keys, nuint slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_replace_slot(byte* file, FileKeysHandle keys, nuint slot, FileKeysHandle added);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_status_message(int status);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_sealer_new(FileKeysHandle keys, uint suite, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_sealer_update(nint sealer, byte* input, nuint inputLen, out nuint inputUsed, byte* output, nuint outputCapacity, out nuint outputLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_sealer_finish(nint sealer, byte* output, nuint outputCapacity, out nuint outputLen);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_sealer_free(nint sealer);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_opener_new(FileKeysHandle keys, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_opener_update(nint opener, byte* input, nuint inputLen, out nuint inputUsed, byte* output, nuint outputCapacity, out nuint outputLen);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_opener_finish(nint opener, byte* output, nuint outputCapacity, out nuint outputLen);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_opener_free(nint opener);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_suite_count();

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_suite_at(nuint index);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_suite_from_name(byte* name, out uint suite);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_suite_name(uint suite);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_version();

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_abi_version();

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_tier();
}
