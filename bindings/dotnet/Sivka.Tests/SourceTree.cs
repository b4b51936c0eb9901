using System;
using System.IO;

namespace Sivka.Tests;

/// <summary>The source tree, inside which the tests are built.</summary>
internal static class SourceTree
{
    internal static string Root { get; } = Find(AppDomain.CurrentDomain.BaseDirectory);

    private static string Find(string start)
    {
        for (DirectoryInfo? folder = new(start); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "ffi/include/sivka.h")))
            {
                return folder.FullName;
            }
        }
        throw new DirectoryNotFoundException($"no source tree above {start}");
    }
}
