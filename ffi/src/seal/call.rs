//! A call with one message: its arguments as they came, looked at once and then carried out.

use super::message::{Message, not_null, plausible, text_and_tag, told_apart};
use super::parts::Parts;
use crate::failure::{Failure, caught, failed};
use crate::key::{AlgorithmKey, Key};
use crate::region::{Region, Span, check_apart, handle};
use crate::status::{SIVKA_OK, Status};
use sivka::{Error, NonceRule};
use sivka_keyset::KeysetAead;
use std::ptr;

/// A pointer and a length that a caller gave under a name of the header.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub(super) what: &'static str,
    pub(super) start: *const u8,
    pub(super) len: usize,
}

impl Given {
    fn region(self) -> Result<Region<u8>, Failure> {
        Region::new(self.what, self.start, self.len)
    }

    fn region_of(self, expected: usize) -> Result<Region<u8>, Failure> {
        Region::exactly(self.what, self.start, self.len, expected)
    }
}

/// The arguments of a call that seals, or opens, one message.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) key: *const Key,
    /// `None`: it is random, and comes before text and tag in one buffer.
    pub(super) nonce: Option<Given>,
    pub(super) aad: Given,
    /// The plaintext to seal; to open, the ciphertext, or all that is in one buffer.
    pub(super) input: Given,
    /// The plaintext's place in opening; in sealing, the ciphertext's, or that of all.
    pub(super) output: Given,
    /// `None`: text and tag are in one buffer.
    pub(super) tag: Option<Given>,
    /// Where the length of what was written is told, unless that is null.
    pub(super) told: (&'static str, *mut usize),
}

/// A message that is sound, in a call that may be carried out.
struct Sound<'a> {
    message: Message<'a>,
    /// Whether a nonce is to be drawn, and has a place.
    draws_nonce: bool,
    told: *mut usize,
    /// The bytes that are written where a length is told.
    written_len: usize,
}

impl Call {
    /// Seals if `SEALS`, and opens if not.
    ///
    /// # Safety
    /// The arguments are as the header asks: null, or memory of these lengths that nobody else
    /// writes, nor reads where the call writes; `key` is null, misaligned or a live key.
    #[inline(always)]
    pub(super) unsafe fn carry_out<const SEALS: bool>(self) -> Status {
        // SAFETY: the caller's promise, and sound.
        unsafe {
            match self.at_once::<SEALS>() {
                Some(sound) => sound.carry_out::<SEALS>(),
                None => {
                    // Of this one no part has to be in memory before there is a doubt.
                    let copy = self;
                    copy.in_doubt::<SEALS>()
                }
            }
        }
    }

    /// How long the nonce and the tag are where they are in one buffer with the text.
    #[inline(always)]
    fn joined_lens(&self, key: &AlgorithmKey) -> [usize; 2] {
        let nonce_len = if self.nonce.is_some() {
            0
        } else {
            key.nonce_len
        };
        let tag_len = if self.tag.is_some() { 0 } else { key.tag_len };
        [nonce_len, tag_len]
    }

    /// The message, if it is seen at once that the call is right. If not, [`Parts`] has the
    /// last word.
    ///
    /// # Safety
    /// `key` is null, misaligned or a live key.
    #[inline(always)]
    unsafe fn at_once<'a, const SEALS: bool>(&self) -> Option<Sound<'a>> {
        if !self.key.is_aligned() {
            return None;
        }
        // SAFETY: the caller's promise, and aligned.
        let key = unsafe { self.key.as_ref() }?.if_algorithm()?;
        let [front_len, end_len] = self.joined_lens(key);
        let joined = if SEALS { self.output } else { self.input };
        let (text_len, joined_len) = if SEALS {
            let text_len = self.input.len;
            (text_len, text_len.wrapping_add(front_len + end_len))
        } else {
            let text_len = joined.len.wrapping_sub(front_len + end_len);
            (text_len, joined.len)
        };
        let text = joined.start.wrapping_add(front_len).cast_mut();
        let (text, tag) = match self.tag {
            Some(tag) => (text, tag.start.cast_mut()),
            None => text_and_tag(key, text, text_len),
        };
        let message = Message {
            key,
            nonce: self
                .nonce
                .map_or(joined.start, |nonce| not_null(nonce.start, key.nonce_len)),
            aad: not_null(self.aad.start, self.aad.len),
            aad_len: self.aad.len,
            input: if SEALS { self.input.start } else { text },
            output: if SEALS {
                text
            } else {
                self.output.start.cast_mut()
            },
            text_len,
            tag,
        };
        let written_len = if SEALS { joined_len } else { text_len };
        let lens_fit = self.nonce.is_none_or(|nonce| nonce.len == key.nonce_len)
            && match self.tag {
                Some(tag) => (tag.len == key.tag_len) && (self.output.len == text_len),
                None => {
                    (text_len <= joined_len)
                        && (written_len <= self.output.len)
                        && plausible([(self.output.start, self.output.len)])
                }
            };
        let nonce_fits = self.nonce.is_some()
            || key.row.nonce_rule() != NonceRule::Counter
                && (!SEALS || message.has_place_for_its_nonce());
        let told = self.told.1;
        let others = [
            (message.nonce, self.nonce.map_or(0, |nonce| nonce.len)),
            (message.aad, message.aad_len),
            (self.input.start, self.input.len),
            (self.output.start, written_len),
        ];
        // Branches, which are taken one way, leave more registers than their sum.
        let is_right =
            lens_fit && told_apart(told, others) && message.is_sound(SEALS) && nonce_fits;
        is_right.then_some(Sound {
            message,
            draws_nonce: SEALS && self.nonce.is_none(),
            told,
            written_len,
        })
    }

