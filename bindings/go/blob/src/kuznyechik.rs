//! The entries of Kuznyechik and MGM.

use crate::arguments::NewKey;
use crate::batch::Batch;
use crate::cpu::Choice;
use crate::message::Call;
use crate::status::Status;
use core::slice;
use sivka::{Error, Kuznyechik as Blocks, KuznyechikMgm};

/// The room that Go has for a key: bytes and their alignment.
const KEY_ROOM: (usize, usize) = (2944, 64);

/// Whether the known answers of the cipher and of MGM hold on a tier.
///
/// # Safety
///
/// As [`Choice::tier`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_known_answers(choice: &Choice) -> Status {
    // SAFETY: as the caller promises.
    unsafe { choice.ask(Blocks::gives_known_answers) }
}

macro_rules! new {
    ($name:ident, $key:ty) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Makes a key.
        ///
        /// # Safety
        ///
        /// As [`NewKey::make`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(call: &NewKey<$key, 32>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.make(<$key>::with_tier) }
        }
    };
}

new!(kuznyechik_new_blocks, Blocks);
new!(kuznyechik_new_mgm, KuznyechikMgm);

/// Whole blocks that are written in place.
#[repr(C)]
struct InPlace {
    key: *const Blocks,
    first: *mut u8,
    len: usize,
}

impl InPlace {
    /// # Safety
    ///
    /// The key was made, and nobody else uses these bytes meanwhile.
    #[inline(always)]
    unsafe fn on(
        &self,
        call: impl FnOnce(&Blocks, &mut [[u8; 16]]) -> Result<(), Error>,
    ) -> Status {
        // SAFETY: as the caller promises.
        let key = unsafe { &*self.key };
        let bytes: &mut [u8] = if self.len == 0 {
            &mut []
        } else {
            // SAFETY: as the caller promises; Go's slices of some bytes have an address.
            unsafe { slice::from_raw_parts_mut(self.first, self.len) }
        };
        Status::from(call(key, bytes.as_chunks_mut().0))
    }
}

/// Encrypts whole blocks in place.
///
/// # Safety
///
/// As [`InPlace::on`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_encrypt_blocks(call: &InPlace) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.on(Blocks::encrypt_blocks) }
}

/// Decrypts whole blocks in place.
///
/// # Safety
///
/// As [`InPlace::on`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_decrypt_blocks(call: &InPlace) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.on(Blocks::decrypt_blocks) }
}

/// Seals a message with MGM.
///
/// # Safety
///
/// As [`Call::seal`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_seal_mgm(call: &Call<KuznyechikMgm>) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.seal::<16>() }
}

/// Opens a message with MGM.
///
/// # Safety
///
/// As [`Call::open`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_open_mgm(call: &Call<KuznyechikMgm>) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.open::<16>() }
}

/// Seals many messages with MGM in place.
///
/// # Safety
///
/// As [`Batch::seal`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_seal_batch_mgm(call: &Batch<KuznyechikMgm>) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.seal() }
}

/// Opens many messages with MGM in place.
///
/// # Safety
///
/// As [`Batch::open`].
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_open_batch_mgm(call: &Batch<KuznyechikMgm>) -> Status {
    // SAFETY: as the caller promises.
    unsafe { call.open() }
}
