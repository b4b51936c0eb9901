//! Many messages under one key in one call.

mod list;

use crate::failure::{Failure, guard};
use crate::key::{AlgorithmKey, Key};
use crate::region::{Region, check_apart, handle};
use crate::status::{
    SIVKA_ERROR_INTERNAL, SIVKA_ERROR_OPEN, SIVKA_ERROR_REFUSED, SIVKA_ERROR_TOO_LONG, SIVKA_OK,
    Status,
};
use list::{List, Offsets};
use sivka::{BatchAad, BatchText, Error};
use std::mem::MaybeUninit;
use std::{array, slice};

/// How many messages an algorithm is handed at once: enough to keep every lane of the
/// CPU busy, few enough for what is made of each to stay on the stack.
const SLAB_LEN: usize = 256;

/// A batch in the caller's memory.
struct Batch<'a> {
    key: &'a AlgorithmKey,
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

/// What a call answers whose messages have these statuses.
pub(crate) fn verdict(statuses: &[Status]) -> Result<(), Failure> {
    let failed = statuses.iter().filter(|status| **status != SIVKA_OK);
    match failed.count() {
        0 => Ok(()),
        failed => Err(Error::Batch { failed }.into()),
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
            verdict(self.statuses.as_slice())
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
            verdict(self.statuses.as_slice())
        }
    }

    /// The parts that both layouts have, checked for their lengths.
    fn new(
        key: &AlgorithmKey,
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
        let key = unsafe { handle("key", key) }?.algorithm()?;
        let (nonces, tags) = ((nonces, nonces_len), (tags.cast_const(), tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.seal() }
    })
}

/// Opens `count` messages in place, each as sivka_open_detached() would. The arguments
/// are those of sivka_seal_batch(), with tags that are read.
///
/// SIVKA_ERROR_BATCH: some messages did not open, as their statuses say, and hold zeros
/// (for SIVKA_ERROR_OPEN) or their old bytes; all others are open. With any other status,
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
        let key = unsafe { handle("key", key) }?.algorithm()?;
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
        let key = unsafe { handle("key", key) }?.algorithm()?;
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
        let key = unsafe { handle("key", key) }?.algorithm()?;
        let (nonces, tags) = ((nonces, nonces_len), (tags, tags_len));
        // SAFETY: the arguments are as the header asks.
        unsafe { Batch::new(key, count, nonces, aads, texts, tags, statuses)?.open() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
