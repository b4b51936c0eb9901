//! What may be told of a keyset to everyone: all but the keys.

use super::Keyset;
use crate::handle::{free, handle, making};
use crate::status::Status;
use sivka_keyset::{KeyInfo, KeyStatus, OutputPrefix, Primitive};
use std::ffi::{CString, c_char};

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
/// The keyset is for deterministic AEAD: equal plaintexts under equal AAD become equal bytes.
pub const SIVKA_KEYSET_DETERMINISTIC_AEAD: KeysetPurpose = 2;
/// The keyset is for streaming AEAD: whole streams, segment by segment.
pub const SIVKA_KEYSET_STREAMING_AEAD: KeysetPurpose = 3;

/// All of a key but the key itself.
#[repr(C)]
pub struct KeysetKeyInfo {
    /// The id, by which it is promoted, disabled and so on. Java shows ids from 2^31 on as
    /// negative numbers: add 2^32 to these.
    pub id: u32,
    /// SIVKA_KEYSET_ENABLED, _DISABLED or _DESTROYED.
    pub status: KeysetStatus,
    /// SIVKA_KEYSET_PREFIX_TINK and so on.
    pub prefix: KeysetPrefix,
    /// Its type, as "type.googleapis.com/google.crypto.tink.AesSivKey"; empty if destroyed.
    pub type_name: *const c_char,
}

/// What may be told of a keyset to everyone. sivka_inspect_keyset() makes it.
#[repr(C)]
pub struct KeysetInfo {
    /// The id of the key that seals.
    pub primary_key_id: u32,
    /// How many keys there are.
    pub key_count: usize,
    /// The keys.
    pub keys: *const KeysetKeyInfo,
}

/// The memory of a [`KeysetInfo`], which is at its beginning.
#[repr(C)]
struct Kept {
    shown: KeysetInfo,
    _keys: Vec<KeysetKeyInfo>,
    _names: Vec<CString>,
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

/// Says what may be told of a keyset. Later changes of the keyset do not change it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_inspect_keyset(
    keyset: *const Keyset,
    made: *mut *mut KeysetInfo,
) -> Status {
    let make = || {
        // SAFETY: a live keyset, as the header asks.
        let keyset = &unsafe { handle("keyset", keyset) }?.keys;
        let found = keyset.info().keys;
        let name = |key: &KeyInfo| CString::new(key.type_url.as_str()).unwrap_or_default();
        let names: Vec<CString> = found.iter().map(name).collect();
        let keys = found.iter().zip(&names).map(KeysetKeyInfo::from);
        let keys: Vec<KeysetKeyInfo> = keys.collect();
        let shown = KeysetInfo {
            primary_key_id: keyset.primary_key_id(),
            key_count: keys.len(),
            keys: keys.as_ptr(),
        };
        Ok(Kept { shown, _keys: keys, _names: names })
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making::<Kept>(made.cast(), make) }
}

/// Frees what sivka_inspect_keyset() made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_info_free(info: *mut KeysetInfo) {
    // SAFETY: it came from `sivka_inspect_keyset` and was not freed, as the header asks.
    unsafe { free("info", info.cast::<Kept>()) }
}

impl From<(&KeyInfo, &CString)> for KeysetKeyInfo {
    fn from((info, type_name): (&KeyInfo, &CString)) -> Self {
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
            type_name: type_name.as_ptr(),
        }
    }
}
