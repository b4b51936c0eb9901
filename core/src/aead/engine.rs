//! The one engine of every AEAD key: lengths, limits, nonces and statuses.
//!
//! A short message takes some fifty nanoseconds, and a call may add only a few. So checks compare
//! plain integers, the tag is written once, to its final memory, and a function that is not inlined
//! makes the error.

use super::NonceRule;
use super::algorithm::Algorithm;
use super::arrays::{Bytes, DetachedTag, TagBytes};
use crate::batch::{self, BatchAad, BatchText};
use crate::error::Error;
use crate::mode::batch::parts::Texts;
use crate::mode::batch::{Batch, Direction, Rules, Status, TagPlace};
use crate::tier::Tier;
use crate::tier::erased::Wiped;
use crate::tier::secret;
use crate::tier::stack::Depth;
#[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
use crate::usage_bound::{Usage, UsageBound};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

/// The part of an algorithm. The engine has checked every length and nonce before it calls.
pub trait Cipher: Sized + Send + Sync + 'static {
    const NONCE: NonceRule;
    const LIMITS: Limits;
    /// Whether the tag comes before the ciphertext in a sealed message.
    const TAG_FIRST: bool = false;
    /// How deep calls go for text and AAD of at most `BRIEF_LEN` bytes together.
    const BRIEF_DEPTH: Depth = Depth::Deep;
    const BRIEF_LEN: usize = usize::MAX;
    /// From this average length of text on, and from four times as many bytes together, sealing as
    /// a batch is faster than one by one, even for few messages.
    const LONG_LEN: usize = usize::MAX;

    /// How deep the making of a key goes.
    const MAKING_DEPTH: Depth = Depth::Middle;

    type Key: Bytes;
    /// An array, of no bytes for an algorithm without nonces.
    type Nonce: Bytes;
    /// As the calls of keys have it.
    type Tag: DetachedTag;
    /// An array, or a slice where keys choose the length of their tags.
    type TagBytes: TagBytes + ?Sized;
    /// A choice when a key is made: the length of tags, or nothing.
    type Choice: Copy + Default;

    /// Expands a key. One of a tier whose kernels gave a wrong known answer is refused.
    fn new(key: &Self::Key, choice: Self::Choice, tier: Tier) -> Self;

    /// Whether such keys give their known answers on `tier`.
    fn gives_known_answers(tier: Tier) -> bool;

    /// The row of this key.
    fn algorithm(&self) -> &'static Algorithm;

    /// The length of this key's tags in bytes.
    fn tag_len(&self) -> usize;

    /// Encrypts `from` to `in_out`, which is as long, or `in_out` in place if there is no
    /// `from`. `None` if the tier was refused; nothing was written then.
    fn seal(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut Self::TagBytes,
    ) -> Option<()>;

    /// Decrypts, and returns whether the tag is right; if not, `in_out` is zeros.
    fn open(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &Self::TagBytes,
    ) -> Option<bool>;

    /// So many messages, or fewer, take less time one by one than as a batch. `None` if the tier
    /// was refused.
    fn few(&self) -> Option<usize>;

    /// Seals or opens every message; one that does not open is wiped, and its
    /// status says so. Not inlined: its frame is large, and those of [`seal`](Self::seal) should
    /// not lie below it.
    fn crypt_batch(&self, batch: &mut Batch<'_, '_, Self::Nonce>) -> Option<()>;
}

/// The most bytes of a message, and whether it may be empty in every part.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) text: u64,
    pub(crate) aad: u64,
    pub(crate) together: u64,
    pub(crate) empty: bool,
}

impl Limits {
    #[inline(always)]
    fn lengths_allowed(self, aad_len: u64, text_len: u64) -> bool {
        text_len <= self.text
            && aad_len <= self.aad
            && (self.together == u64::MAX || aad_len.saturating_add(text_len) <= self.together)
    }

    #[inline(always)]
    const fn emptiness_allowed(self, aad_len: u64, text_len: u64) -> bool {
        self.empty || aad_len != 0 || text_len != 0
    }

    /// The length that is over its limit. `text` is the name of the text.
    fn too_long(self, text: &'static str, aad_len: u64, text_len: u64) -> Error {
        let together = aad_len.saturating_add(text_len);
        let (what, limit, given) = if text_len > self.text {
            (text, self.text, text_len)
        } else if aad_len > self.aad {
            ("aad", self.aad, aad_len)
        } else {
            ("aad and plaintext together", self.together, together)
        };
        Error::TooLong { what, limit, given }
    }
}

