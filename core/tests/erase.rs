//! What a key leaves behind: nothing in its memory and nothing in the vector
//! registers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[path = "erase/registers.rs"]
mod registers;

use sivka::{Aes128GcmSiv, Aes256GcmSiv, Kuznyechik, KuznyechikMgm, Tier};
use sivka::{AesSiv256, AesSiv384, AesSiv512};
use sivka::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use std::mem::MaybeUninit;

/// More bytes than any key has.
const MAX_KEY_LEN: usize = 4096;

/// A key's storage while the key was in it, and after the key was dropped in place.
struct Making {
    before: [u8; MAX_KEY_LEN],
    after: [u8; MAX_KEY_LEN],
}

/// Copies the bytes of `storage`, whatever was or is in it.
fn read_raw<K>(storage: &mut MaybeUninit<K>, bytes: &mut [u8; MAX_KEY_LEN]) {
    let start = storage.as_mut_ptr().cast::<u8>();
    // SAFETY: the assembly is empty, but as far as the compiler knows it writes
    // the whole of `storage`, whose address it is given; so every byte read
    // below, padding included, is initialised.
    #[cfg(not(target_family = "wasm"))]
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags));
    }
    // No stable `asm!` there; this hides the address as well.
    #[cfg(target_family = "wasm")]
    core::hint::black_box(start);
    for (i, byte) in bytes[..size_of::<K>()].iter_mut().enumerate() {
        // SAFETY: `start` is valid for the size of `K`, and `i` is less.
        *byte = unsafe { start.add(i).read_volatile() };
    }
}

/// Never inlined, so that every making has its stack where the others had theirs.
#[inline(never)]
fn make_and_drop<K>(storage: &mut MaybeUninit<K>, make: &dyn Fn() -> K, making: &mut Making) {
    *storage = MaybeUninit::zeroed();
    storage.write(make());
    read_raw(storage, &mut making.before);
    // SAFETY: written two lines above, dropped once, not used as a `K` after.
    unsafe { storage.assume_init_drop() };
    read_raw(storage, &mut making.after);
}

/// Which bytes of a key's storage hold key material is seen by comparison: they differ
/// between two keys, and do not between two makings of one key. All of them must be zero
/// after the drop.
///
/// Padding, and the room that a narrower tier leaves unused, hold what happened to be
/// on the stack, addresses among it. All makings therefore share one storage and one place
/// on the stack, and nothing is allocated between them: an address is the same in
/// all, or it would pass for key material whenever two happened to be alike.
macro_rules! assert_erased_by_drop {
    ($key:ident, $secret_len:expr) => {
        const { assert!(size_of::<$key>() <= MAX_KEY_LEN) };
        let mut storage = MaybeUninit::<$key>::zeroed();
        let mut makings =
            [const { Making { before: [0; MAX_KEY_LEN], after: [0; MAX_KEY_LEN] } }; 6];
        for tier in Tier::available() {
            // Before the first of a key, the stack has nothing of this key yet.
            for (making, byte) in makings.iter_mut().zip([0x3a, 0x3a, 0x3a, 0xc5, 0xc5, 0xc5]) {
                let make = || $key::with_tier(&[byte; $key::KEY_LEN], tier);
                make_and_drop(&mut storage, &make, making);
            }
            let [_, key, again, _, other, other_again] = &makings;
            let secret: Vec<usize> = (0..size_of::<$key>())
                .filter(|i| key.before[*i] != other.before[*i])
                .filter(|i| key.before[*i] == again.before[*i])
                .filter(|i| other.before[*i] == other_again.before[*i])
                .collect();
            // About one byte in 256 of two key schedules is the same.
            assert!(secret.len() > $secret_len * 9 / 10, "{tier}: {} bytes", secret.len());
            for i in secret {
                assert_eq!((key.after[i], other.after[i]), (0, 0), "{tier}: byte {i} of the key");
            }
        }
    };
}

#[test]
fn round_keys_are_gone_after_drop() {
    assert_erased_by_drop!(Aes128GcmSiv, 16 * 11);
    assert_erased_by_drop!(Aes256GcmSiv, 16 * 15);
    assert_erased_by_drop!(AesSiv256, 2 * 16 * 11);
    assert_erased_by_drop!(AesSiv384, 2 * 16 * 13);
    assert_erased_by_drop!(AesSiv512, 2 * 16 * 15);
    assert_erased_by_drop!(Kuznyechik, 16 * 10);
    assert_erased_by_drop!(KuznyechikMgm, 16 * 10);
}

/// The encryption key and the chaining value that has absorbed the other.
#[test]
fn derived_keys_are_gone_after_drop() {
    assert_erased_by_drop!(ChaCha20Blake2b, 32 + 64);
    assert_erased_by_drop!(XChaCha20Blake2b, 32 + 64);
    assert_erased_by_drop!(XChaCha20Blake2bSiv, 32 + 64);
}
