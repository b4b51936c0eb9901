//! AES-GCM-SIV keys (RFC 8452).

#[cfg(test)]
mod tests;

use crate::aead::keys::*;
use crate::kernel::aes::Aes;
use crate::kernel::gcm_siv::GcmSiv;
use crate::mode::gcm_siv::{self, MAX_LEN, NONCE_LEN};
use crate::self_check::KnownAnswers;
use crate::tag::Tag;
use crate::tier::stack::Depth;
use crate::tier::{Tier, Token, on_kept, on_tier, per_tier};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

const LENS: &[usize] = &[0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112];

const KNOWN_ANSWER_128: KnownAnswer = KnownAnswer {
    lens: LENS,
    tag: &[
        0xbe, 0x8a, 0xf9, 0x75, 0x4e, 0xcf, 0x7c, 0x6c, 0xcd, 0x4b, 0xad, 0xf9, 0x8d, 0xda, 0x71,
        0x02,
    ],
    very_long: Some(&[
        0xd7, 0xe8, 0x97, 0xdf, 0x2c, 0x49, 0xe0, 0x16, 0x78, 0x4e, 0xcc, 0xc2, 0x12, 0xf3, 0x50,
        0x74,
    ]),
};

pub(crate) const KNOWN_ANSWER_256: KnownAnswer = KnownAnswer {
    lens: LENS,
    tag: &[
        0xb8, 0x43, 0x3e, 0x26, 0xf7, 0x16, 0x15, 0x57, 0xab, 0x02, 0xf0, 0xd8, 0x04, 0x1b, 0x21,
        0x46,
    ],
    very_long: Some(&[
        0x1d, 0xa0, 0x12, 0xbc, 0x77, 0x56, 0x61, 0x75, 0xe0, 0x69, 0xa6, 0x8a, 0x37, 0x65, 0x07,
        0x8d,
    ]),
};

/// Whether both key sizes give the known answer on `tier`.
fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || gives_known_answers(tier))
}

fn gives_known_answers(tier: Tier) -> bool {
    aes128::TierKeys::gives_known_answers(tier) && aes256::TierKeys::gives_known_answers(tier)
}

/// A tier with lanes overwrites their stack by itself.
#[inline(always)]
fn depth_of_batch<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T) -> Depth {
    match t.lanes() {
        Some(_) => Depth::Nothing,
        None => Depth::Batch,
    }
}

