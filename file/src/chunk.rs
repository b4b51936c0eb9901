//! Chunks of the payload: C2SP chunked-encryption (specification section 6), sealed and opened by
//! many threads.

use crate::derive::{Secret, array, expand, public, publish};
use crate::error::Error;
use crate::header::read_up_to;
use crate::slots::Unlocked;
use crate::suite::{Kind, Suite};
use sivka::{Aead, BatchAad, BatchText, NonceRule, Status};
use std::hint::black_box;
use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bytes of plaintext in every chunk but the last, which has less.
pub const CHUNK_LEN: usize = 16384;
/// The most chunks in a file.
pub const MAX_CHUNKS: u64 = 1 << 38;

pub(crate) const SALT_LEN: usize = 24;
const COMMITMENT_LEN: usize = 32;
/// Bytes of the payload before its first chunk: the salt and the commitment.
pub const PAYLOAD_HEAD_LEN: usize = SALT_LEN + COMMITMENT_LEN;

const INFO: &[u8] = b"c2sp.org/chunked-encryption@v1+";
/// Every suite's.
const KEY_LEN: usize = 32;
/// The longest nonce of any suite.
const MAX_NONCE_LEN: usize = 24;

/// Chunks in the longest batch: 4 MiB.
pub(crate) const MAX_BATCH: usize = 256;
/// Chunks that a thread takes at a time: 256 KiB, which stay in the cache of its core.
const PART: usize = 16;

/// Seals and opens the chunks of one payload.
pub(crate) struct ChunkCipher {
    suite: Suite,
    aead: Box<dyn Aead>,
    base_nonce: Zeroizing<[u8; MAX_NONCE_LEN]>,
    /// Of the headers of a folder's archive (`docs/spec/folder-v1.md`).
    pub(crate) archive_mark: [u8; 8],
}

impl ChunkCipher {
    /// Derives a payload's keys, and its first bytes: the salt, and the commitment to the keys.
    pub(crate) fn derive(
        (suite, kind): (Suite, Kind),
        file_key: &Secret,
        salt: &[u8; SALT_LEN],
    ) -> (Self, [u8; PAYLOAD_HEAD_LEN]) {
        sivka::__making_key(|| {
            let nonce_len = suite.nonce_len();
            let mut okm = Zeroizing::new(vec![0; KEY_LEN + nonce_len + COMMITMENT_LEN]);
            let name = suite.aead_name().as_bytes();
            let context = [kind.number()];
            expand(file_key, &[INFO, name, &[0], salt, &context], &mut okm);
            let mut base_nonce = Zeroizing::new([0; MAX_NONCE_LEN]);
            base_nonce[..nonce_len].copy_from_slice(&okm[KEY_LEN..KEY_LEN + nonce_len]);
            let aead = suite.new_key(&Zeroizing::new(array(&okm, 0)));
            let rule = aead.algorithm().nonce_rule();
            if let NonceRule::Random { first_byte_mask, .. } = rule {
                base_nonce[0] &= first_byte_mask;
            }
            // Nonces are public; these do not travel for want of need.
            public(&mut *base_nonce);
            let mut cipher = Self { suite, aead, base_nonce, archive_mark: [0; 8] };
            expand(file_key, &[b"sivka.folder.v1 mark"], &mut cipher.archive_mark);
            public(&mut cipher.archive_mark);
            (cipher, array(&[&salt[..], &okm[KEY_LEN + nonce_len..]].concat(), 0))
        })
    }

    /// Derives the keys of the payload, of whose first bytes a part may have been read to `bytes`,
    /// and tells whether these are as the header says.
    pub(crate) fn of_payload<R: Read>(
        unlocked: &Unlocked,
        input: &mut R,
        bytes: &mut Vec<u8>,
    ) -> Result<(Self, bool), Error> {
        let at = unlocked.header.len();
        read_up_to(input, bytes, at + PAYLOAD_HEAD_LEN)?;
        let stored = bytes.get(at..at + PAYLOAD_HEAD_LEN);
        let stored = stored.ok_or(Error::Truncated(0))?;
        let (cipher, head) = unlocked.payload();
        Ok((cipher, publish(head.ct_eq(stored))))
    }

    /// Bytes of a whole sealed chunk.
    pub(crate) fn sealed_chunk_len(&self) -> usize {
        CHUNK_LEN + self.tag_len()
    }

    pub(crate) fn tag_len(&self) -> usize {
        self.suite.tag_len()
    }

