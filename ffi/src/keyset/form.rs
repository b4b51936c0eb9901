//! Keysets as they are kept: in binary or JSON, in the clear or encrypted.

use super::{Keyset, TinkKeyset, keyset_of};
use crate::failure::{Failure, guard};
use crate::handle::{handle, making};
use crate::key::Key;
use crate::region::{Region, Span, check_apart};
use crate::reserve::ensure;
use crate::status::Status;
use sivka_keyset::{EncryptedKeyset, Primitive, ReadOptions};

/// The most bytes of a keyset, in whatever form, that is read or written.
pub const SIVKA_KEYSET_MAX_LEN: usize = 1 << 20;
const _: () = assert!(SIVKA_KEYSET_MAX_LEN == sivka_keyset::MAX_LEN);
/// The most keys of a keyset.
pub const SIVKA_KEYSET_MAX_KEYS: usize = 1000;
const _: () = assert!(SIVKA_KEYSET_MAX_KEYS == sivka_keyset::MAX_KEYS);

/// A keyset in binary.
pub const SIVKA_KEYSET_BINARY: u32 = 0;
/// A flag: a keyset in JSON.
pub const SIVKA_KEYSET_JSON: u32 = 1;
/// A flag to read: several keys may have one id, unless it is the primary's. All of them are
/// tried on a message with that prefix. Such a keyset cannot be written: remove these first.
pub const SIVKA_KEYSET_DUPLICATE_IDS: u32 = 2;

/// The form that flags ask for, and how it is read.
struct Form {
    json: bool,
    options: ReadOptions,
}

impl Form {
    fn of(flags: u32, known: u32) -> Result<Self, Failure> {
        match flags & !known {
            0 => {}
            unknown => return Err(Failure::flags(unknown)),
        }
        let mut options = ReadOptions::default();
        options.duplicate_ids = flags & SIVKA_KEYSET_DUPLICATE_IDS != 0;
        let json = flags & SIVKA_KEYSET_JSON != 0;
        Ok(Self { json, options })
    }

    fn to_read(flags: u32, len: usize) -> Result<Self, Failure> {
        ensure(64 * len.min(SIVKA_KEYSET_MAX_LEN))?;
        Self::of(flags, SIVKA_KEYSET_JSON | SIVKA_KEYSET_DUPLICATE_IDS)
    }

    fn to_write(flags: u32) -> Result<Self, Failure> {
        Self::of(flags, SIVKA_KEYSET_JSON)
    }

    fn bytes(&self, encrypted: &EncryptedKeyset) -> Result<Vec<u8>, Failure> {
        Ok(match self.json {
            true => encrypted.to_json()?.into_bytes(),
            false => encrypted.to_binary()?,
        })
    }
}

/// Where a caller wants the bytes, and their length, which may be left out.
struct Out {
    bytes: Region<u8>,
    len: Region<usize>,
}

impl Out {
    fn new(
        what: &'static str,
        start: *mut u8,
        capacity: usize,
        len: *mut usize,
    ) -> Result<Self, Failure> {
        Ok(Self {
            bytes: Region::new(what, start, capacity)?,
            len: Region::optional("written_len", len)?,
        })
    }

    /// Writes `bytes`, if there is room, and their length in any case.
    ///
    /// # Safety
    /// This is memory as the header asks, and `read` is all that was read.
    unsafe fn write(self, bytes: &[u8], read: &[Span]) -> Result<(), Failure> {
        check_apart(&[self.bytes.span(), self.len.span()], read)?;
        // SAFETY: the caller's promise, and apart.
        unsafe {
            self.len.write(bytes.len());
            let room = self.bytes.first(bytes.len())?;
            room.as_mut_slice().copy_from_slice(bytes);
        }
        Ok(())
    }
}

/// Reads the keyset in the clear of `input_len` bytes at `input`. Insecure where others can read or
/// change them. `flags` are SIVKA_KEYSET_BINARY or _JSON, and SIVKA_KEYSET_DUPLICATE_IDS.
/// _KEYSET for what is no keyset in this form, is longer than SIVKA_KEYSET_MAX_LEN, or breaks a
/// rule. _KEY_TYPE for an enabled key of a type or version that this library does not have.
/// sivka_last_error() says at which byte and field, or which key, and quotes no key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_from_insecure(
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    let make = || {
        let form = Form::to_read(flags, input_len)?;
        let input = Region::new("input", input, input_len)?;
        // SAFETY: memory as the header asks.
        let input = unsafe { input.as_slice() };
        keyset_of(match form.json {
            true => TinkKeyset::from_insecure_json(input, form.options),
            false => TinkKeyset::from_insecure_binary(input, form.options),
        })
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Writes a keyset in the clear to `output`: it holds the keys. Keep it where only its owner reads,
/// or use sivka_keyset_encrypt(). `flags` is SIVKA_KEYSET_BINARY or SIVKA_KEYSET_JSON, which is
/// UTF-8 without a terminating zero. JSON of one keyset differs from writer to writer: neither
/// compare nor sign it. The length is written to `written_len` unless that is NULL; also on
/// _CAPACITY: it is the capacity that is needed then, and a call with a capacity of 0 asks for it.
/// _KEY_ID if several keys have one id; _TOO_LONG beyond SIVKA_KEYSET_MAX_LEN. `output` is as it
/// was after a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_to_insecure(
    keyset: *const Keyset,
    flags: u32,
    output: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let form = Form::to_write(flags)?;
        let out = Out::new("output", output, capacity, written_len)?;
        // SAFETY: live, as the header asks.
        let keys = &unsafe { handle("keyset", keyset) }?.keys;
        // SAFETY: memory as the header asks.
        unsafe {
            match form.json {
                true => out.write(keys.to_insecure_json()?.as_bytes(), &[]),
                false => out.write(&keys.to_insecure_binary()?, &[]),
            }
        }
    })
}