macro_rules! aes_gcm_siv {
    ($name:ident, $text:literal, $row:ident, $key_len:literal, $module:ident, $known:ident) => {
        pub(crate) mod $module {
            use super::*;

            type RoundKeys<T> = <T as Aes<$key_len>>::RoundKeys;
            per_tier! {
                /// The expanded key-generating key, in the layout of its tier.
                pub enum TierKeys(RoundKeys)
            }

            fn expand(key: &[u8; $key_len], tier: Tier) -> TierKeys {
                on_tier!(tier, Depth::Nothing, |t| TierKeys::from((t, t.expand(key))))
            }

            calls!(TierKeys);
            impl Draws for TierKeys {}
            impl DrawsRandom for TierKeys {}

            impl Cipher for TierKeys {
                const NONCE: NonceRule = NonceRule::Random {
                    first_byte_mask: 0xff,
                    may_repeat: true,
                };
                // Section 6: P_MAX and A_MAX.
                const LIMITS: Limits = Limits {
                    text: MAX_LEN,
                    aad: MAX_LEN,
                    together: u64::MAX,
                    empty: true,
                };
                const BRIEF_DEPTH: Depth = Depth::Shallow;
                const BRIEF_LEN: usize = 64;
                const LONG_LEN: usize = 1024;
                const MAKING_DEPTH: Depth = Depth::Shallow;
                type Key = [u8; $key_len];
                type Nonce = [u8; NONCE_LEN];
                type Tag = Tag;
                type TagBytes = [u8; Tag::LEN];
                type Choice = ();

                #[inline(always)]
                fn new(key: &Self::Key, (): (), tier: Tier) -> Self {
                    match known_answers_hold(tier) {
                        true => expand(key, tier),
                        false => Self::Refused,
                    }
                }

                fn gives_known_answers(tier: Tier) -> bool {
                    let keys = expand(&known_answer::key(), tier);
                    $known.holds(&Key { engine: Engine::new(keys, tier) })
                }

                fn algorithm(&self) -> &'static Algorithm {
                    &$row
                }

                #[inline(always)]
                fn tag_len(&self) -> usize {
                    Tag::LEN
                }

                #[inline(always)]
                fn seal(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &mut [u8; Tag::LEN],
                ) -> Option<()> {
                    let depth = Depth::of_message(aad.len() + in_out.len());
                    on_kept!(self, TierKeys, depth, |t, keys| gcm_siv::seal::<_, $key_len>(
                        t, keys, nonce, aad, from, in_out, tag
                    ))
                }

                #[inline(always)]
                fn open(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &[u8; Tag::LEN],
                ) -> Option<bool> {
                    let depth = Depth::of_message(aad.len() + in_out.len());
                    on_kept!(self, TierKeys, depth, |t, keys| gcm_siv::open::<_, $key_len>(
                        t, keys, nonce, aad, from, in_out, tag
                    ))
                }

                fn few(&self) -> Option<usize> {
                    on_kept!(self, TierKeys, Depth::Nothing, |t, _keys| {
                        gcm_siv::batch::few::<_, $key_len>(t)
                    })
                }

                #[inline(never)]
                fn crypt_batch(
                    &self,
                    batch: &mut Batch<'_, '_, [u8; NONCE_LEN]>,
                ) -> Option<()> {
                    on_kept!(self, TierKeys, depth_of_batch::<_, $key_len>(t), |t, keys| {
                        if gcm_siv::batch::crypt_batch::<_, $key_len>(t, keys, batch) {
                            t.run_within(Depth::Deep, || ());
                        }
                    })
                }
            }
        }

        #[doc = concat!($text, " (RFC 8452): authenticated encryption that survives a repeated nonce.")]
        ///
        /// In the terms of RFC 9771, it is nonce-misuse resistant: a repeated nonce reveals only
        /// whether two messages with the same AAD are equal. It is not key-committing: a ciphertext
        /// can be made that opens under two keys. So do not choose among keys by which one opens a
        /// stranger's message.
        ///
        /// # Limits
        ///
        /// Plaintext and AAD are at most 2^36 bytes each (section 6). How many messages one
        /// key may seal depends on their length (section 9): see [`UsageBound`](crate::UsageBound).
        ///
        /// # Example
        ///
        /// ```
        #[doc = concat!("use sivka::", stringify!($name), ";")]
        ///
        #[doc = concat!("let key = ", stringify!($name), "::new(&[7; ", $key_len, "]);")]
        /// let mut message = *b"in the caller's buffer";
        /// let tag = key.seal_in_place(&[0; 12], b"aad", &mut message)?;
        /// key.open_in_place(&[0; 12], b"aad", &mut message, &tag)?;
        /// assert_eq!(&message, b"in the caller's buffer");
        /// # Ok::<(), sivka::Error>(())
        /// ```
        pub type $name = Key<$module::TierKeys>;
    };
}

aes_gcm_siv!(Aes128GcmSiv, "AES-128-GCM-SIV", AES_128_GCM_SIV, 16, aes128, KNOWN_ANSWER_128);
aes_gcm_siv!(Aes256GcmSiv, "AES-256-GCM-SIV", AES_256_GCM_SIV, 32, aes256, KNOWN_ANSWER_256);

rows! {
    AES_128_GCM_SIV: "AES-128-GCM-SIV", aes128::TierKeys, Tag::LEN, ();
    AES_256_GCM_SIV: "AES-256-GCM-SIV", aes256::TierKeys, Tag::LEN, ();
}
