namespace Sivka;

/// <summary>How a file is sealed or opened.</summary>
public sealed class SealedFileOptions
{
    /// <summary>
    /// Gets or sets the suite that seals a file, as <see cref="SealedFile.Suites"/> names it; null is the first of them.
    /// To open a file, it says its suite itself.
    /// </summary>
    public string? Suite { get; set; }

    /// <summary>Gets or sets whether an output path that exists is replaced.</summary>
    public bool Overwrite { get; set; }
}
