//! Tink keysets, as C holds them.

pub mod form;
pub mod info;
pub mod key;
pub mod rotation;
pub mod streaming;

use crate::failure::Failure;
use crate::handle::{free, handle, making};
use crate::region::c_str;
use crate::status::{SIVKA_ERROR_TEMPLATE, Status};
use sivka_keyset::{Error, Keyset as TinkKeyset, Template};
use std::ffi::c_char;

/// A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys
/// open. This library and Tink, in Java, C++, Go and Python, read each other's keysets
/// and open each other's messages.
///
/// Types of keys: AES-GCM-SIV, AES-GCM, AES-EAX, AES-CTR-HMAC, ChaCha20-Poly1305,
/// XChaCha20-Poly1305 and XAES-256-GCM, whose keysets are for AEAD; AES-SIV of 64 bytes of key,
/// whose keysets are for deterministic AEAD; AES-GCM-HKDF and AES-CTR-HMAC for streams
/// (sivka_keyset_sealer_new()). Keysets of keys in a key-management service are read, written
/// and rotated here, and used from Rust.
///
/// To change a keyset that other threads use, change and use a copy of it: sivka_keyset_copy().
pub struct Keyset {
    keys: TinkKeyset,
}

/// Makes a keyset with one new key, which is its primary. `template_name` is Tink's name for it, in
/// upper or lower case. Take AES256_GCM_SIV, unless equal values must show as equal. The others are
/// AES256_SIV, AES128_GCM_SIV, AES256_GCM, AES128_GCM, CHACHA20_POLY1305, XCHACHA20_POLY1305,
/// XAES_256_GCM_192_BIT_NONCE, XAES_256_GCM_160_BIT_NONCE. With `_RAW` after it, what the key seals
/// has no prefix. For streams: AES256_GCM_HKDF_1MB,
/// AES256_CTR_HMAC_SHA256_1MB, both also with AES128 and with segments of 4KB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_generate(
    template_name: *const c_char,
    made: *mut *mut Keyset,
) -> Status {
    // SAFETY: null or a writable pointer, and a C string, as the header asks.
    unsafe { making(made, || keyset_of(TinkKeyset::generate(template(template_name)?))) }
}

/// Copies a keyset, keys and all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_copy(
    keyset: *const Keyset,
    made: *mut *mut Keyset,
) -> Status {
    // SAFETY: null or a writable pointer, and a live keyset, as the header asks.
    unsafe { making(made, || keyset_of(Ok(handle("keyset", keyset)?.keys.clone()))) }
}

/// Wipes and frees a keyset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_free(keyset: *mut Keyset) {
    // SAFETY: the keyset came from this library and was not freed, as the header asks.
    unsafe { free("keyset", keyset) }
}

fn keyset_of(keys: Result<TinkKeyset, Error>) -> Result<Keyset, Failure> {
    Ok(Keyset { keys: keys? })
}

/// The template of a name.
///
/// # Safety
/// `name` is null or points to a C string.
unsafe fn template(name: *const c_char) -> Result<Template, Failure> {
    // SAFETY: the caller's promise.
    let given = unsafe { c_str("template_name", name) }?;
    given.to_str().ok().and_then(Template::find).ok_or_else(|| {
        let known = Template::all().iter().map(|(name, _)| *name);
        Failure::name("template_name", SIVKA_ERROR_TEMPLATE, known, given)
    })
}
