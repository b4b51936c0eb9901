//! Tink keysets, as C holds them.

pub mod form;
pub mod info;
pub mod key;
pub mod rotation;
pub mod streaming;

use crate::algorithm::c_str;
use crate::failure::{Failure, guard};
use crate::key::result;
use crate::region::{free, handle};
use crate::status::{SIVKA_ERROR_TEMPLATE, Status};
use sivka_keyset::{Keyset as TinkKeyset, Template};
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::LazyLock;

/// A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys
/// open. This library and Tink, in Java, C++, Go, Python and Objective-C, read each
/// other's keysets and open each other's messages.
///
/// ```c
/// sivka_keyset *keyset;
/// sivka_key *key;
/// sivka_keyset_generate("AES256_SIV", &keyset);
/// sivka_keyset_key(keyset, SIVKA_KEYSET_DETERMINISTIC_AEAD, &key);
/// sivka_seal(key, &message, &sealed_len);
/// sivka_key_free(key);
/// sivka_keyset_free(keyset);
/// ```
///
/// Types of keys: AES-GCM-SIV, AES-GCM, AES-EAX, AES-CTR-HMAC, ChaCha20-Poly1305,
/// XChaCha20-Poly1305 and XAES-256-GCM, whose keysets are for AEAD; AES-SIV of 64 bytes of key,
/// whose keysets are for deterministic AEAD; AES-GCM-HKDF and AES-CTR-HMAC for streams
/// (sivka_keyset_sealer_new()). Keysets of keys in a key-management service are read, written
/// and rotated here, and used from Rust.
///
/// Any number of threads may use one keyset for calls that take it as const. A call that
/// changes a keyset needs it alone: to change one that is in use, change a copy of it
/// (sivka_keyset_copy()), and use that from then on.
pub struct Keyset {
    keys: TinkKeyset,
}

/// Makes a keyset with one new key, which is its primary, and writes it to `made`. `template_name`
/// is a name that Tink has for it, in upper or lower case: AES256_GCM_SIV (the one to take, unless
/// equal values must show as equal), AES256_SIV, AES128_GCM_SIV, AES256_GCM, AES128_GCM,
/// CHACHA20_POLY1305, XCHACHA20_POLY1305, XAES_256_GCM_192_BIT_NONCE, XAES_256_GCM_160_BIT_NONCE.
/// With `_RAW` after it, what the key seals has no prefix. For streams: AES256_GCM_HKDF_1MB,
/// AES256_CTR_HMAC_SHA256_1MB, both also with AES128 and with segments of 4KB.
///
/// SIVKA_ERROR_TEMPLATE, _RANDOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_generate(
    template_name: *const c_char,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, and a C string, as the header asks.
        let (mut made, template) = unsafe { (result("made", made)?, template(template_name)?) };
        made.handle = give(TinkKeyset::generate(template)?);
        Ok(())
    })
}

/// Copies a keyset, keys and all, to `made`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_copy(
    keyset: *const Keyset,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, and a live keyset, as the header asks.
        let (mut made, keyset) = unsafe { (result("made", made)?, handle("keyset", keyset)?) };
        made.handle = give(keyset.keys.clone());
        Ok(())
    })
}

/// Wipes and frees a keyset. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_free(keyset: *mut Keyset) {
    // SAFETY: the keyset came from `give` and was not freed, as the header asks.
    unsafe { free("keyset", keyset) }
}

/// A new handle.
fn give(keys: TinkKeyset) -> *mut Keyset {
    Box::into_raw(Box::new(Keyset { keys }))
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

/// Their names, as C reads them.
static TEMPLATES: LazyLock<Vec<CString>> = LazyLock::new(|| {
    let all = Template::all().iter();
    all.map(|(name, _)| CString::new(*name).unwrap_or_default())
        .collect()
});

/// The name of the template at `index`, counted from 0, or NULL if there are not so many.
/// With "_RAW" after it, it is one for keys without a prefix. Static.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_template_name_at(index: usize) -> *const c_char {
    TEMPLATES
        .get(index)
        .map_or(ptr::null(), |name| name.as_ptr())
}