/// A key of any algorithm.
pub(crate) struct Engine<C: Cipher>(Wiped<KeyState<C>>);

/// All that a key stores. It is wiped as one block, because an unset `Option` can hold old bytes of
/// the stack.
struct KeyState<C> {
    cipher: C,
    tier: Tier,
    /// Whether a call was longer than `BRIEF_LEN`, and may have gone deeper.
    was_long: AtomicBool,
    #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
    usage: Option<Usage>,
}

impl<C: Cipher> Drop for Engine<C> {
    fn drop(&mut self) {
        self.depth().overwrite(self.tier());
    }
}

impl<C: Cipher> Engine<C> {
    #[inline(always)]
    pub(crate) fn new(cipher: C, tier: Tier) -> Self {
        Self(Wiped::of(KeyState {
            cipher,
            tier,
            was_long: AtomicBool::new(false),
            #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
            usage: None,
        }))
    }

    #[inline(always)]
    pub(crate) fn cipher(&self) -> &C {
        &self.0.cipher
    }

    pub(crate) fn tier(&self) -> Tier {
        self.0.tier
    }

    /// Notes how long a call was that overwrites nothing.
    #[inline(always)]
    fn note_len(&self, len: usize) {
        if len > C::BRIEF_LEN && !self.0.was_long.load(Relaxed) {
            self.0.was_long.store(true, Relaxed);
        }
    }

    /// How deep any call of this key went.
    fn depth(&self) -> Depth {
        match self.0.was_long.load(Relaxed) {
            true => Depth::Deep,
            false => C::BRIEF_DEPTH,
        }
    }

    #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
    pub(crate) fn set_usage_bound(&mut self, bound: UsageBound) {
        self.0.usage = Some(Usage::new(bound));
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn refused_tier(&self) -> Error {
        Error::SelfCheck { tier: self.tier().name() }
    }
}

/// Whether an output is as long as its input, if that is apart.
#[inline(always)]
pub(crate) fn check_output(from: Option<&[u8]>, in_out: &[u8]) -> Result<(), Error> {
    match from {
        Some(from) if from.len() != in_out.len() => Err(output_len(from.len(), in_out.len())),
        _ => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn output_len(expected: usize, given: usize) -> Error {
    Error::OutputLen { expected, given }
}

#[cold]
#[inline(never)]
fn nonce_len(expected: usize, given: usize) -> Error {
    Error::NonceLen { expected, given }
}

#[cold]
#[inline(never)]
fn tag_len(expected: usize, given: usize) -> Error {
    Error::TagLen { expected, given }
}

impl<C: Cipher> Engine<C> {
    /// The reason why such a message cannot be sealed.
    #[cold]
    #[inline(never)]
    fn refusal(nonce: &C::Nonce, aad_len: u64, text_len: u64) -> Error {
        if !C::NONCE.allows(nonce.as_ref()) {
            Error::Nonce
        } else if !C::LIMITS.emptiness_allowed(aad_len, text_len) {
            Error::Empty
        } else {
            C::LIMITS.too_long("plaintext", aad_len, text_len)
        }
    }

    /// Whether a message may be sealed.
    #[inline(always)]
    pub(crate) fn check(nonce: &C::Nonce, aad_len: u64, text_len: u64) -> Result<(), Error> {
        let allowed = C::NONCE.allows(nonce.as_ref())
            && C::LIMITS.emptiness_allowed(aad_len, text_len)
            && C::LIMITS.lengths_allowed(aad_len, text_len);
        if allowed { Ok(()) } else { Err(Self::refusal(nonce, aad_len, text_len)) }
    }

    /// Seals `from`, or `in_out` in place if there is none.
    #[inline(always)]
    pub(crate) fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let nonce = Self::nonce(nonce)?;
        let (expected, given) = (self.cipher().tag_len(), tag.len());
        let Some(tag) = C::TagBytes::of_mut(tag, expected) else {
            return Err(tag_len(expected, given));
        };
        check_output(from, in_out)?;
        Self::check(nonce, aad.len() as u64, in_out.len() as u64)?;
        self.note_len(aad.len() + in_out.len());
        match self.cipher().seal(nonce, aad, from, in_out, tag) {
            Some(()) => Ok(()),
            None => Err(self.refused_tier()),
        }
    }

    /// Opens `from`, or `in_out` in place if there is none. A message that no call can have sealed
    /// does not open.
    #[inline(always)]
    pub(crate) fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let nonce = Self::nonce(nonce)?;
        let expected = self.cipher().tag_len();
        let Some(tag) = C::TagBytes::of(tag, expected) else {
            return Err(tag_len(expected, tag.len()));
        };
        check_output(from, in_out)?;
        let (aad_len, text_len) = (aad.len() as u64, in_out.len() as u64);
        if !C::LIMITS.lengths_allowed(aad_len, text_len) {
            return Err(C::LIMITS.too_long("ciphertext", aad_len, text_len));
        }
        if !C::NONCE.allows(nonce.as_ref()) || !C::LIMITS.emptiness_allowed(aad_len, text_len) {
            secret::wipe(in_out);
            return Err(Error::Open);
        }
        self.note_len(aad.len() + in_out.len());
        match self.cipher().open(nonce, aad, from, in_out, tag) {
            Some(true) => Ok(()),
            Some(false) => Err(Error::Open),
            None => Err(self.refused_tier()),
        }
    }

    #[inline(always)]
    fn nonce(bytes: &[u8]) -> Result<&C::Nonce, Error> {
        C::Nonce::of(bytes).ok_or_else(|| nonce_len(C::Nonce::LEN, bytes.len()))
    }

    /// Seals every message that may be, or opens every one that can have been sealed; each gets
    /// its status. Nonces and tags are one after the other.
    pub(crate) fn crypt_batch(
        &self,
        nonces: &[u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: TagPlace<'_>,
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let nonces = self.check_flat(nonces, &tags, statuses.len())?;
        let texts = in_out.checked(statuses.len())?;
        aad.check(statuses.len())?;
        self.crypt_checked(nonces, aad, texts, tags, statuses)
    }

    fn crypt_checked(
        &self,
        nonces: &[C::Nonce],
        aad: BatchAad<'_>,
        texts: Texts<'_, '_>,
        tags: TagPlace<'_>,
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let (aads, rules) = (aad.from(0), self.rules(tags.direction()));
        self.crypt_messages(&mut Batch::new(nonces, aads, texts, tags, &[], statuses, rules))?;
        batch::verdict(statuses)
    }

    /// Nonces and tags for so many messages, in bytes.
    fn check_flat<'a>(
        &self,
        nonces: &'a [u8],
        tags: &TagPlace<'_>,
        messages: usize,
    ) -> Result<&'a [C::Nonce], Error> {
        let tag_len = self.cipher().tag_len();
        batch::check_count("tags", messages.saturating_mul(tag_len), tags.len())?;
        let wrong = Error::BatchShape {
            what: "nonces",
            expected: messages.saturating_mul(C::Nonce::LEN),
            given: nonces.len(),
        };
        C::Nonce::all(nonces, messages).ok_or(wrong)
    }

