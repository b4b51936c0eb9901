//! Secrets: how they are drawn, derived and compared, and what anybody may know of them.

use crate::error::Error;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;
use std::hint::black_box;
use subtle::Choice;
use zeroize::Zeroizing;

const BLOCK_LEN: usize = 128;
const HASH_LEN: usize = 64;

/// The operating system's generator.
pub(crate) fn system_random(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|_| Error::Random)
}

/// A key, written where it stays: what moves is a pointer, and leaves no copy behind.
pub(crate) type Secret = Box<Zeroizing<[u8; 32]>>;

/// A random key.
pub(crate) fn random_secret() -> Result<Secret, Error> {
    let mut secret = Secret::default();
    system_random(&mut **secret)?;
    Ok(secret)
}

/// The `N` bytes from `at`. Every call here has constants within its array.
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

/// HMAC-SHA-512 (RFC 2104) of the concatenated parts.
///
/// Keys here have 32 or 64 bytes, less than a block, so they are padded with zeros,
/// never hashed.
pub(crate) fn hmac<const N: usize>(key: &[u8; N], parts: &[&[u8]], out: &mut [u8; HASH_LEN]) {
    const { assert!(N <= BLOCK_LEN) };
    overwriting::<{ 4 << 10 }, _>(|| {
        let mut block = Zeroizing::new([0; BLOCK_LEN]);
        block[..N].copy_from_slice(key);
        let mut mac = Hmac::<Sha512>::new((&*block).into());
        for part in parts {
            mac.update(part);
        }
        out.copy_from_slice(&mac.finalize().into_bytes());
    });
}

/// Does work that leaves copies of secrets in `LEN` bytes below the caller and in vector
/// registers, and overwrites them. The crates wipe their own values, but neither what the compiler
/// spilled nor what the C library copied.
pub(crate) fn overwriting<const LEN: usize, T>(work: impl FnOnce() -> T) -> T {
    /// Below the caller, as what overwrites is.
    #[inline(never)]
    fn leaving_copies<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    #[inline(never)]
    fn overwrite<const LEN: usize>() {
        sivka::__making_key(|| {
            black_box(&mut [0_u8; LEN]);
        });
    }
    let done = leaving_copies(work);
    overwrite::<LEN>();
    done
}

/// HKDF-Expand-SHA-512 (RFC 5869 section 2.3) with `info` the concatenated parts.
///
/// The C2SP construction gives it a key of 32 bytes, shorter than RFC 5869 asks of a
/// pseudorandom key that came from HKDF-Extract. A uniformly random key is a sound
/// HMAC key at that length. `out` has at most 255 · 64 bytes.
pub(crate) fn expand<const N: usize>(key: &[u8; N], info: &[&[u8]], out: &mut [u8]) {
    debug_assert!(out.len() <= 255 * HASH_LEN);
    let mut block = Zeroizing::new([0; HASH_LEN]);
    let mut previous_len = 0;
    for (counter, out) in (1..=255_u8).map(|n| [n]).zip(out.chunks_mut(HASH_LEN)) {
        let parts = [&[&block[..previous_len]][..], info, &[&counter]].concat();
        let mut next = Zeroizing::new([0; HASH_LEN]);
        hmac(key, &parts, &mut next);
        // Of no constant length: the C library copies it, in registers that stay.
        overwriting::<HASH_LEN, _>(|| out.copy_from_slice(&next[..out.len()]));
        *block = *next;
        previous_len = HASH_LEN;
    }
}

/// Whether a comparison of secrets succeeded, which its caller is told anyway.
pub(crate) fn publish(verdict: Choice) -> bool {
    let mut verdict = verdict.unwrap_u8();
    public(&mut verdict);
    verdict == 1
}

/// Says to valgrind that anybody may know `value`, though it was computed from secrets.
pub(crate) fn public<T: ?Sized>(value: &mut T) {
    #[cfg(feature = "__ctgrind")]
    sivka::mark_public(value);
    // What was marked is the memory: a copy in a register would still be secret.
    #[cfg(feature = "__ctgrind")]
    black_box(value);
    #[cfg(not(feature = "__ctgrind"))]
    let _ = value;
}

/// Says to valgrind that `value` was drawn to be a secret.
pub(crate) fn secret<T: ?Sized>(value: &T) {
    #[cfg(feature = "__ctgrind")]
    sivka::mark_secret(value);
    #[cfg(not(feature = "__ctgrind"))]
    let _ = value;
}
