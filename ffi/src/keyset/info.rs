//! What may be told of a keyset to everyone: all but the keys.

use super::Keyset;
use crate::error::write_text;
use crate::failure::{Failure, guard};
use crate::region::{Region, handle};
use crate::status::Status;
use sivka_keyset::{KeyInfo, KeyStatus, OutputPrefix, Primitive};
use std::ffi::c_char;

/// The status of a key of a keyset.
pub type KeysetStatus = u32;

/// A key that opens, and seals if it is the primary.
pub const SIVKA_KEYSET_ENABLED: KeysetStatus = 1;
/// A key that does nothing until it is enabled.
pub const SIVKA_KEYSET_DISABLED: KeysetStatus = 2;
/// A destroyed key: only its id is left.
pub const SIVKA_KEYSET_DESTROYED: KeysetStatus = 3;

/// The prefix of the messages that a key of a keyset seals.
pub type KeysetPrefix = u32;

/// Messages begin with the byte 1 and the key's id, four bytes, the highest first.
pub const SIVKA_KEYSET_PREFIX_TINK: KeysetPrefix = 1;
/// The byte 0 and the id.
pub const SIVKA_KEYSET_PREFIX_LEGACY: KeysetPrefix = 2;
/// Nothing: to open what others than Tink have sealed.
pub const SIVKA_KEYSET_PREFIX_RAW: KeysetPrefix = 3;
/// The byte 0 and the id.
pub const SIVKA_KEYSET_PREFIX_CRUNCHY: KeysetPrefix = 4;

/// The purpose of the enabled keys of a keyset.
pub type KeysetPurpose = u32;

/// The keyset neither seals nor opens here: its enabled keys are for different purposes.
pub const SIVKA_KEYSET_MIXED: KeysetPurpose = 0;
/// The keyset is for AEAD: equal plaintexts are sealed to different bytes.
pub const SIVKA_KEYSET_AEAD: KeysetPurpose = 1;
/// The keyset is for deterministic AEAD: equal plaintexts under equal AAD are sealed to equal
/// bytes.
pub const SIVKA_KEYSET_DETERMINISTIC_AEAD: KeysetPurpose = 2;
/// The keyset is for streaming AEAD: whole streams, segment by segment.
pub const SIVKA_KEYSET_STREAMING_AEAD: KeysetPurpose = 3;

/// All of a key but the key itself and the name of its type.
#[repr(C)]
pub struct KeysetKeyInfo {
    /// The id, by which it is promoted, disabled and so on. Java shows ids from 2^31 on as
    /// negative numbers: add 2^32 to these.
    pub id: u32,
    /// SIVKA_KEYSET_ENABLED, _DISABLED or _DESTROYED.
    pub status: KeysetStatus,
    /// SIVKA_KEYSET_PREFIX_TINK and so on.
    pub prefix: KeysetPrefix,
}

/// How many keys a keyset has; 0 if `keyset` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_key_count(keyset: *const Keyset) -> usize {
    // SAFETY: live or null, as the header asks.
    unsafe { handle("keyset", keyset) }.map_or(0, |keyset| keyset.keys.info().keys.len())
}

/// The id of the key that seals; 0 if `keyset` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_primary_key_id(keyset: *const Keyset) -> u32 {
    // SAFETY: live or null, as the header asks.
    unsafe { handle("keyset", keyset) }.map_or(0, |keyset| keyset.keys.primary_key_id())
}

/// The purpose of the enabled keys; SIVKA_KEYSET_MIXED also if `keyset` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_primitive(keyset: *const Keyset) -> KeysetPurpose {
    // SAFETY: live or null, as the header asks.
    let keyset = unsafe { handle("keyset", keyset) }.ok();
    match keyset.and_then(|keyset| keyset.keys.primitive().ok()) {
        Some(Primitive::Aead) => SIVKA_KEYSET_AEAD,
        Some(Primitive::DeterministicAead) => SIVKA_KEYSET_DETERMINISTIC_AEAD,
        Some(Primitive::StreamingAead) => SIVKA_KEYSET_STREAMING_AEAD,
        _ => SIVKA_KEYSET_MIXED,
    }
}

/// Writes what there is to tell of the key at `index`, counted from 0, to `key`.
///
/// SIVKA_ERROR_NULL, _ALIGNMENT; SIVKA_ERROR_KEY_ID if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_key_at(
    keyset: *const Keyset,
    index: usize,
    key: *mut KeysetKeyInfo,
) -> Status {
    guard(|| {
        let out = Region::new("key", key, 1)?;
        // SAFETY: live, as the header asks.
        let info = key_info(unsafe { handle("keyset", keyset) }?, index)?;
        // SAFETY: writable, as the header asks, and nothing of it in use.
        if let [out] = unsafe { out.as_mut_slice() } {
            *out = KeysetKeyInfo::from(&info);
        }
        Ok(())
    })
}

/// Writes the name of the type of the key at `index`, counted from 0, to `text`, as
/// "type.googleapis.com/google.crypto.tink.AesSivKey"; empty for a destroyed key, if there is
/// no such key, or `keyset` is NULL.
///
/// Writes at most `capacity` bytes, the terminating zero included, and returns the length of
/// the whole text in bytes without it, as snprintf does. `text` may be NULL if `capacity` is 0.
/// The text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_key_type(
    keyset: *const Keyset,
    index: usize,
    text: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: live or null, as the header asks.
    let keyset = unsafe { handle("keyset", keyset) };
    let info = keyset.and_then(|keyset| key_info(keyset, index));
    let name = info.map_or_else(|_| String::new(), |info| info.type_url);
    // SAFETY: the caller's buffer, as the header asks.
    unsafe { write_text(&name, text, capacity) }
}

fn key_info(keyset: &Keyset, index: usize) -> Result<KeyInfo, Failure> {
    let info = keyset.keys.key_info(index);
    info.ok_or(Failure::NoSuchKey { index })
}

impl From<&KeyInfo> for KeysetKeyInfo {
    fn from(info: &KeyInfo) -> Self {
        Self {
            id: info.id,
            status: match info.status {
                KeyStatus::Enabled => SIVKA_KEYSET_ENABLED,
                KeyStatus::Disabled => SIVKA_KEYSET_DISABLED,
                KeyStatus::Destroyed => SIVKA_KEYSET_DESTROYED,
            },
            prefix: match info.output_prefix {
                OutputPrefix::Tink => SIVKA_KEYSET_PREFIX_TINK,
                OutputPrefix::Legacy => SIVKA_KEYSET_PREFIX_LEGACY,
                OutputPrefix::Raw => SIVKA_KEYSET_PREFIX_RAW,
                OutputPrefix::Crunchy => SIVKA_KEYSET_PREFIX_CRUNCHY,
            },
        }
    }
}
