//! Many messages under one key in one call.

use crate::failure::{Failure, guard};
use crate::key::Key;
use crate::region::{Region, Span, check_apart, handle};
use crate::status::{
    SIVKA_ERROR_INTERNAL, SIVKA_ERROR_OPEN, SIVKA_ERROR_REFUSED, SIVKA_ERROR_TOO_LONG, SIVKA_OK,
    Status,
};
use sivka::{BatchAad, BatchText, Error};
use std::mem::MaybeUninit;
use std::{array, slice};

/// How many messages an algorithm is handed at once: enough to keep every lane of the
/// CPU busy, few enough for what is made of each to stay on the stack.
const SLAB_LEN: usize = 256;

/// Room for the offsets of a slab.
type Offsets = [MaybeUninit<usize>; SLAB_LEN + 1];

/// Where one byte string for each message is in the caller's memory.
#[derive(Clone, Copy)]
enum List {
    /// One string for all messages.
    Common(Region<u8>),
    /// A pointer and a length for each.
    Pointers(&'static str, Region<*const u8>, Region<usize>),
    /// One buffer, and one offset more than there are messages.
    Contiguous(&'static str, Region<u8>, Region<usize>),
}

impl List {
    fn pointers(
        (what, lens_what): (&'static str, &'static str),
        pointers: *const *const u8,
        lens: *const usize,
        count: usize,
    ) -> Result<Self, Failure> {
        let lens = Region::new(lens_what, lens, count)?;
        Ok(Self::Pointers(
            what,
            Region::new(what, pointers, count)?,
            lens,
        ))
    }

    fn contiguous(
        what: &'static str,
        buffer: Region<u8>,
        offsets: *const usize,
        count: usize,
    ) -> Result<Self, Failure> {
        let offsets = Region::new(what, offsets, count.saturating_add(1))?;
        Ok(Self::Contiguous(what, buffer, offsets))
    }

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
                let wrong = |_| Failure::Offsets {
                    what,
                    index: index + 1,
                };
                let until = buffer.first(offsets[index + 1]).map_err(wrong)?;
                let (_, string) = until.split_at(offsets[index]).map_err(wrong)?;
                Ok(string)
            }
        }
    }

    /// The strings of so many messages from number `first` on, as AADs. `list` and `offsets`
    /// are room for one of each.
    ///
    /// # Safety
    /// As [`Self::get`], and all strings were checked.
    unsafe fn batch_aad<'a>(
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
    unsafe fn batch_text<'a, 'b>(
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
    unsafe fn spans(&self, count: usize) -> Result<Vec<Span>, Failure> {
        if let Self::Contiguous(what, buffer, offsets) = *self {
            // SAFETY: the caller's promise.
            let offsets = unsafe { offsets.as_slice() };
            return Ok(vec![ascending(what, buffer, offsets)?.span()]);
        }
        let mut spans = Vec::new();
        spans
            .try_reserve_exact(count)
            .map_err(|_| Failure::NoMemory)?;
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
    fn arrays(&self) -> [Option<Span>; 2] {
        match self {
            Self::Common(_) => [None, None],
            Self::Pointers(_, pointers, lens) => [Some(pointers.span()), Some(lens.span())],
            Self::Contiguous(_, _, offsets) => [Some(offsets.span()), None],
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
    let descent = offsets.windows(2).position(|pair| pair[0] > pair[1]);
    let last = offsets.len().saturating_sub(1);
    let wrong = |index| Failure::Offsets { what, index };
    if let Some(index) = descent {
        return Err(wrong(index + 1));
    }
    let (first, end) = (offsets[0], offsets[last]);
    let until = buffer.first(end).map_err(|_| {
        let beyond = offsets.iter().position(|offset| *offset > buffer.len());
        wrong(beyond.unwrap_or(last))
    })?;
    Ok(until.split_at(first)?.1)
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

/// A batch in the caller's memory.
struct Batch<'a> {
    key: &'a Key,
    count: usize,
    nonces: Region<u8>,
    aads: List,
    texts: List,
    tags: Region<u8>,
    statuses: Region<Status>,
}

impl Batch<'_> {
    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn check(&self, sealing: bool) -> Result<(), Failure> {
        let (tags, statuses) = (self.tags.span(), self.statuses.span());
        let mut written = vec![statuses];
        let mut read = vec![self.nonces.span()];
        read.extend(
            self.aads
                .arrays()
                .into_iter()
                .chain(self.texts.arrays())
                .flatten(),
        );
        if sealing {
            written.push(tags);
        } else {
            read.push(tags);
        }
        check_apart(&written, &read)?;
        // SAFETY: the caller's promise.
        let (texts, aads) =
            unsafe { (self.texts.spans(self.count)?, self.aads.spans(self.count)?) };
        for pair in texts.windows(2) {
            check_apart(&pair[..1], &pair[1..])?;
        }
        for span in written.iter().chain(&read).chain(&aads) {
            // The first text that ends beyond the beginning of the span.
            let next = texts.partition_point(|text| text.bytes.end <= span.bytes.start);
            check_apart(
                &texts[next..texts.len().min(next + 1)],
                slice::from_ref(span),
            )?;
        }
        aads.iter()
            .try_for_each(|aad| check_apart(&written, slice::from_ref(aad)))
    }

    /// Hands the messages on, slab by slab: `call` gets the nonces, the AADs, the texts, and
    /// where the tags are.
    ///
    /// # Safety
    /// The parts are memory as the header asks, and [`Self::check`] passed.
    unsafe fn run(
        &self,
        call: impl Fn(
            &[u8],
            BatchAad<'_>,
            BatchText<'_, '_>,
            Region<u8>,
            &mut [sivka::Status],
        ) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        let (nonce_len, tag_len) = (self.key.nonce_len, self.key.tag_len);
        // SAFETY: the caller's promise; `check` found the parts apart.
        let (nonces, statuses) = unsafe { (self.nonces.as_slice(), self.statuses.as_mut_slice()) };
        for (slab, statuses) in statuses.chunks_mut(SLAB_LEN).enumerate() {
            let (first, count) = (slab * SLAB_LEN, statuses.len());
            let nonces = &nonces[first * nonce_len..(first + count) * nonce_len];
            let tags = self
                .tags
                .split_at(first * tag_len)?
                .1
                .first(count * tag_len)?;
            let mut results = [sivka::Status::Done; SLAB_LEN];
            let results = &mut results[..count];
            let mut aads: [&[u8]; SLAB_LEN] = [&[]; SLAB_LEN];
            let mut texts: [&mut [u8]; SLAB_LEN] = array::from_fn(|_| Default::default());
            let mut offsets: [Offsets; 2] = [[MaybeUninit::uninit(); SLAB_LEN + 1]; 2];
            let [aad_offsets, text_offsets] = &mut offsets;
            // SAFETY: as above; texts overlap neither each other nor anything else.
            let done = unsafe {
                let aad = self
                    .aads
                    .batch_aad(first, &mut aads[..count], aad_offsets)?;
                let text = self
                    .texts
                    .batch_text(first, &mut texts[..count], text_offsets)?;
                call(nonces, aad, text, tags, results)
            };
            match done {
                Ok(()) | Err(Error::Batch { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            for (status, result) in statuses.iter_mut().zip(results) {
                *status = status_of(*result);
            }
        }
        Ok(())
    }
}

/// The status of one message.
pub(crate) fn status_of(result: sivka::Status) -> Status {
    match result {
        sivka::Status::Done => SIVKA_OK,
        sivka::Status::NotOpened => SIVKA_ERROR_OPEN,
        sivka::Status::TooLong => SIVKA_ERROR_TOO_LONG,
        sivka::Status::Refused => SIVKA_ERROR_REFUSED,
        _ => SIVKA_ERROR_INTERNAL,
    }
}

impl Batch<'_> {
    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn seal(&self) -> Result<(), Failure> {
        let aead = &self.key.aead;
        // SAFETY: the caller's promise.
        unsafe {
            self.check(true)?;
            self.run(|nonces, aad, text, tags, results| {
                aead.seal_batch(nonces, aad, text, tags.as_mut_slice(), results)
            })?;
            self.verdict()
        }
    }

    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn open(&self) -> Result<(), Failure> {
        let aead = &self.key.aead;
        // SAFETY: the caller's promise.
        unsafe {
            self.check(false)?;
            self.run(|nonces, aad, text, tags, results| {
                aead.open_batch(nonces, aad, text, tags.as_slice(), results)
            })?;
            self.verdict()
        }
    }

    /// # Safety
    /// The statuses were written.
    unsafe fn verdict(&self) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        let statuses = unsafe { self.statuses.as_slice() };
        match statuses
            .iter()
            .filter(|status| **status != SIVKA_OK)
            .count()
        {
            0 => Ok(()),
            failed => Err(sivka::Error::Batch { failed }.into()),
        }
    }

    /// The parts that both layouts have, checked for their lengths.
    fn new(
        key: &Key,
        count: usize,
        nonces: (*const u8, usize),
        aads: List,
        texts: List,
        tags: (*const u8, usize),
        statuses: *mut Status,
    ) -> Result<Batch<'_>, Failure> {
        let all = |what, len| count.checked_mul(len).ok_or(Failure::TooLong { what });
        let nonces_len = all("nonces", key.nonce_len)?;
        let tags_len = all("tags", key.tag_len)?;
        Ok(Batch {
            key,
            count,
            nonces: Region::exactly("nonces", nonces.0, nonces.1, nonces_len)?,
            aads,
            texts,
            tags: Region::exactly("tags", tags.0, tags.1, tags_len)?,
            statuses: Region::new("statuses", statuses, count)?,
        })
    }
}

/// The AADs of a batch by pointers; none at all if both arrays are null.
fn aad_pointers(aads: *const *const u8, lens: *const usize, count: usize) -> Result<List, Failure> {
    if aads.is_null() && lens.is_null() {
        Ok(List::Common(Region::new("aads", aads.cast(), 0)?))
    } else {
        List::pointers(("aads", "aad_lens"), aads, lens, count)
    }
}

/// The AADs of a batch in one buffer; the whole buffer for each without offsets.
fn aad_contiguous(
    aads: *const u8,
    aads_len: usize,
    offsets: *const usize,
    count: usize,
) -> Result<List, Failure> {
    let buffer = Region::new("aads", aads, aads_len)?;
    if offsets.is_null() {
        Ok(List::Common(buffer))
    } else {
        List::contiguous("aad_offsets", buffer, offsets, count)
    }
}

/// Seals `count` messages in place, each as sivka_seal_detached() would: the same bytes,
/// but short messages share the CPU and take a fraction of the time.
///
/// `nonces` holds `count` nonces, one after another, and `tags` gets `count` tags in the
/// same way; `nonces_len` and `tags_len` are all of them in bytes. Message i is the
/// `text_lens[i]` bytes at `texts[i]`, with the `aad_lens[i]` bytes at `aads[i]`; without
/// any AAD, both arrays are NULL. AADs may be one another's memory, and nothing else may
/// overlap. `statuses[i]` gets the status of message i.
///
/// SIVKA_ERROR_BATCH: some messages were not done and are as they were, as their
/// statuses say; all others were. With any other status, nothing was done and no status
/// was written: SIVKA_ERROR_NULL, _LENGTH, _TOO_LONG, _ALIGNMENT, _OVERLAP, _SELF_CHECK,
/// _NO_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_batch(
    key: *const Key,
    count: usize,
    nonces: *const u8,
    nonces_len: usize,
    aads: *const *const u8,
    aad_lens: *const usize,
    texts: *const *mut u8,
    text_lens: *const usize,
    tags: *mut u8,
    tags_len: usize,
    statuses: *mut Status,
) -> Status {
    guard(|| {
        let aads = aad_pointers(aads, aad_lens, count)?;
        let texts = List::pointers(("texts", "text_lens"), texts.cast(), text_lens, count)?;
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let (nonces, tags) = ((nonces, nonces_len), (tags.cast_const(), tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.seal() }
    })
}

/// Opens `count` messages in place, each as sivka_open_detached() would. The arguments
/// are those of sivka_seal_batch(), with tags that are read.
///
/// SIVKA_ERROR_BATCH: some messages did not open, as their statuses say, and hold zeros
/// (for SIVKA_ERROR_OPEN) or what they held; all others are open. With any other status,
/// nothing was done and no status was written: as sivka_seal_batch().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_batch(
    key: *const Key,
    count: usize,
    nonces: *const u8,
    nonces_len: usize,
    aads: *const *const u8,
    aad_lens: *const usize,
    texts: *const *mut u8,
    text_lens: *const usize,
    tags: *const u8,
    tags_len: usize,
    statuses: *mut Status,
) -> Status {
    guard(|| {
        let aads = aad_pointers(aads, aad_lens, count)?;
        let texts = List::pointers(("texts", "text_lens"), texts.cast(), text_lens, count)?;
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let (nonces, tags) = ((nonces, nonces_len), (tags, tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.open() }
    })
}

/// sivka_seal_batch() for messages that are in one buffer, as Arrow and NumPy lay out
/// strings: message i is `texts[text_offsets[i]]` up to `texts[text_offsets[i + 1]]`, so
/// there is one offset more than messages. Offsets ascend; the last one is at most
/// `texts_len`. The AADs are in `aads` in the same way; if `aad_offsets` is NULL, all
/// of `aads` is the AAD of every message.
///
/// As sivka_seal_batch(), and SIVKA_ERROR_OFFSETS with nothing done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_batch_contiguous(
    key: *const Key,
    count: usize,
    nonces: *const u8,
    nonces_len: usize,
    aads: *const u8,
    aads_len: usize,
    aad_offsets: *const usize,
    texts: *mut u8,
    texts_len: usize,
    text_offsets: *const usize,
    tags: *mut u8,
    tags_len: usize,
    statuses: *mut Status,
) -> Status {
    guard(|| {
        let aads = aad_contiguous(aads, aads_len, aad_offsets, count)?;
        let buffer = Region::new("texts", texts, texts_len)?;
        let texts = List::contiguous("text_offsets", buffer, text_offsets, count)?;
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let (nonces, tags) = ((nonces, nonces_len), (tags.cast_const(), tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.seal() }
    })
}

/// sivka_open_batch() for messages that are in one buffer. The arguments are those of
/// sivka_seal_batch_contiguous(), with tags that are read.
///
/// As sivka_open_batch(), and SIVKA_ERROR_OFFSETS with nothing done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_batch_contiguous(
    key: *const Key,
    count: usize,
    nonces: *const u8,
    nonces_len: usize,
    aads: *const u8,
    aads_len: usize,
    aad_offsets: *const usize,
    texts: *mut u8,
    texts_len: usize,
    text_offsets: *const usize,
    tags: *const u8,
    tags_len: usize,
    statuses: *mut Status,
) -> Status {
    guard(|| {
        let aads = aad_contiguous(aads, aads_len, aad_offsets, count)?;
        let buffer = Region::new("texts", texts, texts_len)?;
        let texts = List::contiguous("text_offsets", buffer, text_offsets, count)?;
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let (nonces, tags) = ((nonces, nonces_len), (tags, tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.open() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_that_is_wrong_is_named() {
        let bytes = [0_u8; 8];
        let buffer = Region::new("texts", bytes.as_ptr(), bytes.len()).expect("memory");
        for (offsets, wrong) in [
            (&[0, 3, 8][..], None),
            (&[8, 8], None),
            (&[2], None),
            (&[0, 3, 2], Some(2)),
            (&[4, 3, 8], Some(1)),
            (&[0, 9, 9], Some(1)),
            (&[0, 8, 8, 9, 10], Some(3)),
            (&[9], Some(0)),
        ] {
            let index = match ascending("offsets", buffer, offsets) {
                Ok(covered) => {
                    assert_eq!(covered.len(), offsets[offsets.len() - 1] - offsets[0]);
                    None
                }
                Err(Failure::Offsets { index, .. }) => Some(index),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(index, wrong, "{offsets:?}");
        }
    }

    #[test]
    fn each_outcome_of_a_message_has_a_status() {
        for (outcome, status) in [
            (sivka::Status::Done, SIVKA_OK),
            (sivka::Status::NotOpened, SIVKA_ERROR_OPEN),
            (sivka::Status::TooLong, SIVKA_ERROR_TOO_LONG),
            (sivka::Status::Refused, SIVKA_ERROR_REFUSED),
        ] {
            assert_eq!(status_of(outcome), status);
        }
    }
}
