//! ChaCha20-BLAKE2b keys, byte-compatible with the C# library of 2022 (version 2.0.1).

#[cfg(test)]
mod tests;

use crate::aead::keys::*;
use crate::mode::chacha20_blake2b::{
    self as mode, Construction, Extended, MAX_LEN, Short, Siv, Subkeys, write_tag,
};
use crate::self_check::KnownAnswers;
use crate::tag::{LongTag, TagLen};
use crate::tier::stack::Depth;
use crate::tier::{Tier, on_tier};
use core::marker::PhantomData;

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

const fn known(tag: &'static [u8]) -> KnownAnswer {
    KnownAnswer {
        lens: &[0, 1, 64, 120, 127, 300, 512, 777, 1100, 1536, 2200],
        tag,
        very_long: None,
    }
}

/// With tags of 32, 48 and 64 bytes: one length for each.
const SHORT: KnownAnswer = known(&[
    0x30, 0x72, 0xe4, 0xc1, 0xfa, 0x10, 0x64, 0x0a, 0xde, 0xdf, 0xe6, 0x1f, 0xc5, 0xe7, 0x2c, 0xeb,
    0x6a, 0xac, 0xda, 0x45, 0xa2, 0x1c, 0x21, 0x4b, 0x29, 0xcd, 0x5c, 0x8b, 0x22, 0x8e, 0x77, 0x7b,
]);
const EXTENDED: KnownAnswer = known(&[
    0x2c, 0x3d, 0x54, 0x45, 0x9b, 0xa1, 0x92, 0x27, 0x44, 0x6f, 0xc6, 0x00, 0x20, 0x04, 0xa9, 0x8b,
    0x5a, 0xdb, 0xe3, 0x8a, 0x6c, 0xb1, 0xf7, 0x1e, 0x11, 0x18, 0x74, 0x6e, 0xc4, 0x77, 0x4a, 0x7c,
    0x2b, 0x3c, 0x88, 0x7e, 0xd4, 0xb2, 0xce, 0xca, 0x91, 0x33, 0x31, 0xac, 0xdf, 0x73, 0x16, 0x20,
]);
const SIV: KnownAnswer = known(&[
    0xed, 0xee, 0xe8, 0x45, 0x59, 0xb6, 0x71, 0x38, 0x01, 0xf3, 0x36, 0xe9, 0x96, 0x7c, 0xfe, 0xb4,
    0x94, 0x08, 0xb3, 0x37, 0x41, 0x18, 0xd3, 0xc5, 0x52, 0x48, 0x6b, 0x92, 0xa0, 0x7c, 0x1f, 0xeb,
    0x93, 0x6e, 0x92, 0xf4, 0xde, 0xc6, 0x9a, 0x50, 0x55, 0xfb, 0xaf, 0x32, 0x1b, 0xa6, 0xc2, 0x29,
    0x34, 0xb5, 0x9a, 0xa1, 0x2c, 0x50, 0x7e, 0x3b, 0xfe, 0x5d, 0xcc, 0x60, 0x7e, 0xef, 0xf4, 0x45,
]);

/// Whether the whole family gives the known answers on `tier`, and hashes in lanes equal single
/// ones.
fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || gives_known_answers(tier))
}

fn gives_known_answers(tier: Tier) -> bool {
    SHORT.holds(&known_key::<Short>(TagLen::Bytes32, tier))
        && EXTENDED.holds(&known_key::<Extended>(TagLen::Bytes48, tier))
        && SIV.holds(&known_key::<Siv>(TagLen::Bytes64, tier))
        && on_tier!(tier, Depth::Nothing, |t| mode::lanes_agree(t))
}

fn known_key<C: Nonces>(tag_len: TagLen, tier: Tier) -> Key<Family<C>> {
    let family = Family::expand(&known_answer::key(), tag_len, tier);
    Key { engine: Engine::new(family, tier) }
}

