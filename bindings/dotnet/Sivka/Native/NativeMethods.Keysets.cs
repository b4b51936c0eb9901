using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>Tink keysets, in the order of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_generate(byte* templateName, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_copy(nint keyset, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_keyset_free(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_from_insecure(byte* input, nuint inputLength, uint flags, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_to_insecure(
        nint keyset, uint flags, byte* output, nuint capacity, out nuint writtenLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_decrypt(
        nint master, byte* aad, nuint aadLength, byte* input, nuint inputLength, uint flags, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_decrypt_with_key(
        nint master, byte* aad, nuint aadLength, byte* input, nuint inputLength, uint flags, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_encrypt(
        nint keyset, nint master, byte* aad, nuint aadLength, uint flags, byte* output, nuint capacity,
        out nuint writtenLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_encrypt_with_key(
        nint keyset, nint master, byte* aad, nuint aadLength, uint flags, byte* output, nuint capacity,
        out nuint writtenLength);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_key_count(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_keyset_primary_key_id(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_keyset_primitive(nint keyset);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_key_at(nint keyset, nuint index, out NativeKeysetKey key);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_key_type(nint keyset, nuint index, byte* text, nuint capacity);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_seal_len(nint keyset, nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_keyset_open_len(nint keyset, nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_seal(
        nint keyset, byte* aad, nuint aadLength, byte* plaintext, nuint plaintextLength,
        byte* sealedMessage, nuint sealedCapacity, out nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_open(
        nint keyset, byte* aad, nuint aadLength, byte* sealedMessage, nuint sealedLength, byte* plaintext,
        nuint plaintextCapacity, out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_seal_deterministically(
        nint keyset, byte* aad, nuint aadLength, byte* plaintext, nuint plaintextLength,
        byte* sealedMessage, nuint sealedCapacity, out nuint sealedLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_open_deterministically(
        nint keyset, byte* aad, nuint aadLength, byte* sealedMessage, nuint sealedLength, byte* plaintext,
        nuint plaintextCapacity, out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_keyset_open_android_aes_gcm(
        nint keyset, byte* aad, nuint aadLength, byte* sealedMessage, nuint sealedLength, byte* plaintext,
        nuint plaintextCapacity, out nuint plaintextLength);

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
}