    /// Seals consecutive chunks, of which the first has the number `chunk`, one after the other.
    /// Each has room for its tag; the last may be short.
    ///
    /// One chunk alone is sealed as a batch too, which overwrites the keys that it leaves on the
    /// stack. A short call leaves that to the end of the key, perhaps in another thread.
    pub(crate) fn seal_all(&self, chunk: u64, chunks: &mut [u8]) -> Result<(), Error> {
        let mut batch = ChunkBatch::new(self, chunk, chunks)?;
        let text = BatchText::Slices(&mut batch.texts);
        let (nonces, tags) = (&batch.nonces, &mut batch.tags);
        self.aead
            .seal_batch(nonces, self.aad(), text, tags, &mut batch.statuses)
            .map_err(Error::Aead)?;
        for (place, tag) in batch.places.iter_mut().zip(tags.chunks(self.tag_len())) {
            place.copy_from_slice(tag);
        }
        Ok(())
    }

    /// Opens what [`Self::seal_all`] sealed. Returns how many chunks opened before the first that
    /// does not, and the error of that one, [`sivka::Error::Open`] if it is not authentic. What
    /// lies after it in the buffer must not be used, and none of its plaintext is there.
    pub(crate) fn open_all(&self, chunk: u64, chunks: &mut [u8]) -> (usize, Result<(), Error>) {
        let mut batch = match ChunkBatch::new(self, chunk, chunks) {
            Ok(batch) => batch,
            Err(error) => return (0, Err(error)),
        };
        for (tag, place) in batch.tags.chunks_mut(self.tag_len()).zip(&batch.places) {
            tag.copy_from_slice(place);
        }
        let text = BatchText::Slices(&mut batch.texts);
        let (nonces, statuses) = (&batch.nonces, &mut batch.statuses);
        let opened = self.aead.open_batch(nonces, self.aad(), text, &batch.tags, statuses);
        // Chunks keep the limits and tags their length, so a message that was not done did
        // not open; any other error is the whole call's.
        match opened {
            Ok(()) => (statuses.len(), Ok(())),
            Err(sivka::Error::Batch { .. }) => {
                let opened = |status: &&Status| **status == Status::Done;
                let done = statuses.iter().take_while(opened).count();
                (done, Err(Error::Aead(sivka::Error::Open)))
            }
            Err(error) => (0, Err(Error::Aead(error))),
        }
    }

    /// [`Self::open_all`] of one chunk, which may be short; whether it is authentic.
    pub(crate) fn open(&self, chunk: u64, in_out: &mut [u8]) -> Result<bool, Error> {
        match self.open_all(chunk, in_out).1 {
            Err(Error::Aead(sivka::Error::Open)) => Ok(false),
            opened => opened.map(|()| true),
        }
    }

    fn aad(&self) -> BatchAad<'static> {
        BatchAad::Common(self.suite.chunk_aad())
    }

    /// The base nonce XOR the chunk's number as a big-endian integer of the nonce's length.
    fn nonce(&self, chunk: u64) -> [u8; MAX_NONCE_LEN] {
        let mut nonce = *self.base_nonce;
        let end = self.suite.nonce_len();
        for (byte, number) in nonce[end - 8..end].iter_mut().zip(chunk.to_be_bytes()) {
            *byte ^= number;
        }
        nonce
    }
}

/// Chunks, as a batch takes them.
struct ChunkBatch<'a> {
    nonces: Vec<u8>,
    texts: Vec<&'a mut [u8]>,
    /// Where each chunk has its tag.
    places: Vec<&'a mut [u8]>,
    tags: Vec<u8>,
    statuses: Vec<Status>,
}

impl<'a> ChunkBatch<'a> {
    fn new(cipher: &ChunkCipher, chunk: u64, chunks: &'a mut [u8]) -> Result<Self, Error> {
        let count = chunks.len().div_ceil(cipher.sealed_chunk_len());
        let mut batch = Self {
            nonces: Vec::with_capacity(count * MAX_NONCE_LEN),
            texts: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            tags: vec![0; count * cipher.tag_len()],
            statuses: vec![Status::Done; count],
        };
        let numbered = (chunk..).zip(chunks.chunks_mut(cipher.sealed_chunk_len()));
        for (chunk, in_out) in numbered {
            let text_len = in_out.len().checked_sub(cipher.tag_len());
            let text_len = text_len.ok_or(Error::Aead(sivka::Error::Open))?;
            let (text, tag) = in_out.split_at_mut(text_len);
            let nonce = cipher.nonce(chunk);
            let nonce = &nonce[..cipher.suite.nonce_len()];
            batch.nonces.extend_from_slice(nonce);
            batch.texts.push(text);
            batch.places.push(tag);
        }
        Ok(batch)
    }
}

/// Consecutive chunks, whose sealed form lies without gaps. Wiped when dropped.
pub(crate) struct Batch {
    pub(crate) buffer: Zeroizing<Vec<u8>>,
    /// The number of the first chunk.
    pub(crate) first: u64,
    stride: usize,
}