/// The state of a key of the family, the same on every tier.
pub struct Family<C> {
    tier: Tier,
    tag_len: TagLen,
    /// `None` if the tier's kernels gave a wrong known answer.
    keys: Option<Subkeys>,
    construction: PhantomData<fn() -> C>,
}

impl<C: Construction> Family<C> {
    fn expand(key: &[u8; 32], tag_len: TagLen, tier: Tier) -> Self {
        let len = tag_len.bytes();
        Self {
            tier,
            tag_len,
            keys: Some(on_tier!(tier, Depth::Nothing, |t| C::expand(t, key, len))),
            construction: PhantomData,
        }
    }

    const fn refused(tag_len: TagLen, tier: Tier) -> Self {
        Self { tier, tag_len, keys: None, construction: PhantomData }
    }
}

/// The nonce of a construction, and how it comes to be.
pub trait Nonces: Construction<Nonce: Bytes> {
    const RULE: NonceRule;
    /// With tags of 32, 48 and 64 bytes.
    const ROWS: [&'static Algorithm; 3];
}

impl Nonces for Short {
    const RULE: NonceRule = NonceRule::Counter;
    const ROWS: [&'static Algorithm; 3] =
        [&CHACHA20_BLAKE2B, &CHACHA20_BLAKE2B_TAG48, &CHACHA20_BLAKE2B_TAG64];
}

impl Nonces for Extended {
    const RULE: NonceRule = NonceRule::Random { first_byte_mask: 0xff, may_repeat: false };
    const ROWS: [&'static Algorithm; 3] =
        [&XCHACHA20_BLAKE2B, &XCHACHA20_BLAKE2B_TAG48, &XCHACHA20_BLAKE2B_TAG64];
}

impl Nonces for Siv {
    const RULE: NonceRule = NonceRule::Absent;
    const ROWS: [&'static Algorithm; 3] =
        [&XCHACHA20_BLAKE2B_SIV, &XCHACHA20_BLAKE2B_SIV_TAG48, &XCHACHA20_BLAKE2B_SIV_TAG64];
}

impl<C: Nonces> Cipher for Family<C> {
    const NONCE: NonceRule = C::RULE;
    // The C# library's signed 32-bit lengths; the format has no wider ones.
    const LIMITS: Limits = Limits { text: MAX_LEN, aad: MAX_LEN, together: u64::MAX, empty: true };
    const BRIEF_DEPTH: Depth = Depth::Middle;
    const MAKING_DEPTH: Depth = Depth::Shallow;
    type Key = [u8; 32];
    type Nonce = C::Nonce;
    type Tag = LongTag;
    type TagBytes = [u8];
    type Choice = TagLen;

    #[inline(always)]
    fn new(key: &[u8; 32], tag_len: TagLen, tier: Tier) -> Self {
        match known_answers_hold(tier) {
            true => Self::expand(key, tag_len, tier),
            false => Self::refused(tag_len, tier),
        }
    }

    fn gives_known_answers(tier: Tier) -> bool {
        gives_known_answers(tier)
    }

    fn algorithm(&self) -> &'static Algorithm {
        C::ROWS[self.tag_len as usize]
    }

    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len.bytes()
    }

    fn seal(
        &self,
        nonce: &C::Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Option<()> {
        let keys = self.keys.as_ref()?;
        let depth = Depth::of_message(aad.len() + in_out.len());
        on_tier!(self.tier, depth, |t| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            // The hash is longer than the tag; the rest stays within the wiped context.
            let hash = C::seal(t, keys, tag.len(), nonce, aad, in_out);
            write_tag(tag, &hash);
        });
        Some(())
    }

    fn open(
        &self,
        nonce: &C::Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Option<bool> {
        let keys = self.keys.as_ref()?;
        let depth = Depth::of_message(aad.len() + in_out.len());
        Some(on_tier!(self.tier, depth, |t| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            C::open(t, keys, nonce, aad, in_out, tag)
        }))
    }

