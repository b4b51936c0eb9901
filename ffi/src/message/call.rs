//! A call with one message: its arguments, looked at once and then carried out.

use super::Message as Given;
use super::parts::{Parts, not_null, plausible, text_and_tag, told_apart};
use super::strings::Strings;
use crate::failure::{Failure, caught, failed};
use crate::handle::handle;
use crate::key::{AlgorithmKey, Key};
use crate::region::{Region, Span, check_apart};
use crate::status::{SIVKA_OK, Status};
use sivka::{Error, NonceRule};
use sivka_keyset::KeysetAead;
use std::ptr;

/// Seals if `SEALS`, and opens if not.
///
/// # Safety
/// The arguments are as the header asks: null, or memory of these lengths that nobody else
/// writes, nor reads where the call writes; `key` is null, misaligned or a live key.
#[inline(always)]
pub(super) unsafe fn carry_out<const SEALS: bool>(
    key: *const Key,
    given: *const Given,
    told: *mut usize,
) -> Status {
    // SAFETY: the caller's promise, and found to be right.
    unsafe {
        match at_once::<SEALS>(key, given, told) {
            Some(call) => call.carry_out::<SEALS>(told),
            None => in_doubt::<SEALS>(key, given, told),
        }
    }
}

/// The call, if it is seen at once that it is right. If not, [`check`] has the last word.
///
/// # Safety
/// As for [`carry_out`].
#[inline(always)]
unsafe fn at_once<'a, const SEALS: bool>(
    key: *const Key,
    given: *const Given,
    told: *mut usize,
) -> Option<Call<'a>> {
    if !key.is_aligned() || !given.is_aligned() {
        return None;
    }
    // SAFETY: the caller's promise, and aligned.
    let (key, given) = unsafe { (key.as_ref()?.if_algorithm()?, given.as_ref()?) };
    let look = |kind| {
        let call = Call::new::<SEALS>(key, given, kind);
        call.is_right_at_once::<SEALS>(given, told).then_some(call)
    };
    // Each kind has code of its own, which looks at nothing that only others have.
    match (given.nonce.is_null(), given.tag.is_null()) {
        (false, true) => look((false, true)),
        (false, false) => look((false, false)),
        (true, is_joined) => look((true, is_joined)),
    }
}

/// Looks at the arguments one by one, and carries the call out if they are right after all.
///
/// # Safety
/// As for [`carry_out`].
#[cold]
#[inline(never)]
unsafe fn in_doubt<const SEALS: bool>(
    key: *const Key,
    given: *const Given,
    told: *mut usize,
) -> Status {
    let call = || -> Result<Status, Failure> {
        // SAFETY: the caller's promise, and found to be right.
        unsafe {
            let (key, given) = (handle("key", key)?, handle("message", given)?);
            let has_list = !given.aads.is_null() || given.aad_count > 0;
            let is_plain = given.nonce.is_null() && given.tag.is_null() && !has_list;
            if let (Some(keys), true) = (key.if_keyset(), is_plain) {
                return with_keyset::<SEALS>(keys, given, told);
            }
            let key = key.algorithm()?;
            let strings = Strings::of(key, given)?;
            let told_at = Region::optional("written_len", told)?.span();
            let written = check::<SEALS>(key, given, told_at)?;
            if let Some(strings) = &strings {
                strings.check_apart(&written)?;
            }
            let kind = (given.nonce.is_null(), given.tag.is_null());
            let call = Call::new::<SEALS>(key, given, kind).with_places();
            match strings {
                None => Ok(call.carry_out::<SEALS>(told)),
                Some(strings) => {
                    strings.carry_out::<SEALS>(&call.message)?;
                    Ok(tell_len(SIVKA_OK, told, call.written_len))
                }
            }
        }
    };
    caught(|| call().unwrap_or_else(failed))
}

/// What the header calls what is sealed.
fn sealed_name(given: &Given) -> &'static str {
    match given.nonce.is_null() && given.tag.is_null() {
        true => "sealed",
        false => "ciphertext",
    }
}

