using System;

namespace Sivka.Examples;

internal static class Program
{
    /// <summary>Runs the example of a name, or all of them.</summary>
    private static void Main(string[] args)
    {
        (string Name, Action Run)[] examples =
        [
            ("Message", Message.Main), ("Batch", Batch.Main),
            ("Notes", Notes.Main), ("Copy", Copy.Main), ("OldCalls", OldCalls.Main),
            ("Keysets", Keysets.Main),
        ];
        foreach ((string name, Action run) in examples)
        {
            if (args.Length == 0 || args[0] == name)
            {
                run();
            }
        }
    }
}
