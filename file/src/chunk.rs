//! One chunk of the payload: C2SP chunked-encryption (specification section 6).

use crate::derive::expand;
use crate::error::Error;
use crate::kind::Kind;
use crate::slot::{FileKey, array};
use crate::suite::Suite;
use crate::verdict::public;
use sivka::{Aead, BatchAad, BatchText, NonceRule, Status};
use zeroize::Zeroizing;

/// Bytes of plaintext in every chunk but the last, which has less.
pub const CHUNK_LEN: usize = 16384;
/// The most chunks in a file.
pub const MAX_CHUNKS: u64 = 1 << 38;

pub(crate) const SALT_LEN: usize = 24;
pub(crate) const COMMITMENT_LEN: usize = 32;
/// Bytes of the payload before its first chunk: the salt and the commitment.
pub const PAYLOAD_HEAD_LEN: usize = SALT_LEN + COMMITMENT_LEN;

const INFO: &[u8] = b"c2sp.org/chunked-encryption@v1+";
/// The longest nonce of any suite.
const MAX_NONCE_LEN: usize = 24;

/// Seals and opens the chunks of one payload.
pub(crate) struct ChunkCipher {
    suite: Suite,
    aead: Box<dyn Aead>,
    base_nonce: Zeroizing<[u8; MAX_NONCE_LEN]>,
}

impl ChunkCipher {
    /// Derives a payload's keys, and the commitment to them.
    pub(crate) fn derive(
        suite: Suite,
        kind: Kind,
        file_key: &FileKey,
        salt: &[u8; SALT_LEN],
    ) -> (Self, [u8; COMMITMENT_LEN]) {
        sivka::__making_key(|| Self::derived(suite, kind, file_key, salt))
    }

    fn derived(
        suite: Suite,
        kind: Kind,
        file_key: &FileKey,
        salt: &[u8; SALT_LEN],
    ) -> (Self, [u8; COMMITMENT_LEN]) {
        let (key_len, nonce_len) = (suite.key_len(), suite.nonce_len());
        let mut okm = Zeroizing::new(vec![0; key_len + nonce_len + COMMITMENT_LEN]);
        let name = suite.aead_name().as_bytes();
        let context = [kind.number()];
        expand(file_key, &[INFO, name, &[0], salt, &context], &mut okm);
        let mut base_nonce = Zeroizing::new([0; MAX_NONCE_LEN]);
        base_nonce[..nonce_len].copy_from_slice(&okm[key_len..key_len + nonce_len]);
        let aead = suite.new_key(&Zeroizing::new(array(&okm, 0)));
        if let NonceRule::Random {
            first_byte_mask, ..
        } = aead.algorithm().nonce_rule()
        {
            base_nonce[0] &= first_byte_mask;
        }
        // Nonces are public; these do not travel for want of need.
        public(&mut *base_nonce);
        let cipher = Self {
            suite,
            aead,
            base_nonce,
        };
        (cipher, array(&okm, key_len + nonce_len))
    }

    /// Bytes of a whole sealed chunk.
    pub(crate) fn sealed_chunk_len(&self) -> usize {
        CHUNK_LEN + self.tag_len()
    }

    pub(crate) fn tag_len(&self) -> usize {
        self.suite.tag_len()
    }

    /// Seals all of `in_out` but its last `tag_len` bytes, which receive the tag.
    ///
    /// As a batch of one: a batch overwrites the keys that it leaves on the stack, which a
    /// short call leaves to the end of the key, and another thread may be that.
    pub(crate) fn seal(&self, chunk: u64, in_out: &mut [u8]) -> Result<(), Error> {
        let (plaintext, tag) = self.split_tag(in_out)?;
        let nonce = self.nonce(chunk);
        let (mut texts, mut statuses) = ([plaintext], [Status::Done]);
        let (aad, text) = self.batch_parts(&mut texts);
        self.aead
            .seal_batch(self.used(&nonce), aad, text, tag, &mut statuses)
            .map_err(Error::Aead)
    }

    /// [`Self::seal`] of consecutive chunks, the first of which has the number `chunk`:
    /// whole ones, one after the other.
    pub(crate) fn seal_whole(&self, chunk: u64, chunks: &mut [u8]) -> Result<(), Error> {
        let mut batch = ChunkBatch::new(self, chunk, chunks)?;
        let (aad, text) = self.batch_parts(&mut batch.texts);
        let tags = &mut batch.tags;
        self.aead
            .seal_batch(&batch.nonces, aad, text, tags, &mut batch.statuses)
            .map_err(Error::Aead)?;
        for (place, tag) in batch.places.iter_mut().zip(tags.chunks(self.tag_len())) {
            place.copy_from_slice(tag);
        }
        Ok(())
    }

