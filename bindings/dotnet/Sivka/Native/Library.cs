using System;
using System.IO;
using System.Runtime.InteropServices;
#if NET
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
#endif

namespace Sivka.Native;

/// <summary>Finds the native library, and says where it was looked for.</summary>
internal static class Library
{
    internal const string Name = "sivka";

    private static volatile bool s_loaded;

    /// <summary>Called before the first call of every kind; a failure is tried again the next time.</summary>
    internal static void Load()
    {
        if (!s_loaded)
        {
            CheckVersion();
            s_loaded = true;
        }
    }

    /// <summary>Whether the library is there and is the one that is meant.</summary>
    internal static bool IsAvailable
    {
        get
        {
            try
            {
                Load();
                return true;
            }
            catch (DllNotFoundException)
            {
                return false;
            }
        }
    }

    private static void CheckVersion()
    {
        uint found;
        try
        {
            found = NativeMethods.sivka_abi_version();
        }
        catch (Exception e) when (e is EntryPointNotFoundException or BadImageFormatException)
        {
            throw new DllNotFoundException($"A library was found as '{FileName}', but it is not that of Sivka for this process: {e.Message}", e);
        }
#if !NET
        catch (DllNotFoundException e)
        {
            throw new DllNotFoundException(NotFound($"beside the program in '{AppDomain.CurrentDomain.BaseDirectory}'"), e);
        }
#endif
        if (found != Constants.AbiVersion)
        {
            throw new DllNotFoundException($"The library '{FileName}' that was found has interface {found}; this package needs interface {Constants.AbiVersion}.");
        }
    }

    private static string FileName =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? $"{Name}.dll"
        : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? $"lib{Name}.dylib"
        : $"lib{Name}.so";

    private static string NotFound(string places) =>
        $"The native library of Sivka was not found. '{FileName}' was looked for {places}, and where the system looks for libraries. "
        + $"The package has it in 'runtimes' for each platform that it is built for; this process runs on {RuntimeInformation.OSDescription}, {RuntimeInformation.ProcessArchitecture}.";

#if NET
    [ModuleInitializer]
    internal static void Register() => NativeLibrary.SetDllImportResolver(typeof(Library).Assembly, Resolve);

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
    {
        if (name != Name)
        {
            return 0;
        }
        // The folders of the program's `deps.json`, the one of the assembly, and the system's.
        if (NativeLibrary.TryLoad(name, assembly, searchPath, out nint handle))
        {
            return handle;
        }
        foreach (string file in Candidates())
        {
            if (NativeLibrary.TryLoad(file, out handle))
            {
                return handle;
            }
        }
        throw new DllNotFoundException(NotFound($"as {string.Join(", ", Candidates())}"));
    }

    /// <summary>Where a program without a <c>deps.json</c> has it.</summary>
    private static IEnumerable<string> Candidates()
    {
        string folder = AppContext.BaseDirectory;
        yield return Path.Combine(folder, FileName);
        yield return Path.Combine(folder, "runtimes", RuntimeInformation.RuntimeIdentifier, "native", FileName);
        yield return Path.Combine(folder, "runtimes", PortableRid, "native", FileName);
    }

    /// <summary>As <c>linux-x64</c>, where the runtime's own may name a distribution.</summary>
    private static string PortableRid =>
        (OperatingSystem.IsWindows() ? "win-" : OperatingSystem.IsMacOS() ? "osx-" : "linux-") + RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X86 => "x86",
            Architecture.X64 => "x64",
            Architecture.Arm64 => "arm64",
            Architecture other => $"{other}",
        };
#endif
}
