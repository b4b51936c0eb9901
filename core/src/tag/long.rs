//! The detached tag of a family whose keys choose its length.

use crate::error::Error;

/// How long the tags of a key are.
///
/// The C# library calls the longer ones for callers who want more than 128 bits of
/// commitment: `n` bytes of tag give `4·n` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TagLen {
    /// 32 bytes, the default: 128 bits of commitment.
    #[default]
    Bytes32,
    /// 48 bytes: 192 bits of commitment.
    Bytes48,
    /// 64 bytes: 256 bits of commitment.
    Bytes64,
}

impl TagLen {
    /// The length in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bytes32 => 32,
            Self::Bytes48 => 48,
            Self::Bytes64 => 64,
        }
    }

    /// The one of so many bytes: 32, 48 or 64, as keys have them.
    pub(crate) fn of(bytes: usize) -> Self {
        match bytes {
            64 => Self::Bytes64,
            48 => Self::Bytes48,
            _ => Self::Bytes32,
        }
    }
}

/// An authentication tag of 32, 48 or 64 bytes.
///
/// Comparison takes the same time whatever the bytes are; only the length, which is no
/// secret, shows.
#[derive(Clone, Copy)]
pub struct LongTag {
    /// Zeros after the tag.
    bytes: [u8; 64],
    len: TagLen,
}

impl LongTag {
    /// A tag of zeros, which are to be overwritten.
    pub(crate) fn of_zeros(len: TagLen) -> Self {
        Self { bytes: [0; 64], len }
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len.bytes()]
    }

    /// The tag's length.
    // A tag is never empty, so there is no `is_empty`.
    #[allow(clippy::len_without_is_empty)]
    #[must_use]
    pub const fn len(&self) -> TagLen {
        self.len
    }

    /// The tag's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len.bytes()]
    }
}

impl TryFrom<&[u8]> for LongTag {
    type Error = Error;

    /// Takes 32, 48 or 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] for any other number of bytes: no message opens with such a tag.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let len = [TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64]
            .into_iter()
            .find(|len| len.bytes() == bytes.len())
            .ok_or(Error::Open)?;
        let mut padded = [0; 64];
        padded[..bytes.len()].copy_from_slice(bytes);
        Ok(Self { bytes: padded, len })
    }
}

macro_rules! from_array {
    ($($bytes:literal: $len:ident),*) => { $(
        impl From<[u8; $bytes]> for LongTag {
            fn from(tag: [u8; $bytes]) -> Self {
                let mut bytes = [0; 64];
                bytes[..$bytes].copy_from_slice(&tag);
                Self { bytes, len: TagLen::$len }
            }
        }
    )* };
}
from_array!(32: Bytes32, 48: Bytes48, 64: Bytes64);
