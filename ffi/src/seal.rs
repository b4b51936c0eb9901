//! One message: three levels.
//!
//! A short message takes some fifty nanoseconds. So a call looks at its arguments once, as
//! plain integers (`Call::at_once`); where that leaves a doubt, it begins anew and looks at
//! them one by one (`Call::one_by_one`), to say what is wrong or that nothing is.

mod call;
pub mod list;
mod message;
mod parts;

use crate::algorithm::{Algorithm, AlgorithmNumber};
use crate::key::Key;
use crate::status::Status;
use call::{Call, Given};
use std::ptr;

/// The capacity that sivka_seal() needs for a plaintext of `plaintext_len` bytes: nonce,
/// ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_len(algorithm: AlgorithmNumber, plaintext_len: usize) -> usize {
    let len = Algorithm::length(algorithm, |row| {
        plaintext_len.saturating_add(row.nonce_len() + row.tag_len())
    });
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The capacity that sivka_open() needs for a sealed message of `sealed_len` bytes. 0
/// also for an unknown algorithm and for a message that is too short to open.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_open_len(algorithm: AlgorithmNumber, sealed_len: usize) -> usize {
    Algorithm::length(algorithm, |row| {
        sealed_len.saturating_sub(row.nonce_len() + row.tag_len())
    })
}

/// The capacity that sivka_seal_with_nonce() needs for a plaintext of `plaintext_len`
/// bytes: ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_with_nonce_len(
    algorithm: AlgorithmNumber,
    plaintext_len: usize,
) -> usize {
    let len = Algorithm::length(algorithm, |row| plaintext_len.saturating_add(row.tag_len()));
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The capacity that sivka_open_with_nonce() needs for a ciphertext and tag of `ciphertext_len`
/// bytes. 0 also for an unknown algorithm and for a message that is too short to open.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_open_with_nonce_len(
    algorithm: AlgorithmNumber,
    ciphertext_len: usize,
) -> usize {
    Algorithm::length(algorithm, |row| {
        ciphertext_len.saturating_sub(row.tag_len())
    })
}

/// Level one: seals under a random nonce, which is drawn here.
///
/// Writes nonce, ciphertext and tag, one after another, to `sealed`, and their length to
/// `sealed_len` unless that is NULL; where sivka_tag_first() is 1, the tag comes before the
/// ciphertext, here and in all calls that have both in one buffer. `sealed_capacity` is at
/// least sivka_key_seal_len(). `plaintext` may be where its ciphertext will, and may not
/// overlap `sealed` otherwise; nor may `aad`.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED,
/// _NO_RANDOM_NONCE, _USAGE_BOUND, _RANDOM, _SELF_CHECK. Nothing is sealed then, and no plaintext
/// is in `sealed` that was not there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal(
    key: *const Key,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
) -> Status {
    let call = Call {
        key,
        nonce: None,
        aad: given("aad", aad, aad_len),
        input: given("plaintext", plaintext, plaintext_len),
        output: given("sealed", sealed, sealed_capacity),
        tag: None,
        told: ("sealed_len", sealed_len),
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<true>() }
}

/// Opens what sivka_seal() wrote: nonce, ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_key_open_len(). `plaintext` may be where the
/// ciphertext is, and may not overlap `sealed` otherwise, nor `aad`.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_NULL, _CAPACITY, _TOO_LONG, _OVERLAP,
/// _NO_RANDOM_NONCE, _SELF_CHECK. There is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open(
    key: *const Key,
    aad: *const u8,
    aad_len: usize,
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    let call = Call {
        key,
        nonce: None,
        aad: given("aad", aad, aad_len),
        input: given("sealed", sealed, sealed_len),
        output: given("plaintext", plaintext, plaintext_capacity),
        tag: None,
        told: ("plaintext_len", plaintext_len),
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<false>() }
}

