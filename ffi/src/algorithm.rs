//! The algorithms: one number each.

use crate::failure::{Failure, guard};
use crate::region::Region;
use crate::status::{SIVKA_ERROR_ALGORITHM, Status};
use sivka::NonceRule;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::LazyLock;

/// The number of an algorithm: one of the constants below, or one that
/// sivka_algorithm_at() gives. A number never changes its meaning.
pub type AlgorithmNumber = u32;

/// AES-128-GCM-SIV (RFC 8452): key 16, nonce 12, tag 16 bytes.
pub const SIVKA_AES_128_GCM_SIV: AlgorithmNumber = 1;
/// AES-256-GCM-SIV (RFC 8452): key 32, nonce 12, tag 16 bytes.
pub const SIVKA_AES_256_GCM_SIV: AlgorithmNumber = 2;

/// ChaCha20-BLAKE2b: key 32, nonce 8 (a counter, never random), tag 32 bytes.
pub const SIVKA_CHACHA20_BLAKE2B: AlgorithmNumber = 3;
/// XChaCha20-BLAKE2b: key 32, nonce 24, tag 32 bytes.
pub const SIVKA_XCHACHA20_BLAKE2B: AlgorithmNumber = 4;
/// XChaCha20-BLAKE2b-SIV: key 32, no nonce, tag 32 bytes. Deterministic.
pub const SIVKA_XCHACHA20_BLAKE2B_SIV: AlgorithmNumber = 5;
/// Kuznyechik-MGM (RFC 9058): key 32, nonce 16 (its first bit is 0), tag 16 bytes.
pub const SIVKA_KUZNYECHIK_MGM: AlgorithmNumber = 6;
/// SIVKA_CHACHA20_BLAKE2B with a tag of 48 bytes.
pub const SIVKA_CHACHA20_BLAKE2B_TAG48: AlgorithmNumber = 7;
/// SIVKA_CHACHA20_BLAKE2B with a tag of 64 bytes.
pub const SIVKA_CHACHA20_BLAKE2B_TAG64: AlgorithmNumber = 8;
/// SIVKA_XCHACHA20_BLAKE2B with a tag of 48 bytes.
pub const SIVKA_XCHACHA20_BLAKE2B_TAG48: AlgorithmNumber = 9;
/// SIVKA_XCHACHA20_BLAKE2B with a tag of 64 bytes.
pub const SIVKA_XCHACHA20_BLAKE2B_TAG64: AlgorithmNumber = 10;
/// SIVKA_XCHACHA20_BLAKE2B_SIV with a tag of 48 bytes.
pub const SIVKA_XCHACHA20_BLAKE2B_SIV_TAG48: AlgorithmNumber = 11;
/// SIVKA_XCHACHA20_BLAKE2B_SIV with a tag of 64 bytes.
pub const SIVKA_XCHACHA20_BLAKE2B_SIV_TAG64: AlgorithmNumber = 12;

/// AES-SIV (RFC 5297, AEAD_AES_SIV_CMAC_256): key 32, no nonce, tag 16 bytes, which is
/// before the ciphertext. Deterministic, and not committing. For the formats of others.
pub const SIVKA_AES_SIV_256: AlgorithmNumber = 13;
/// AES-SIV (AEAD_AES_SIV_CMAC_384) with a key of 48 bytes. For the formats of others.
pub const SIVKA_AES_SIV_384: AlgorithmNumber = 14;
/// AES-SIV (AEAD_AES_SIV_CMAC_512) with a key of 64 bytes, two of AES-256: what Tink calls
/// AES256_SIV and OpenSSL AES-256-SIV. The one of the three to take.
pub const SIVKA_AES_SIV_512: AlgorithmNumber = 15;

/// The number of every algorithm, in the order of the library's list, in which C counts them.
const NUMBERS: [AlgorithmNumber; 15] = [
    SIVKA_AES_128_GCM_SIV,
    SIVKA_AES_256_GCM_SIV,
    SIVKA_CHACHA20_BLAKE2B,
    SIVKA_XCHACHA20_BLAKE2B,
    SIVKA_XCHACHA20_BLAKE2B_SIV,
    SIVKA_KUZNYECHIK_MGM,
    SIVKA_CHACHA20_BLAKE2B_TAG48,
    SIVKA_CHACHA20_BLAKE2B_TAG64,
    SIVKA_XCHACHA20_BLAKE2B_TAG48,
    SIVKA_XCHACHA20_BLAKE2B_TAG64,
    SIVKA_XCHACHA20_BLAKE2B_SIV_TAG48,
    SIVKA_XCHACHA20_BLAKE2B_SIV_TAG64,
    SIVKA_AES_SIV_256,
    SIVKA_AES_SIV_384,
    SIVKA_AES_SIV_512,
];

