//! What a key leaves behind: nothing in its memory and nothing in the vector
//! registers.

#[cfg(target_arch = "x86_64")]
#[path = "erase/registers.rs"]
mod registers;

use sivka::{Aes128GcmSiv, Aes256GcmSiv, Kuznyechik, KuznyechikMgm, TagLen, Tier};
use sivka::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use std::mem::MaybeUninit;

/// The bytes of `storage`, whatever was or is in it.
fn raw_bytes<K>(storage: &mut MaybeUninit<K>) -> Vec<u8> {
    let start = storage.as_mut_ptr().cast::<u8>();
    // SAFETY: the assembly is empty, but as far as the compiler knows it writes
    // the whole of `storage`, whose address it is given; so every byte read
    // below, padding included, is initialised.
    unsafe { core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags)) };
    (0..size_of::<K>())
        // SAFETY: `start` is valid for the size of `K`, and `i` is less.
        .map(|i| unsafe { start.add(i).read_volatile() })
        .collect()
}

/// The storage of a key before and after it was dropped in place.
fn before_and_after_drop<K>(key: K) -> (Vec<u8>, Vec<u8>) {
    let mut storage = Box::new(MaybeUninit::<K>::zeroed());
    storage.write(key);
    let before = raw_bytes(&mut storage);
    // SAFETY: written three lines above, dropped once, not used as a `K` after.
    unsafe { storage.assume_init_drop() };
    let after = raw_bytes(&mut storage);
    (before, after)
}

/// Which bytes of a key's storage hold key material is seen by comparison: they differ
/// between two keys, and do not between two makings of one key, as what happens to stand
/// in the room that a narrower tier leaves unused may. All of them must be zero after the
/// drop.
macro_rules! assert_erased_by_drop {
    ($key:ident, $secret_len:expr $(, $tag_len:expr)?) => {
        for tier in Tier::available() {
            let thrice = |byte: u8| {
                // Before the first one, the stack has nothing of this key yet.
                let make = || $key::with_tier(&[byte; $key::KEY_LEN], $($tag_len,)? tier);
                [(); 3].map(|()| before_and_after_drop(make()))
            };
            let [_, (before, after), (again, _)] = thrice(0x3a);
            let [_, (other_before, other_after), (other_again, _)] = thrice(0xc5);
            let secret: Vec<usize> = (0..before.len())
                .filter(|i| before[*i] != other_before[*i])
                .filter(|i| before[*i] == again[*i] && other_before[*i] == other_again[*i])
                .collect();
            // About one byte in 256 of two key schedules is the same.
            assert!(
                secret.len() > $secret_len * 9 / 10,
                "{tier}: {} bytes",
                secret.len()
            );
            for i in secret {
                assert_eq!(
                    (after[i], other_after[i]),
                    (0, 0),
                    "{tier}: byte {i} of the key"
                );
            }
        }
    };
}

#[test]
fn round_keys_are_gone_after_drop() {
    assert_erased_by_drop!(Aes128GcmSiv, 16 * 11);
    assert_erased_by_drop!(Aes256GcmSiv, 16 * 15);
    assert_erased_by_drop!(Kuznyechik, 16 * 10);
    assert_erased_by_drop!(KuznyechikMgm, 16 * 10);
}

/// The encryption key and the chaining value that has absorbed the other.
#[test]
fn derived_keys_are_gone_after_drop() {
    assert_erased_by_drop!(ChaCha20Blake2b, 32 + 64, TagLen::Bytes32);
    assert_erased_by_drop!(XChaCha20Blake2b, 32 + 64, TagLen::Bytes48);
    assert_erased_by_drop!(XChaCha20Blake2bSiv, 32 + 64, TagLen::Bytes64);
}