/// Level two: seals under a nonce of the caller's. Do not use it for another message
/// under this key: the algorithm decides the consequences.
///
/// Writes ciphertext and tag, one after another, to `ciphertext`, and their length to
/// `ciphertext_len` unless that is NULL. `ciphertext_capacity` is at least
/// sivka_seal_with_nonce_len(). `plaintext` may be exactly where its ciphertext goes: the
/// start of `ciphertext`, or after the tag if sivka_tag_first() is 1. Otherwise it may
/// not overlap `ciphertext`; `nonce` and `aad` may not either.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED, _SELF_CHECK.
/// Nothing is sealed then, and no plaintext is in `ciphertext` that was not there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_with_nonce(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    ciphertext: *mut u8,
    ciphertext_capacity: usize,
    ciphertext_len: *mut usize,
) -> Status {
    let call = Call {
        key,
        nonce: Some(given("nonce", nonce, nonce_len)),
        aad: given("aad", aad, aad_len),
        input: given("plaintext", plaintext, plaintext_len),
        output: given("ciphertext", ciphertext, ciphertext_capacity),
        tag: None,
        told: ("ciphertext_len", ciphertext_len),
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<true>() }
}

/// Opens what sivka_seal_with_nonce() wrote: ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_open_with_nonce_len(). `plaintext` may
/// be where its ciphertext is, and may not overlap `ciphertext` otherwise, nor `nonce`
/// and `aad`.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP,
/// _SELF_CHECK. There is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_with_nonce(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    let call = Call {
        key,
        nonce: Some(given("nonce", nonce, nonce_len)),
        aad: given("aad", aad, aad_len),
        input: given("ciphertext", ciphertext, ciphertext_len),
        output: given("plaintext", plaintext, plaintext_capacity),
        tag: None,
        told: ("plaintext_len", plaintext_len),
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<false>() }
}

/// Level three: seals with a nonce of the caller's, and the tag in a buffer of its own.
/// Allocates nothing.
///
/// `ciphertext` has the length of `plaintext`, and is the very same buffer to encrypt in place, or
/// does not overlap it. `tag_len` is sivka_tag_len(). The outputs overlap nothing else.
///
/// SIVKA_ERROR_NULL, _LENGTH, _TOO_LONG, _OVERLAP, _REFUSED, _SELF_CHECK. Nothing is sealed then:
/// a buffer that was to be encrypted in place is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_detached(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    let call = Call {
        key,
        nonce: Some(given("nonce", nonce, nonce_len)),
        aad: given("aad", aad, aad_len),
        input: given("plaintext", plaintext, plaintext_len),
        output: given("ciphertext", ciphertext, ciphertext_len),
        tag: Some(given("tag", tag, tag_len)),
        told: NOWHERE,
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<true>() }
}

/// Opens a result of sivka_seal_detached(). Allocates nothing.
///
/// `plaintext` has the length of `ciphertext`, and is the very same buffer to decrypt in place, or
/// does not overlap it. `tag_len` is sivka_tag_len(). The output overlaps nothing else.
///
/// SIVKA_ERROR_OPEN: `plaintext` holds zeros then, also in place. SIVKA_ERROR_NULL,
/// _LENGTH, _TOO_LONG, _OVERLAP, _SELF_CHECK: there is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_detached(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    tag: *const u8,
    tag_len: usize,
    plaintext: *mut u8,
    plaintext_len: usize,
) -> Status {
    let call = Call {
        key,
        nonce: Some(given("nonce", nonce, nonce_len)),
        aad: given("aad", aad, aad_len),
        input: given("ciphertext", ciphertext, ciphertext_len),
        output: given("plaintext", plaintext, plaintext_len),
        tag: Some(given("tag", tag, tag_len)),
        told: NOWHERE,
    };
    // SAFETY: as the header asks.
    unsafe { call.carry_out::<false>() }
}

/// A call that tells no length.
const NOWHERE: (&str, *mut usize) = ("no length", ptr::null_mut());

#[inline(always)]
fn given(what: &'static str, start: *const u8, len: usize) -> Given {
    Given { what, start, len }
}
