//! The entries of AES-GCM-SIV, for keys of one size in each blob.

use crate::arguments::{Bytes, NewKey, Text};
use crate::batch::Batch;
use crate::cpu::Choice;
use crate::status::Status;
#[cfg(feature = "gcm-siv-128")]
use sivka::Aes128GcmSiv;
#[cfg(feature = "gcm-siv-256")]
use sivka::Aes256GcmSiv;
use sivka::Tag;

/// The room that Go has for a key: bytes and their alignment.
const KEY_ROOM: (usize, usize) = (1088, 64);

/// Seals or opens a message.
#[repr(C)]
struct Call<K> {
    key: *const K,
    nonce: *const [u8; 12],
    aad: Bytes,
    text: Text,
    tag: *mut [u8; 16],
}

macro_rules! entries {
    ($key:ident, $len:literal, $known_answers:ident, $new:ident, $seal:ident, $open:ident, $seal_batch:ident, $open_batch:ident) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Whether the known answers hold on a tier.
        ///
        /// # Safety
        ///
        /// As [`Choice::tier`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $known_answers(choice: &Choice) -> Status {
            // SAFETY: as the caller promises.
            unsafe { choice.ask($key::__gives_known_answers) }
        }

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

        /// Seals a message.
        ///
        /// # Safety
        ///
        /// The key was made, every length is true, and the text does not overlap the AAD or
        /// the tag.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal(call: &Call<$key>) -> Status {
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
        unsafe extern "C" fn $open(call: &Call<$key>) -> Status {
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

        /// Seals many messages in place.
        ///
        /// # Safety
        ///
        /// As [`Batch::seal`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal_batch(call: &Batch<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.seal() }
        }

        /// Opens many messages in place.
        ///
        /// # Safety
        ///
        /// As [`Batch::open`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $open_batch(call: &Batch<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.open() }
        }
    };
}

#[cfg(feature = "gcm-siv-128")]
entries!(
    Aes128GcmSiv,
    16,
    gcm_siv_128_known_answers,
    gcm_siv_128_new,
    gcm_siv_128_seal,
    gcm_siv_128_open,
    gcm_siv_128_seal_batch,
    gcm_siv_128_open_batch
);
#[cfg(feature = "gcm-siv-256")]
entries!(
    Aes256GcmSiv,
    32,
    gcm_siv_256_known_answers,
    gcm_siv_256_new,
    gcm_siv_256_seal,
    gcm_siv_256_open,
    gcm_siv_256_seal_batch,
    gcm_siv_256_open_batch
);
