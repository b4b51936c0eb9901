using System;
using Sivka.Native;

namespace Sivka;

/// <content>Changes of keysets, and their public facts.</content>
/// <remarks>
/// If several programs share a keyset, <c>Add</c> a key and give everyone the keyset, so that all can open its
/// messages. <c>Promote</c> it, and give everyone the keyset again. When no message of the old key is left,
/// <c>Disable</c> it and, if nobody misses it, <c>Remove</c> it.
/// </remarks>
public sealed partial class Keyset
{
    /// <summary>Adds a new key, enabled. It seals only when it is promoted.</summary>
    /// <param name="template">A name as for <see cref="Generate"/>.</param>
    /// <returns>The id of the key.</returns>
    /// <exception cref="ArgumentException">No template has this name, or there are 1000 keys already.</exception>
    /// <exception cref="InvalidOperationException">The keyset is for another purpose than the template.</exception>
    public uint Add(string template) => Add(template, promote: false);

    /// <summary>Adds a new key and makes it the primary at once, for a keyset that nobody else has.</summary>
    /// <inheritdoc cref="Add(string)"/>
    public uint Rotate(string template) => Add(template, promote: true);

    /// <summary>Makes an enabled key the primary, which seals from now on.</summary>
    /// <param name="id">Of the key.</param>
    /// <exception cref="ArgumentException">No key has this id, or several have.</exception>
    /// <exception cref="InvalidOperationException">The key is not enabled.</exception>
    public void Promote(uint id) => Apply(Constants.KeysetPromote, id);

    /// <summary>Lets a disabled key open again.</summary>
    /// <param name="id">Of the key.</param>
    /// <exception cref="ArgumentException">No key has this id, or several have.</exception>
    /// <exception cref="InvalidOperationException">The key is destroyed.</exception>
    /// <exception cref="NotSupportedException">The key is of a type that this library does not have.</exception>
    public void Enable(uint id) => Apply(Constants.KeysetEnable, id);

    /// <summary>Keeps a key from opening, until it is enabled.</summary>
    /// <param name="id">Of the key.</param>
    /// <exception cref="ArgumentException">No key has this id, or several have.</exception>
    /// <exception cref="InvalidOperationException">The key is the primary, or destroyed.</exception>
    public void Disable(uint id) => Apply(Constants.KeysetDisable, id);

    /// <summary>
    /// Wipes a key for good; its id and status stay. Tink for Go does not read such a keyset: <see cref="Remove"/> does
    /// the same and leaves nothing to stumble over.
    /// </summary>
    /// <param name="id">Of the key.</param>
    /// <exception cref="ArgumentException">No key has this id, or several have.</exception>
    /// <exception cref="InvalidOperationException">The key is the primary.</exception>
    public void Destroy(uint id) => Apply(Constants.KeysetDestroy, id);

    /// <summary>Wipes a key and its entry; every one with this id, if there are several.</summary>
    /// <param name="id">Of the key.</param>
    /// <exception cref="ArgumentException">No key has this id.</exception>
    /// <exception cref="InvalidOperationException">The key is the primary.</exception>
    public void Remove(uint id) => Apply(Constants.KeysetRemove, id);

    /// <summary>Gets all of the keyset but its keys, as it is now; later changes do not show in it.</summary>
    public KeysetInfo Info => With(InfoOf);

    /// <summary>Ids, types, statuses and prefixes of the keys.</summary>
    /// <returns>A line without any key.</returns>
    public override string ToString() => _state.Keyset.IsDisposed ? nameof(Keyset) : $"{nameof(Keyset)}, {Info}";

    private static unsafe KeysetInfo InfoOf(State state)
    {
        Failure.Check(NativeMethods.sivka_inspect_keyset(state.Keyset, out KeysetInfoHandle made));
        using KeysetInfoHandle handle = made;
        var info = (sivka_keyset_info*)handle.Enter(out bool alone);
        var keys = new KeysetKeyInfo[(int)info->KeyCount];
        for (int i = 0; i < keys.Length; i++)
        {
            sivka_keyset_key_info key = info->Keys[i];
            keys[i] = new KeysetKeyInfo(key.Id, (KeysetKeyStatus)key.Status, (KeysetPrefix)key.Prefix, Text.OfUtf8(key.TypeName)!);
        }
        uint primary = info->PrimaryKeyId;
        handle.Leave(alone);
        return new KeysetInfo(primary, (KeysetPurpose)NativeMethods.sivka_keyset_primitive(state.Keyset), keys);
    }

    private uint Add(string template, bool promote)
    {
        ArgumentNullException.ThrowIfNull(template);
        uint added = 0;
        byte[] name = Text.OfName(template, nameof(template));
        Apply(keyset => NativeMethods.sivka_keyset_add(keyset, name, promote ? Constants.KeysetAsPrimary : 0, out added));
        return added;
    }

    private void Apply(uint change, uint id) => Apply(keyset => NativeMethods.sivka_keyset_change(keyset, change, id));

    /// <summary>
    /// Changes a copy, which replaces the keyset; calls that are under way go on with the old one, which is wiped after
    /// the last of them.
    /// </summary>
    private void Apply(Func<KeysetHandle, int> change)
    {
        lock (_changing)
        {
            State old = _state;
            Failure.Check(NativeMethods.sivka_keyset_copy(old.Keyset, out KeysetHandle? made));
            try
            {
                Failure.Check(change(made));
                _state = new State(made);
                made = null;
            }
            finally
            {
                made?.Dispose();
            }
            old.Dispose();
        }
    }
}