    #[inline(always)]
    fn few(&self) -> Option<usize> {
        self.keys.as_ref()?;
        Some(on_tier!(self.tier, Depth::Nothing, |t| mode::few(t)))
    }

    #[inline(never)]
    fn crypt_batch(&self, batch: &mut Batch<'_, '_, C::Nonce>) -> Option<()> {
        let (keys, tag_len) = (self.keys.as_ref()?, self.tag_len.bytes());
        on_tier!(self.tier, Depth::Batch, |t| C::crypt_batch(t, keys, tag_len, batch));
        Some(())
    }
}

/// ChaCha20-BLAKE2b: a committing AEAD with an 8-byte nonce that must be a counter.
///
/// In the terms of RFC 9771, it is fully committing (CMT-4): a ciphertext opens under one key,
/// nonce and AAD only, as far as BLAKE2b resists collisions. Each byte of tag gives four bits of
/// strength, 128 at 32 bytes. Not nonce-misuse resistant: a repeated nonce reveals the XOR of two
/// plaintexts, and does not help to forge tags.
///
/// # Nonces
///
/// The nonce is eight bytes: among random ones a repetition is likely after a few
/// billion messages and has chance 2^-32 after 100 000 already, so this type draws none. Use a
/// counter that never repeats under one key, or [`XChaCha20Blake2b`].
///
/// # Compatibility
///
/// The bytes are those of the ChaCha20-BLAKE2b library for C#, version 2.0.1 (2022),
/// except that it refuses an empty plaintext, which this type seals and opens. This is
/// *not* draft-lucas-generalised-committing-aead (12-byte nonce, 64-bit lengths, other
/// contexts) and not PASETO v4. Plaintext and AAD are at most 2^31 - 1 bytes each.
///
/// # Example
///
/// ```
/// use sivka::ChaCha20Blake2b;
///
/// let key = ChaCha20Blake2b::new(&[7; 32]);
/// let mut counter = 0_u64;
/// let mut message = *b"in the caller's buffer";
/// let nonce = counter.to_le_bytes();
/// counter += 1; // kept with the key, and never turned back
/// let tag = key.seal_in_place(&nonce, b"aad", &mut message)?;
/// key.open_in_place(&nonce, b"aad", &mut message, &tag)?;
/// assert_eq!(&message, b"in the caller's buffer");
/// # assert_eq!(counter, 1);
/// # Ok::<(), sivka::Error>(())
/// ```
pub type ChaCha20Blake2b = Key<Family<Short>>;

/// XChaCha20-BLAKE2b: a committing AEAD whose 24-byte nonces may be random.
///
/// In the terms of RFC 9771, it is fully committing (CMT-4): a ciphertext opens under one key,
/// nonce and AAD only, as far as BLAKE2b resists collisions. Each byte of tag gives four bits of
/// strength, 128 at 32 bytes. Not nonce-misuse resistant: a repeated nonce reveals the XOR of two
/// plaintexts. Random nonces do not repeat: 2^80 messages have a chance of 2^-33.
///
/// # Compatibility
///
/// The bytes are those of the ChaCha20-BLAKE2b library for C#, version 2.0.1 (2022),
/// except that it refuses an empty plaintext, which this type seals and opens. This is
/// *not* draft-lucas-generalised-committing-aead and not PASETO v4. Plaintext and AAD
/// are at most 2^31 - 1 bytes each.
///
/// # Example
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use sivka::{TagLen, XChaCha20Blake2b};
///
/// let key = XChaCha20Blake2b::with_tag_len(&[7; 32], TagLen::Bytes48);
/// let sealed = key.seal(b"the plaintext", b"aad")?;
/// assert_eq!(sealed.len(), 24 + 13 + 48);
/// assert_eq!(key.open(&sealed, b"aad")?, b"the plaintext");
/// # }
/// # Ok::<(), sivka::Error>(())
/// ```
pub type XChaCha20Blake2b = Key<Family<Extended>>;

/// XChaCha20-BLAKE2b-SIV: a committing AEAD without a nonce.
///
/// Deterministic: the same key, AAD and plaintext always give the same sealed message. An observer
/// of two messages can tell whether they are equal, and no more. If that matters, put something
/// that differs into the AAD, such as a record number.
///
/// In the terms of RFC 9771, it is nonce-misuse resistant, because it has no nonce. It is fully
/// committing (CMT-4), as far as BLAKE2b resists collisions. Each byte of tag gives four bits of
/// strength: 128 bits at 32 bytes.
///
/// # Compatibility
///
/// As for [`XChaCha20Blake2b`], with the same limits. Sealing reads the plaintext twice
/// and is slower than opening.
///
/// # Example
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use sivka::XChaCha20Blake2bSiv;
///
/// let key = XChaCha20Blake2bSiv::new(&[7; 32]);
/// let sealed = key.seal(b"the plaintext", b"aad")?;
/// assert_eq!(sealed, key.seal(b"the plaintext", b"aad")?);
/// assert_eq!(key.open(&sealed, b"aad")?, b"the plaintext");
/// # }
/// # Ok::<(), sivka::Error>(())
/// ```
pub type XChaCha20Blake2bSiv = Key<Family<Siv>>;

calls!(Family<Short>, Family<Extended>, Family<Siv>);
impl Draws for Family<Extended> {}
impl DrawsRandom for Family<Extended> {}
impl Draws for Family<Siv> {}

/// Calls that only keys of the family have.
impl<C: Nonces> Key<Family<C>>
where
    Family<C>: Calls<Key = [u8; 32], Choice = TagLen>,
{
    /// The most bytes of a plaintext, and of an AAD: 2^31 - 1.
    pub const MAX_LEN: u64 = MAX_LEN;

    /// Makes a key with tags of the given length. A sealed message does not say how long its
    /// tag is: both sides must agree on it.
    #[must_use]
    pub fn with_tag_len(key: &[u8; 32], tag_len: TagLen) -> Self {
        Self::of_len_on_tier(key, tag_len, Tier::detect())
    }

    /// Makes a key for a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn of_len_on_tier(key: &[u8; 32], tag_len: TagLen, tier: Tier) -> Self {
        Family::make(key, tag_len, tier)
    }