    /// Which messages are worked on.
    pub(crate) fn rules(&self, direction: Direction) -> Rules<C::Nonce> {
        Rules {
            direction,
            tag_len: self.cipher().tag_len(),
            allow_all: |longest| {
                C::NONCE.allows(&[0xff])
                    && C::LIMITS.empty
                    && C::LIMITS.lengths_allowed(longest.aad as u64, longest.text as u64)
            },
            status: |direction, nonce, lens| match direction {
                Direction::Seal => Self::status_to_seal(nonce, lens),
                Direction::Open => Self::status_to_open(nonce, lens),
            },
        }
    }

    #[inline(always)]
    fn status_to_seal(nonce: &C::Nonce, lens: (usize, usize)) -> Status {
        match Self::check(nonce, lens.0 as u64, lens.1 as u64) {
            Ok(()) => Status::Done,
            Err(Error::TooLong { .. }) => Status::TooLong,
            Err(_) => Status::Refused,
        }
    }

    #[inline(always)]
    fn status_to_open(nonce: &C::Nonce, lens: (usize, usize)) -> Status {
        let (aad_len, text_len) = (lens.0 as u64, lens.1 as u64);
        if !C::LIMITS.lengths_allowed(aad_len, text_len) {
            Status::TooLong
        } else if !C::NONCE.allows(nonce.as_ref())
            || !C::LIMITS.emptiness_allowed(aad_len, text_len)
        {
            Status::NotOpened
        } else {
            Status::Done
        }
    }
}

#[cfg(feature = "alloc")]
impl<C: Cipher> Engine<C> {
    /// Seals to `front` ‖ ciphertext ‖ tag, where `front` is the nonce or nothing, or with the
    /// tag before the ciphertext.
    pub(crate) fn seal_to_vec(
        &self,
        front: &[u8],
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        // Before memory is asked for that the message cannot need.
        Self::check(Self::nonce(nonce)?, aad.len() as u64, plaintext.len() as u64)?;
        let tag_len = self.cipher().tag_len();
        let mut sealed = vec![0; front.len() + plaintext.len() + tag_len];
        let (place, text) = sealed.split_at_mut(front.len());
        place.copy_from_slice(front);
        let (ciphertext, tag) = if C::TAG_FIRST {
            let (tag, ciphertext) = text.split_at_mut(tag_len);
            (ciphertext, tag)
        } else {
            text.split_at_mut(plaintext.len())
        };
        self.seal(nonce, aad, Some(plaintext), ciphertext, tag)?;
        Ok(sealed)
    }

