//! One message in the caller's memory, and the quick look at it.

use crate::failure::{caught, failed};
use crate::key::AlgorithmKey;
use crate::status::{SIVKA_OK, Status};
use sivka::Error;
use std::ptr;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Where a message is.
pub(super) struct Parts<'a> {
    pub(super) key: &'a AlgorithmKey,
    pub(super) nonce: *const u8,
    pub(super) aad: *const u8,
    pub(super) aad_len: usize,
    /// What is read: the plaintext to seal, or the ciphertext to open.
    pub(super) input: *const u8,
    /// What is written, as long as the input: at the very same place, or apart from it.
    pub(super) output: *mut u8,
    pub(super) text_len: usize,
    /// Written to seal, read to open.
    pub(super) tag: *mut u8,
}

/// True if no byte is in both. May be false if one is empty; the caller then asks the slow check.
/// They overlap if `b` starts less than `b_len` before `a`, or less than `a_len` after it.
#[inline(always)]
fn apart(a: *const u8, a_len: usize, b: *const u8, b_len: usize) -> bool {
    let last = b_len.wrapping_sub(1);
    b.addr().wrapping_sub(a.addr()).wrapping_add(last) >= a_len.wrapping_add(last)
}

/// Whether none of these is null, too long for memory, or in the upper half of the addresses,
/// where programs have nothing and from where a length could wrap.
#[inline(always)]
pub(super) fn plausible<const N: usize>(parts: [(*const u8, usize); N]) -> bool {
    let mut bits = 0;
    for (start, len) in parts {
        // From null that is all ones.
        bits |= start.addr().wrapping_sub(1) | len;
    }
    bits <= isize::MAX as usize / 2
}

/// A place for no bytes, which may have been given as null.
#[inline(always)]
pub(super) fn not_null(start: *const u8, len: usize) -> *const u8 {
    if len == 0 { ptr::dangling() } else { start }
}

/// Where the text and its tag are in one piece that begins at `start`.
#[inline(always)]
pub(super) fn text_and_tag(
    key: &AlgorithmKey,
    start: *mut u8,
    text_len: usize,
) -> (*mut u8, *mut u8) {
    if key.tag_first {
        (start.wrapping_add(key.tag_len), start)
    } else {
        (start, start.wrapping_add(text_len))
    }
}

/// Whether a length that is to be told at `place`, or is not if that is null, overlaps none of
/// these, which are memory; also no for a place within an empty one.
#[inline(always)]
pub(super) fn told_apart<const N: usize>(
    place: *const usize,
    parts: [(*const u8, usize); N],
) -> bool {
    if place.is_null() {
        return true;
    }
    // Both end after their last byte, and so the place is in a part from here to there.
    let last = size_of::<usize>() - 1;
    let end = place.addr().wrapping_add(last);
    let mut within = false;
    for (start, len) in parts {
        within |= end.wrapping_sub(start.addr()) < len.wrapping_add(last);
    }
    !within
}

impl Parts<'_> {
    #[inline(always)]
    pub(super) fn is_in_place(&self) -> bool {
        self.input == self.output.cast_const()
    }

    /// Whether the message is at once seen to be memory, of which nothing that is written
    /// overlaps anything else. If not, [`check`](super::call) has the last word.
    #[inline(always)]
    pub(super) fn is_sound(&self, seals: bool, is_joined: bool) -> bool {
        let (output, tag) = (self.output.cast_const(), self.tag.cast_const());
        let (text_len, tag_len) = (self.text_len, self.key.tag_len);
        let nonce = (self.nonce, self.key.nonce_len);
        let (aad, input) = ((self.aad, self.aad_len), (self.input, text_len));
        // Branches, which are taken one way, are fewer instructions than their sum.
        let memory = plausible([nonce, aad, input, (output, text_len), (tag, tag_len)]);
        // A tag that is written beside its text is looked at with it.
        let is_one = seals && is_joined;
        let (start, len) = match is_one {
            true => (output.min(tag), text_len.wrapping_add(tag_len)),
            false => (output, text_len),
        };
        let ends = |at, len| apart(at, len, nonce.0, nonce.1) && apart(at, len, aad.0, aad.1);
        let output_apart = len == 0
            || (is_one || apart(output, text_len, tag, tag_len))
                && ends(start, len)
                && (self.is_in_place() || apart(start, len, input.0, text_len));
        let tag_apart =
            !seals || is_one || ends(tag, tag_len) && apart(tag, tag_len, input.0, text_len);
        memory && output_apart && tag_apart
    }

    /// Whether the nonce may be written too, in a message that is sound.
    #[inline(always)]
    pub(super) fn has_place_for_its_nonce(&self) -> bool {
        let nonce_len = self.key.nonce_len;
        nonce_len == 0
            || apart(self.nonce, nonce_len, self.aad, self.aad_len)
                & apart(self.nonce, nonce_len, self.input, self.text_len)
    }

    /// Writes a random nonce, if the algorithm has nonces.
    ///
    /// # Safety
    /// The nonce's place is writable, and apart from all others.
    #[inline(always)]
    pub(super) unsafe fn draw_nonce(&self) -> Status {
        // SAFETY: the caller's promise.
        let nonce = unsafe { from_raw_parts_mut(self.nonce.cast_mut(), self.key.nonce_len) };
        let message_len = (self.text_len as u64).saturating_add(self.aad_len as u64);
        caught(|| done(self.key.aead.draw_nonces(nonce, message_len)))
    }

    /// Seals if `SEALS`, and opens if not.
    ///
    /// # Safety
    /// The parts are memory as the header asks, and sound.
    #[inline(always)]
    pub(super) unsafe fn carry_out<const SEALS: bool>(&self) -> Status {
        // SAFETY: the caller's promise for each part; those that are written are apart from
        // all others, but for an input in the very place of the output.
        caught(|| unsafe {
            let nonce = from_raw_parts(self.nonce, self.key.nonce_len);
            let aad = from_raw_parts(self.aad, self.aad_len);
            let output = from_raw_parts_mut(self.output, self.text_len);
            let input = || from_raw_parts(self.input, self.text_len);
            let read = || from_raw_parts(self.tag, self.key.tag_len);
            let made = || from_raw_parts_mut(self.tag, self.key.tag_len);
            let aead = &self.key.aead;
            done(match (SEALS, self.is_in_place()) {
                (true, true) => aead.seal_in_place(nonce, aad, output, made()),
                (true, false) => aead.seal_into(nonce, input(), aad, output, made()),
                (false, true) => aead.open_in_place(nonce, aad, output, read()),
                (false, false) => aead.open_into(nonce, input(), aad, read(), output),
            })
        })
    }
}

#[inline(always)]
fn done(result: Result<(), Error>) -> Status {
    match result {
        Ok(()) => SIVKA_OK,
        Err(error) => failed(error.into()),
    }
}
