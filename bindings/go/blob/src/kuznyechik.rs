//! The entries of Kuznyechik and its modes.

use crate::batch::Batch;
use crate::cpu::Choice;
use crate::message::Call;
use crate::status::Status;
use core::mem::ManuallyDrop;
use core::{ptr, slice};
use sivka::{__making_key, Error, Kuznyechik as Blocks, Tier};
use sivka::{KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikMgm, KuznyechikOmac};

/// Shorter tags are the beginnings of these.
type Omac = KuznyechikOmac<16>;

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

/// Makes a key, or a mode under a key.
#[repr(C)]
struct New<K> {
    place: *mut K,
    key: *const [u8; 32],
    choice: Choice,
    /// Of counter modes.
    iv: *const [u8; 8],
    /// Of CTR-ACPKM, in bytes.
    section_len: u64,
}

impl<K> New<K> {
    /// # Safety
    ///
    /// `place` has room for a `K`, aligned, that nobody else uses. `key` has its bytes. And as
    /// [`Choice::tier`].
    unsafe fn make(&self, new: impl FnOnce(&[u8; 32], Tier) -> Result<K, Error>) -> Status {
        // SAFETY: as the caller promises.
        let (tier, key) = unsafe { (self.choice.tier(), &*self.key) };
        let Some(tier) = tier else {
            return Status::Refused;
        };
        // What a move leaves on the stack is overwritten.
        Status::from(__making_key(|| {
            // SAFETY: as the caller promises.
            new(key, tier).map(|made| unsafe { self.place.write(made) })
        }))
    }
}

/// Goes on with bytes.
#[repr(C)]
struct Bytes<K> {
    key: *mut K,
    first: *mut u8,
    len: usize,
}

impl<K> Bytes<K> {
    /// # Safety
    ///
    /// The key was made, and nobody else uses it or these bytes meanwhile.
    #[inline(always)]
    unsafe fn on(&self, call: impl FnOnce(&mut K, &mut [u8]) -> Result<(), Error>) -> Status {
        // SAFETY: as the caller promises.
        let key = unsafe { &mut *self.key };
        let bytes: &mut [u8] = if self.len == 0 {
            &mut []
        } else {
            // SAFETY: as the caller promises; Go's slices of some bytes have an address.
            unsafe { slice::from_raw_parts_mut(self.first, self.len) }
        };
        Status::from(call(key, bytes))
    }
}

macro_rules! entries {
    ($key:ty, $new:ident, |$call:ident, $bytes:ident, $tier:ident| $make:expr) => {
        const _: () = assert!(size_of::<$key>() <= KEY_ROOM.0 && align_of::<$key>() <= KEY_ROOM.1);

        /// Makes a key.
        ///
        /// # Safety
        ///
        /// As [`New::make`]; an IV has its bytes.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $new($call: &New<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { $call.make(|$bytes, $tier| $make) }
        }
    };
}

entries!(Blocks, kuznyechik_new_blocks, |call, key, tier| Ok(
    Blocks::with_tier(key, tier)
));
entries!(KuznyechikMgm, kuznyechik_new_mgm, |call, key, tier| Ok(
    KuznyechikMgm::with_tier(key, tier)
));
entries!(KuznyechikCtr, kuznyechik_new_ctr, |call, key, tier| Ok(
    KuznyechikCtr::with_tier(key, &*call.iv, tier)
));
entries!(
    KuznyechikCtrAcpkm,
    kuznyechik_new_acpkm,
    |call, key, tier| KuznyechikCtrAcpkm::with_tier(key, &*call.iv, call.section_len, tier)
);
entries!(Omac, kuznyechik_new_omac, |call, key, tier| Ok(
    Omac::with_tier(key, tier)
));

macro_rules! on_bytes {
    ($($(#[$meta:meta])* $name:ident($key:ty) |$with:ident, $bytes:ident| $call:expr;)*) => { $(
        $(#[$meta])*
        ///
        /// # Safety
        ///
        /// As [`Bytes::on`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(call: &Bytes<$key>) -> Status {
            // SAFETY: as the caller promises.
            unsafe { call.on(|$with, $bytes| $call) }
        }
    )* };
}

on_bytes! {
    /// Encrypts whole blocks in place.
    kuznyechik_encrypt_blocks(Blocks) |key, bytes| key.encrypt_blocks(bytes.as_chunks_mut().0);
    /// Decrypts whole blocks in place.
    kuznyechik_decrypt_blocks(Blocks) |key, bytes| key.decrypt_blocks(bytes.as_chunks_mut().0);
    /// Goes on with the keystream of CTR.
    kuznyechik_xor_ctr(KuznyechikCtr) |ctr, bytes| ctr.apply_keystream(bytes);
    /// Goes on with the keystream of CTR-ACPKM.
    kuznyechik_xor_acpkm(KuznyechikCtrAcpkm) |ctr, bytes| ctr.apply_keystream(bytes);
}

/// Goes on with a message.
///
/// # Safety
///
/// The key was made, and nobody else uses it meanwhile, or writes the bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_write_omac(call: &Bytes<Omac>) -> Status {
    if call.len == 0 {
        return Status::Done;
    }
    // SAFETY: as the caller promises; Go's slices of some bytes have an address.
    let (omac, bytes) = unsafe { (&mut *call.key, slice::from_raw_parts(call.first, call.len)) };
    Status::from(omac.update(bytes))
}

/// Writes the tag of a message so far, which goes on after that.
///
/// # Safety
///
/// The key was made, and nobody else uses it meanwhile. There is room for 16 bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_sum_omac(call: &Bytes<Omac>) -> Status {
    // SAFETY: as the caller promises. A key has no address of anything: the copy is one, and is
    // dropped below.
    let mut copied = ManuallyDrop::new(unsafe { ptr::read(call.key) });
    let tag = copied.finish();
    // SAFETY: dropped here only, which wipes it.
    unsafe { ManuallyDrop::drop(&mut copied) };
    Status::from(tag.map(|tag| {
        // SAFETY: as the caller promises.
        unsafe { *call.first.cast::<[u8; 16]>() = tag };
    }))
}

/// Ends a message, so that another one begins.
///
/// # Safety
///
/// The key was made, and nobody else uses it meanwhile.
#[unsafe(no_mangle)]
unsafe extern "C" fn kuznyechik_reset_omac(call: &Bytes<Omac>) -> Status {
    // SAFETY: as the caller promises.
    Status::from(unsafe { &mut *call.key }.finish().map(|_tag| ()))
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
