//! The algorithms: one row each.

mod long_tag;
mod short_tag;

use crate::batch::Slab;
use crate::region::Region;
use crate::status::{self, Failure, SIVKA_OK, Status, guard};
use sivka::TagLen::{Bytes32, Bytes48, Bytes64};
use sivka::{
    Aes128GcmSiv, Aes256GcmSiv, ChaCha20Blake2b, Error, KuznyechikMgm, XChaCha20Blake2b,
    XChaCha20Blake2bSiv,
};
use std::ffi::{CStr, c_char};
use std::ptr;

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

/// Every algorithm of this version, in the order in which C counts them.
static ALGORITHMS: [Algorithm; 12] = [
    short_tag::row::<Aes128GcmSiv>(SIVKA_AES_128_GCM_SIV, c"AES-128-GCM-SIV"),
    short_tag::row::<Aes256GcmSiv>(SIVKA_AES_256_GCM_SIV, c"AES-256-GCM-SIV"),
    long_tag::row::<ChaCha20Blake2b>(SIVKA_CHACHA20_BLAKE2B, c"ChaCha20-BLAKE2b", Bytes32),
    long_tag::row::<XChaCha20Blake2b>(SIVKA_XCHACHA20_BLAKE2B, c"XChaCha20-BLAKE2b", Bytes32),
    long_tag::row::<XChaCha20Blake2bSiv>(
        SIVKA_XCHACHA20_BLAKE2B_SIV,
        c"XChaCha20-BLAKE2b-SIV",
        Bytes32,
    ),
    Algorithm {
        // RFC 9058, section 4: nonces have 127 bits.
        first_nonce_byte_mask: 0x7f,
        ..short_tag::row::<KuznyechikMgm>(SIVKA_KUZNYECHIK_MGM, c"Kuznyechik-MGM")
    },
    long_tag::row::<ChaCha20Blake2b>(
        SIVKA_CHACHA20_BLAKE2B_TAG48,
        c"ChaCha20-BLAKE2b-Tag48",
        Bytes48,
    ),
    long_tag::row::<ChaCha20Blake2b>(
        SIVKA_CHACHA20_BLAKE2B_TAG64,
        c"ChaCha20-BLAKE2b-Tag64",
        Bytes64,
    ),
    long_tag::row::<XChaCha20Blake2b>(
        SIVKA_XCHACHA20_BLAKE2B_TAG48,
        c"XChaCha20-BLAKE2b-Tag48",
        Bytes48,
    ),
    long_tag::row::<XChaCha20Blake2b>(
        SIVKA_XCHACHA20_BLAKE2B_TAG64,
        c"XChaCha20-BLAKE2b-Tag64",
        Bytes64,
    ),
    long_tag::row::<XChaCha20Blake2bSiv>(
        SIVKA_XCHACHA20_BLAKE2B_SIV_TAG48,
        c"XChaCha20-BLAKE2b-SIV-Tag48",
        Bytes48,
    ),
    long_tag::row::<XChaCha20Blake2bSiv>(
        SIVKA_XCHACHA20_BLAKE2B_SIV_TAG64,
        c"XChaCha20-BLAKE2b-SIV-Tag64",
        Bytes64,
    ),
];

/// Makes a key of a row's `key_len` bytes, for tags of its `tag_len` bytes.
type NewKey = fn(&[u8], usize) -> Result<Box<dyn Aead>, Failure>;

/// What C may know of an algorithm, and how its keys are made.
pub(crate) struct Algorithm {
    pub(crate) number: AlgorithmNumber,
    pub(crate) name: &'static CStr,
    pub(crate) key_len: usize,
    /// 0 for an algorithm without a nonce.
    pub(crate) nonce_len: usize,
    pub(crate) tag_len: usize,
    /// Whether random nonces are long enough not to repeat.
    pub(crate) random_nonces: bool,
    /// Bits that a nonce's first byte may have; random nonces have the others cleared.
    pub(crate) first_nonce_byte_mask: u8,
    pub(crate) new: NewKey,
}

/// A key of an algorithm. Lengths of nonces and tags were checked against its row.
pub(crate) trait Aead: Send + Sync {
    /// Seals in place. On a failure `in_out` is as it was.
    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure>;

    /// Opens in place. If the message does not open, `in_out` is zeros.
    fn open(&self, nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Failure>;

    /// Seals `plaintext` to `ciphertext`, which is as long. On a failure no plaintext
    /// stands there.
    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        ciphertext.copy_from_slice(plaintext);
        let sealed = self.seal(nonce, aad, ciphertext, tag);
        if sealed.is_err() {
            ciphertext.fill(0);
        }
        sealed
    }

    /// Opens `ciphertext` to `plaintext`, which is as long. If the message does not open,
    /// `plaintext` is zeros.
    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Failure> {
        plaintext.copy_from_slice(ciphertext);
        let opened = self.open(nonce, aad, plaintext, tag);
        if opened.is_err() {
            plaintext.fill(0);
        }
        opened
    }

    /// Seals some messages of a batch. An error means that none of these was.
    fn seal_slab(&self, slab: Slab<'_, '_>, tags: &mut [u8]) -> Result<(), Failure>;

