//! One chunk of the payload: C2SP chunked-encryption (specification section 6).

use crate::derive::expand;
use crate::error::Error;
use crate::slot::{FileKey, array};
use crate::suite::Suite;
use sivka::{
    Aes256GcmSiv, BatchAad, BatchText, KuznyechikMgm, LongTag, Status, Tag, XChaCha20Blake2b,
};
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

// One a file: a box would cost more than the bytes it saves.
#[allow(clippy::large_enum_variant)]
enum Aead {
    Aes256GcmSiv(Aes256GcmSiv),
    XChaCha20Blake2b(XChaCha20Blake2b),
    // Boxed: its round keys are several times the size of the other.
    KuznyechikMgm(Box<KuznyechikMgm>),
}

/// Seals and opens the chunks of one payload.
pub(crate) struct ChunkCipher {
    suite: Suite,
    aead: Aead,
    base_nonce: Zeroizing<[u8; MAX_NONCE_LEN]>,
}

impl ChunkCipher {
    /// Derives a payload's keys, and the commitment to them.
    pub(crate) fn derive(
        suite: Suite,
        file_key: &FileKey,
        salt: &[u8; SALT_LEN],
    ) -> (Self, [u8; COMMITMENT_LEN]) {
        let (key_len, nonce_len) = (suite.key_len(), suite.nonce_len());
        let mut okm = Zeroizing::new(vec![0; key_len + nonce_len + COMMITMENT_LEN]);
        let name = suite.aead_name().as_bytes();
        expand(file_key, &[INFO, name, &[0], salt], &mut okm);
        let mut base_nonce = Zeroizing::new([0; MAX_NONCE_LEN]);
        base_nonce[..nonce_len].copy_from_slice(&okm[key_len..key_len + nonce_len]);
        base_nonce[0] &= suite.first_nonce_byte_mask();
        let aead = match suite {
            Suite::Aes256GcmSiv => {
                Aead::Aes256GcmSiv(Aes256GcmSiv::new(&Zeroizing::new(array(&okm, 0))))
            }
            Suite::XChaCha20Blake2b => {
                Aead::XChaCha20Blake2b(XChaCha20Blake2b::new(&Zeroizing::new(array(&okm, 0))))
            }
            Suite::KuznyechikMgm => {
                let key = Zeroizing::new(array(&okm, 0));
                Aead::KuznyechikMgm(Box::new(KuznyechikMgm::new(&key)))
            }
        };
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
    pub(crate) fn seal(&self, chunk: u64, in_out: &mut [u8]) -> Result<(), Error> {
        let (plaintext, tag_out) = self.split_tag(in_out)?;
        let aad = self.suite.chunk_aad();
        match &self.aead {
            Aead::Aes256GcmSiv(aead) => {
                let tag = aead
                    .seal_in_place(&self.nonce(chunk), aad, plaintext)
                    .map_err(Error::Aead)?;
                tag_out.copy_from_slice(tag.as_bytes());
            }
            Aead::XChaCha20Blake2b(aead) => {
                let tag = aead
                    .seal_in_place(&self.nonce(chunk), aad, plaintext)
                    .map_err(Error::Aead)?;
                tag_out.copy_from_slice(tag.as_bytes());
            }
            Aead::KuznyechikMgm(aead) => {
                let tag = aead
                    .seal_in_place(&self.nonce(chunk), aad, plaintext)
                    .map_err(Error::Aead)?;
                tag_out.copy_from_slice(tag.as_bytes());
            }
        }
        Ok(())
    }

    /// [`Self::seal`] of consecutive chunks, the first of which has the number `chunk`:
    /// whole ones, one behind the other.
    pub(crate) fn seal_whole(&self, chunk: u64, chunks: &mut [u8]) -> Result<(), Error> {
        let numbered = (chunk..).zip(chunks.chunks_exact_mut(self.sealed_chunk_len()));
        match &self.aead {
            Aead::Aes256GcmSiv(_) | Aead::KuznyechikMgm(_) => {
                for (chunk, in_out) in numbered {
                    self.seal(chunk, in_out)?;
                }
            }
            // Hashes go side by side: that is twice as fast as one after another.
            Aead::XChaCha20Blake2b(aead) => {
                let (mut nonces, mut texts, mut tags_out) = (Vec::new(), Vec::new(), Vec::new());
                for (chunk, in_out) in numbered {
                    let (plaintext, tag_out) = self.split_tag(in_out)?;
                    nonces.push(self.nonce(chunk));
                    texts.push(plaintext);
                    tags_out.push(tag_out);
                }
                let mut tags = vec![LongTag::from([0; 32]); nonces.len()];
                let mut statuses = vec![Status::Done; nonces.len()];
                let aad = BatchAad::Common(self.suite.chunk_aad());
                let text = BatchText::Slices(&mut texts);
                aead.seal_batch(&nonces, aad, text, &mut tags, &mut statuses)
                    .map_err(Error::Aead)?;
                for (tag_out, tag) in tags_out.into_iter().zip(&tags) {
                    tag_out.copy_from_slice(tag.as_bytes());
                }
            }
        }
        Ok(())
    }

    /// [`Self::open_placed`] of consecutive inner chunks, the first of which has the
    /// number `chunk`. Returns how many opened before the first that does not, and the
    /// error of that one; what lies behind it in the buffer must not be used.
    pub(crate) fn open_whole(&self, chunk: u64, chunks: &mut [u8]) -> (usize, Result<(), Error>) {
        let numbered = (chunk..).zip(chunks.chunks_exact_mut(self.sealed_chunk_len()));
        match &self.aead {
            Aead::Aes256GcmSiv(_) | Aead::KuznyechikMgm(_) => {
                for (done, (chunk, in_out)) in numbered.enumerate() {
                    if let Err(error) = self.open_placed(chunk, in_out, Place::Inner) {
                        return (done, Err(error));
                    }
                }
            }
            Aead::XChaCha20Blake2b(aead) => {
                let (mut nonces, mut texts, mut tags) = (Vec::new(), Vec::new(), Vec::new());
                for (chunk, in_out) in numbered {
                    let (ciphertext, tag) = match self.split_tag(in_out) {
                        Ok(parts) => parts,
                        Err(error) => return (0, Err(error)),
                    };
                    nonces.push(self.nonce(chunk));
                    texts.push(ciphertext);
                    tags.push(LongTag::from(array::<32>(tag, 0)));
                }
                let mut statuses = vec![Status::Done; nonces.len()];
                let aad = BatchAad::Common(self.suite.chunk_aad());
                let text = BatchText::Slices(&mut texts);
                if let Err(error) = aead.open_batch(&nonces, aad, text, &tags, &mut statuses) {
                    // Chunks keep the limits and tags their length, so a message that was
                    // not done did not open; any other error is the whole call's.
                    let (done, error) = match error {
                        sivka::Error::Batch { .. } => {
                            let opened = |status: &&Status| **status == Status::Done;
                            (
                                statuses.iter().take_while(opened).count(),
                                sivka::Error::Open,
                            )
                        }
                        error => (0, error),
                    };
                    return (done, Err(placed(error, chunk + done as u64, Place::Inner)));
                }
            }
        }
        (chunks.len() / self.sealed_chunk_len(), Ok(()))
    }

    /// Opens all of `in_out` but its last `tag_len` bytes, which are the tag.
    ///
    /// [`Error::Aead`] with [`sivka::Error::Open`] means that the chunk is not
    /// authentic; no plaintext is in the buffer then.
    pub(crate) fn open(&self, chunk: u64, in_out: &mut [u8]) -> Result<(), Error> {
        let (ciphertext, tag) = self.split_tag(in_out)?;
        let aad = self.suite.chunk_aad();
        match &self.aead {
            Aead::Aes256GcmSiv(aead) => aead
                .open_in_place(
                    &self.nonce(chunk),
                    aad,
                    ciphertext,
                    &Tag::from(array(tag, 0)),
                )
                .map_err(Error::Aead),
            Aead::XChaCha20Blake2b(aead) => aead
                .open_in_place(
                    &self.nonce(chunk),
                    aad,
                    ciphertext,
                    &LongTag::from(array::<32>(tag, 0)),
                )
                .map_err(Error::Aead),
            Aead::KuznyechikMgm(aead) => aead
                .open_in_place(
                    &self.nonce(chunk),
                    aad,
                    ciphertext,
                    &Tag::from(array(tag, 0)),
                )
                .map_err(Error::Aead),
        }
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

    /// The base nonce XOR the chunk's number as a big-endian integer of `N` bytes.
    fn nonce<const N: usize>(&self, chunk: u64) -> [u8; N] {
        let mut nonce = array::<N>(&*self.base_nonce, 0);
        for (byte, number) in nonce[N - 8..].iter_mut().zip(chunk.to_be_bytes()) {
            *byte ^= number;
        }
        nonce
    }
}

/// A forgery, named by its place.
fn placed(error: sivka::Error, chunk: u64, place: Place) -> Error {
    match (error, place) {
        (sivka::Error::Open, Place::Inner) => Error::Damaged { chunk },
        (sivka::Error::Open, Place::Last) => Error::DamagedEnd { chunk },
        (error, _) => Error::Aead(error),
    }
}

/// Where a chunk stands in its payload.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Inner,
    Last,
}