    /// The length of this key's tags.
    #[must_use]
    pub fn tag_len(&self) -> TagLen {
        self.engine.cipher().tag_len
    }
}

rows! {
    CHACHA20_BLAKE2B: "ChaCha20-BLAKE2b", Family<Short>, 32, TagLen::Bytes32;
    CHACHA20_BLAKE2B_TAG48: "ChaCha20-BLAKE2b-Tag48", Family<Short>, 48, TagLen::Bytes48;
    CHACHA20_BLAKE2B_TAG64: "ChaCha20-BLAKE2b-Tag64", Family<Short>, 64, TagLen::Bytes64;
    XCHACHA20_BLAKE2B: "XChaCha20-BLAKE2b", Family<Extended>, 32, TagLen::Bytes32;
    XCHACHA20_BLAKE2B_TAG48: "XChaCha20-BLAKE2b-Tag48", Family<Extended>, 48, TagLen::Bytes48;
    XCHACHA20_BLAKE2B_TAG64: "XChaCha20-BLAKE2b-Tag64", Family<Extended>, 64, TagLen::Bytes64;
    XCHACHA20_BLAKE2B_SIV: "XChaCha20-BLAKE2b-SIV", Family<Siv>, 32, TagLen::Bytes32;
    XCHACHA20_BLAKE2B_SIV_TAG48: "XChaCha20-BLAKE2b-SIV-Tag48", Family<Siv>, 48, TagLen::Bytes48;
    XCHACHA20_BLAKE2B_SIV_TAG64: "XChaCha20-BLAKE2b-SIV-Tag64", Family<Siv>, 64, TagLen::Bytes64;
}