/// Carries a call out with the keys of a keyset.
///
/// # Safety
/// As for [`carry_out`].
unsafe fn with_keyset<const SEALS: bool>(
    keys: &KeysetAead,
    given: &Given,
    told: *mut usize,
) -> Result<Status, Failure> {
    let (input_name, output_name) = match SEALS {
        true => ("plaintext", "sealed"),
        false => ("sealed", "plaintext"),
    };
    let aad = Region::new("aad", given.aad, given.aad_len)?;
    let input = Region::new(input_name, given.input, given.input_len)?;
    let room = Region::new(output_name, given.output, given.output_len)?;
    let output = room.first(match SEALS {
        true => keys.seal_len(input.len()),
        false => keys.open_len(input.len()),
    })?;
    let written = [output.span(), Region::optional("written_len", told)?.span()];
    check_apart(&written, &[input.span(), aad.span()])?;
    // SAFETY: the caller's promise, and the output is apart from what is read.
    let (input, aad, output) = unsafe { (input.as_slice(), aad.as_slice(), output.as_mut_slice()) };
    let len = match SEALS {
        true => keys.seal_into(input, aad, output).map(|()| output.len())?,
        false => keys.open_into(input, aad, output)?,
    };
    // SAFETY: the caller's promise.
    Ok(unsafe { tell_len(SIVKA_OK, told, len) })
}

/// What is wrong with the arguments, if something is; or else what the call writes.
fn check<const SEALS: bool>(
    key: &AlgorithmKey,
    given: &Given,
    told: Span,
) -> Result<[Span; 5], Failure> {
    let (input_name, output_name) = match SEALS {
        true => ("plaintext", sealed_name(given)),
        false => (sealed_name(given), "plaintext"),
    };
    let is_detached = !given.tag.is_null() || given.tag_len > 0;
    let has_nonce = !given.nonce.is_null() || given.nonce_len > 0 || is_detached;
    if !has_nonce && key.row.nonce_rule() == NonceRule::Counter {
        return Err(Error::NoRandomNonce.into());
    }
    let [front_len, end_len] = [(has_nonce, key.nonce_len), (is_detached, key.tag_len)]
        .map(|(is_apart, len)| if is_apart { 0 } else { len });
    let around = front_len + end_len;
    let nonce_len = key.nonce_len - front_len;
    let nonce = Region::exactly("nonce", given.nonce, given.nonce_len, nonce_len)?;
    let aad = Region::new("aad", given.aad, given.aad_len)?;
    let input = Region::new(input_name, given.input, given.input_len)?;
    let text_len = input.len().checked_sub(if SEALS { 0 } else { around }).ok_or(Error::Open)?;
    let output = match is_detached {
        true => Region::exactly(output_name, given.output, given.output_len, text_len)?,
        false => {
            let room = Region::new(output_name, given.output, given.output_len)?;
            room.first(if SEALS { text_len + around } else { text_len })?
        }
    };
    let tag_len = key.tag_len - end_len;
    let tag = Region::exactly("tag", given.tag, given.tag_len, tag_len)?;

    let (front, rest) = if SEALS { output } else { input }.split_at(front_len)?;
    let (text, joined_tag) = match key.tag_first {
        true => {
            let (tag, text) = rest.split_at(end_len)?;
            (text, tag)
        }
        false => rest.split_at(text_len)?,
    };
    let (from, to) = if SEALS { (input, text) } else { (text, output) };
    let ends = [tag, joined_tag, front].map(Region::span);
    let nothing = [const { Span::NONE }; 3];
    let (ends_written, ends_read) = match SEALS {
        true => (ends, nothing),
        false => (nothing, ends),
    };
    let [a, b, c] = ends_written;
    let written = [to.span(), told, a, b, c];
    let is_in_place = from.as_ptr() == to.as_ptr();
    let from = if is_in_place { Span::NONE } else { from.span() };
    check_apart(&written, &[nonce.span(), aad.span(), from])?;
    check_apart(&written, &ends_read)?;
    Ok(written)
}

