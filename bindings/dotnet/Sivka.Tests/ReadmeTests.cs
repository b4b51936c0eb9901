using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace Sivka.Tests;

/// <summary>The programs of both pages are the examples, and print what it says.</summary>
public sealed partial class ReadmeTests
{
    private static readonly string s_folder = Path.GetFullPath(Path.Combine(SourceTree.Root, "bindings/dotnet"));

    [Fact]
    public void EverySnippetIsAnExampleThatRuns()
    {
        string readme = File.ReadAllText(Path.Combine(s_folder, "README.md"))
            + File.ReadAllText(Path.Combine(s_folder, "Sivka.DataProtection/README.md"));
        MatchCollection snippets = Snippet().Matches(readme);
        Assert.Equal(Count(readme, "```csharp\n"), snippets.Count);
        string[] examples = [.. Directory.GetFiles(Path.Combine(s_folder, "Sivka.Examples"), "*.cs")
            .Where(path => Path.GetFileName(path) != "Program.cs")];
        Assert.Equal(examples.Length + 1, snippets.Count);
        foreach (Match snippet in snippets)
        {
            string code = snippet.Groups[1].Value, printed = snippet.Groups[2].Value;
            string name = ClassName().Match(code).Groups[1].Value;
            if (name == "CookieExample")
            {
                // Compiled and run by the tests of Sivka.DataProtection, and printed to a browser.
                Assert.Equal(File.ReadAllText(Path.Combine(s_folder, "Sivka.DataProtection.Tests", name + ".cs")), code);
                continue;
            }
            Assert.Equal(File.ReadAllText(Path.Combine(s_folder, "Sivka.Examples", name + ".cs")), code);
            (int exit, string output, string error) = Child.Run(Path.Combine(AppContext.BaseDirectory, "Sivka.Examples.dll"), name);
            Assert.Equal((0, printed, ""), (exit, output.Trim(), error));
        }
    }

    private static int Count(string text, string part) => text.Split(part).Length - 1;

    [GeneratedRegex(@"```csharp\n(.*?)```\n\nIt prints `([^`]*)`", RegexOptions.Singleline)]
    private static partial Regex Snippet();

    [GeneratedRegex(@"class (\w+)")]
    private static partial Regex ClassName();
}