impl Batch {
    /// A batch with room for so many chunks.
    pub(crate) fn new(cipher: &ChunkCipher, chunks: usize) -> Result<Self, Error> {
        let stride = cipher.sealed_chunk_len();
        Ok(Self { buffer: zeros(chunks * stride)?, first: 0, stride })
    }

    /// How many chunks there is room for.
    pub(crate) fn room(&self) -> usize {
        self.buffer.len() / self.stride
    }

    /// Makes an empty batch as long as the next one shall be. It is not lengthened: that would
    /// leave copies of plaintext behind.
    pub(crate) fn set_room(&mut self, chunks: usize) -> Result<(), Error> {
        if self.room() != chunks {
            self.buffer = zeros(chunks * self.stride)?;
        }
        Ok(())
    }

    /// The room of the batch after one that was filled: little is needed for a short file.
    pub(crate) fn next_room(&self) -> usize {
        (4 * self.room()).min(MAX_BATCH)
    }

    /// Does `work` on the first `count` chunks, in this thread and in as many others as are of
    /// use, and `meanwhile` in this thread before. `work` gets the number of a chunk and some
    /// from it on, and gives how many it did. What comes back is how many were done before the
    /// first that was not, and the error of that one.
    pub(crate) fn run<T>(
        &mut self,
        count: usize,
        threads: Option<NonZeroUsize>,
        work: impl Fn(u64, &mut [u8]) -> (usize, Result<(), Error>) + Sync,
        meanwhile: impl FnOnce() -> T,
    ) -> (usize, Result<(), Error>, T) {
        let (first, chunks) = (self.first, &mut self.buffer[..count * self.stride]);
        let parts = chunks.chunks_mut(PART * self.stride);
        let mut parts: Vec<_> = parts.map(|part| (part, (0, Ok(())))).collect();
        let threads = if parts.len() > 1 { cores(threads).min(parts.len()) } else { 1 };
        let next = Mutex::new((0..).step_by(PART).zip(&mut parts));
        // The scope passes a panic elsewhere on to the caller.
        let work_all = || {
            loop {
                let next = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((at, (part, outcome))) = next else {
                    return;
                };
                *outcome = work(first + at, part);
            }
        };
        let work_here = || (meanwhile(), work_all()).0;
        let done_meanwhile = match threads > 1 && has_memory() {
            false => work_here(),
            true => thread::scope(|scope| {
                for _ in 1..threads {
                    // A system that gives no more threads gets the same bytes from fewer.
                    let thread = thread::Builder::new();
                    if thread.spawn_scoped(scope, work_all).is_err() {
                        break;
                    }
                }
                work_here()
            }),
        };
        let outcomes = parts.into_iter().map(|(_, outcome)| outcome).enumerate();
        for (number, (done, outcome)) in outcomes {
            if outcome.is_err() {
                return (number * PART + done, outcome, done_meanwhile);
            }
        }
        (count, Ok(()), done_meanwhile)
    }

    /// Plaintext bytes from `at` on that lie together in a batch of chunks that are apart by
    /// their tags, up to `end`.
    pub(crate) fn plaintext(&mut self, at: usize, end: usize) -> &mut [u8] {
        let (chunk, within) = (at / CHUNK_LEN, at % CHUNK_LEN);
        let len = (CHUNK_LEN - within).min(end - at);
        &mut self.buffer[chunk * self.stride + within..][..len]
    }
}

/// A plain `vec!` would end the process when memory is short.
fn zeros(len: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(len).map_err(|_| Error::NoMemory((len >> 10) as u32))?;
    zeros.resize(len, 0);
    Ok(Zeroizing::new(zeros))
}

/// Whether there is memory for the stacks of threads: to begin one without ends the process.
pub(crate) fn has_memory() -> bool {
    black_box(&mut Vec::<u8>::new()).try_reserve_exact(MAX_BATCH * CHUNK_LEN).is_ok()
}

/// How many threads may work, as asked, or else one for each core: Linux reads files to tell it.
fn cores(asked: Option<NonZeroUsize>) -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.map_or_else(|| *CORES.get_or_init(cores), NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No file of a test has so many chunks as their numbers allow.
    #[test]
    fn every_bit_of_a_chunks_number_is_in_its_nonce() {
        for &suite in Suite::ALL {
            let content = (suite, Kind::File);
            let (cipher, _) = ChunkCipher::derive(content, &Secret::default(), &[7; SALT_LEN]);
            assert_eq!(cipher.archive_mark, [135, 176, 127, 110, 111, 22, 26, 100]);
            let end = suite.nonce_len();
            for bit in 0..64 {
                let mut expected = cipher.nonce(0);
                expected[end - 1 - bit / 8] ^= 1 << (bit % 8);
                assert_eq!(cipher.nonce(1 << bit), expected, "{} {bit}", suite.name());
            }
        }
    }
}
