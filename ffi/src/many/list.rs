//! The AADs or texts of a batch, in each of the layouts that a caller may have.

use super::SLAB_LEN;
use crate::failure::Failure;
use crate::region::{Region, Span};
use crate::status::SIVKA_ERROR_OFFSETS;
use sivka::{BatchAad, BatchText};
use std::fmt;
use std::mem::MaybeUninit;
use std::slice;

/// Room for the offsets of a slab.
pub(super) type Offsets = [MaybeUninit<usize>; SLAB_LEN + 1];

/// Where one byte string for each message is in the caller's memory.
#[derive(Clone, Copy)]
pub(super) enum List {
    /// One string for all messages.
    Common(Region<u8>),
    /// A pointer and a length for each.
    Pointers(&'static str, Region<*const u8>, Region<usize>),
    /// One buffer, and one offset more than there are messages.
    Contiguous(&'static str, Region<u8>, Region<usize>),
}

impl List {
    /// The string of message `index`, which is below the number of messages.
    ///
    /// # Safety
    /// The arrays of the list are readable, and nothing writes them meanwhile.
    // As a call, it hands a region over in memory, in words that are read as one before
    // they have arrived there: a quarter of the time of a batch of short messages.
    #[inline(always)]
    unsafe fn get(&self, index: usize) -> Result<Region<u8>, Failure> {
        match *self {
            Self::Common(all) => Ok(all),
            Self::Pointers(what, pointers, lens) => {
                // SAFETY: the caller's promise.
                let (pointers, lens) = unsafe { (pointers.as_slice(), lens.as_slice()) };
                Region::new(what, pointers[index], lens[index])
            }
            Self::Contiguous(what, buffer, offsets) => {
                // SAFETY: the caller's promise.
                let offsets = unsafe { offsets.as_slice() };
                ascending(what, buffer, &offsets[index..=index + 1])
            }
        }
    }

    /// The strings of so many messages from number `first` on, as AADs. `list` and `offsets`
    /// are room for one of each.
    ///
    /// # Safety
    /// As [`Self::get`], and all strings were checked.
    pub(super) unsafe fn batch_aad<'a>(
        &self,
        first: usize,
        list: &'a mut [&'a [u8]],
        offsets: &'a mut Offsets,
    ) -> Result<BatchAad<'a>, Failure> {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Self::Common(all) => Ok(BatchAad::Common(all.as_slice())),
                Self::Contiguous(what, buffer, all) => {
                    let all = &all.as_slice()[first..=first + list.len()];
                    let (strings, offsets) = covered(what, buffer, all, offsets)?;
                    let bytes = strings.as_slice();
                    Ok(BatchAad::Contiguous { bytes, offsets })
                }
                Self::Pointers(..) => {
                    for (index, string) in (first..).zip(&mut *list) {
                        *string = self.get(index)?.as_slice();
                    }
                    Ok(BatchAad::Slices(list))
                }
            }
        }
    }

    /// The strings of so many messages from number `first` on, as texts. `list` and `offsets`
    /// are room for one of each.
    ///
    /// # Safety
    /// As [`Self::get`]; all strings were checked, are writable, and nothing else uses them.
    pub(super) unsafe fn batch_text<'a, 'b>(
        &self,
        first: usize,
        list: &'a mut [&'b mut [u8]],
        offsets: &'a mut Offsets,
    ) -> Result<BatchText<'a, 'b>, Failure> {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Self::Contiguous(what, buffer, all) => {
                    let all = &all.as_slice()[first..=first + list.len()];
                    let (strings, offsets) = covered(what, buffer, all, offsets)?;
                    let bytes = strings.as_mut_slice();
                    Ok(BatchText::Contiguous { bytes, offsets })
                }
                Self::Common(_) | Self::Pointers(..) => {
                    for (index, string) in (first..).zip(&mut *list) {
                        *string = self.get(index)?.as_mut_slice();
                    }
                    Ok(BatchText::Slices(list))
                }
            }
        }
    }

    /// Checks every string, and returns the memory they cover in order of address.
    ///
    /// # Safety
    /// As [`Self::get`].
    pub(super) unsafe fn spans(&self, count: usize) -> Result<Vec<Span>, Failure> {
        let mut spans = Vec::new();
        let reserved = spans.try_reserve_exact(count.max(1));
        reserved.map_err(|_| Failure::NoMemory)?;
        if let Self::Contiguous(what, buffer, offsets) = *self {
            // SAFETY: the caller's promise.
            let offsets = unsafe { offsets.as_slice() };
            spans.push(ascending(what, buffer, offsets)?.span());
            return Ok(spans);
        }
        for index in 0..count {
            // SAFETY: the caller's promise.
            let span = unsafe { self.get(index) }?.span();
            if !span.bytes.is_empty() {
                spans.push(span);
            }
            if matches!(self, Self::Common(_)) {
                break;
            }
        }
        if !spans.is_sorted_by_key(|span| span.bytes.start) {
            spans.sort_unstable_by_key(|span| span.bytes.start);
        }
        Ok(spans)
    }

    /// The arrays that describe the list.
    pub(super) fn arrays(&self) -> [Span; 2] {
        match self {
            Self::Common(_) => [Span::NONE, Span::NONE],
            Self::Pointers(_, pointers, lens) => [pointers.span(), lens.span()],
            Self::Contiguous(_, _, offsets) => [offsets.span(), Span::NONE],
        }
    }
}

