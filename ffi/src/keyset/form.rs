//! Keysets as they are kept: in binary or JSON, in the clear or encrypted.

use super::{Keyset, TinkKeyset, give};
use crate::failure::{Failure, guard};
use crate::key::{Key, result};
use crate::region::{Region, check_apart, handle};
use crate::status::Status;
use sivka_keyset::{EncryptedKeyset, KeyEncryptionKey, ReadOptions};
use std::ptr;

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
            unknown => return Err(Failure::Flags { unknown }),
        }
        let mut options = ReadOptions::default();
        options.duplicate_ids = flags & SIVKA_KEYSET_DUPLICATE_IDS != 0;
        let json = flags & SIVKA_KEYSET_JSON != 0;
        Ok(Self { json, options })
    }

    fn to_read(flags: u32) -> Result<Self, Failure> {
        Self::of(flags, SIVKA_KEYSET_JSON | SIVKA_KEYSET_DUPLICATE_IDS)
    }

    fn to_write(flags: u32) -> Result<Self, Failure> {
        Self::of(flags, SIVKA_KEYSET_JSON)
    }
}

/// Writes `bytes` to the caller's buffer, if there is room, and their length in any case.
///
/// # Safety
/// `out` and `out_len` are memory as the header asks.
unsafe fn write(
    bytes: &[u8],
    out: Region<u8>,
    out_len: Region<usize>,
    read: Region<u8>,
) -> Result<(), Failure> {
    check_apart(&[out.span(), out_len.span()], &[read.span()])?;
    // SAFETY: the caller's promise, and apart.
    unsafe {
        out_len.as_mut_slice().fill(bytes.len());
        out.first(bytes.len())?
            .as_mut_slice()
            .copy_from_slice(bytes);
    }
    Ok(())
}

/// The caller's length, which may be left out.
fn len_of(out_len: *mut usize) -> Result<Region<usize>, Failure> {
    Region::new("written_len", out_len, usize::from(!out_len.is_null()))
}

/// Reads the keyset in the clear of `input_len` bytes at `input`, and writes it to `made`; NULL
/// on a failure. Insecure where others can read the bytes, or change them; the caller wipes
/// them. `flags` are SIVKA_KEYSET_BINARY or SIVKA_KEYSET_JSON, and SIVKA_KEYSET_DUPLICATE_IDS.
///
/// SIVKA_ERROR_NULL, _FLAGS; SIVKA_ERROR_KEYSET for what is no keyset in this form, is longer
/// than SIVKA_KEYSET_MAX_LEN, or breaks a rule; SIVKA_ERROR_KEY_TYPE for an enabled key of a
/// type or version that this library does not have. sivka_last_error() says at which byte
/// and place, or which key, and quotes no key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_from_insecure(
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let form = Form::to_read(flags)?;
        let input = Region::new("input", input, input_len)?;
        // SAFETY: memory as the header asks.
        let input = unsafe { input.as_slice() };
        let keys = match form.json {
            true => TinkKeyset::from_insecure_json(input, form.options),
            false => TinkKeyset::from_insecure_binary(input, form.options),
        };
        made.handle = give(keys?);
        Ok(())
    })
}

/// Writes a keyset in the clear to `output`: it holds the keys. Keep it where only its owner
/// reads, or use sivka_keyset_encrypt(). `flags` is SIVKA_KEYSET_BINARY or SIVKA_KEYSET_JSON,
/// which is UTF-8 without a terminating zero.
///
/// The length is written to `written_len` unless that is NULL; also on SIVKA_ERROR_CAPACITY,
/// when it is the capacity that is needed, so that a first call with a capacity of 0 asks for
/// it. JSON of one keyset differs from writer to writer: neither compare nor sign it.
///
/// SIVKA_ERROR_NULL, _ALIGNMENT, _FLAGS, _CAPACITY, _OVERLAP; SIVKA_ERROR_KEY_ID if several
/// keys have one id; SIVKA_ERROR_TOO_LONG beyond SIVKA_KEYSET_MAX_LEN. `output` is as it was
/// then.
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
        let out = Region::new("output", output, capacity)?;
        let out_len = len_of(written_len)?;
        let none = Region::new("aad", ptr::null(), 0)?;
        // SAFETY: live, as the header asks.
        let keys = &unsafe { handle("keyset", keyset) }?.keys;
        // SAFETY: memory as the header asks.
        unsafe {
            match form.json {
                true => write(keys.to_insecure_json()?.as_bytes(), out, out_len, none),
                false => write(&keys.to_insecure_binary()?, out, out_len, none),
            }
        }
    })
}

/// Where an encrypted keyset is read, with its AAD.
#[derive(Clone, Copy)]
pub(super) struct Encrypted {
    input: Region<u8>,
    aad: Region<u8>,
}

impl Encrypted {
    pub(super) fn new(input: (*const u8, usize), aad: (*const u8, usize)) -> Result<Self, Failure> {
        Ok(Self {
            input: Region::new("input", input.0, input.1)?,
            aad: Region::new("aad", aad.0, aad.1)?,
        })
    }