    /// Opens some messages of a batch. An error means that none of these was.
    fn open_slab(&self, slab: Slab<'_, '_>, tags: &[u8]) -> Result<(), Failure>;

    fn tier_name(&self) -> &'static str;
}

/// The array of a nonce or key whose length was checked.
pub(crate) fn array<'a, const N: usize>(
    what: &'static str,
    bytes: &'a [u8],
) -> Result<&'a [u8; N], Failure> {
    let wrong = Failure::Length {
        what,
        expected: N,
        given: bytes.len(),
    };
    bytes.try_into().map_err(|_| wrong)
}

impl Algorithm {
    pub(crate) fn find(number: AlgorithmNumber) -> Result<&'static Self, Failure> {
        let found = ALGORITHMS.iter().find(|row| row.number == number);
        found.ok_or(Failure::Algorithm)
    }

    /// The algorithm of a name, upper or lower case.
    pub(crate) fn find_name(name: &CStr) -> Result<&'static Self, Failure> {
        let same = |row: &&Self| row.name.to_bytes().eq_ignore_ascii_case(name.to_bytes());
        ALGORITHMS.iter().find(same).ok_or(Failure::Algorithm)
    }

    /// Fills `nonces` with random nonces.
    pub(crate) fn fill_nonces(&self, nonces: &mut [u8]) -> Result<(), Failure> {
        if !self.random_nonces {
            return Err(Failure::NoRandomNonce);
        }
        getrandom::fill(nonces).map_err(|_| Failure::Random)?;
        let firsts = nonces.iter_mut().step_by(self.nonce_len.max(1));
        firsts.for_each(|first| *first &= self.first_nonce_byte_mask);
        Ok(())
    }

    /// What `number` says, or 0 if there is no such algorithm.
    fn length(number: AlgorithmNumber, length: impl FnOnce(&Self) -> usize) -> usize {
        Self::find(number).map_or(0, length)
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
    ALGORITHMS.len()
}

/// The number of the algorithm at `index`, counted from 0; 0 if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_algorithm_at(index: usize) -> AlgorithmNumber {
    ALGORITHMS.get(index).map_or(0, |row| row.number)
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
    Algorithm::length(algorithm, |row| row.key_len)
}

/// The length of a nonce in bytes; 0 for an algorithm without one, or an unknown one.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_nonce_len(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.nonce_len)
}

/// The length of a tag in bytes, or 0 for an unknown algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_tag_len(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.tag_len)
}

/// What sivka_seal() adds to a plaintext in bytes: nonce and tag. 0 for an unknown
/// algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_overhead(algorithm: AlgorithmNumber) -> usize {
    Algorithm::length(algorithm, |row| row.nonce_len + row.tag_len)
}

/// Whether sivka_seal() and sivka_random_nonces() draw nonces for this algorithm: 1 if
/// so or if it needs none, 0 if its nonces are too short to be random or it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_random_nonces_allowed(algorithm: AlgorithmNumber) -> i32 {
    Algorithm::find(algorithm).map_or(0, |row| i32::from(row.random_nonces))
}

/// Whether this is a nonce of the algorithm: 1 if so, 0 if its length or one of its bits
/// is not, or the algorithm is unknown. Where the nonce of only 1 bits is one, every nonce
/// of its length is. Says nothing about whether it was used before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_nonce_allowed(
    algorithm: AlgorithmNumber,
    nonce: *const u8,
    nonce_len: usize,
) -> i32 {
    let allowed = Algorithm::find(algorithm).and_then(|row| {
        let nonce = Region::exactly("nonce", nonce, nonce_len, row.nonce_len)?;
        // SAFETY: the caller's buffer, as the header asks; nobody writes to it meanwhile.
        let first = unsafe { nonce.as_slice() }.first();
        Ok(first.is_none_or(|first| first & !row.first_nonce_byte_mask == 0))
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
        let row = Algorithm::find(algorithm)?;
        let key = Region::exactly("key", key, key_len, row.key_len)?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        getrandom::fill(unsafe { key.as_mut_slice() }).map_err(|_| Failure::Random)
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
        let row = Algorithm::find(algorithm)?;
        let whole = nonces_len.checked_div(row.nonce_len).unwrap_or(0) * row.nonce_len;
        let nonces = Region::exactly("nonces", nonces, nonces_len, whole)?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        row.fill_nonces(unsafe { nonces.as_mut_slice() })
    })
}

/// Hands on what became of each message, unless nothing became of any.
fn report(
    whole: Result<(), Error>,
    results: &[sivka::Status],
    statuses: &mut [Status],
) -> Result<(), Failure> {
    if let Err(error) = whole
        && !matches!(error, Error::Batch { .. })
    {
        return Err(error.into());
    }
    for (status, result) in statuses.iter_mut().zip(results) {
        *status = match result {
            sivka::Status::Done => SIVKA_OK,
            sivka::Status::NotOpened => status::SIVKA_ERROR_OPEN,
            sivka::Status::TooLong => status::SIVKA_ERROR_TOO_LONG,
            sivka::Status::Refused => status::SIVKA_ERROR_REFUSED,
            _ => status::SIVKA_ERROR_INTERNAL,
        };
    }
    Ok(())
}
