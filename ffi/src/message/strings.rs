//! A list of associated data, which AES-SIV takes (RFC 5297).

use super::Message;
use super::parts::Parts;
use crate::failure::Failure;
use crate::key::AlgorithmKey;
use crate::region::{Region, Span, check_apart};
use crate::status::SIVKA_ERROR_ALGORITHM;
use sivka::{AesSiv256, AesSiv384, AesSiv512, Error, Tag};
use std::any::Any;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The most strings of associated data that a message has.
pub const SIVKA_MAX_STRINGS: usize = 126;
const _: () = assert!(SIVKA_MAX_STRINGS == AesSiv512::MAX_STRINGS);

/// `$call` with a key whose algorithm takes lists.
macro_rules! with_list {
    ($key:expr, |$aes_siv:ident| $call:expr) => {{
        let key: &dyn Any = &*$key.aead;
        if let Some($aes_siv) = key.downcast_ref::<AesSiv512>() {
            Ok($call)
        } else if let Some($aes_siv) = key.downcast_ref::<AesSiv384>() {
            Ok($call)
        } else if let Some($aes_siv) = key.downcast_ref::<AesSiv256>() {
            Ok($call)
        } else {
            let said = format_args!(": the algorithm takes one string of associated data");
            Err(Failure::misuse(SIVKA_ERROR_ALGORITHM, "aads", said))
        }
    }};
}

/// The strings of a list, and where they are described.
pub(super) struct Strings {
    pointers: Region<*const u8>,
    lens: Region<usize>,
}

impl Strings {
    /// The list of a message, if it has one.
    pub(super) fn of(key: &AlgorithmKey, given: &Message) -> Result<Option<Self>, Failure> {
        if given.aads.is_null() && given.aad_count == 0 {
            return Ok(None);
        }
        with_list!(key, |_key| ())?;
        let (limit, count) = (SIVKA_MAX_STRINGS, given.aad_count);
        if count > limit {
            let given = count;
            return Err(Error::TooManyStrings { limit, given }.into());
        }
        if given.aad_len > 0 {
            return Err(Failure::length("aad", 0, given.aad_len));
        }
        Ok(Some(Self {
            pointers: Region::new("aads", given.aads, count)?,
            lens: Region::new("aad_lens", given.aad_lens, count)?,
        }))
    }

    /// # Safety
    /// The arrays are readable, and nothing writes them meanwhile.
    unsafe fn each(&self) -> impl Iterator<Item = Result<Region<u8>, Failure>> {
        // SAFETY: the caller's promise.
        let (pointers, lens) = unsafe { (self.pointers.as_slice(), self.lens.as_slice()) };
        let both = pointers.iter().zip(lens);
        both.map(|(start, len)| Region::new("aads", *start, *len))
    }

    /// Checks that nothing of the list is written.
    ///
    /// # Safety
    /// As [`Self::each`].
    pub(super) unsafe fn check_apart(&self, written: &[Span]) -> Result<(), Failure> {
        check_apart(written, &[self.pointers.span(), self.lens.span()])?;
        // SAFETY: the caller's promise.
        let mut strings = unsafe { self.each() };
        strings.try_for_each(|string| check_apart(written, &[string?.span()]))
    }

    /// Seals or opens with the list.
    ///
    /// # Safety
    /// The parts and the strings are memory as the header asks, and were found to be right.
    pub(super) unsafe fn carry_out<const SEALS: bool>(
        &self,
        parts: &Parts<'_>,
    ) -> Result<(), Failure> {
        let (key, len, tag_len) = (parts.key, parts.text_len, parts.key.tag_len);
        let mut room: [&[u8]; SIVKA_MAX_STRINGS] = [&[]; SIVKA_MAX_STRINGS];
        // SAFETY: the caller's promise; what is written is apart from all that is read, but for
        // an input in the very place of the output, which is then not made a slice of.
        unsafe {
            for (place, string) in room.iter_mut().zip(self.each()) {
                *place = string?.as_slice();
            }
            let strings = &room[..self.lens.len()];
            let output = from_raw_parts_mut(parts.output, len);
            let input = || from_raw_parts(parts.input, len);
            if SEALS {
                let made = with_list!(key, |key| match parts.is_in_place() {
                    true => key.seal_in_place_with_list(strings, output),
                    false => key.seal_into_with_list(input(), strings, output),
                })??;
                from_raw_parts_mut(parts.tag, tag_len).copy_from_slice(made.as_bytes());
            } else {
                let tag = Tag::from(*Region::new("tag", parts.tag, tag_len)?.as_array()?);
                with_list!(key, |key| match parts.is_in_place() {
                    true => key.open_in_place_with_list(strings, output, &tag),
                    false => key.open_into_with_list(input(), strings, &tag, output),
                })??;
            }
        }
        Ok(())
    }
}
