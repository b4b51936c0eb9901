//! Recovering what is intact of a damaged file.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
use crate::error::Error;
use crate::header::{Header, seek_header};
use crate::passphrase::Work;
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
    /// Chunks that were intact and written.
    pub intact_chunks: u64,
    /// Chunks in whose place zeros were written.
    pub lost_chunks: u64,
    /// Bytes of plaintext that were intact.
    pub intact_len: u64,
    /// Zeros written instead of lost plaintext, in bytes.
    pub lost_len: u64,
    /// The file ends between two chunks: the end is missing, and how much plaintext
    /// followed cannot be known.
    pub end_is_missing: bool,
    /// The length of the plaintext in bytes, if the last chunk is intact and proves it.
    /// Otherwise the last chunk was cut short, extended, damaged or is missing.
    pub plaintext_len: Option<u64>,
    /// Neither copy of the header is whole with a right MAC. The file key was proved by the
    /// payload's commitment.
    pub header_is_damaged: bool,
    /// The payload's commitment is wrong. The file key was proved by the header's MAC.
    pub commitment_is_damaged: bool,
    /// What opening says of the file.
    error: Option<Error>,
}

impl Salvage {
    /// Whether nothing at all was wrong.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.error.is_none()
    }

    /// Whether all of the plaintext was recovered and proved, whatever is wrong with the header:
    /// then the output is the original.
    #[must_use]
    pub fn content_is_whole(&self) -> bool {
        self.lost_chunks == 0 && self.plaintext_len.is_some()
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
/// One copy of the header must be well formed and have a whole slot that one of `keys` opens, and
/// the payload its salt. Of the header's MAC and the payload's commitment one may be damaged: each
/// proves that the file key is the right one, and without either nothing is opened.
///
/// The output of a damaged file is not the original. Never treat it as such.
///
/// # Errors
/// As [`Reader`](crate::Reader), but none for damage in a chunk, or at the end, nor for an
/// unreadable slot while another opens; [`Error::HeaderDamaged`] if both proofs are damaged.
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
    let (cipher, header_len, mut found) = unlock_damaged(&mut input, keys, options)?;

    let sealed_chunk_len = cipher.sealed_chunk_len() as u64;
    let chunks_at = start + (header_len + PAYLOAD_HEAD_LEN) as u64;
    let body_len = end.saturating_sub(chunks_at);
    if body_len / sealed_chunk_len >= MAX_CHUNKS {
        return Err(Error::TooLong);
    }
    let mut chunk = Zeroizing::new(vec![0; cipher.sealed_chunk_len()]);
    let (mut lost_from, mut first_lost) = (None, None);
    for number in 0..=body_len / sealed_chunk_len {
        let offset = number * sealed_chunk_len;
        let sealed_len = sealed_chunk_len.min(body_len - offset) as usize;
        let Some(text_len) = sealed_len.checked_sub(cipher.tag_len()) else {
            found.end_is_missing = true;
            break;
        };
        let position = number * CHUNK_LEN as u64;
        let sealed = &mut chunk[..sealed_len];
        // A place that cannot be read is a lost chunk, not the end of the rescue.
        let read = input.seek(SeekFrom::Start(chunks_at + offset));
        let read = read.and_then(|_| input.read_exact(sealed));
        if read.is_ok() && cipher.open(number, sealed)? {
            if let Some(from) = lost_from.take() {
                lost(from..position);
            }
            found.intact_chunks += 1;
            found.intact_len += text_len as u64;
            if text_len < CHUNK_LEN {
                found.plaintext_len = Some(position + text_len as u64);
            }
        } else {
            chunk.fill(0);
            lost_from.get_or_insert(position);
            first_lost.get_or_insert(number);
            found.lost_chunks += 1;
            found.lost_len += text_len as u64;
        }
        output.write_all(&chunk[..text_len]).map_err(Error::Write)?;
        progress(position + text_len as u64);
    }
    if let Some(from) = lost_from {
        lost(from..found.intact_len + found.lost_len);
    }
    output.flush().map_err(Error::Write)?;
    let chunks = found.intact_chunks + found.lost_chunks;
    let error = match first_lost {
        Some(chunk) if found.end_is_missing || chunk + 1 < chunks => Some(Error::Damaged(chunk)),
        Some(chunk) => Some(Error::Truncated(chunk)),
        None => (found.end_is_missing).then_some(Error::Truncated(chunks)),
    };
    found.error = found.error.or(error);
    Ok(found)
}

/// Finds the file key and derives the payload's keys with one proof or two: from a whole copy of
/// the header, or else from one whose MAC is wrong.
fn unlock_damaged<R: Read + Seek>(
    input: &mut R,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
) -> Result<(ChunkCipher, usize, Salvage), Error> {
    let mut bytes = seek_header(input)?;
    let header = Header::parse(&bytes)?;
    let refusal = match header.clone().unlock(keys, options.max_cost) {
        Ok(unlocked) => {
            let (content, len) = (unlocked.content(), unlocked.header.len());
            let read = (input, &mut bytes);
            let (cipher, is_right) =
                ChunkCipher::of_payload(content, &unlocked.file_key, read, len)?;
            let found = Salvage {
                kind: content.1,
                commitment_is_damaged: !is_right,
                error: (!is_right).then_some(Error::PayloadMismatch),
                ..Salvage::default()
            };
            return Ok((cipher, len, found));
        }
        Err(refusal) => refusal,
    };
    let mut work = Work::new(options.max_cost);
    let mut is_damaged = false;
    for copy in [Some(header.copy), header.other].into_iter().flatten() {
        let opened = match copy.find_file_key(keys, &mut work) {
            Ok((opened, _)) => opened,
            Err(error @ (Error::NoMemory { .. } | Error::Aead(_))) => return Err(error),
            Err(_) => continue,
        };
        is_damaged = true;
        let (kind, len) = (opened.kind()?, 2 * copy.len);
        let (content, read) = ((copy.suite, kind), (&mut *input, &mut bytes));
        let (cipher, is_right) = ChunkCipher::of_payload(content, &opened.file_key, read, len)?;
        if is_right {
            let found = Salvage {
                kind,
                header_is_damaged: true,
                error: Some(refusal),
                ..Salvage::default()
            };
            return Ok((cipher, len, found));
        }
    }
    Err(match is_damaged {
        true => Error::HeaderDamaged,
        false => refusal,
    })
}
