using System;
using System.IO;
using Sivka.Vectors;
using Xunit;

namespace Sivka.Tests;

/// <summary>Every file of vectors that the public interface can reach.</summary>
public sealed class VectorTests
{
    [Fact]
    public void MessagesAndBlocks() => Assert.Equal(48 + 2 + 26 + 180 + 2 + 1 + 1 + 32 + 7 + 4 + 15, MessageVectors.PlayAll());

    [Fact]
    public void Files()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("sivka-vectors-");
        try
        {
            Assert.Equal((15, 85), FileVectors.PlayAll(folder.FullName));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
