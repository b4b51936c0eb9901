//! The entries of the ChaCha20-BLAKE2b family.

use crate::batch::Batch;
use crate::cpu::Choice;
use crate::message::Call;
use crate::status::Status;
use sivka::{__making_key, ChaCha20Blake2b, TagLen, XChaCha20Blake2b, XChaCha20Blake2bSiv};

/// The room that Go has for a key: bytes and their alignment.
const KEY_ROOM: (usize, usize) = (448, 64);

/// Whether the known answers of the whole family hold on a tier.
///
/// # Safety
///
/// As [`Choice::tier`].
#[unsafe(no_mangle)]
unsafe extern "C" fn chacha20_blake2b_known_answers(choice: &Choice) -> Status {
    // SAFETY: as the caller promises.
    unsafe { choice.ask(ChaCha20Blake2b::__gives_known_answers) }
}

/// Makes a key with tags of some length.
#[repr(C)]
struct NewKey<K> {
    place: *mut K,
    key: *const [u8; 32],
    choice: Choice,
    tag_len: u64,
}

macro_rules! entries {
    ($key:ident, $nonce_len:literal, $new:ident, $seal:ident, $open:ident, $seal_batch:ident, $open_batch:ident) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Makes a key.
        ///
        /// # Safety
        ///
        /// `place` has room for a key, aligned, that nobody else uses. `key` has its bytes. And
        /// as [`Choice::tier`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $new(call: &NewKey<$key>) -> Status {
            // SAFETY: as the caller promises.
            let (tier, key) = unsafe { (call.choice.tier(), &*call.key) };
            let tag_len = match call.tag_len {
                32 => TagLen::Bytes32,
                48 => TagLen::Bytes48,
                64 => TagLen::Bytes64,
                _ => return Status::Refused,
            };
            let Some(tier) = tier else {
                return Status::Refused;
            };
            // What a move leaves on the stack is overwritten.
            // SAFETY: as the caller promises.
            __making_key(|| unsafe { call.place.write($key::of_len_on_tier(key, tag_len, tier)) });
            Status::Done
        }

        /// Seals a message.
        ///
        /// # Safety
        ///
        /// As [`Call::seal`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $seal(call: &Call<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.seal::<$nonce_len>() }
        }

        /// Opens a message.
        ///
        /// # Safety
        ///
        /// As [`Call::open`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $open(call: &Call<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.open::<$nonce_len>() }
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

entries!(
    ChaCha20Blake2b,
    8,
    chacha20_blake2b_new_short,
    chacha20_blake2b_seal_short,
    chacha20_blake2b_open_short,
    chacha20_blake2b_seal_batch_short,
    chacha20_blake2b_open_batch_short
);
entries!(
    XChaCha20Blake2b,
    24,
    chacha20_blake2b_new_extended,
    chacha20_blake2b_seal_extended,
    chacha20_blake2b_open_extended,
    chacha20_blake2b_seal_batch_extended,
    chacha20_blake2b_open_batch_extended
);
entries!(
    XChaCha20Blake2bSiv,
    0,
    chacha20_blake2b_new_siv,
    chacha20_blake2b_seal_siv,
    chacha20_blake2b_open_siv,
    chacha20_blake2b_seal_batch_siv,
    chacha20_blake2b_open_batch_siv
);
