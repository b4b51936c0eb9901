//! Kuznyechik-MGM keys (RFC 9058).

use super::key::TierKeys;
use crate::aead::keys::*;
use crate::mode::mgm::{self, MAX_LEN, NONCE_LEN};
use crate::tag::Tag;
use crate::tier::stack::Depth;
use crate::tier::{Tier, on_kept};

/// A test has the oracle compute it.
pub(super) const KNOWN_ANSWER: KnownAnswer = KnownAnswer {
    lens: &[0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112],
    tag: &[
        0x55, 0x1c, 0x78, 0x8a, 0x44, 0xe5, 0xd9, 0x1d, 0xf9, 0x87, 0xab, 0x89, 0xde, 0xfa, 0x86,
        0xe5,
    ],
    very_long: None,
};

/// Whether MGM, and with it encryption, gives the known answer on `tier`.
pub(super) fn known_answer_holds(tier: Tier) -> bool {
    let keys = TierKeys::expand(&known_answer::key(), tier);
    KNOWN_ANSWER.holds(&Key { engine: Engine::new(keys, tier) })
}

calls!(TierKeys);
impl Draws for TierKeys {}
impl DrawsRandom for TierKeys {}

impl Cipher for TierKeys {
    // Section 4: a nonce has 127 bits.
    const NONCE: NonceRule = NonceRule::Random { first_byte_mask: 0x7f, may_repeat: false };
    // Section 4.1.
    const LIMITS: Limits = Limits { text: MAX_LEN, aad: MAX_LEN, together: MAX_LEN, empty: false };
    type Key = [u8; 32];
    type Nonce = [u8; NONCE_LEN];
    type Tag = Tag;
    type TagBytes = [u8; Tag::LEN];
    type Choice = ();

    #[inline(always)]
    fn new(key: &[u8; 32], (): (), tier: Tier) -> Self {
        Self::checked(key, tier)
    }

    fn gives_known_answers(tier: Tier) -> bool {
        super::known_answer::gives_known_answers(tier)
    }

    fn algorithm(&self) -> &'static Algorithm {
        &KUZNYECHIK_MGM
    }

    #[inline(always)]
    fn tag_len(&self) -> usize {
        Tag::LEN
    }

    fn seal(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8; Tag::LEN],
    ) -> Option<()> {
        let depth = Depth::of_message(aad.len() + in_out.len());
        on_kept!(self, TierKeys, depth, |t, keys| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            *tag = mgm::seal(t, keys, nonce, aad, in_out);
        })
    }

    fn open(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8; Tag::LEN],
    ) -> Option<bool> {
        let depth = Depth::of_message(aad.len() + in_out.len());
        on_kept!(self, TierKeys, depth, |t, keys| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            mgm::open(t, keys, nonce, aad, in_out, tag)
        })
    }

    #[inline(always)]
    fn few(&self) -> Option<usize> {
        (!matches!(self, Self::Refused)).then_some(1)
    }

    #[inline(never)]
    fn crypt_batch(&self, batch: &mut Batch<'_, '_, [u8; NONCE_LEN]>) -> Option<()> {
        on_kept!(self, TierKeys, Depth::Batch, |t, keys| {
            mgm::batch::crypt_batch(t, keys, batch);
        })
    }
}

/// Kuznyechik-MGM (RFC 9058): authenticated encryption with Kuznyechik, with 16-byte tags.
///
/// In the terms of RFC 9771, it is **not** misuse-resistant: two messages sealed under one nonce
/// reveal the difference of their plaintexts, and their tags no longer protect. It is not
/// key-committing: a ciphertext can be made that opens under two keys. With random nonces of 127
/// bits, [`seal`](Key::seal) repeats none in practice.
///
/// # Limits
///
/// A nonce has 127 bits: the first bit of its 16 bytes must be zero. Plaintext and AAD together
/// have at least one byte and fewer than 2^61 bytes (section 4.1); longer messages are refused.
///
/// RFC 9058 sets no number of messages after which to change the key, so none is enforced
/// here. Its section 6 refers to an analysis. Take `q` messages with `s` blocks of plaintext
/// and AAD in all, those of forgeries included. An attacker's advantage is a small multiple of
/// (s + 4·q)^2 / 2^128: while s + 4·q stays below 2^47, it is about 2^-32. The caller counts.
///
/// # Example
///
/// ```
/// use sivka::KuznyechikMgm;
///
/// let key = KuznyechikMgm::new(&[7; 32]);
/// let mut message = *b"in the caller's buffer";
/// let tag = key.seal_in_place(&[0; 16], b"aad", &mut message)?;
/// key.open_in_place(&[0; 16], b"aad", &mut message, &tag)?;
/// assert_eq!(&message, b"in the caller's buffer");
/// # Ok::<(), sivka::Error>(())
/// ```
pub type KuznyechikMgm = Key<TierKeys>;

rows! {
    KUZNYECHIK_MGM: "Kuznyechik-MGM", TierKeys, Tag::LEN, ();
}
