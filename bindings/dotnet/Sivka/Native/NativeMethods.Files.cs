using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>Files, in the order of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
    [LibraryImport(Library.Name)]
    internal static partial uint sivka_suite_at(nuint index);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_suite_from_name(byte* name, out uint suite);

    [LibraryImport(Library.Name)]
    internal static partial byte* sivka_suite_name(uint suite);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_new(out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_file_keys_free(nint keys);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_key_file(FileKeysHandle keys, byte* text, nuint textLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_add_passphrase(FileKeysHandle keys, byte* passphrase, nuint passphraseLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_set_cost(FileKeysHandle keys, uint memoryKib, uint passes, uint lanes);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_keys_set_max_cost(FileKeysHandle keys, uint memoryKib, uint passes);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_generate_key_file(byte* name, byte* text, nuint textCapacity, out nuint textLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_file_from_bytes(
        byte* key, nuint keyLength, byte* name, byte* text, nuint textCapacity, out nuint textLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_key_file_id(byte* text, nuint textLength, byte* id, nuint idLength);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_file_with_progress(
        byte* input, byte* output, FileKeysHandle keys, uint suite, uint flags, nint progress,
        nint context);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_file_with_progress(
        byte* input, byte* output, FileKeysHandle keys, uint flags, nint progress, nint context);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_verify_file_with_progress(byte* input, FileKeysHandle keys, nint progress, nint context);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_seal_stream(nint read, nint write, nint progress, nint context, FileKeysHandle keys, uint suite);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_open_stream(nint read, nint write, nint progress, nint context, FileKeysHandle keys);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_verify_stream(nint read, nint progress, nint context, FileKeysHandle keys);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_new(byte* input, FileKeysHandle keys, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_of_function(
        nint readAt, ulong inputLength, nint context, FileKeysHandle keys, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial ulong sivka_file_reader_len(FileReaderHandle reader);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_file_reader_read(
        FileReaderHandle reader, ulong position, byte* plaintext, nuint plaintextCapacity,
        out nuint plaintextLength);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_file_reader_free(nint reader);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_inspect_file(byte* input, out nint made);

    [LibraryImport(Library.Name)]
    internal static partial void sivka_inspection_free(nint inspection);

    [LibraryImport(Library.Name)]
    internal static partial uint sivka_inspection_suite(InspectionHandle inspection);

    [LibraryImport(Library.Name)]
    internal static partial nuint sivka_inspection_slot_count(InspectionHandle inspection);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_inspection_slot(InspectionHandle inspection, nuint index, out NativeSlot slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_add_slot(byte* file, FileKeysHandle keys, FileKeysHandle added, out nuint slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_remove_slot(byte* file, FileKeysHandle keys, nuint slot);

    [LibraryImport(Library.Name)]
    internal static partial int sivka_replace_slot(byte* file, FileKeysHandle keys, nuint slot, FileKeysHandle added);
}
