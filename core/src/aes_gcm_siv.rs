//! AES-GCM-SIV keys (RFC 8452).

#[cfg(feature = "aead")]
mod aead_traits;
#[cfg(test)]
mod tests;

use crate::batch::{self, BatchAad, BatchText, Job, Jobs, Status};
use crate::error::Error;
use crate::kernel::aes::Aes;
use crate::kernel::gcm_siv::lanes::Message;
use crate::mode::gcm_siv::{self, MAX_LEN, NONCE_LEN};
use crate::self_check::KnownAnswers;
use crate::tag::Tag;
use crate::tier::secret::Erased;
#[cfg(target_arch = "x86_64")]
use crate::tier::{Avx2, Avx512, Vaes256};
use crate::tier::{Kind, Portable, Tier, Token};
#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
use crate::usage_bound::{Usage, UsageBound};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::cell::Cell;
use core::fmt;

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

/// Whether both key sizes give the known answer on `tier`.
fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || match tier.0 {
        Kind::Portable(t) => t.run(|| gcm_siv::known_answers_hold(t)),
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2(t) => t.run(|| gcm_siv::known_answers_hold(t)),
        #[cfg(target_arch = "x86_64")]
        Kind::Vaes256(t) => t.run(|| gcm_siv::known_answers_hold(t)),
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512(t) => t.run(|| gcm_siv::known_answers_hold(t)),
    })
}

/// RFC 8452 section 6: P_MAX and A_MAX.
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

/// What is written is as long as what is read.
fn check_output_len(input: &[u8], output: &[u8]) -> Result<(), Error> {
    if input.len() == output.len() {
        Ok(())
    } else {
        Err(Error::OutputLen {
            expected: input.len(),
            given: output.len(),
        })
    }
}

/// The messages of a batch that are within the limits; every message gets its status,
/// good until something else is found.
#[inline(always)]
fn within_limits<'a>(
    jobs: Jobs<'a, '_, NONCE_LEN>,
    tag_of: impl Fn(usize) -> [u8; Tag::LEN],
    statuses: &[Cell<Status>],
) -> impl Iterator<Item = Message<'a>> {
    jobs.enumerate().filter_map(move |(index, job)| {
        let Job { nonce, aad, in_out } = job;
        let short_enough = in_out.len() as u64 <= MAX_LEN && aad.len() as u64 <= MAX_LEN;
        statuses[index].set(if short_enough {
            Status::Done
        } else {
            Status::TooLong
        });
        let tag = tag_of(index);
        short_enough.then_some(Message {
            index,
            nonce,
            aad,
            in_out,
            tag,
            authentic: false,
        })
    })
}

