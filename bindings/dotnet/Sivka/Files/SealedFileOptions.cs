using System;

namespace Sivka;

/// <summary>How a file is sealed, opened or verified.</summary>
public sealed class SealedFileOptions
{
    /// <summary>
    /// Gets or sets the suite that seals a file, as <see cref="SealedFile.Suites"/> names it; null is the first of them.
    /// To open a file, it says its suite itself.
    /// </summary>
    public string? Suite { get; set; }

    /// <summary>Gets or sets what hears how many bytes of plaintext are done, from the thread that works.</summary>
    public IProgress<long>? Progress { get; set; }

    /// <summary>Gets or sets whether an output path that exists is replaced.</summary>
    public bool Overwrite { get; set; }
}