    /// Looks at the arguments one by one, and carries the call out if they are right after all.
    ///
    /// # Safety
    /// As for [`Self::carry_out`].
    #[cold]
    #[inline(never)]
    unsafe fn in_doubt<const SEALS: bool>(&self) -> Status {
        // SAFETY: the caller's promise, and sound.
        caught(|| unsafe {
            let keys = handle("key", self.key).ok().and_then(Key::if_keyset);
            if let (Some(keys), None, None) = (keys, self.nonce, self.tag) {
                return self
                    .with_keyset::<SEALS>(keys)
                    .map_or_else(failed, |()| SIVKA_OK);
            }
            let sound = self.one_by_one::<SEALS>();
            sound.map_or_else(failed, |sound| sound.carry_out::<SEALS>())
        })
    }

    /// Carries the call out with the keys of a keyset.
    ///
    /// # Safety
    /// As for [`Self::carry_out`].
    unsafe fn with_keyset<const SEALS: bool>(&self, keys: &KeysetAead) -> Result<(), Failure> {
        let (aad, input) = (self.aad.region()?, self.input.region()?);
        let output = self.output.region()?.first(match SEALS {
            true => keys.seal_len(input.len()),
            false => keys.open_len(input.len()),
        })?;
        let (what, told) = self.told;
        let written = [output.span(), Span::of_length(what, told)];
        check_apart(&written, &[input.span(), aad.span()])?;
        // SAFETY: the caller's promise, and the output is apart from what is read.
        let (input, aad, output) =
            unsafe { (input.as_slice(), aad.as_slice(), output.as_mut_slice()) };
        let len = match SEALS {
            true => keys.seal_into(input, aad, output).map(|()| output.len())?,
            false => keys.open_into(input, aad, output)?,
        };
        // SAFETY: the caller's promise.
        unsafe { tell_len(SIVKA_OK, told, len) };
        Ok(())
    }

    /// # Safety
    /// `key` is null, misaligned or a live key.
    unsafe fn one_by_one<'a, const SEALS: bool>(&self) -> Result<Sound<'a>, Failure> {
        // SAFETY: the caller's promise.
        let key: &AlgorithmKey = unsafe { handle("key", self.key) }?.algorithm()?;
        if self.nonce.is_none() && key.row.nonce_rule() == NonceRule::Counter {
            return Err(Error::NoRandomNonce.into());
        }
        let nonce = self.nonce.map(|nonce| nonce.region_of(key.nonce_len));
        let (nonce, aad, input) = (nonce.transpose()?, self.aad.region()?, self.input.region()?);
        let parts = match (self.tag, nonce) {
            (Some(tag), Some(nonce)) => Parts {
                nonce,
                aad,
                input,
                output: self.output.region_of(self.input.len)?,
                tag: tag.region_of(key.tag_len)?,
            },
            (_, nonce) => {
                let output = self.output.region()?;
                if SEALS {
                    Parts::joined_to_seal(key, nonce, aad, input, output)?
                } else {
                    Parts::joined_to_open(key, nonce, aad, input, output)?
                }
            }
        };
        if SEALS {
            parts.check_to_seal()?;
        } else {
            parts.check_to_open()?;
        }
        let (what, told) = self.told;
        parts.check_told(Span::of_length(what, told))?;
        let message = parts.message(key);
        let joined_len = message.text_len + self.joined_lens(key).iter().sum::<usize>();
        Ok(Sound {
            message,
            draws_nonce: SEALS && nonce.is_none(),
            told,
            written_len: if SEALS { joined_len } else { message.text_len },
        })
    }
}

impl Sound<'_> {
    /// # Safety
    /// The parts are memory as the header asks, and `told` is null or writable.
    #[inline(always)]
    unsafe fn carry_out<const SEALS: bool>(&self) -> Status {
        // SAFETY: the caller's promise; a nonce that is drawn has a place.
        unsafe {
            if self.draws_nonce {
                let drawn = self.message.draw_nonce();
                if drawn != SIVKA_OK {
                    return drawn;
                }
            }
            let status = if SEALS {
                self.message.seal()
            } else {
                self.message.open()
            };
            tell_len(status, self.told, self.written_len)
        }
    }
}

/// Writes a length for a caller who wants it, after a success.
///
/// # Safety
/// `out` is null or writable.
#[inline(always)]
pub(super) unsafe fn tell_len(status: Status, out: *mut usize, len: usize) -> Status {
    if status == SIVKA_OK && !out.is_null() {
        // SAFETY: the caller's promise; no alignment is asked for.
        unsafe { ptr::write_unaligned(out, len) };
    }
    status
}

#[cfg(test)]
mod tests;