/// One `match`, one `run`: `$body` sees the token and the round keys of the key's tier.
macro_rules! on_tier {
    ($self:expr, |$t:ident, $keys:ident| $body:expr) => {
        match &*$self.key {
            Key::Refused => Err(Error::SelfCheck {
                tier: $self.tier.name(),
            }),
            &Key::Portable($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &Key::Avx2($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &Key::Vaes256($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &Key::Avx512($t, ref $keys) => Ok($t.run(|| $body)),
        }
    };
}

macro_rules! aes_gcm_siv {
    ($name:ident, $text:literal, $key_len:literal, $module:ident) => {
        mod $module {
            use super::*;

            type RoundKeys<T> = <T as Aes<$key_len>>::RoundKeys;

            /// The expanded key-generating key, in the layout of its tier.
            // The portable layout is the largest; a box would cost every tier an allocation.
            #[allow(clippy::large_enum_variant)]
            pub(super) enum Key {
                /// The tier's kernels gave a wrong known answer.
                Refused,
                Portable(Portable, RoundKeys<Portable>),
                #[cfg(target_arch = "x86_64")]
                Avx2(Avx2, RoundKeys<Avx2>),
                #[cfg(target_arch = "x86_64")]
                Vaes256(Vaes256, RoundKeys<Vaes256>),
                #[cfg(target_arch = "x86_64")]
                Avx512(Avx512, RoundKeys<Avx512>),
            }

            impl Key {
                fn new(key: &[u8; $key_len], tier: Tier) -> Self {
                    if !known_answers_hold(tier) {
                        return Self::Refused;
                    }
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

            #[doc = concat!($text, " (RFC 8452): authenticated encryption that survives a repeated nonce.")]
            ///
            /// In the terms of RFC 9771: nonce-misuse resistant (a repeated nonce reveals only
            /// whether two messages with the same AAD are equal), not key-committing: a
            /// ciphertext can be made that opens under two keys, so do not let a stranger
            /// choose among keys by which one opens a message.
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
            #[doc = concat!("let key = ", stringify!($name), "::new(&[7; ", stringify!($key_len), "]);")]
            /// let mut message = *b"in the caller's buffer";
            /// let tag = key.seal_in_place(&[0; 12], b"aad", &mut message)?;
            /// key.open_in_place(&[0; 12], b"aad", &mut message, &tag)?;
            /// assert_eq!(&message, b"in the caller's buffer");
            /// # Ok::<(), sivka::Error>(())
            /// ```
            pub struct $name {
                pub(super) key: Erased<Key>,
                pub(super) tier: Tier,
                #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
                usage: Option<Usage>,
            }

            impl $name {
                /// The length of a key in bytes.
                pub const KEY_LEN: usize = $key_len;
                /// The length of a nonce in bytes.
                pub const NONCE_LEN: usize = NONCE_LEN;
                /// The length of a tag in bytes.
                pub const TAG_LEN: usize = Tag::LEN;

                /// Makes a key from uniformly random bytes, for the widest tier of this CPU.
                ///
                /// If that tier's kernels fail their known-answer check, which no working
                /// machine does, every call of the key returns [`Error::SelfCheck`].
                #[must_use]
                pub fn new(key: &[u8; $key_len]) -> Self {
                    Self::with_tier(key, Tier::detect())
                }

                /// Makes a key for a given tier, for tests and benchmarks.
                #[doc(hidden)]
                #[must_use]
                pub fn with_tier(key: &[u8; $key_len], tier: Tier) -> Self {
                    Self {
                        key: Erased::new(Key::new(key, tier)),
                        tier,
                        #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
                        usage: None,
                    }
                }

                /// Counts what [`seal`](Self::seal) does with this key from now on, and refuses
                /// once `bound` is spent. The other calls, whose nonces the caller chooses,
                /// are not counted.
                #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
                #[must_use]
                pub fn with_usage_bound(mut self, bound: UsageBound) -> Self {
                    self.usage = Some(Usage::new(bound));
                    self
                }

                /// The name of the tier that this key runs on.
                #[must_use]
                pub fn tier_name(&self) -> &'static str {
                    self.tier.name()
                }

                /// Seals under a random nonce. Returns nonce ‖ ciphertext ‖ tag, 28 bytes more
                /// than the plaintext.
                ///
                /// # Errors
                ///
                /// [`Error::TooLong`] for inputs over 2^36 bytes, [`Error::UsageBound`] when a
                /// bound set by [`with_usage_bound`](Self::with_usage_bound) is spent,
                /// [`Error::Random`] if the operating system gives no random bytes,
                /// [`Error::SelfCheck`].
                #[cfg(feature = "getrandom")]
                pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                    check_len("plaintext", plaintext.len() as u64)?;
                    check_len("aad", aad.len() as u64)?;
                    #[cfg(target_has_atomic = "64")]
                    if let Some(usage) = &self.usage {
                        usage.spend(1, plaintext.len() as u64)?;
                    }
                    let mut nonce = [0; NONCE_LEN];
                    getrandom::fill(&mut nonce).map_err(|_| Error::Random)?;
                    let tag_at = NONCE_LEN + plaintext.len();
                    let mut sealed = vec![0; tag_at + Tag::LEN];
                    sealed[..NONCE_LEN].copy_from_slice(&nonce);
                    let ciphertext = &mut sealed[NONCE_LEN..tag_at];
                    let tag = self.seal_into(&nonce, plaintext, aad, ciphertext)?;
                    sealed[tag_at..].copy_from_slice(tag.as_bytes());
                    Ok(sealed)
                }

                /// Opens what [`seal`](Self::seal) returned: nonce ‖ ciphertext ‖ tag.
                ///
                /// # Errors
                ///
                /// [`Error::Open`] if it does not open under this key and AAD or is too short to
                /// be a sealed message; [`Error::TooLong`] for inputs over the limits;
                /// [`Error::SelfCheck`]. No plaintext is returned or left in memory.
                #[cfg(feature = "alloc")]
                pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                    let (nonce, ciphertext) = sealed.split_first_chunk().ok_or(Error::Open)?;
                    self.open_with_nonce(nonce, ciphertext, aad)
                }

                /// Seals under the given nonce. Returns ciphertext ‖ tag, 16 bytes more than the
                /// plaintext.
                ///
                /// # Errors
                ///
                /// [`Error::TooLong`] for inputs over 2^36 bytes, [`Error::SelfCheck`].
                #[cfg(feature = "alloc")]
                pub fn seal_with_nonce(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    plaintext: &[u8],
                    aad: &[u8],
                ) -> Result<Vec<u8>, Error> {
                    check_len("plaintext", plaintext.len() as u64)?;
                    let mut sealed = vec![0; plaintext.len() + Tag::LEN];
                    let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
                    let made = self.seal_into(nonce, plaintext, aad, ciphertext)?;
                    tag.copy_from_slice(made.as_bytes());
                    Ok(sealed)
                }

                /// Opens ciphertext ‖ tag under the given nonce.
                ///
                /// # Errors
                ///
                /// As [`open`](Self::open).
                #[cfg(feature = "alloc")]
                pub fn open_with_nonce(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    ciphertext: &[u8],
                    aad: &[u8],
                ) -> Result<Vec<u8>, Error> {
                    let (ciphertext, tag) = ciphertext.split_last_chunk().ok_or(Error::Open)?;
                    check_len("ciphertext", ciphertext.len() as u64)?;
                    let mut plaintext = vec![0; ciphertext.len()];
                    self.open_into(nonce, ciphertext, aad, &Tag::from(*tag), &mut plaintext)?;
                    Ok(plaintext)
                }

                /// Encrypts `plaintext` to `ciphertext`, which is as long, and returns the tag.
                /// Allocates nothing, and is faster than to copy and seal in place.
                ///
                /// # Errors
                ///
                /// [`Error::OutputLen`], [`Error::TooLong`] for inputs over 2^36 bytes,
                /// [`Error::SelfCheck`]; `ciphertext` is then as it was.
                pub fn seal_into(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    plaintext: &[u8],
                    aad: &[u8],
                    ciphertext: &mut [u8],
                ) -> Result<Tag, Error> {
                    check_output_len(plaintext, ciphertext)?;
                    self.seal_from(nonce, aad, Some(plaintext), ciphertext)
                }

                /// Decrypts `ciphertext` to `plaintext`, which is as long, if `tag` is right.
                /// Allocates nothing, and is faster than to copy and open in place.
                ///
                /// # Errors
                ///
                /// [`Error::Open`] if the message does not open; `plaintext` is then all zeros.
                /// [`Error::OutputLen`], [`Error::TooLong`] for inputs over 2^36 bytes and
                /// [`Error::SelfCheck`]; `plaintext` is then as it was.
                pub fn open_into(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    ciphertext: &[u8],
                    aad: &[u8],
                    tag: &Tag,
                    plaintext: &mut [u8],
                ) -> Result<(), Error> {
                    check_output_len(ciphertext, plaintext)?;
                    self.open_from(nonce, aad, Some(ciphertext), plaintext, tag)
                }

                /// Encrypts `in_out` in place and returns the tag. Allocates nothing.
                ///
                /// # Errors
                ///
                /// [`Error::TooLong`] for inputs over 2^36 bytes, [`Error::SelfCheck`]; `in_out`
                /// is then as it was.
                pub fn seal_in_place(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    in_out: &mut [u8],
                ) -> Result<Tag, Error> {
                    self.seal_from(nonce, aad, None, in_out)
                }

                /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
                ///
                /// # Errors
                ///
                /// [`Error::Open`] if the message does not open; `in_out` is then all zeros.
                /// [`Error::TooLong`] for inputs over 2^36 bytes and [`Error::SelfCheck`];
                /// `in_out` is then as it was.
                pub fn open_in_place(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    in_out: &mut [u8],
                    tag: &Tag,
                ) -> Result<(), Error> {
                    self.open_from(nonce, aad, None, in_out, tag)
                }

                /// Seals `from`, or `in_out` in place if there is none.
                #[inline(always)]
                fn seal_from(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                ) -> Result<Tag, Error> {
                    check_len("plaintext", in_out.len() as u64)?;
                    check_len("aad", aad.len() as u64)?;
                    on_tier!(self, |t, keys| gcm_siv::seal::<_, $key_len>(t, keys, nonce, aad, from, in_out))
                        .map(Tag::from)
                }

                /// Opens `from`, or `in_out` in place if there is none.
                #[inline(always)]
                fn open_from(
                    &self,
                    nonce: &[u8; NONCE_LEN],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &Tag,
                ) -> Result<(), Error> {
                    check_len("ciphertext", in_out.len() as u64)?;
                    check_len("aad", aad.len() as u64)?;
                    let authentic = on_tier!(self, |t, keys| gcm_siv::open::<_, $key_len>(
                        t,
                        keys,
                        nonce,
                        aad,
                        from,
                        in_out,
                        tag.as_bytes()
                    ))?;
                    if authentic { Ok(()) } else { Err(Error::Open) }
                }
            }

            impl $name {
                /// Seals many messages in place, each under its own nonce, and writes their
                /// tags: the same bytes as [`seal_in_place`](Self::seal_in_place) one by one,
                /// but short messages share the CPU, and several times as many are done in a second.
                /// Message `i` has `nonces[i]`, `tags[i]` and `statuses[i]`. Allocates nothing.
                ///
                /// # Errors
                ///
                /// [`Error::BatchShape`] if the parts are not of one length, and
                /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages
                /// are over the limits: their statuses say so, their texts are as they were,
                /// and every other message is sealed.
                ///
                /// # Example
                ///
                /// ```
                /// use sivka::{BatchAad, BatchText, Status, Tag};
                #[doc = concat!("let key = sivka::", stringify!($name), "::new(&[7; ", stringify!($key_len), "]);")]
                /// let nonces = [[1; 12], [2; 12]];
                /// let mut tags = [Tag::from([0; 16]); 2];
                /// let mut statuses = [Status::Done; 2];
                /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
                /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
                /// key.seal_batch(&nonces, BatchAad::Common(b"aad"), text, &mut tags, &mut statuses)?;
                ///
                /// tags[0] = tags[1]; // forge the first message
                /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
                /// let opened = key.open_batch(&nonces, BatchAad::Common(b"aad"), text, &tags, &mut statuses);
                /// assert_eq!(opened, Err(sivka::Error::Batch { failed: 1 }));
                /// assert_eq!(statuses, [Status::NotOpened, Status::Done]);
                /// assert_eq!(&bytes, b"\0\0\0\0\0second");
                /// # Ok::<(), sivka::Error>(())
                /// ```
                pub fn seal_batch(
                    &self,
                    nonces: &[[u8; NONCE_LEN]],
                    aad: BatchAad<'_>,
                    in_out: BatchText<'_, '_>,
                    tags: &mut [Tag],
                    statuses: &mut [Status],
                ) -> Result<(), Error> {
                    let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
                    let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
                    let no_tag = |_| [0; Tag::LEN];
                    on_tier!(self, |t, keys| gcm_siv::batch::seal_batch::<_, $key_len>(
                        t,
                        keys,
                        within_limits(jobs, no_tag, cells),
                        |message| tags[message.index] = Tag::from(message.tag)
                    ))?;
                    batch::verdict(statuses)
                }

                /// [`seal_batch`](Self::seal_batch) under random nonces, which it writes to
                /// `nonces`. Every message counts against a bound set by
                /// [`with_usage_bound`](Self::with_usage_bound).
                ///
                /// # Errors
                ///
                /// As [`seal_batch`](Self::seal_batch), and as [`seal`](Self::seal) for
                /// [`Error::UsageBound`] and [`Error::Random`], with nothing written but nonces.
                #[cfg(feature = "getrandom")]
                pub fn seal_batch_with_random_nonces(
                    &self,
                    nonces: &mut [[u8; NONCE_LEN]],
                    aad: BatchAad<'_>,
                    in_out: BatchText<'_, '_>,
                    tags: &mut [Tag],
                    statuses: &mut [Status],
                ) -> Result<(), Error> {
                    #[cfg(target_has_atomic = "64")]
                    if let Some(usage) = &self.usage {
                        usage.spend(nonces.len() as u64, in_out.longest() as u64)?;
                    }
                    getrandom::fill(nonces.as_flattened_mut()).map_err(|_| Error::Random)?;
                    self.seal_batch(nonces, aad, in_out, tags, statuses)
                }

                /// Opens many messages in place, each under its own nonce and tag. One that
                /// does not open is wiped and hides none of the others. Allocates nothing.
                ///
                /// # Errors
                ///
                /// [`Error::BatchShape`] if the parts are not of one length, and
                /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages
                /// did not open: their statuses are [`Status::NotOpened`] and their texts zeros, or
                /// [`Status::TooLong`] and their texts as they were; every other message is open.
                pub fn open_batch(
                    &self,
                    nonces: &[[u8; NONCE_LEN]],
                    aad: BatchAad<'_>,
                    in_out: BatchText<'_, '_>,
                    tags: &[Tag],
                    statuses: &mut [Status],
                ) -> Result<(), Error> {
                    let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
                    let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
                    on_tier!(self, |t, keys| gcm_siv::batch::open_batch::<_, $key_len>(
                        t,
                        keys,
                        within_limits(jobs, |i| tags[i].into(), cells),
                        |message| {
                            if !message.authentic {
                                cells[message.index].set(Status::NotOpened);
                            }
                        }
                    ))?;
                    batch::verdict(statuses)
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($name)).field("tier", &self.tier).finish_non_exhaustive()
                }
            }
        }
        pub use $module::$name;
    };
}

aes_gcm_siv!(Aes128GcmSiv, "AES-128-GCM-SIV", 16, aes128);
aes_gcm_siv!(Aes256GcmSiv, "AES-256-GCM-SIV", 32, aes256);