/// A call that may be carried out once it was found to be right.
struct Call<'a> {
    message: Parts<'a>,
    /// Whether the nonce, and the tag, are in what is sealed.
    kind: (bool, bool),
    /// The bytes that are written where a length is told.
    written_len: usize,
}

impl<'a> Call<'a> {
    /// Where the parts are, if the call is right.
    #[inline(always)]
    fn new<const SEALS: bool>(key: &'a AlgorithmKey, given: &Given, kind: (bool, bool)) -> Self {
        let (draws, is_joined) = kind;
        let front_len = if draws { key.nonce_len } else { 0 };
        let around = front_len + if is_joined { key.tag_len } else { 0 };
        let joined = if SEALS { given.output.cast_const() } else { given.input };
        let text_len = given.input_len.wrapping_sub(if SEALS { 0 } else { around });
        let text = joined.wrapping_add(front_len).cast_mut();
        let (text, tag) = match is_joined {
            true => text_and_tag(key, text, text_len),
            false => (text, given.tag),
        };
        let nonce = if draws { joined } else { given.nonce };
        let message = Parts {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(given.aad, given.aad_len),
            aad_len: given.aad_len,
            input: if SEALS { given.input } else { text },
            output: if SEALS { text } else { given.output },
            text_len,
            tag,
        };
        Self {
            message,
            kind,
            written_len: if SEALS { text_len.wrapping_add(around) } else { text_len },
        }
    }

    /// The same where a text of no bytes is somewhere.
    fn with_places(mut self) -> Self {
        let message = &mut self.message;
        message.input = not_null(message.input, message.text_len);
        message.output = not_null(message.output, message.text_len).cast_mut();
        self
    }

    #[inline(always)]
    fn is_right_at_once<const SEALS: bool>(&self, given: &Given, told: *const usize) -> bool {
        let (message, key, (draws, is_joined)) = (&self.message, self.message.key, self.kind);
        let lens_fit = given.nonce_len == if draws { 0 } else { key.nonce_len }
            && (given.aads.is_null() && given.aad_count == 0)
            && if is_joined {
                given.tag_len == 0
                    && self.written_len <= given.output_len
                    && plausible([(given.output, given.output_len)])
            } else {
                given.tag_len == key.tag_len
                    && given.output_len == message.text_len
                    && (!draws || key.nonce_len == 0)
            };
        let nonce_fits = !draws
            || key.row.nonce_rule() != NonceRule::Counter
                && (!SEALS || message.has_place_for_its_nonce());
        let parts = [
            (message.nonce, given.nonce_len),
            (message.aad, message.aad_len),
            (given.input, given.input_len),
            (given.output, self.written_len),
            (given.tag, given.tag_len),
        ];
        // Branches, which are taken one way, leave more registers than their sum.
        let told_fits = told.is_aligned() && told_apart(told, parts);
        lens_fit && told_fits && message.is_sound(SEALS, is_joined) && nonce_fits
    }

    /// # Safety
    /// The parts are memory as the header asks, and `told` is null or writable.
    #[inline(always)]
    unsafe fn carry_out<const SEALS: bool>(&self, told: *mut usize) -> Status {
        // SAFETY: the caller's promise; a nonce that is drawn has a place.
        unsafe {
            if SEALS && self.kind.0 {
                let drawn = self.message.draw_nonce();
                if drawn != SIVKA_OK {
                    return drawn;
                }
            }
            tell_len(self.message.carry_out::<SEALS>(), told, self.written_len)
        }
    }
}

/// Writes a length for a caller who wants it, after a success.
///
/// # Safety
/// `out` is null or writable.
#[inline(always)]
unsafe fn tell_len(status: Status, out: *mut usize, len: usize) -> Status {
    if status == SIVKA_OK && !out.is_null() {
        // SAFETY: the caller's promise; no alignment is asked for.
        unsafe { ptr::write_unaligned(out, len) };
    }
    status
}

#[cfg(test)]
mod tests;
