//! Keysets at work: the key that a keyset gives.

use super::Keyset;
use super::info::{KeysetPurpose, SIVKA_KEYSET_AEAD, SIVKA_KEYSET_DETERMINISTIC_AEAD};
use crate::handle::{handle, making};
use crate::key::Key;
use crate::status::Status;
use sivka_keyset::{Error, Misuse};

/// Makes a key of the enabled keys of a keyset, which are for `purpose`, SIVKA_KEYSET_AEAD or
/// SIVKA_KEYSET_DETERMINISTIC_AEAD. Later changes of the keyset do not change the key.
///
/// It is for sivka_seal(), sivka_open(), sivka_seal_column(), sivka_open_column() and the functions
/// for their lengths; sivka_key_seal_len() gives the capacity. The primary key seals, and draws
/// nonce and salt: prefix, nonce, ciphertext and tag are written. Keys with the message's prefix
/// are tried on it, then those without any. The output overlaps no input. Other calls: _PRIMITIVE.
///
/// No AEAD of a keyset commits to its key: who may choose keys of a keyset can make a message that
/// opens under two of them. With SIVKA_KEYSET_DETERMINISTIC_AEAD, equal plaintexts under equal AAD
/// are sealed to equal bytes, and everybody sees that they are equal. After SIVKA_KEYSET_PROMOTE
/// they are sealed to other bytes than before.
/// _KEY_TYPE for keys that are with a key-management service.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_key(
    keyset: *const Keyset,
    purpose: KeysetPurpose,
    made: *mut *mut Key,
) -> Status {
    let make = || {
        // SAFETY: a live keyset, as the header asks.
        let keys = &unsafe { handle("keyset", keyset) }?.keys;
        Ok(Key::of_keyset(match purpose {
            SIVKA_KEYSET_AEAD => keys.aead()?,
            SIVKA_KEYSET_DETERMINISTIC_AEAD => keys.deterministic_aead()?,
            _ => return Err(Error::from(Misuse::OtherPrimitive(keys.primitive()?)).into()),
        }))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}
