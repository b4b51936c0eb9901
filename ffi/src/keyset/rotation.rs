//! How keysets change.

use super::{Keyset, template};
use crate::failure::{Failure, guard};
use crate::handle::handle_mut;
use crate::region::Region;
use crate::status::Status;
use std::ffi::c_char;

/// A change of one key of a keyset.
pub type KeysetChange = u32;

/// An enabled key becomes the primary, which seals from now on.
pub const SIVKA_KEYSET_PROMOTE: KeysetChange = 1;
/// A disabled key opens again.
pub const SIVKA_KEYSET_ENABLE: KeysetChange = 2;
/// A key that is not the primary opens nothing until it is enabled.
pub const SIVKA_KEYSET_DISABLE: KeysetChange = 3;
/// A key that is not the primary is wiped for good; its id and status stay. Tink for Go does not
/// read such a keyset: SIVKA_KEYSET_REMOVE leaves nothing to stumble over.
pub const SIVKA_KEYSET_DESTROY: KeysetChange = 4;
/// A key that is not the primary is wiped and its entry gone; so is every one with this id.
pub const SIVKA_KEYSET_REMOVE: KeysetChange = 5;

/// A flag: the new key becomes the primary at once, for a keyset that nobody else has.
pub const SIVKA_KEYSET_AS_PRIMARY: u32 = 1;

/// Adds a new key as sivka_keyset_generate() makes it, enabled, and writes its id to `id` unless
/// that is NULL. `flags` is 0 or SIVKA_KEYSET_AS_PRIMARY. Without it the key seals only when it is
/// promoted: give the keyset to all who open first, then promote the key, and give it to them
/// again. When nothing is left that the old key sealed, disable it, and later remove it.
/// _TOO_LONG beyond SIVKA_KEYSET_MAX_KEYS. The keyset is as it was after a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_add(
    keyset: *mut Keyset,
    template_name: *const c_char,
    flags: u32,
    id: *mut u32,
) -> Status {
    guard(|| {
        let out = Region::optional("id", id)?;
        // SAFETY: a C string, and a live keyset that nobody else uses, as the header asks.
        let (template, keyset) =
            unsafe { (template(template_name)?, handle_mut("keyset", keyset)?) };
        let added = match flags {
            0 => keyset.keys.add(template),
            SIVKA_KEYSET_AS_PRIMARY => keyset.keys.rotate(template),
            unknown => return Err(Failure::flags(unknown)),
        }?;
        // SAFETY: writable, as the header asks, and nothing of ours.
        unsafe { out.write(added) };
        Ok(())
    })
}

/// Changes the key with this id.
/// _FLAGS for a change that there is not; _KEY_ID. _KEY_STATE if the key is the primary, not
/// enabled, or destroyed, and so cannot be changed in this way. _KEY_TYPE and _KEYSET for one to be
/// enabled that this library cannot use. The keyset is as it was after a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_change(
    keyset: *mut Keyset,
    change: KeysetChange,
    id: u32,
) -> Status {
    guard(|| {
        // SAFETY: a live keyset that nobody else uses, as the header asks.
        let keys = &mut unsafe { handle_mut("keyset", keyset) }?.keys;
        Ok(match change {
            SIVKA_KEYSET_PROMOTE => keys.promote(id),
            SIVKA_KEYSET_ENABLE => keys.enable(id),
            SIVKA_KEYSET_DISABLE => keys.disable(id),
            SIVKA_KEYSET_DESTROY => keys.destroy(id),
            SIVKA_KEYSET_REMOVE => keys.remove(id),
            unknown => return Err(Failure::flags(unknown).of("change")),
        }?)
    })
}