/// What all strings of a buffer cover together: each begins where the one before it ends,
/// so they are apart if their offsets ascend.
fn ascending(
    what: &'static str,
    buffer: Region<u8>,
    offsets: &[usize],
) -> Result<Region<u8>, Failure> {
    let wrong = |index: usize, expected: fmt::Arguments<'_>| {
        let (status, given) = (SIVKA_ERROR_OFFSETS, offsets[index]);
        Failure::expected(status, what, format_args!("number {index}: {expected}"), given)
    };
    let descent = offsets.windows(2).position(|pair| pair[0] > pair[1]);
    if let Some(before) = descent {
        let least = offsets[before];
        return Err(wrong(before + 1, format_args!("at least {least}")));
    }
    let last = offsets.len().saturating_sub(1);
    let until = buffer.first(offsets[last]).map_err(|_| {
        let beyond = offsets.iter().position(|offset| *offset > buffer.len());
        wrong(beyond.unwrap_or(last), format_args!("0 to {}", buffer.len()))
    })?;
    Ok(until.split_at(offsets[0])?.1)
}

/// What these strings of a buffer cover, with their offsets in it: what else the buffer has
/// may be another part of the batch.
fn covered<'a>(
    what: &'static str,
    buffer: Region<u8>,
    offsets: &[usize],
    room: &'a mut Offsets,
) -> Result<(Region<u8>, &'a [usize]), Failure> {
    let strings = ascending(what, buffer, offsets)?;
    let room = &mut room[..offsets.len()];
    for (place, offset) in room.iter_mut().zip(offsets) {
        place.write(offset - offsets[0]);
    }
    // SAFETY: all of them were written just now.
    let offsets = unsafe { slice::from_raw_parts(room.as_ptr().cast(), room.len()) };
    Ok((strings, offsets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_that_is_wrong_is_named_with_what_was_expected() {
        let bytes = [0_u8; 8];
        let buffer = Region::new("texts", bytes.as_ptr(), bytes.len()).expect("memory");
        for (offsets, wrong) in [
            (&[0, 3, 8][..], None),
            (&[8, 8], None),
            (&[2], None),
            (&[0, 3, 2], Some("number 2: at least 3 expected, 2 given")),
            (&[4, 3, 8], Some("number 1: at least 4 expected, 3 given")),
            (&[0, 9, 9], Some("number 1: 0 to 8 expected, 9 given")),
            (&[0, 8, 8, 9, 10], Some("number 3: 0 to 8 expected, 9 given")),
            (&[9], Some("number 0: 0 to 8 expected, 9 given")),
        ] {
            match ascending("offsets", buffer, offsets) {
                Ok(covered) => {
                    assert_eq!(wrong, None, "{offsets:?}");
                    assert_eq!(covered.len(), offsets[offsets.len() - 1] - offsets[0]);
                }
                Err(failure) => {
                    let said = failure.to_string();
                    assert_eq!(said.strip_prefix("offsets: "), wrong);
                }
            }
        }
    }
}
