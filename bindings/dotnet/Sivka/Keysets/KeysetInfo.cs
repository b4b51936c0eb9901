using System.Collections.Generic;
using System.Linq;

namespace Sivka;

/// <summary>How a keyset is written.</summary>
public enum KeysetForm
{
    /// <summary>In binary, a message of protocol buffers.</summary>
    Binary,

    /// <summary>In JSON, UTF-8.</summary>
    Json,
}

/// <summary>The use of a key of a keyset.</summary>
public enum KeysetKeyStatus
{
    /// <summary>It opens, and seals if it is the primary.</summary>
    Enabled = 1,

    /// <summary>It does nothing until it is enabled.</summary>
    Disabled = 2,

    /// <summary>It is gone; only its id is left.</summary>
    Destroyed = 3,
}

/// <summary>The prefix of the messages of a key. It is not authenticated.</summary>
public enum KeysetPrefix
{
    /// <summary>The byte 1 and the key's id, four bytes, the highest first.</summary>
    Tink = 1,

    /// <summary>The byte 0 and the key's id.</summary>
    Legacy = 2,

    /// <summary>Nothing: to open what others than Tink have sealed.</summary>
    Raw = 3,

    /// <summary>The byte 0 and the key's id.</summary>
    Crunchy = 4,
}

/// <summary>The purpose of the keys of a keyset.</summary>
public enum KeysetPurpose
{
    /// <summary>For nothing that is here: it can be read, written and rotated.</summary>
    Other = 0,

    /// <summary>To seal messages under nonces that are drawn.</summary>
    Aead = 1,

    /// <summary>To seal equal messages to equal bytes.</summary>
    DeterministicAead = 2,

    /// <summary>To seal streams, segment by segment.</summary>
    StreamingAead = 3,
}

/// <summary>All of a keyset but its keys.</summary>
public sealed class KeysetInfo
{
    internal KeysetInfo(uint primaryKeyId, KeysetPurpose purpose, IReadOnlyList<KeysetKeyInfo> keys) =>
        (PrimaryKeyId, Purpose, Keys) = (primaryKeyId, purpose, keys);

    /// <summary>Gets the id of the key that seals.</summary>
    public uint PrimaryKeyId { get; }

    /// <summary>Gets the purpose of the enabled keys.</summary>
    public KeysetPurpose Purpose { get; }

    /// <summary>Gets whether equal messages are sealed to equal bytes, by the calls that say so in their names.</summary>
    public bool IsDeterministic => Purpose == KeysetPurpose.DeterministicAead;

    /// <summary>Gets the keys, in the keyset's order.</summary>
    public IReadOnlyList<KeysetKeyInfo> Keys { get; }

    /// <summary>Ids, types, statuses and prefixes.</summary>
    /// <returns>A line without any key.</returns>
    public override string ToString() =>
        $"primary {PrimaryKeyId}: {string.Join(", ", Keys.Select(key => key.ToString()))}";
}

/// <summary>All of a key but the key itself.</summary>
public sealed class KeysetKeyInfo
{
    internal KeysetKeyInfo(uint id, KeysetKeyStatus status, KeysetPrefix prefix, string typeName) =>
        (Id, Status, Prefix, TypeName) = (id, status, prefix, typeName);

    /// <summary>
    /// Gets the id, by which the key is promoted, disabled and so on. Java shows ids from 2^31 on as negative numbers.
    /// </summary>
    public uint Id { get; }

    /// <summary>Gets the use of the key.</summary>
    public KeysetKeyStatus Status { get; }

    /// <summary>Gets the prefix of the key's messages.</summary>
    public KeysetPrefix Prefix { get; }

    /// <summary>
    /// Gets the name of the type, as <c>type.googleapis.com/google.crypto.tink.AesSivKey</c>; empty for a destroyed key.
    /// </summary>
    public string TypeName { get; }

    /// <summary>Id, type, status and prefix.</summary>
    /// <returns>A few words without the key.</returns>
    public override string ToString() =>
        string.Join(" ", new[] { $"{Id}", TypeName.Substring(TypeName.LastIndexOf('.') + 1), $"{Status}", $"{Prefix}" }.Where(word => word.Length > 0));
}
