using System;
using System.IO;
using Sivka.Native;

namespace Sivka;

/// <summary>
/// A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys open. This class and Tink, in
/// Java, C++, Go and Python, read each other's keysets and open each other's messages.
/// </summary>
/// <remarks>
/// <para>
/// Keys of AES-GCM-SIV, AES-GCM, AES-EAX, AES-CTR-HMAC, ChaCha20-Poly1305, XChaCha20-Poly1305 and XAES-256-GCM
/// are for <c>Seal</c> and <c>Open</c>. AES-SIV with 64 bytes of key is for <c>SealDeterministically</c> and <c>OpenDeterministically</c>.
/// AES-GCM-HKDF and AES-CTR-HMAC for streams are for <c>CreateSealingStream</c> and <c>CreateOpeningStream</c>. An enabled
/// key of another type is refused by its name. None of these commits to its key: anyone who may choose keys of a keyset
/// can make a message that opens under two of them.
/// </para>
/// <para>
/// Any number of threads may use one keyset, also while one of them changes it: a call works with the keys from before
/// or from after the change. The keys are in native memory; <see cref="Dispose"/> wipes them as soon as no call
/// uses them any more. No exception and no <see cref="ToString"/> has a byte of a key. Other exceptions that each call
/// may throw are those of <see cref="AeadKey"/>.
/// </para>
/// </remarks>
public sealed partial class Keyset : IDisposable, IKeyManagement
{
    private delegate int Writing(Span<byte> output, out nuint length);

    private readonly object _changing = new();
    private volatile State _state;

    private Keyset(KeysetHandle handle) => _state = new State(handle);

    /// <summary>Makes a keyset with one new key, which is its primary.</summary>
    /// <param name="template">
    /// A name that Tink has for it: <c>AES256_GCM_SIV</c> (the one to take, unless equal values must show as equal),
    /// <c>AES256_SIV</c>, <c>AES128_GCM_SIV</c>, <c>AES256_GCM</c>, <c>AES128_GCM</c>, <c>CHACHA20_POLY1305</c>,
    /// <c>XCHACHA20_POLY1305</c>, <c>XAES_256_GCM_192_BIT_NONCE</c>, <c>XAES_256_GCM_160_BIT_NONCE</c>. With <c>_RAW</c>
    /// after it, sealed messages have no prefix. For streams: <c>AES256_GCM_HKDF_1MB</c>,
    /// <c>AES256_CTR_HMAC_SHA256_1MB</c>, both also with <c>AES128</c> and with segments of <c>4KB</c>.
    /// </param>
    /// <returns>The keyset.</returns>
    /// <exception cref="ArgumentException">No template has this name.</exception>
    public static Keyset Generate(string template)
    {
        ArgumentNullException.ThrowIfNull(template);
        Library.Load();
        byte[] name = Text.OfName(template, nameof(template));
        return Made(NativeMethods.sivka_keyset_generate(name, out KeysetHandle made), made);
    }

    /// <summary>Reads a keyset in the clear. Insecure where others can read the bytes, or change them.</summary>
    /// <param name="bytes">The keyset, which the caller wipes; at most 1 MiB and 1000 keys.</param>
    /// <param name="form">How it is written.</param>
    /// <param name="allowDuplicateIds">
    /// Whether several keys may have one id, unless it is the primary's. All of them are tried on a message with that
    /// prefix. Such a keyset cannot be written: remove these keys first.
    /// </param>
    /// <returns>The keyset.</returns>
    /// <exception cref="InvalidDataException">
    /// It is no keyset in this form, or breaks a rule; the message says at which byte, or at which key.
    /// </exception>
    /// <exception cref="NotSupportedException">It has an enabled key of another type or version.</exception>
    public static Keyset FromInsecure(ReadOnlySpan<byte> bytes, KeysetForm form, bool allowDuplicateIds = false)
    {
        Library.Load();
        uint flags = FlagsOf(form, allowDuplicateIds);
        return Made(NativeMethods.sivka_keyset_from_insecure(bytes, flags, out KeysetHandle made), made);
    }

    /// <summary>
    /// Writes the keyset in the clear: it holds the keys. Keep it where only its owner reads, or encrypt it.
    /// </summary>
    /// <param name="form">How to write it. JSON of one keyset differs from writer to writer: neither compare nor sign it.</param>
    /// <returns>The keyset, which the caller wipes.</returns>
    /// <exception cref="ArgumentException">Several keys have one id.</exception>
    public byte[] ToInsecure(KeysetForm form)
    {
        uint flags = FlagsOf(form);
        return With(state => Insecure(state.Keyset, flags));
    }

    /// <summary>Wipes the keys. Calls that use them in other threads end before that; later ones fail.</summary>
    public void Dispose()
    {
        lock (_changing)
        {
            _state.Dispose();
        }
    }

    private static uint FlagsOf(KeysetForm form, bool allowDuplicateIds = false)
    {
        uint flags = form switch
        {
            KeysetForm.Binary => Constants.KeysetBinary,
            KeysetForm.Json => Constants.KeysetJson,
            _ => throw new ArgumentOutOfRangeException(nameof(form)),
        };
        return allowDuplicateIds ? flags | Constants.KeysetDuplicateIds : flags;
    }

    /// <summary>A call that writes, and returns the needed length if the buffer is too short.</summary>
    private static byte[] Written(Writing call)
    {
        int status = call(default, out nuint length);
        if (status != Status.Capacity)
        {
            Failure.Throw(status);
        }
        byte[] bytes = new byte[(int)length];
        Failure.Check(call(bytes, out _));
        return bytes;
    }

    private static Keyset Made(int status, KeysetHandle made)
    {
        Failure.Check(status);
        return new Keyset(made);
    }

    private static byte[] Insecure(KeysetHandle keyset, uint flags) => Written((output, out length) =>
        NativeMethods.sivka_keyset_to_insecure(keyset, flags, output, out length));

    /// <summary>Calls with the keyset as it is now; one that was changed meanwhile is found in its new place.</summary>
    private T With<T>(Func<State, T> call)
    {
        for (State found = _state; ; found = _state)
        {
            try
            {
                return call(found);
            }
            catch (ObjectDisposedException) when (_state != found)
            {
                // Changed between the look at it and its use.
            }
        }
    }

    /// <summary>The keyset between two changes, and the key that it gave when one was first asked for.</summary>
    private sealed class State(KeysetHandle keyset) : IDisposable
    {
        private readonly object _making = new();
        private volatile KeyHandle? _key;
        private KeysetPurpose _purpose;

        internal KeysetHandle Keyset { get; } = keyset;

        internal KeyHandle Key(KeysetPurpose purpose) => _key is { } made && _purpose == purpose ? made : Make(purpose);

        public void Dispose()
        {
            lock (_making)
            {
                Keyset.Dispose();
                _key?.Dispose();
            }
        }

        /// <summary>Only one purpose gives a key; the library has the error for another one.</summary>
        private KeyHandle Make(KeysetPurpose purpose)
        {
            lock (_making)
            {
                if (_key is null || _purpose != purpose)
                {
                    Failure.Check(NativeMethods.sivka_keyset_key(Keyset, (uint)purpose, out KeyHandle made));
                    made.Owner = typeof(Keyset).FullName!;
                    _purpose = purpose;
                    _key = made;
                }
                return _key;
            }
        }
    }
}
