//! The detached authentication tag.

mod long;

pub use long::{LongTag, TagLen};

use core::fmt;
use subtle::ConstantTimeEq;

/// A 16-byte authentication tag.
///
/// Comparison takes the same time whatever the bytes are.
#[derive(Clone, Copy)]
pub struct Tag([u8; Tag::LEN]);

impl Tag {
    /// The length of a tag in bytes.
    pub const LEN: usize = 16;

    /// The tag's bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Tag::LEN] {
        &self.0
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8; Tag::LEN] {
        &mut self.0
    }
}

impl From<[u8; Tag::LEN]> for Tag {
    fn from(bytes: [u8; Tag::LEN]) -> Self {
        Self(bytes)
    }
}

impl From<Tag> for [u8; Tag::LEN] {
    fn from(tag: Tag) -> Self {
        tag.0
    }
}

/// What all tags are: their bytes, which are compared in constant time.
macro_rules! tags {
    ($($tag:ident)*) => { $(
        impl AsRef<[u8]> for $tag {
            fn as_ref(&self) -> &[u8] {
                self.as_bytes()
            }
        }

        impl PartialEq for $tag {
            fn eq(&self, other: &Self) -> bool {
                self.as_ref().ct_eq(other.as_ref()).into()
            }
        }

        impl Eq for $tag {}

        impl fmt::Debug for $tag {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($tag), "("))?;
                self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str(")")
            }
        }
    )* };
}
tags!(Tag LongTag);
