//! Recovering what is intact of a damaged file.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
use crate::error::Error;
use crate::header::{Header, read_header};
use crate::reader::OpenOptions;
use crate::slot::Unlock;
use crate::suite::Kind;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use zeroize::Zeroizing;

/// What [`salvage`] found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Salvage {
    /// The kind of the content.
    pub kind: Kind,
    /// Bytes of plaintext that were intact.
    pub intact_len: u64,
    /// Zeros written instead of lost plaintext, in bytes.
    pub lost_len: u64,
    /// The length of the plaintext in bytes, if the last chunk is intact and proves it.
    /// Otherwise the last chunk was cut short, extended, damaged or is missing: how much
    /// plaintext followed cannot be known.
    pub plaintext_len: Option<u64>,
    /// What every header of a folder's archive has: content that has it not is none.
    pub archive_mark: [u8; 8],
    /// What opening says of the file.
    error: Option<Error>,
}

impl Salvage {
    /// Whether nothing at all was wrong.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.error.is_none()
    }

    /// Whether all of the plaintext was recovered and proved: then the output is the original.
    #[must_use]
    pub fn content_is_whole(&self) -> bool {
        self.lost_len == 0 && self.plaintext_len.is_some()
    }

    /// The error of opening the same file with the same keys; `None` if nothing is wrong with it.
    #[must_use]
    pub fn open_error(&self) -> Option<&Error> {
        self.error.as_ref()
    }
}

/// Writes every intact chunk of a damaged file at its place in the plaintext, with zeros for lost
/// chunks, and reports each lost byte range of the plaintext.
///
/// A chunk is intact if it is authentic at its own place, also between unreadable ones on a failing
/// disk. Inserted or removed bytes lose everything after them. Neighbouring lost chunks are
/// reported as one range, in order. `progress` is called with the bytes of plaintext done so far.
///
/// One copy of the header must be whole. The payload's salt and commitment may be damaged: the
/// header says both.
///
/// The output of a damaged file is not the original. Never treat it as such.
///
/// # Errors
/// As [`Reader`](crate::Reader), but none for damage in a chunk, or at the end.
pub fn salvage<R: Read + Seek, W: Write>(
    mut input: R,
    mut output: W,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    mut lost: impl FnMut(Range<u64>),
    mut progress: impl FnMut(u64),
) -> Result<Salvage, Error> {
    let start = input.stream_position()?;
    let end = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(start))?;
    let mut bytes = read_header(&mut input)?;
    let unlocked = Header::parse(&bytes)?.unlock(keys, options.max_cost)?;
    let (cipher, is_right) = ChunkCipher::of_payload(&unlocked, &mut input, &mut bytes)?;
    let mut found = Salvage {
        kind: unlocked.kind,
        error: (!is_right).then_some(Error::PayloadMismatch),
        archive_mark: cipher.archive_mark,
        ..Salvage::default()
    };

    let sealed_chunk_len = cipher.sealed_chunk_len() as u64;
    let chunks_at = start + (unlocked.header.len() + PAYLOAD_HEAD_LEN) as u64;
    let body_len = end.saturating_sub(chunks_at);
    if body_len / sealed_chunk_len >= MAX_CHUNKS {
        return Err(Error::TooLong);
    }
    let end_is_missing = body_len % sealed_chunk_len < cipher.tag_len() as u64;
    let chunks = body_len / sealed_chunk_len + u64::from(!end_is_missing);
    let mut chunk = Zeroizing::new(vec![0; cipher.sealed_chunk_len()]);
    let (mut lost_from, mut first_lost) = (None, None);
    for number in 0..chunks {
        let offset = number * sealed_chunk_len;
        let sealed_len = sealed_chunk_len.min(body_len - offset) as usize;
        let text_len = sealed_len - cipher.tag_len();
        let position = number * CHUNK_LEN as u64;
        let sealed = &mut chunk[..sealed_len];
        // A place that cannot be read is a lost chunk, not the end of the rescue.
        let read = input.seek(SeekFrom::Start(chunks_at + offset));
        let read = read.and_then(|_| input.read_exact(sealed));
        if read.is_ok() && cipher.open(number, sealed)? {
            if let Some(from) = lost_from.take() {
                lost(from..position);
            }
            found.intact_len += text_len as u64;
            if text_len < CHUNK_LEN {
                found.plaintext_len = Some(position + text_len as u64);
            }
        } else {
            chunk.fill(0);
            lost_from.get_or_insert(position);
            first_lost.get_or_insert(number);
            found.lost_len += text_len as u64;
        }
        output.write_all(&chunk[..text_len]).map_err(Error::Write)?;
        progress(position + text_len as u64);
    }
    if let Some(from) = lost_from {
        lost(from..found.intact_len + found.lost_len);
    }
    output.flush().map_err(Error::Write)?;
    let error = match first_lost {
        Some(chunk) if end_is_missing || chunk + 1 < chunks => Some(Error::Damaged(chunk)),
        Some(chunk) => Some(Error::Truncated(chunk)),
        None => end_is_missing.then_some(Error::Truncated(chunks)),
    };
    found.error = found.error.or(error);
    Ok(found)
}
