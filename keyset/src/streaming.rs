//! Keysets for streams: sealed and opened segment by segment, as each Tink's `StreamingAead`
//! has it.
//!
//! A stream is a header and then segments. The header is a byte that says how long it is, a
//! salt and a prefix of nonces. The nonce of the last segment says that it is the last. A stream
//! has no prefix of five bytes, so every enabled key is tried on its first segment.

mod buffer;
mod reader;
mod writer;

use crate::cipher::segments::{Nonce, Segments};
use crate::error::{Error, Misuse, Rule};
use crate::info::Primitive;
use crate::key::Material;
use crate::keyset::Keyset;
use crate::material::{KeyMaterial, Parameters, Streaming};
pub use reader::OpeningReader;
use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;
pub use writer::SealingWriter;
use zeroize::Zeroizing;

/// The enabled keys of a keyset for streams, ready for use; what each Tink calls
/// `StreamingAead`.
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
#[derive(Clone)]
pub struct KeysetStreamingAead {
    primary_key_id: u32,
    /// Its place in `keys`.
    primary: usize,
    keys: Arc<Vec<StreamKey>>,
}

/// A key, from which HKDF makes those of each stream.
struct StreamKey {
    key: Zeroizing<Vec<u8>>,
    parameters: Streaming,
}

impl Keyset {
    /// Makes the enabled keys ready to seal and open streams.
    ///
    /// # Errors
    /// [`Misuse::OtherPrimitive`]; [`Error::Keyset`] if enabled keys are for different
    /// primitives.
    pub fn streaming_aead(&self) -> Result<KeysetStreamingAead, Error> {
        let primitive = self.primitive()?;
        if primitive != Primitive::StreamingAead {
            return Err(Misuse::OtherPrimitive(primitive).into());
        }
        let (mut primary, mut keys) = (None, Vec::new());
        for key in self.keys.iter().filter(|key| key.is_enabled()) {
            let Material::Known(KeyMaterial {
                key: bytes,
                parameters: Parameters::Streaming(parameters),
                ..
            }) = &key.material
            else {
                continue; // No such key is of this primitive.
            };
            if key.id == self.primary_key_id {
                primary = Some(keys.len());
            }
            keys.push(StreamKey {
                key: bytes.clone(),
                parameters: *parameters,
            });
        }
        let primary_key_id = self.primary_key_id;
        let no_primary = || Error::rule(Rule::NoPrimary { id: primary_key_id });
        Ok(KeysetStreamingAead {
            primary_key_id,
            primary: primary.ok_or_else(no_primary)?,
            keys: Arc::new(keys),
        })
    }
}

impl KeysetStreamingAead {
    /// Seals what is written, with the primary key, into `writer`. Nothing is written before a
    /// segment is full, and what is sealed is whole only after
    /// [`finish`](SealingWriter::finish).
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Aead`].
    pub fn seal<W: Write>(&self, writer: W, aad: &[u8]) -> Result<SealingWriter<W>, Error> {
        SealingWriter::new(writer, &self.keys[self.primary], aad)
    }

    /// Opens what is read from `reader`: the first segment decides which enabled key it is, in
    /// the keyset's order. Nothing is read before something is asked for.
    pub fn open<R: Read>(&self, reader: R, aad: &[u8]) -> OpeningReader<R> {
        OpeningReader::new(reader, self.keys.clone(), aad)
    }
}

impl fmt::Debug for KeysetStreamingAead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeysetStreamingAead")
            .field("primary_key_id", &self.primary_key_id)
            .finish_non_exhaustive()
    }
}

/// The bytes of the prefix that a stream's nonces have in common.
const NONCE_PREFIX_LEN: usize = 7;

/// One stream under its keys, at the segment that comes next.
struct Stream {
    segments: Segments,
    parameters: Streaming,
    nonce_prefix: [u8; NONCE_PREFIX_LEN],
    index: u32,
}

impl Stream {
    /// The stream with this header, whose length is right.
    fn new(key: &StreamKey, header: &[u8], aad: &[u8]) -> Result<Self, Error> {
        let parameters = key.parameters;
        let (salt, prefix) = header[1..].split_at(parameters.derived_len as usize);
        Ok(Self {
            segments: Segments::new(&key.key, parameters, salt, aad)?,
            parameters,
            nonce_prefix: prefix.try_into().map_err(|_| Error::Open)?,
            index: 0,
        })
    }

    /// The nonce of the next segment, which is not used again; `None` after as many as a
    /// stream has, 2^32 - 1.
    fn next_nonce(&mut self, is_last: bool) -> Option<Nonce> {
        let mut nonce = [0; 12];
        nonce[..NONCE_PREFIX_LEN].copy_from_slice(&self.nonce_prefix);
        nonce[NONCE_PREFIX_LEN..11].copy_from_slice(&self.index.to_be_bytes());
        nonce[11] = is_last.into();
        self.index = self.index.checked_add(1)?;
        Some(nonce)
    }
}
