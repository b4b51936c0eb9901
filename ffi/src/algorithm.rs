//! The algorithms: one number each.

use crate::failure::{Failure, guard};
use crate::region::{Region, c_str};
use crate::status::{SIVKA_ERROR_ALGORITHM, Status};
use sivka::NonceRule;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::LazyLock;

/// The number of an algorithm: one of the constants below, from 1 on. None changes its meaning.
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

/// The number of every algorithm, in the order of the library's list.
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

/// What there is to know of an algorithm. Later versions may add fields at the end.
#[repr(C)]
pub struct AlgorithmInfo {
    /// Its number.
    pub algorithm: AlgorithmNumber,
    /// 1 if the tag comes before the ciphertext in one buffer, as AES-SIV has it; 0 if after it.
    pub tag_first: i32,
    /// 1 if nonces may be random, or there are none; 0 if they are too short for that, and count.
    pub random_nonces: i32,
    /// Its name, as "AES-256-GCM-SIV".
    pub name: *const c_char,
    /// The length of a key.
    pub key_len: usize,
    /// The length of a nonce; 0 if there is none.
    pub nonce_len: usize,
    /// The length of a tag.
    pub tag_len: usize,
    /// The most bytes of plaintext that a message has.
    pub max_plaintext_len: u64,
    /// The most bytes of associated data that a message has.
    pub max_aad_len: u64,
}

// SAFETY: it is not changed once it is made, nor is the name that it points to.
unsafe impl Sync for AlgorithmInfo {}
// SAFETY: as above.
unsafe impl Send for AlgorithmInfo {}

/// The most bytes that a key has.
pub const SIVKA_MAX_KEY_LEN: usize = 64;
/// The most bytes that a nonce has.
pub const SIVKA_MAX_NONCE_LEN: usize = 24;
/// The most bytes that a tag has.
pub const SIVKA_MAX_TAG_LEN: usize = 64;

/// In the order of the library's list. The names are never freed.
static INFOS: LazyLock<Vec<AlgorithmInfo>> = LazyLock::new(|| {
    let info = |(row, number): (&sivka::Algorithm, AlgorithmNumber)| AlgorithmInfo {
        algorithm: number,
        tag_first: row.tag_first().into(),
        random_nonces: (row.nonce_rule() != NonceRule::Counter).into(),
        name: CString::new(row.name()).unwrap_or_default().into_raw(),
        key_len: row.key_len(),
        nonce_len: row.nonce_len(),
        tag_len: row.tag_len(),
        max_plaintext_len: row.max_plaintext_len(),
        max_aad_len: row.max_aad_len(),
    };
    let rows = sivka::Algorithm::all().iter().copied();
    rows.zip(NUMBERS).map(info).collect()
});

/// An algorithm with its number for C.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm {
    pub(crate) number: AlgorithmNumber,
    pub(crate) row: &'static sivka::Algorithm,
}

impl Algorithm {
    pub(crate) fn find(number: AlgorithmNumber) -> Result<Self, Failure> {
        let mut all = sivka::Algorithm::all().iter().copied().zip(NUMBERS);
        let found = all.find(|(_, known)| *known == number);
        found
            .map(|(row, number)| Self { number, row })
            .ok_or_else(|| Failure::unknown(SIVKA_ERROR_ALGORITHM, "algorithm", number))
    }
}

/// Writes the number of the algorithm with this name, in upper or lower case, to `algorithm`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_algorithm_from_name(
    name: *const c_char,
    algorithm: *mut AlgorithmNumber,
) -> Status {
    guard(|| {
        let out = Region::new("algorithm", algorithm, 1)?;
        // SAFETY: a C string, as the header asks.
        let name = unsafe { c_str("name", name) }?;
        let known = || sivka::Algorithm::all().iter().map(|row| row.name());
        let same = |known: &str| known.as_bytes().eq_ignore_ascii_case(name.to_bytes());
        let found = known().zip(NUMBERS).find(|(known, _)| same(known));
        let (_, number) =
            found.ok_or_else(|| Failure::name("name", SIVKA_ERROR_ALGORITHM, known(), name))?;
        // SAFETY: one writable number, as the header asks, and nothing else of it in use.
        unsafe { out.write(number) };
        Ok(())
    })
}

/// What there is to know of an algorithm, or NULL if this version does not know it. Static.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_inspect_algorithm(algorithm: AlgorithmNumber) -> *const AlgorithmInfo {
    let found = INFOS.iter().find(|info| info.algorithm == algorithm);
    found.map_or(ptr::null(), ptr::from_ref)
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

/// Writes random nonces, one after another, to `nonces`, as sivka_seal_many() takes them.
/// _NO_RANDOM_NONCE.
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
    fn the_longest_of_each_part_are_constants() {
        let most = |len: fn(&AlgorithmInfo) -> usize| INFOS.iter().map(len).max();
        assert_eq!(most(|info| info.key_len), Some(SIVKA_MAX_KEY_LEN));
        assert_eq!(most(|info| info.nonce_len), Some(SIVKA_MAX_NONCE_LEN));
        assert_eq!(most(|info| info.tag_len), Some(SIVKA_MAX_TAG_LEN));
    }
}
