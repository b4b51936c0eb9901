//! AES-GCM-SIV keys (RFC 8452).

use crate::error::Error;
use crate::kernel::aes::Aes;
use crate::mode::gcm_siv::{self, MAX_LEN, NONCE_LEN};
use crate::tag::Tag;
use crate::tier::Portable;
#[cfg(target_arch = "x86_64")]
use crate::tier::{Avx2, Avx512, Vaes256};
use crate::tier::{Kind, Tier, Token};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// Runs `$body` with `$t` the token and `$keys` the round keys of the key's tier,
/// inside that tier's feature context.
macro_rules! on_tier {
    ($key:expr, |$t:ident, $keys:ident| $body:expr) => {
        match $key {
            Key::Portable($t, $keys) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Key::Avx2($t, $keys) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Key::Vaes256($t, $keys) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Key::Avx512($t, $keys) => $t.run(|| $body),
        }
    };
}

fn check_len(what: &'static str, given: u64) -> Result<(), Error> {
    if given > MAX_LEN {
        Err(Error::TooLong {
            what,
            limit: MAX_LEN,
            given,
        })
    } else {
        Ok(())
    }
}

macro_rules! aes_gcm_siv {
    ($name:ident, $key_len:literal, $module:ident) => {
        mod $module {
            use super::*;

            type RoundKeys<T> = <T as Aes<$key_len>>::RoundKeys;

            pub(super) enum Key {
                Portable(Portable, RoundKeys<Portable>),
                #[cfg(target_arch = "x86_64")]
                Avx2(Avx2, RoundKeys<Avx2>),
                #[cfg(target_arch = "x86_64")]
                Vaes256(Vaes256, RoundKeys<Vaes256>),
                #[cfg(target_arch = "x86_64")]
                Avx512(Avx512, RoundKeys<Avx512>),
            }

            impl Key {
                pub(super) fn new(key: &[u8; $key_len], tier: Tier) -> Self {
                    match tier.0 {
                        Kind::Portable(t) => Self::Portable(t, t.run(|| t.expand(key))),
                        #[cfg(target_arch = "x86_64")]
                        Kind::Avx2(t) => Self::Avx2(t, t.run(|| t.expand(key))),
                        #[cfg(target_arch = "x86_64")]
                        Kind::Vaes256(t) => Self::Vaes256(t, t.run(|| t.expand(key))),
                        #[cfg(target_arch = "x86_64")]
                        Kind::Avx512(t) => Self::Avx512(t, t.run(|| t.expand(key))),
                    }
                }
            }

            /// AES-GCM-SIV.
            pub struct $name {
                key: Key,
                tier: Tier,
            }

            impl $name {
                /// The length of a key in bytes.
                pub const KEY_LEN: usize = $key_len;
                /// The length of a nonce in bytes.
                pub const NONCE_LEN: usize = NONCE_LEN;
                /// The length of a tag in bytes.
                pub const TAG_LEN: usize = Tag::LEN;

                /// Makes a key for the widest tier of this CPU.
                #[must_use]
                pub fn new(key: &[u8; $key_len]) -> Self {
                    Self::with_tier(key, Tier::detect())
                }

                /// Makes a key for a given tier.
                #[doc(hidden)]
                #[must_use]
                pub fn with_tier(key: &[u8; $key_len], tier: Tier) -> Self {
                    Self {
                        key: Key::new(key, tier),
                        tier,
                    }
                }

                /// The name of the tier this key runs on.
                #[must_use]
                pub fn tier_name(&self) -> &'static str {
                    self.tier.name()
                }

                /// Seals under a random nonce: nonce ‖ ciphertext ‖ tag.
                #[cfg(feature = "std")]
                pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                    let mut nonce = [0; NONCE_LEN];
                    getrandom::fill(&mut nonce).map_err(|_| Error::Random)?;
                    let mut sealed = Vec::with_capacity(NONCE_LEN + plaintext.len() + Tag::LEN);
                    sealed.extend_from_slice(&nonce);
                    sealed.extend_from_slice(plaintext);
                    let tag = self.seal_in_place(&nonce, aad, &mut sealed[NONCE_LEN..])?;
                    sealed.extend_from_slice(tag.as_bytes());
                    Ok(sealed)
                }

                /// Opens nonce ‖ ciphertext ‖ tag.
                #[cfg(feature = "alloc")]
                pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                    let (nonce, ciphertext) = sealed.split_first_chunk().ok_or(Error::Open)?;
                    self.open_with_nonce(nonce, ciphertext, aad)
                }

                /// Seals under the given nonce: ciphertext ‖ tag.
                #[cfg(feature = "alloc")]
                pub fn seal_with_nonce(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    plaintext: &[u8],
                    aad: &[u8],
                ) -> Result<Vec<u8>, Error> {
                    let mut sealed = Vec::with_capacity(plaintext.len() + Tag::LEN);
                    sealed.extend_from_slice(plaintext);
                    let tag = self.seal_in_place(nonce, aad, &mut sealed)?;
                    sealed.extend_from_slice(tag.as_bytes());
                    Ok(sealed)
                }

                /// Opens ciphertext ‖ tag.
                #[cfg(feature = "alloc")]
                pub fn open_with_nonce(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    ciphertext: &[u8],
                    aad: &[u8],
                ) -> Result<Vec<u8>, Error> {
                    let (ciphertext, tag) = ciphertext
                        .split_last_chunk::<{ Tag::LEN }>()
                        .ok_or(Error::Open)?;
                    let mut plaintext = ciphertext.to_vec();
                    self.open_in_place(nonce, aad, &mut plaintext, &Tag::from(*tag))?;
                    Ok(plaintext)
                }

                /// Encrypts `in_out` and returns the tag.
                pub fn seal_in_place(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    in_out: &mut [u8],
                ) -> Result<Tag, Error> {
                    check_len("plaintext", in_out.len() as u64)?;
                    check_len("aad", aad.len() as u64)?;
                    let tag = on_tier!(&self.key, |t, keys| gcm_siv::seal::<_, $key_len>(
                        *t, keys, nonce, aad, in_out
                    ));
                    Ok(Tag::from(tag))
                }

                /// Decrypts `in_out` if the tag is right; wipes it otherwise.
                pub fn open_in_place(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    in_out: &mut [u8],
                    tag: &Tag,
                ) -> Result<(), Error> {
                    check_len("ciphertext", in_out.len() as u64)?;
                    check_len("aad", aad.len() as u64)?;
                    let authentic = on_tier!(&self.key, |t, keys| gcm_siv::open::<_, $key_len>(
                        *t,
                        keys,
                        nonce,
                        aad,
                        in_out,
                        tag.as_bytes()
                    ));
                    if authentic { Ok(()) } else { Err(Error::Open) }
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($name))
                        .field("tier", &self.tier)
                        .finish_non_exhaustive()
                }
            }
        }
        pub use $module::$name;
    };
}

aes_gcm_siv!(Aes128GcmSiv, 16, aes128);
aes_gcm_siv!(Aes256GcmSiv, 32, aes256);
