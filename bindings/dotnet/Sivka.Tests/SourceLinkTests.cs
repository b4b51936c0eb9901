using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Text;
using System.Text.RegularExpressions;
using Xunit;

namespace Sivka.Tests;

/// <summary>The symbols say where the sources of just this build are.</summary>
public sealed partial class SourceLinkTests
{
    /// <summary>What the Portable PDB format calls Source Link.</summary>
    private static readonly Guid s_sourceLink = new("cc110556-a091-4d38-9fec-25ab9a351a6a");

    [Fact]
    public void SymbolsNameTheCommitInTheRepository()
    {
        using FileStream symbols = File.OpenRead(Path.ChangeExtension(typeof(Aead).Assembly.Location, ".pdb"));
        using var provider = MetadataReaderProvider.FromPortablePdbStream(symbols);
        MetadataReader reader = provider.GetMetadataReader();
        string[] links = [.. reader.GetCustomDebugInformation(EntityHandle.ModuleDefinition).Select(reader.GetCustomDebugInformation)
            .Where(information => reader.GetGuid(information.Kind) == s_sourceLink)
            .Select(information => Encoding.UTF8.GetString(reader.GetBlobBytes(information.Value)))];

        // A tree that is no clone has no commit to name.
        string git = Path.Combine(SourceTree.Root, ".git");
        if (!Directory.Exists(git) && !File.Exists(git))
        {
            Assert.Empty(links);
            return;
        }
        string version = typeof(Aead).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
        string commit = Commit().Match(version).Value;
        Assert.Equal(40, commit.Length);
        Assert.Contains($"\"https://raw.githubusercontent.com/sivka-dev/sivka/{commit}/*\"", Assert.Single(links), StringComparison.Ordinal);
    }

    [GeneratedRegex("(?<=\\+)[0-9a-f]{40}$")]
    private static partial Regex Commit();
}
