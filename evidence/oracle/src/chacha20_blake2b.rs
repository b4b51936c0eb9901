//! ChaCha20-BLAKE2b, XChaCha20-BLAKE2b and XChaCha20-BLAKE2b-SIV as the 2022 C#
//! library (version 2.0.1) computes them: one formula a line, nothing saved.

use crate::blake2b::keyed_hash;
use crate::chacha20;

/// The differences between the three.
pub struct Context {
    /// Of `Ke`.
    pub encryption: &'static [u8],
    /// Of `Km`.
    pub mac: &'static [u8],
    /// The length in bytes of the nonce that `Km` is made with; none for SIV.
    pub nonce_len: usize,
}

static CONTEXTS: [(&str, Context); 3] = [
    (
        "ChaCha20-BLAKE2b",
        Context {
            encryption: b"ChaCha20-BLAKE2b 07/12/2021 20:40 ChaCha20.Encrypt()",
            mac: b"ChaCha20-BLAKE2b 07/12/2021 20:41 BLAKE2b.KeyedHash()",
            nonce_len: 8,
        },
    ),
    (
        "XChaCha20-BLAKE2b",
        Context {
            encryption: b"XChaCha20-BLAKE2b 07/12/2021 20:48 XChaCha20.Encrypt()",
            mac: b"XChaCha20-BLAKE2b 07/12/2021 20:49 BLAKE2b.KeyedHash()",
            nonce_len: 24,
        },
    ),
    (
        "XChaCha20-BLAKE2b-SIV",
        Context {
            encryption: b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:51 XChaCha20.Encrypt()",
            mac: b"XChaCha20-BLAKE2b-SIV 07/12/2021 20:52 BLAKE2b.KeyedHash()",
            nonce_len: 0,
        },
    ),
];

impl Context {
    fn find(is_it: impl Fn(&str, &Self) -> bool) -> &'static Self {
        CONTEXTS
            .iter()
            .find_map(|(name, context)| is_it(name, context).then_some(context))
            .expect("a construction of the family")
    }

    /// The construction of this name.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[must_use]
    pub fn of(name: &str) -> &'static Self {
        Self::find(|other, _| other == name)
    }
}

/// `first ‖ second ‖ LE32(|first|) ‖ LE32(|second|)`.
fn framed(first: &[u8], second: &[u8]) -> Vec<u8> {
    let len = |x: &[u8]| u32::try_from(x.len()).expect("a test's input").to_le_bytes();
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

/// Ciphertext ‖ tag of the construction whose nonces are as long as this one.
///
/// # Panics
///
/// Panics if none is, or if SIV's `tag_len` is below 24.
#[must_use]
pub fn seal(key: &[u8; 32], nonce: &[u8], aad: &[u8], plaintext: &[u8], tag_len: usize) -> Vec<u8> {
    let context = Context::find(|_, context| context.nonce_len == nonce.len());
    let ke = encryption_key(key, context.encryption);
    let km = mac_key(key, nonce, context.mac);
    let mut text = plaintext.to_vec();
    if nonce.is_empty() {
        // SIV: the nonce of XChaCha20 is the beginning of the plaintext's tag.
        let tag = keyed_hash(&km, tag_len, &framed(aad, plaintext));
        xor(&ke, &tag[..24], &mut text);
        return [text, tag].concat();
    }
    xor(&ke, nonce, &mut text);
    let tag = keyed_hash(&km, tag_len, &framed(aad, &text));
    [text, tag].concat()
}

/// ChaCha20 or XChaCha20, by the length of the nonce.
fn xor(ke: &[u8; 32], nonce: &[u8], text: &mut [u8]) {
    match nonce.try_into() {
        Ok(nonce) => chacha20::xor(ke, nonce, 0, text),
        Err(_) => chacha20::xchacha20_xor(ke, nonce.try_into().expect("24 bytes"), text),
    }
}
