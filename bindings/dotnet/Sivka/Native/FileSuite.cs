using System.Collections.Generic;

namespace Sivka.Native;

/// <summary>The suites of the file format: numbers and names.</summary>
internal static unsafe class FileSuite
{
    /// <summary>The number that stands for the default.</summary>
    private const uint Default = 0;

    internal static List<string> Names()
    {
        Library.Load();
        var names = new List<string>();
        for (uint number = 1; NativeMethods.sivka_suite_name(number) != null; number++)
        {
            names.Add(Name(number));
        }
        return names;
    }

    internal static string Name(uint number) => Text.Of(NativeMethods.sivka_suite_name(number));

    internal static uint Number(string? name)
    {
        if (name is null)
        {
            return Default;
        }
        Failure.Check(NativeMethods.sivka_suite_from_name(Text.OfName(name, nameof(name)), out uint number), "options");
        return number;
    }
}