/// Their names, which the library gives, as C reads them.
static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
    let all = sivka::Algorithm::all().iter();
    all.map(|row| CString::new(row.name()).unwrap_or_default())
        .collect()
});

/// An algorithm with its number and its name for C.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm {
    pub(crate) number: AlgorithmNumber,
    pub(crate) name: &'static CStr,
    pub(crate) row: &'static sivka::Algorithm,
}

/// The array of a key whose length was checked.
pub(crate) fn array<'a, const N: usize>(
    what: &'static str,
    bytes: &'a [u8],
) -> Result<&'a [u8; N], Failure> {
    let given = bytes.len();
    bytes
        .try_into()
        .map_err(|_| Failure::length(what, N, given))
}

impl Algorithm {
    /// The algorithm at a place of the list, which has the order of the Rust library's.
    fn at(index: usize) -> Option<Self> {
        Some(Self {
            number: *NUMBERS.get(index)?,
            name: NAMES.get(index)?,
            row: sivka::Algorithm::all().get(index)?,
        })
    }

    pub(crate) fn find(number: AlgorithmNumber) -> Result<Self, Failure> {
        let found = NUMBERS.iter().position(|known| *known == number);
        found
            .and_then(Self::at)
            .ok_or(Failure::Algorithm { number })
    }

    /// The algorithm of a name, upper or lower case.
    pub(crate) fn find_name(name: &CStr) -> Result<Self, Failure> {
        let same = |known: &CString| known.to_bytes().eq_ignore_ascii_case(name.to_bytes());
        let found = NAMES.iter().position(same);
        found.and_then(Self::at).ok_or_else(|| {
            let known = sivka::Algorithm::all().iter().map(|row| row.name());
            Failure::name("name", SIVKA_ERROR_ALGORITHM, known, name)
        })
    }

    /// What `number` says, or 0 if there is no such algorithm.
    pub(crate) fn length(
        number: AlgorithmNumber,
        length: impl FnOnce(&sivka::Algorithm) -> usize,
    ) -> usize {
        Self::find(number).map_or(0, |found| length(found.row))
    }
}

/// Reads a name that ends with a zero.
///
/// # Safety
/// `name` is null or points to a C string.
pub(crate) unsafe fn c_str<'a>(
    what: &'static str,
    text: *const c_char,
) -> Result<&'a CStr, Failure> {
    if text.is_null() {
        return Err(Failure::Null { what });
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// How many algorithms this version has.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_algorithm_count() -> usize {
    NUMBERS.len()
}

/// The number of the algorithm at `index`, counted from 0; 0 if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_algorithm_at(index: usize) -> AlgorithmNumber {
    NUMBERS.get(index).map_or(0, |number| *number)
}

/// Writes the number of the algorithm with this name, as "AES-256-GCM-SIV", to
/// `algorithm`. Upper and lower case are the same. `name` ends with a zero.
///
/// SIVKA_ERROR_NULL, SIVKA_ERROR_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_algorithm_from_name(
    name: *const c_char,
    algorithm: *mut AlgorithmNumber,
) -> Status {
    guard(|| {
        let out = Region::new("algorithm", algorithm, 1)?;
        // SAFETY: a C string, as the header asks.
        let found = Algorithm::find_name(unsafe { c_str("name", name) }?)?;
        // SAFETY: one writable number, as the header asks, and nothing else of it in use.
        unsafe { out.as_mut_slice() }.fill(found.number);
        Ok(())
    })
}

/// The name of an algorithm, or NULL if this version does not know it. Static.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_algorithm_name(algorithm: AlgorithmNumber) -> *const c_char {
    Algorithm::find(algorithm).map_or(ptr::null(), |row| row.name.as_ptr())
}

