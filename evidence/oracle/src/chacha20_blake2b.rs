//! ChaCha20-BLAKE2b, XChaCha20-BLAKE2b and XChaCha20-BLAKE2b-SIV as the 2022 C#
//! library (version 2.0.1) computes them: one formula a line, nothing saved.

use crate::blake2b::keyed_hash;
use crate::chacha20;

const CHACHA_ENCRYPT: &[u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()";
const CHACHA_MAC: &[u8] = b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()";
const XCHACHA_ENCRYPT: &[u8] = b"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()";
const XCHACHA_MAC: &[u8] = b"XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()";
const SIV_ENCRYPT: &[u8] = b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()";
const SIV_MAC: &[u8] = b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()";

/// What tells the three apart, for those who want their keys.
pub struct Context {
    /// Of `Ke`.
    pub encryption: &'static [u8],
    /// Of `Km`.
    pub mac: &'static [u8],
    /// The length in bytes of the nonce that `Km` is made with; none for SIV.
    pub nonce_len: usize,
}

impl Context {
    /// The construction of this name.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let (encryption, mac, nonce_len) = match name {
            "ChaCha20-BLAKE2b" => (CHACHA_ENCRYPT, CHACHA_MAC, 8),
            "XChaCha20-BLAKE2b" => (XCHACHA_ENCRYPT, XCHACHA_MAC, 24),
            "XChaCha20-BLAKE2b-SIV" => (SIV_ENCRYPT, SIV_MAC, 0),
            _ => panic!("no construction `{name}`"),
        };
        Self {
            encryption,
            mac,
            nonce_len,
        }
    }
}

/// `first ‖ second ‖ LE32(|first|) ‖ LE32(|second|)`.
fn framed(first: &[u8], second: &[u8]) -> Vec<u8> {
    let len = |x: &[u8]| {
        u32::try_from(x.len())
            .expect("a test's input")
            .to_le_bytes()
    };
    [first, second, &len(first), &len(second)].concat()
}

/// `Ke = H(key, 32, Ce ‖ LE32(0) ‖ LE32(|Ce|))`: an empty salt in front of the context.
#[must_use]
pub fn encryption_key(key: &[u8; 32], context: &[u8]) -> [u8; 32] {
    let ke = keyed_hash(key, 32, &framed(b"", context));
    core::array::from_fn(|i| ke[i])
}

/// `Km = H(key, 64, S ‖ Cm ‖ LE32(|S|) ‖ LE32(|Cm|))`.
#[must_use]
pub fn mac_key(key: &[u8; 32], salt: &[u8], context: &[u8]) -> Vec<u8> {
    keyed_hash(key, 64, &framed(salt, context))
}

/// ChaCha20-BLAKE2b: ciphertext ‖ tag.
#[must_use]
pub fn chacha20_blake2b_seal(
    key: &[u8; 32],
    nonce: &[u8; 8],
    aad: &[u8],
    plaintext: &[u8],
    tag_len: usize,
) -> Vec<u8> {
    let mut sealed = plaintext.to_vec();
    chacha20::xor(&encryption_key(key, CHACHA_ENCRYPT), nonce, 0, &mut sealed);
    let km = mac_key(key, nonce, CHACHA_MAC);
    let tag = keyed_hash(&km, tag_len, &framed(aad, &sealed));
    sealed.extend(tag);
    sealed
}

/// XChaCha20-BLAKE2b: ciphertext ‖ tag.
#[must_use]
pub fn xchacha20_blake2b_seal(
    key: &[u8; 32],
    nonce: &[u8; 24],
    aad: &[u8],
    plaintext: &[u8],
    tag_len: usize,
) -> Vec<u8> {
    let mut sealed = plaintext.to_vec();
    chacha20::xchacha20_xor(&encryption_key(key, XCHACHA_ENCRYPT), nonce, &mut sealed);
    let km = mac_key(key, nonce, XCHACHA_MAC);
    let tag = keyed_hash(&km, tag_len, &framed(aad, &sealed));
    sealed.extend(tag);
    sealed
}

/// XChaCha20-BLAKE2b-SIV: ciphertext ‖ tag. The nonce is the tag's first 24 bytes.
///
/// # Panics
///
/// Panics if `tag_len` is below 24.
#[must_use]
pub fn xchacha20_blake2b_siv_seal(
    key: &[u8; 32],
    aad: &[u8],
    plaintext: &[u8],
    tag_len: usize,
) -> Vec<u8> {
    let km = mac_key(key, b"", SIV_MAC);
    let tag = keyed_hash(&km, tag_len, &framed(aad, plaintext));
    let nonce = tag[..24].try_into().expect("tags have at least 24 bytes");
    let mut sealed = plaintext.to_vec();
    chacha20::xchacha20_xor(&encryption_key(key, SIV_ENCRYPT), nonce, &mut sealed);
    sealed.extend(tag);
    sealed
}

/// Opens ciphertext ‖ tag by sealing again; `seal` is one of the two functions above
/// with everything but the plaintext filled in.
///
/// ChaCha20 is its own inverse, so sealing the ciphertext decrypts it.
fn open(sealed: &[u8], tag_len: usize, seal: impl Fn(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let (ciphertext, _) = sealed.split_at(sealed.len().checked_sub(tag_len)?);
    let plaintext = seal(ciphertext)[..ciphertext.len()].to_vec();
    (seal(&plaintext) == sealed).then_some(plaintext)
}

/// Opens what [`chacha20_blake2b_seal`] made.
#[must_use]
pub fn chacha20_blake2b_open(
    key: &[u8; 32],
    nonce: &[u8; 8],
    aad: &[u8],
    sealed: &[u8],
    tag_len: usize,
) -> Option<Vec<u8>> {
    open(sealed, tag_len, |x| {
        chacha20_blake2b_seal(key, nonce, aad, x, tag_len)
    })
}

/// Opens what [`xchacha20_blake2b_seal`] made.
#[must_use]
pub fn xchacha20_blake2b_open(
    key: &[u8; 32],
    nonce: &[u8; 24],
    aad: &[u8],
    sealed: &[u8],
    tag_len: usize,
) -> Option<Vec<u8>> {
    open(sealed, tag_len, |x| {
        xchacha20_blake2b_seal(key, nonce, aad, x, tag_len)
    })
}

/// Opens what [`xchacha20_blake2b_siv_seal`] made.
///
/// # Panics
///
/// Panics if `tag_len` is below 24.
#[must_use]
pub fn xchacha20_blake2b_siv_open(
    key: &[u8; 32],
    aad: &[u8],
    sealed: &[u8],
    tag_len: usize,
) -> Option<Vec<u8>> {
    let (ciphertext, tag) = sealed.split_at(sealed.len().checked_sub(tag_len)?);
    let mut plaintext = ciphertext.to_vec();
    let nonce = tag[..24].try_into().expect("tags have at least 24 bytes");
    chacha20::xchacha20_xor(&encryption_key(key, SIV_ENCRYPT), nonce, &mut plaintext);
    (xchacha20_blake2b_siv_seal(key, aad, &plaintext, tag_len) == sealed).then_some(plaintext)
}
