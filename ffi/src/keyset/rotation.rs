//! How keysets change.

use super::{Keyset, TinkKeyset, template};
use crate::failure::{Failure, guard};
use crate::region::{Region, handle_mut};
use crate::status::Status;
use sivka_keyset::Error;
use std::ffi::c_char;

/// Carries out a change. One that is refused leaves the keyset as it was.
///
/// # Safety
/// `keyset` is null or a live keyset that nobody else uses meanwhile.
unsafe fn change<T>(
    keyset: *mut Keyset,
    change: impl FnOnce(&mut TinkKeyset) -> Result<T, Error>,
) -> Result<T, Failure> {
    // SAFETY: the caller's promise.
    let keyset = unsafe { handle_mut("keyset", keyset) }?;
    Ok(change(&mut keyset.keys)?)
}

/// # Safety
/// `keyset` is null or a live keyset that nobody else uses meanwhile; `template_name` is null
/// or a C string; `id` is null or writable.
unsafe fn add(
    keyset: *mut Keyset,
    template_name: *const c_char,
    id: *mut u32,
    with: fn(&mut TinkKeyset, sivka_keyset::Template) -> Result<u32, Error>,
) -> Result<(), Failure> {
    let out = Region::new("id", id, usize::from(!id.is_null()))?;
    // SAFETY: the caller's promise.
    let template = unsafe { template(template_name) }?;
    // SAFETY: the caller's promise.
    let added = unsafe { change(keyset, |keys| with(keys, template)) }?;
    // SAFETY: the caller's promise, and nothing of ours.
    unsafe { out.as_mut_slice() }.fill(added);
    Ok(())
}

/// Adds a new key as sivka_keyset_generate() makes it, enabled, and writes its id to `id`
/// unless that is NULL. It seals only when it is promoted: give the keyset to all who open
/// first, then sivka_keyset_promote() it, and give it to them again. When nothing is left that
/// the old key sealed, disable it and, if nobody misses it, remove it.
///
/// No other thread may use the keyset during this call.
///
/// SIVKA_ERROR_NULL, _ALIGNMENT, _TEMPLATE, _PRIMITIVE, _RANDOM; SIVKA_ERROR_TOO_LONG beyond
/// SIVKA_KEYSET_MAX_KEYS; SIVKA_ERROR_KEYSET if its enabled keys are for different primitives.
/// The keyset is as it was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_add(
    keyset: *mut Keyset,
    template_name: *const c_char,
    id: *mut u32,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { add(keyset, template_name, id, TinkKeyset::add) })
}

/// sivka_keyset_add() that makes the new key the primary at once, for a keyset that nobody
/// else has. No other thread may use it during this call.
///
/// As sivka_keyset_add().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_rotate(
    keyset: *mut Keyset,
    template_name: *const c_char,
    id: *mut u32,
) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { add(keyset, template_name, id, TinkKeyset::rotate) })
}

/// Makes an enabled key the primary, which seals from now on. No other thread may use the
/// keyset during this call.
///
/// SIVKA_ERROR_NULL, _KEY_ID; SIVKA_ERROR_KEY_STATE if it is not enabled. The keyset is as it
/// was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_promote(keyset: *mut Keyset, id: u32) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(keyset, |keys| keys.promote(id)) })
}

/// Lets a disabled key open again. No other thread may use the keyset during this call.
///
/// SIVKA_ERROR_NULL, _KEY_ID; SIVKA_ERROR_KEY_STATE if it is destroyed; SIVKA_ERROR_KEY_TYPE
/// and SIVKA_ERROR_KEYSET for one that this library cannot use. The keyset is as it was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_enable(keyset: *mut Keyset, id: u32) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(keyset, |keys| keys.enable(id)) })
}

/// Keeps a key from opening, until it is enabled. No other thread may use the keyset during
/// this call.
///
/// SIVKA_ERROR_NULL, _KEY_ID; SIVKA_ERROR_KEY_STATE if it is the primary or destroyed. The
/// keyset is as it was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_disable(keyset: *mut Keyset, id: u32) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(keyset, |keys| keys.disable(id)) })
}

/// Wipes a key for good; its id and status stay. Tink for Go does not read such a keyset:
/// sivka_keyset_remove() does the same and leaves nothing to stumble over. No other thread may
/// use the keyset during this call.
///
/// SIVKA_ERROR_NULL, _KEY_ID; SIVKA_ERROR_KEY_STATE if it is the primary. The keyset is as it
/// was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_destroy(keyset: *mut Keyset, id: u32) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(keyset, |keys| keys.destroy(id)) })
}

/// Wipes a key and its entry; every one with this id, if there are several. No other thread
/// may use the keyset during this call.
///
/// SIVKA_ERROR_NULL, _KEY_ID; SIVKA_ERROR_KEY_STATE if it is the primary. The keyset is as it
/// was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_remove(keyset: *mut Keyset, id: u32) -> Status {
    // SAFETY: as the header asks.
    guard(|| unsafe { change(keyset, |keys| keys.remove(id)) })
}
