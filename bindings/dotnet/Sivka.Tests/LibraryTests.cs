using System;
using System.IO;
using System.Runtime.InteropServices;
using Xunit;

namespace Sivka.Tests;

/// <summary>The native library: how it is found.</summary>
public sealed class LibraryTests
{
    [Fact]
    public void AMissingLibraryIsSaidWithThePlaces()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("sivka-missing-");
        try
        {
            foreach (string name in new[] { "Sivka.dll", "Sivka.Examples.dll", "Sivka.Examples.runtimeconfig.json" })
            {
                File.Copy(Path.Combine(AppContext.BaseDirectory, name), Path.Combine(folder.FullName, name));
            }
            (int exit, _, string error) = Child.Run(Path.Combine(folder.FullName, "Sivka.Examples.dll"), "Message");
            Assert.NotEqual(0, exit);
            string file = OperatingSystem.IsWindows() ? "sivka.dll" : OperatingSystem.IsMacOS() ? "libsivka.dylib" : "libsivka.so";
            Assert.Contains("System.DllNotFoundException: The native library of Sivka was not found", error, StringComparison.Ordinal);
            Assert.Contains(Path.Combine(folder.FullName, file), error, StringComparison.Ordinal);
            Assert.Contains(Path.Combine("runtimes", RuntimeInformation.RuntimeIdentifier, "native", file), error, StringComparison.Ordinal);

            // Found where a program has it that was put together by hand.
            string place = Path.Combine(folder.FullName, "runtimes", RuntimeInformation.RuntimeIdentifier, "native");
            _ = Directory.CreateDirectory(place);
            File.Copy(Path.Combine(AppContext.BaseDirectory, "runtimes", RuntimeInformation.RuntimeIdentifier, "native", file), Path.Combine(place, file));
            (exit, string output, error) = Child.Run(Path.Combine(folder.FullName, "Sivka.Examples.dll"), "Message");
            Assert.Equal((0, "meet at noon", ""), (exit, output.Trim(), error));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
