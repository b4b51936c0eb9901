//! The entries of AES-GCM-SIV.

use crate::arguments::{Call, NewKey, Status, Wipe};
use crate::cpu::Choice;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Tag};

/// The room that Go has for a key: bytes and their alignment.
const KEY_ROOM: (usize, usize) = (1088, 64);

/// Whether the known answers of both key sizes hold on a tier.
///
/// # Safety
///
/// As [`Choice::tier`].
#[unsafe(no_mangle)]
unsafe extern "C" fn known_answers(choice: &Choice) -> Status {
    // SAFETY: as the caller promises.
    match unsafe { choice.tier() } {
        Some(tier) if Aes256GcmSiv::__gives_known_answers(tier) => Status::Done,
        _ => Status::Refused,
    }
}

macro_rules! entries {
    ($key:ident, $len:literal, $new:ident, $wipe:ident, $seal:ident, $open:ident) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Makes a key.
        ///
        /// # Safety
        ///
        /// As [`NewKey::make`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $new(call: &NewKey<$key, $len>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.make($key::with_tier) }
        }

        /// Ends a key.
        ///
        /// # Safety
        ///
        /// As [`Wipe::wipe`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wipe(call: &Wipe<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.wipe() }
        }

        /// Seals a message.
        ///
        /// # Safety
        ///
        /// The key was made, every length is true, and the text does not overlap the AAD or
        /// the tag.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal(call: &Call<$key, 12, 16>) -> Status {
            // SAFETY: as the caller promises. The nonce is copied, for the text may overlap it.
            let (key, nonce, aad) = unsafe { (&*call.key, *call.nonce, call.aad.read()) };
            // SAFETY: as the caller promises.
            let sealed = match unsafe { call.text.parts() } {
                (Some(from), to) => key.seal_into(&nonce, from, aad, to),
                (None, in_out) => key.seal_in_place(&nonce, aad, in_out),
            };
            match sealed {
                Ok(tag) => {
                    // SAFETY: as the caller promises.
                    unsafe { *call.tag = *tag.as_bytes() };
                    Status::Done
                }
                Err(error) => Err(error).into(),
            }
        }

        /// Opens a message.
        ///
        /// # Safety
        ///
        /// The key was made, every length is true, and the text does not overlap the AAD.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $open(call: &Call<$key, 12, 16>) -> Status {
            // SAFETY: as the caller promises. Nonce and tag are copied, for the text may
            // overlap them.
            let (key, nonce, tag) = unsafe { (&*call.key, *call.nonce, Tag::from(*call.tag)) };
            // SAFETY: as the caller promises.
            let aad = unsafe { call.aad.read() };
            // SAFETY: as the caller promises.
            let opened = match unsafe { call.text.parts() } {
                (Some(from), to) => key.open_into(&nonce, from, aad, &tag, to),
                (None, in_out) => key.open_in_place(&nonce, aad, in_out, &tag),
            };
            opened.into()
        }
    };
}

entries!(Aes128GcmSiv, 16, new_128, wipe_128, seal_128, open_128);
entries!(Aes256GcmSiv, 32, new_256, wipe_256, seal_256, open_256);