    /// Opens ciphertext ‖ tag, or tag ‖ ciphertext.
    pub(crate) fn open_to_vec(
        &self,
        nonce: &[u8],
        sealed: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        Self::nonce(nonce)?;
        let tag_len = self.cipher().tag_len();
        let text_len = sealed.len().checked_sub(tag_len).ok_or(Error::Open)?;
        let (ciphertext, tag) = if C::TAG_FIRST {
            let (tag, ciphertext) = sealed.split_at(tag_len);
            (ciphertext, tag)
        } else {
            sealed.split_at(text_len)
        };
        let (aad_len, text_len) = (aad.len() as u64, ciphertext.len() as u64);
        if !C::LIMITS.lengths_allowed(aad_len, text_len) {
            return Err(C::LIMITS.too_long("ciphertext", aad_len, text_len));
        }
        let mut plaintext = vec![0; ciphertext.len()];
        self.open(nonce, aad, Some(ciphertext), &mut plaintext, tag)?;
        Ok(plaintext)
    }

    /// Opens nonce ‖ the result of [`seal_to_vec`](Self::seal_to_vec).
    pub(crate) fn open_after_nonce(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        if C::NONCE == NonceRule::Counter {
            return Err(Error::NoRandomNonce);
        }
        let (nonce, sealed) = sealed.split_at_checked(C::Nonce::LEN).ok_or(Error::Open)?;
        self.open_to_vec(nonce, sealed, aad)
    }
}

#[cfg(feature = "getrandom")]
impl<C: Cipher> Engine<C> {
    /// Fills `nonces` with random ones, and counts them as messages of at most `message_len` bytes
    /// each, plaintext and AAD together.
    pub(crate) fn draw_nonces(&self, nonces: &mut [u8], message_len: u64) -> Result<(), Error> {
        if !nonces.len().is_multiple_of(C::Nonce::LEN.max(1)) {
            return Err(nonce_len(C::Nonce::LEN, nonces.len()));
        }
        self.spend((nonces.len() / C::Nonce::LEN.max(1)) as u64, message_len)?;
        C::NONCE.fill(self.tier(), C::Nonce::LEN, nonces)
    }

    /// Takes so many messages under random nonces out of the bound that was set, if one was.
    #[cfg_attr(not(target_has_atomic = "64"), allow(unused_variables, clippy::unused_self))]
    pub(crate) fn spend(&self, messages: u64, message_len: u64) -> Result<(), Error> {
        #[cfg(target_has_atomic = "64")]
        if let Some(usage) = &self.0.usage
            && matches!(C::NONCE, NonceRule::Random { .. })
        {
            usage.spend(messages, message_len)?;
        }
        Ok(())
    }

    /// Seals under a random nonce to nonce ‖ ciphertext ‖ tag.
    pub(crate) fn seal_after_nonce(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let mut nonce = C::Nonce::ZEROS;
        let (aad_len, text_len) = (aad.len() as u64, plaintext.len() as u64);
        Self::check(&nonce, aad_len, text_len)?;
        self.draw_nonces(nonce.as_mut(), aad_len.saturating_add(text_len))?;
        self.seal_to_vec(nonce.as_ref(), nonce.as_ref(), plaintext, aad)
    }

    /// [`crypt_batch`](Self::crypt_batch) of messages to be sealed, under random nonces.
    pub(crate) fn seal_batch_with_random_nonces(
        &self,
        nonces: &mut [u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let (messages, tags) = (statuses.len(), TagPlace::Made(tags));
        self.check_flat(nonces, &tags, messages)?;
        let texts = in_out.checked(messages)?;
        aad.check(messages)?;
        let len = |i| (aad.len_of(i) as u64).saturating_add(texts.len_of(i) as u64);
        let longest = (0..messages).map(len).max().unwrap_or(0);
        // Last of all checks: a wrong call spends nothing of a bound.
        self.draw_nonces(nonces, longest)?;
        let nonces = C::Nonce::all(nonces, messages).unwrap_or_default();
        self.crypt_checked(nonces, aad, texts, tags, statuses)
    }
}