/// The encrypted keyset in the caller's memory.
///
/// # Safety
/// `input` is memory as the header asks.
unsafe fn encrypted(input: Region<u8>, flags: u32) -> Result<EncryptedKeyset, Failure> {
    let form = Form::to_read(flags, input.len())?;
    // SAFETY: the caller's promise.
    let input = unsafe { input.as_slice() };
    Ok(match form.json {
        true => EncryptedKeyset::from_json(input, form.options),
        false => EncryptedKeyset::from_binary(input, form.options),
    }?)
}

/// The key that encrypts keysets, unless it is one for deterministic AEAD.
///
/// # Safety
/// `master` is null or a live key.
unsafe fn master_of<'a>(master: *const Key) -> Result<&'a Key, Failure> {
    // SAFETY: the caller's promise.
    let master = unsafe { handle("master", master) }?;
    if let Some(keys) = master.if_keyset() {
        keys.only_for(Primitive::Aead).map_err(|error| Failure::from(error).of("master"))?;
    }
    Ok(master)
}

/// Decrypts the keyset of `input_len` bytes at `input` under `master`, a key of this library or one
/// that a keyset for AEAD gave. The AAD is what it was encrypted with: Tink's older calls and
/// tinkey have none. Anything beside the encrypted keyset (in JSON, its info) is not authenticated,
/// and not used. `flags` and other statuses are as for sivka_keyset_from_insecure().
/// _OPEN for a wrong key, wrong AAD, or damage; _PRIMITIVE if `master` is a keyset's for
/// deterministic AEAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_decrypt(
    master: *const Key,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    let make = || {
        let input = Region::new("input", input, input_len)?;
        let aad = Region::new("aad", aad, aad_len)?;
        // SAFETY: a live key, and memory, as the header asks.
        unsafe {
            let (master, encrypted) = (master_of(master)?, encrypted(input, flags)?);
            keyset_of(encrypted.decrypt(master, aad.as_slice()))
        }
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Writes the encrypted part of the encrypted keyset of `input_len` bytes at `input` to
/// `ciphertext`, for a key-management service to decrypt. The answer is a keyset in the clear, for
/// sivka_keyset_from_insecure() with SIVKA_KEYSET_BINARY. `flags` as for that function, `capacity`
/// and `written_len` as for sivka_keyset_to_insecure().
/// _KEYSET for what is no encrypted keyset in this form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_encrypted_keyset_ciphertext(
    input: *const u8,
    input_len: usize,
    flags: u32,
    ciphertext: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let input = Region::new("input", input, input_len)?;
        let out = Out::new("ciphertext", ciphertext, capacity, written_len)?;
        // SAFETY: memory as the header asks.
        unsafe { out.write(encrypted(input, flags)?.ciphertext(), &[input.span()]) }
    })
}

/// Encrypts a keyset under `master`, as sivka_keyset_decrypt() takes it, and writes it to `output`.
/// The AAD is not in it: who decrypts must know it. Binary says nothing of the keys; JSON says
/// their ids, types and statuses in the clear, as Java, Go and Python have it. Each call draws
/// another nonce, and the length is always the same. Otherwise as sivka_keyset_to_insecure().
/// _USAGE_BOUND; _NO_RANDOM_NONCE for a key whose nonces the caller chooses; _PRIMITIVE if `master`
/// is a keyset's for deterministic AEAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_encrypt(
    keyset: *const Keyset,
    master: *const Key,
    aad: *const u8,
    aad_len: usize,
    flags: u32,
    output: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let form = Form::to_write(flags)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let out = Out::new("output", output, capacity, written_len)?;
        // SAFETY: a live keyset, a live key, and memory, as the header asks.
        unsafe {
            let (keyset, master) = (handle("keyset", keyset)?, master_of(master)?);
            let encrypted = keyset.keys.encrypt(master, aad.as_slice())?;
            out.write(&form.bytes(&encrypted)?, &[aad.span()])
        }
    })
}

/// Writes the encrypted keyset whose encrypted part is the `ciphertext_len` bytes at `ciphertext`,
/// to `output`. A key-management service made that part of the keyset in the form of
/// sivka_keyset_to_insecure() with SIVKA_KEYSET_BINARY. Nothing here checks that they belong
/// together. Otherwise as that function; _LENGTH if `ciphertext_len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_encrypted_keyset_of(
    keyset: *const Keyset,
    ciphertext: *const u8,
    ciphertext_len: usize,
    flags: u32,
    output: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let form = Form::to_write(flags)?;
        let ciphertext = Region::new("ciphertext", ciphertext, ciphertext_len)?;
        let out = Out::new("output", output, capacity, written_len)?;
        // SAFETY: a live keyset, and memory, as the header asks.
        unsafe {
            let keys = &handle("keyset", keyset)?.keys;
            let encrypted = keys.encrypted_as(ciphertext.as_slice().to_vec());
            out.write(&form.bytes(&encrypted)?, &[ciphertext.span()])
        }
    })
}