/// The length of a key in bytes, or 0 for an unknown algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_key_len(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.key_len())
}

/// The length of a nonce in bytes; 0 for an algorithm without one, or an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_nonce_len(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.nonce_len())
}

/// The length of a tag in bytes, or 0 for an unknown algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_tag_len(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.tag_len())
}

/// Whether the tag comes before the ciphertext where both are in one buffer, as AES-SIV has
/// it: 1 if so, 0 if it comes after, or for an unknown algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_tag_first(algorithm: AlgorithmNumber) -> i32 {
    Algorithm::find(algorithm).map_or(0, |found| i32::from(found.row.tag_first()))
}

/// The bytes that sivka_seal() adds to a plaintext: nonce and tag. 0 for an unknown algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_overhead(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.nonce_len() + row.tag_len())
}

/// Whether sivka_seal() and sivka_random_nonces() draw nonces for this algorithm: 1 if
/// so or if it needs none, 0 if its nonces are too short to be random or it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_random_nonces_allowed(algorithm: AlgorithmNumber) -> i32 {
    Algorithm::find(algorithm).map_or(0, |found| {
        i32::from(found.row.nonce_rule() != NonceRule::Counter)
    })
}

/// Whether this is a nonce of the algorithm: 1 if so, 0 if its length or one of its bits
/// is not, or the algorithm is unknown. If a nonce of all one bits is allowed, every nonce
/// of its length is. Says nothing about whether it was used before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_nonce_allowed(
    algorithm: AlgorithmNumber,
    nonce: *const u8,
    nonce_len: usize,
) -> i32 {
    let allowed = Algorithm::find(algorithm).and_then(|found| {
        let nonce = Region::exactly("nonce", nonce, nonce_len, found.row.nonce_len())?;
        // SAFETY: the caller's buffer, as the header asks; nobody writes to it meanwhile.
        Ok(found.row.allows_nonce(unsafe { nonce.as_slice() }))
    });
    i32::from(allowed.unwrap_or(false))
}

/// Writes `key_len` random bytes, which must be the length of a key, to `key`.
///
/// SIVKA_ERROR_ALGORITHM, SIVKA_ERROR_NULL, SIVKA_ERROR_LENGTH, SIVKA_ERROR_RANDOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_generate_key(
    algorithm: AlgorithmNumber,
    key: *mut u8,
    key_len: usize,
) -> Status {
    guard(|| {
        let row = Algorithm::find(algorithm)?.row;
        let key = Region::exactly("key", key, key_len, row.key_len())?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        let filled = getrandom::fill(unsafe { key.as_mut_slice() });
        filled.map_err(|_| sivka::Error::Random.into())
    })
}

/// Writes random nonces, one after another, to `nonces`: `nonces_len` is a multiple of
/// the length of one. For sivka_seal_batch() and its like.
///
/// SIVKA_ERROR_ALGORITHM, SIVKA_ERROR_NULL, SIVKA_ERROR_LENGTH,
/// SIVKA_ERROR_NO_RANDOM_NONCE, SIVKA_ERROR_RANDOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_random_nonces(
    algorithm: AlgorithmNumber,
    nonces: *mut u8,
    nonces_len: usize,
) -> Status {
    guard(|| {
        let row = Algorithm::find(algorithm)?.row;
        let nonces = Region::whole_items("nonces", nonces, nonces_len, row.nonce_len())?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        Ok(row.fill_nonces(unsafe { nonces.as_mut_slice() })?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_is_first_in_siv_alone() {
        let siv = [SIVKA_AES_SIV_256, SIVKA_AES_SIV_384, SIVKA_AES_SIV_512];
        for number in 0..100 {
            let is_first = i32::from(siv.contains(&number));
            assert_eq!(sivka_tag_first(number), is_first, "{number}");
        }
    }

    #[test]
    fn random_nonces_are_allowed_where_the_core_draws_them() {
        for number in 0..100 {
            let row = Algorithm::find(number).map(|found| found.row.nonce_rule());
            let is_drawn = row.is_ok_and(|rule| rule != sivka::NonceRule::Counter);
            let allowed = sivka_random_nonces_allowed(number);
            assert_eq!(allowed, i32::from(is_drawn), "{number}");
        }
    }
}