    /// [`Self::open_placed`] of consecutive inner chunks, the first of which has the
    /// number `chunk`. Returns how many opened before the first that does not, and the
    /// error of that one; what lies after it in the buffer must not be used.
    pub(crate) fn open_whole(&self, chunk: u64, chunks: &mut [u8]) -> (usize, Result<(), Error>) {
        let mut batch = match ChunkBatch::new(self, chunk, chunks) {
            Ok(batch) => batch,
            Err(error) => return (0, Err(error)),
        };
        for (tag, place) in batch.tags.chunks_mut(self.tag_len()).zip(&batch.places) {
            tag.copy_from_slice(place);
        }
        let (aad, text) = self.batch_parts(&mut batch.texts);
        let (nonces, statuses) = (&batch.nonces, &mut batch.statuses);
        let opened = self
            .aead
            .open_batch(nonces, aad, text, &batch.tags, statuses);
        // Chunks keep the limits and tags their length, so a message that was not done did
        // not open; any other error is the whole call's.
        let (done, error) = match opened {
            Ok(()) => return (batch.statuses.len(), Ok(())),
            Err(sivka::Error::Batch { .. }) => {
                let opened = |status: &&Status| **status == Status::Done;
                let done = batch.statuses.iter().take_while(opened).count();
                (done, sivka::Error::Open)
            }
            Err(error) => (0, error),
        };
        (done, Err(placed(error, chunk + done as u64, Place::Inner)))
    }

    fn batch_parts<'a, 'b>(
        &self,
        texts: &'a mut [&'b mut [u8]],
    ) -> (BatchAad<'static>, BatchText<'a, 'b>) {
        let aad = BatchAad::Common(self.suite.chunk_aad());
        (aad, BatchText::Slices(texts))
    }

    /// Opens all of `in_out` but its last `tag_len` bytes, which are the tag.
    ///
    /// [`Error::Aead`] with [`sivka::Error::Open`] means that the chunk is not
    /// authentic; no plaintext is in the buffer then. As a batch of one, like [`Self::seal`].
    pub(crate) fn open(&self, chunk: u64, in_out: &mut [u8]) -> Result<(), Error> {
        let (ciphertext, tag) = self.split_tag(in_out)?;
        let nonce = self.nonce(chunk);
        let (mut texts, mut statuses) = ([ciphertext], [Status::Done]);
        let (aad, text) = self.batch_parts(&mut texts);
        let opened = self
            .aead
            .open_batch(self.used(&nonce), aad, text, tag, &mut statuses);
        // The chunk keeps the limits, so that it was not done means that it did not open.
        opened.map_err(|error| match error {
            sivka::Error::Batch { .. } => Error::Aead(sivka::Error::Open),
            error => Error::Aead(error),
        })
    }

    /// As [`Self::open`], with a forgery named by its place.
    pub(crate) fn open_placed(
        &self,
        chunk: u64,
        in_out: &mut [u8],
        place: Place,
    ) -> Result<(), Error> {
        self.open(chunk, in_out).map_err(|error| match error {
            Error::Aead(error) => placed(error, chunk, place),
            error => error,
        })
    }

    fn split_tag<'a>(&self, in_out: &'a mut [u8]) -> Result<(&'a mut [u8], &'a mut [u8]), Error> {
        let text_len = in_out.len().checked_sub(self.tag_len());
        let text_len = text_len.ok_or(Error::Aead(sivka::Error::Open))?;
        Ok(in_out.split_at_mut(text_len))
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

    /// What of a nonce at its longest the suite uses.
    fn used<'a>(&self, nonce: &'a [u8; MAX_NONCE_LEN]) -> &'a [u8] {
        &nonce[..self.suite.nonce_len()]
    }
}

/// Whole chunks, as a batch takes them.
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
        let count = chunks.len() / cipher.sealed_chunk_len();
        let mut batch = Self {
            nonces: Vec::with_capacity(count * MAX_NONCE_LEN),
            texts: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            tags: vec![0; count * cipher.tag_len()],
            statuses: vec![Status::Done; count],
        };
        let numbered = (chunk..).zip(chunks.chunks_exact_mut(cipher.sealed_chunk_len()));
        for (chunk, in_out) in numbered {
            let (text, tag) = cipher.split_tag(in_out)?;
            batch
                .nonces
                .extend_from_slice(cipher.used(&cipher.nonce(chunk)));
            batch.texts.push(text);
            batch.places.push(tag);
        }
        Ok(batch)
    }
}

/// A forgery, named by its place.
fn placed(error: sivka::Error, chunk: u64, place: Place) -> Error {
    match (error, place) {
        (sivka::Error::Open, Place::Inner) => Error::Damaged { chunk },
        (sivka::Error::Open, Place::Last) => Error::Truncated { chunks: chunk },
        (error, _) => Error::Aead(error),
    }
}

/// Where a chunk is in its payload.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Inner,
    Last,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No file of a test has so many chunks as their numbers allow.
    #[test]
    fn every_bit_of_a_chunks_number_is_in_its_nonce() {
        for &suite in Suite::ALL {
            let (cipher, _) =
                ChunkCipher::derive(suite, Kind::File, &FileKey::default(), &[7; SALT_LEN]);
            let end = suite.nonce_len();
            for bit in 0..64 {
                let mut expected = cipher.nonce(0);
                expected[end - 1 - bit / 8] ^= 1 << (bit % 8);
                assert_eq!(cipher.nonce(1 << bit), expected, "{} {bit}", suite.name());
            }
        }
    }
}
