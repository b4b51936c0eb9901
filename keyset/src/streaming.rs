//! Keysets for streams: sealed and opened segment by segment, as each Tink's `StreamingAead`
//! has it.
//!
//! A stream is a header and then segments. The header is a byte that says how long it is, a
//! salt and a prefix of nonces. The nonce of the last segment says that it is the last. A stream
//! has no prefix of five bytes, so every enabled key is tried on its first segment.

mod buffer;
mod reader;
mod writer;

use crate::cipher::detached::Detached;
use crate::cipher::other::segments;
use crate::error::Error;
use crate::info::Primitive;
use crate::keyset::Keyset;
use crate::material::KeyMaterial;
use crate::primitive::ReadyKeys;
pub use reader::OpeningReader;
use std::io::{Read, Write};
use std::sync::Arc;
pub use writer::SealingWriter;

/// The enabled keys of a keyset for streams, ready for use: `StreamingAead` of Tink.
///
/// ```
/// use sivka_keyset::{Keyset, Template};
/// use std::io::{Read as _, Write as _};
///
/// let keyset = Keyset::generate(Template::AES256_GCM_HKDF_4KB)?;
/// let streams = keyset.streaming_aead()?;
///
/// let mut writer = streams.seal(Vec::new(), b"backup of monday")?;
/// writer.write_all(&[7; 10_000])?;
/// let sealed = writer.finish()?;
///
/// let mut plaintext = Vec::new();
/// streams.open(&sealed[..], b"backup of monday").read_to_end(&mut plaintext)?;
/// assert_eq!(plaintext, [7; 10_000]);
/// assert!(streams.open(&sealed[..9_000], b"backup of monday").read_to_end(&mut plaintext).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeysetStreamingAead(Arc<ReadyKeys<KeyMaterial>>);

impl Keyset {
    /// Makes the enabled keys ready to seal and open streams.
    ///
    /// # Errors
    /// [`Misuse::OtherPrimitive`](crate::Misuse::OtherPrimitive); [`Error::Keyset`] if enabled
    /// keys are for different primitives.
    pub fn streaming_aead(&self) -> Result<KeysetStreamingAead, Error> {
        let ready = |material: &KeyMaterial| Ok(Box::new(material.clone()));
        let keys = ReadyKeys::new(self, Primitive::StreamingAead, ready, |_| None)?;
        Ok(KeysetStreamingAead(Arc::new(keys)))
    }
}

impl KeysetStreamingAead {
    /// Seals written bytes with the primary key into `writer`. Nothing is written before a segment
    /// is full. The stream is complete only after [`finish`](SealingWriter::finish).
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Aead`].
    pub fn seal<W: Write>(&self, writer: W, aad: &[u8]) -> Result<SealingWriter<W>, Error> {
        SealingWriter::new(writer, self.0.sealing().1, aad)
    }

    /// Opens the bytes from `reader`. The first segment decides which enabled key is used, in the
    /// keyset's order. Nothing is read before the first read call.
    pub fn open<R: Read>(&self, reader: R, aad: &[u8]) -> OpeningReader<R> {
        OpeningReader::new(reader, self.0.clone(), aad)
    }
}

/// The bytes of the prefix that a stream's nonces have in common.
const NONCE_PREFIX_LEN: usize = 7;

/// One stream under its keys, at the segment that comes next.
struct Stream {
    segments: Box<dyn Detached>,
    segment_len: usize,
    nonce_prefix: [u8; NONCE_PREFIX_LEN],
    index: u32,
}

impl Stream {
    /// The stream with this header, whose length is right.
    fn new(key: &KeyMaterial, header: &[u8], aad: &[u8]) -> Result<Self, Error> {
        let (salt, prefix) = header[1..].split_at(key.parameters.aes_key_len as usize);
        Ok(Self {
            segments: segments(key, salt, aad)?,
            segment_len: key.parameters.segment_len as usize,
            nonce_prefix: prefix.try_into().map_err(|_| Error::Open)?,
            index: 0,
        })
    }

    /// The nonce of the next segment, which is not used again; `None` after as many as a
    /// stream has, 2^32 - 1.
    fn next_nonce(&mut self, is_last: bool) -> Option<[u8; 12]> {
        let mut nonce = [0; 12];
        nonce[..NONCE_PREFIX_LEN].copy_from_slice(&self.nonce_prefix);
        nonce[NONCE_PREFIX_LEN..11].copy_from_slice(&self.index.to_be_bytes());
        nonce[11] = is_last.into();
        self.index = self.index.checked_add(1)?;
        Some(nonce)
    }
}