    /// # Safety
    /// The regions are memory as the header asks.
    pub(super) unsafe fn decrypt<K: KeyEncryptionKey + ?Sized>(
        self,
        master: &K,
        flags: u32,
    ) -> Result<*mut Keyset, Failure> {
        let form = Form::to_read(flags)?;
        // SAFETY: the caller's promise.
        let (input, aad) = unsafe { (self.input.as_slice(), self.aad.as_slice()) };
        let encrypted = match form.json {
            true => EncryptedKeyset::from_json(input, form.options),
            false => EncryptedKeyset::from_binary(input, form.options),
        };
        Ok(give(encrypted?.decrypt(master, aad)?))
    }
}

/// Decrypts the keyset of `input_len` bytes at `input` under the keys of `master`, a keyset for
/// AEAD, and writes it to `made`; NULL on a failure. The AAD is what it was encrypted with:
/// Tink's older calls and tinkey have none. Anything beside the encrypted keyset (in JSON, its
/// info) is not authenticated, and not used. `flags` as for sivka_keyset_from_insecure().
///
/// SIVKA_ERROR_OPEN for a wrong key, wrong AAD, or damage; SIVKA_ERROR_PRIMITIVE if `master` is
/// for deterministic AEAD; and as sivka_keyset_from_insecure().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_decrypt(
    master: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: a writable pointer or null, a live keyset, and memory, as the header asks.
        unsafe {
            let mut made = result("made", made)?;
            let encrypted = Encrypted::new((input, input_len), (aad, aad_len))?;
            made.handle = encrypted.decrypt(handle("master", master)?.master()?, flags)?;
        }
        Ok(())
    })
}

/// sivka_keyset_decrypt() under a key of this library.
///
/// SIVKA_ERROR_OPEN, and as sivka_keyset_from_insecure().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_decrypt_with_key(
    master: *const Key,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: a writable pointer or null, a live key, and memory, as the header asks.
        unsafe {
            let mut made = result("made", made)?;
            let encrypted = Encrypted::new((input, input_len), (aad, aad_len))?;
            made.handle = encrypted.decrypt(&*handle("master", master)?.aead, flags)?;
        }
        Ok(())
    })
}

/// Where an encrypted keyset is written, with its AAD.
#[derive(Clone, Copy)]
pub(super) struct Encrypting {
    aad: Region<u8>,
    out: Region<u8>,
    out_len: Region<usize>,
}

impl Encrypting {
    pub(super) fn new(
        aad: (*const u8, usize),
        output: (*mut u8, usize, *mut usize),
    ) -> Result<Self, Failure> {
        Ok(Self {
            aad: Region::new("aad", aad.0, aad.1)?,
            out: Region::new("output", output.0, output.1)?,
            out_len: len_of(output.2)?,
        })
    }

    /// # Safety
    /// The regions are memory as the header asks, and `keyset` is null or live.
    pub(super) unsafe fn encrypt<K: KeyEncryptionKey + ?Sized>(
        self,
        keyset: *const Keyset,
        master: &K,
        flags: u32,
    ) -> Result<(), Failure> {
        let form = Form::to_write(flags)?;
        // SAFETY: the caller's promise.
        let (keyset, aad) = unsafe { (handle("keyset", keyset)?, self.aad.as_slice()) };
        let encrypted = keyset.keys.encrypt(master, aad)?;
        let bytes = match form.json {
            true => encrypted.to_json()?.into_bytes(),
            false => encrypted.to_binary()?,
        };
        // SAFETY: the caller's promise.
        unsafe { write(&bytes, self.out, self.out_len, self.aad) }
    }
}

/// Encrypts a keyset under the primary key of `master`, a keyset for AEAD, and writes it to
/// `output`. The AAD is not in it: who decrypts must know it. Binary says nothing of the keys;
/// JSON says their ids, types and statuses in the clear, as Java, Go and Python have it.
/// `flags`, `capacity` and `written_len` as for sivka_keyset_to_insecure(); each call draws
/// another nonce, and the length is always the same.
///
/// As sivka_keyset_to_insecure(), and SIVKA_ERROR_RANDOM, _SELF_CHECK; SIVKA_ERROR_PRIMITIVE if
/// `master` is for deterministic AEAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_encrypt(
    keyset: *const Keyset,
    master: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    flags: u32,
    output: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let encrypting = Encrypting::new((aad, aad_len), (output, capacity, written_len))?;
        // SAFETY: live keysets, and memory, as the header asks.
        unsafe { encrypting.encrypt(keyset, handle("master", master)?.master()?, flags) }
    })
}

/// sivka_keyset_encrypt() under a key of this library.
///
/// As sivka_keyset_to_insecure(), and SIVKA_ERROR_RANDOM, _SELF_CHECK, _USAGE_BOUND;
/// SIVKA_ERROR_NO_RANDOM_NONCE for a key whose nonces the caller chooses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_encrypt_with_key(
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
        let encrypting = Encrypting::new((aad, aad_len), (output, capacity, written_len))?;
        // SAFETY: a live keyset, a live key, and memory, as the header asks.
        unsafe { encrypting.encrypt(keyset, &*handle("master", master)?.aead, flags) }
    })
}
