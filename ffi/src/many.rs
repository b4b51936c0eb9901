//! Many messages under one key in one call.

mod list;

use crate::failure::{Failure, guard};
use crate::handle::handle;
use crate::key::{AlgorithmKey, Key};
use crate::region::{Region, Span, check_apart};
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
        let tags = self.tags.span();
        let (written_tags, read_tags) = match sealing {
            true => (tags, Span::NONE),
            false => (Span::NONE, tags),
        };
        let written = [self.statuses.span(), written_tags];
        let ([a, b], [c, d]) = (self.aads.arrays(), self.texts.arrays());
        let read = [self.nonces.span(), read_tags, a, b, c, d];
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
            check_apart(&texts[next..texts.len().min(next + 1)], slice::from_ref(span))?;
        }
        aads.iter().try_for_each(|aad| check_apart(&written, slice::from_ref(aad)))
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
            let tags = self.tags.split_at(first * tag_len)?.1.first(count * tag_len)?;
            let mut results = [sivka::Status::Done; SLAB_LEN];
            let results = &mut results[..count];
            let mut aads: [&[u8]; SLAB_LEN] = [&[]; SLAB_LEN];
            let mut texts: [&mut [u8]; SLAB_LEN] = array::from_fn(|_| Default::default());
            let mut offsets: [Offsets; 2] = [[MaybeUninit::uninit(); SLAB_LEN + 1]; 2];
            let [aad_offsets, text_offsets] = &mut offsets;
            // SAFETY: as above; texts overlap neither each other nor anything else.
            let done = unsafe {
                let aad = self.aads.batch_aad(first, &mut aads[..count], aad_offsets)?;
                let text = self.texts.batch_text(first, &mut texts[..count], text_offsets)?;
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
}

/// The strings that a caller gave by pointers, if `list` is not null, or in one buffer.
fn list(
    [what, list_what, lens_what, offsets_what]: [&'static str; 4],
    (list, lens): (*const *const u8, *const usize),
    (bytes, len, offsets): (*const u8, usize, *const usize),
    count: usize,
) -> Result<List, Failure> {
    let buffer = Region::new(what, bytes, len)?;
    if !list.is_null() || !lens.is_null() {
        let lens = Region::new(lens_what, lens, count)?;
        return Ok(List::Pointers(what, Region::new(list_what, list, count)?, lens));
    }
    if offsets.is_null() {
        return Ok(List::Common(buffer));
    }
    let offsets = Region::new(offsets_what, offsets, count.saturating_add(1))?;
    Ok(List::Contiguous(offsets_what, buffer, offsets))
}

/// Many messages under one key, sealed and opened in place. Set all to 0 first: what stays NULL is
/// not used. AADs may be one another's memory, and nothing else may overlap.
#[derive(Default)]
#[repr(C)]
pub struct Messages {
    /// How many messages there are.
    pub count: usize,
    /// As many nonces, one after another.
    pub nonces: *const u8,
    /// The length of all nonces.
    pub nonces_len: usize,
    /// The AADs in one buffer: that of message i is `aads[aad_offsets[i]]` up to
    /// `aads[aad_offsets[i + 1]]`.
    pub aads: *const u8,
    /// The length of the buffer.
    pub aads_len: usize,
    /// One offset more than messages; they ascend. NULL: `aads` is that of every message.
    pub aad_offsets: *const usize,
    /// In the place of the buffer, `aad_lens[i]` bytes at `aad_list[i]`.
    pub aad_list: *const *const u8,
    /// The lengths of the AADs in the list.
    pub aad_lens: *const usize,
    /// The texts in one buffer, as Arrow and NumPy lay out strings: message i is
    /// `texts[text_offsets[i]]` up to `texts[text_offsets[i + 1]]`.
    pub texts: *mut u8,
    /// The length of the buffer.
    pub texts_len: usize,
    /// One offset more than there are messages; they ascend.
    pub text_offsets: *const usize,
    /// In the place of the buffer, `text_lens[i]` bytes at `text_list[i]`.
    pub text_list: *const *mut u8,
    /// The lengths of the texts in the list.
    pub text_lens: *const usize,
    /// As many tags, one after another: written in sealing, read in opening.
    pub tags: *mut u8,
    /// The length of all tags.
    pub tags_len: usize,
    /// Gets the status of each message.
    pub statuses: *mut Status,
}

/// The batch that a caller describes.
///
/// # Safety
/// `key` is null or a live key; `given` is null or readable.
unsafe fn batch_of<'a>(key: *const Key, given: *const Messages) -> Result<Batch<'a>, Failure> {
    // SAFETY: the caller's promise.
    let given = unsafe { handle("messages", given) }?;
    let count = given.count;
    let aads = list(
        ["aads", "aads", "aad_lens", "aad_offsets"],
        (given.aad_list, given.aad_lens),
        (given.aads, given.aads_len, given.aad_offsets),
        count,
    )?;
    let texts = list(
        ["texts", "texts", "text_lens", "text_offsets"],
        (given.text_list.cast(), given.text_lens),
        (given.texts, given.texts_len, given.text_offsets),
        count,
    )?;
    if let (List::Common(_), 1..) = (texts, count) {
        return Err(Failure::null("text_offsets"));
    }
    // SAFETY: the caller's promise.
    let key = unsafe { handle("key", key) }?.algorithm()?;
    let all = |what, len| count.checked_mul(len).ok_or_else(|| Failure::too_long(what));
    let (nonces_len, tags_len) = (all("nonces", key.nonce_len)?, all("tags", key.tag_len)?);
    Ok(Batch {
        key,
        count,
        nonces: Region::exactly("nonces", given.nonces, given.nonces_len, nonces_len)?,
        aads,
        texts,
        tags: Region::exactly("tags", given.tags, given.tags_len, tags_len)?,
        statuses: Region::new("statuses", given.statuses, count)?,
    })
}

/// Seals many messages in place, each as sivka_seal() would with a nonce and a tag by themselves.
/// The bytes are the same, but short messages share the CPU and take a fraction of the time.
/// _BATCH: some messages were not done and are as they were, as their statuses say; all others
/// were. With any other status, as _OFFSETS, nothing was done and no status was written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_many(key: *const Key, messages: *const Messages) -> Status {
    // SAFETY: the arguments are as the header asks.
    guard(|| unsafe { batch_of(key, messages)?.seal() })
}

/// Opens many messages in place.
/// _BATCH: some messages did not open, as their statuses say, and hold zeros (for _OPEN) or what
/// they held; all others are open. With any other status it is as for sivka_seal_many().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_many(key: *const Key, messages: *const Messages) -> Status {
    // SAFETY: the arguments are as the header asks.
    guard(|| unsafe { batch_of(key, messages)?.open() })
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
