using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>Files, in the order of <c>sivka.h</c>.</summary>
internal static unsafe partial class NativeMethods
{
#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        uint sivka_suite_at(nuint index);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_suite_from_name(byte* name, out uint suite);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        byte* sivka_suite_name(uint suite);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_keys_new(out nint made);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        void sivka_file_keys_free(nint keys);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_keys_add_key_file(FileKeysHandle keys, byte* text, nuint textLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_keys_add_passphrase(FileKeysHandle keys, byte* passphrase, nuint passphraseLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_keys_set_cost(FileKeysHandle keys, uint memoryKib, uint passes, uint lanes);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_keys_set_max_cost(FileKeysHandle keys, uint memoryKib, uint passes);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_generate_key_file(byte* name, byte* text, nuint textCapacity, out nuint textLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_key_file_from_bytes(
            byte* key, nuint keyLength, byte* name, byte* text, nuint textCapacity, out nuint textLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_key_file_id(byte* text, nuint textLength, byte* id, nuint idLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_file_with_progress(
            byte* input, byte* output, FileKeysHandle keys, uint suite, uint flags, nint progress,
            nint context);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_file_with_progress(
            byte* input, byte* output, FileKeysHandle keys, uint flags, nint progress, nint context);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_verify_file_with_progress(byte* input, FileKeysHandle keys, nint progress, nint context);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_seal_stream(nint read, nint write, nint progress, nint context, FileKeysHandle keys, uint suite);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_open_stream(nint read, nint write, nint progress, nint context, FileKeysHandle keys);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_verify_stream(nint read, nint progress, nint context, FileKeysHandle keys);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_reader_new(byte* input, FileKeysHandle keys, out nint made);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        ulong sivka_file_reader_len(FileReaderHandle reader);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_file_reader_read(
            FileReaderHandle reader, ulong position, byte* plaintext, nuint plaintextCapacity,
            out nuint plaintextLength);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        void sivka_file_reader_free(nint reader);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_inspect_file(byte* input, out nint made);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        void sivka_inspection_free(nint inspection);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        uint sivka_inspection_suite(InspectionHandle inspection);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        nuint sivka_inspection_slot_count(InspectionHandle inspection);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_inspection_slot(InspectionHandle inspection, nuint index, out NativeSlot slot);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_add_slot(byte* file, FileKeysHandle keys, FileKeysHandle added, out nuint slot);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_remove_slot(byte* file, FileKeysHandle keys, nuint slot);

#if NET
    [LibraryImport(Library.Name)]
    internal static partial
#else
    [DllImport(Library.Name, ExactSpelling = true)]
    internal static extern
#endif
        int sivka_replace_slot(byte* file, FileKeysHandle keys, nuint slot, FileKeysHandle added);
}
