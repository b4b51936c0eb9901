//! Keys, nonces and tags as the engine has them: arrays where a key leaves no choice.

use crate::tag::{LongTag, Tag, TagLen};
use zeroize::Zeroize;

/// The longest nonce of all algorithms, in bytes.
pub(crate) const MAX_NONCE_LEN: usize = 24;

/// An array of bytes: a key or a nonce.
pub(crate) trait Bytes:
    AsRef<[u8]> + AsMut<[u8]> + Zeroize + Copy + Send + Sync + 'static
{
    const LEN: usize;
    const ZEROS: Self;

    /// The array in these bytes, if they are as many.
    fn of(bytes: &[u8]) -> Option<&Self>;

    /// `count` arrays one after the other.
    fn all(bytes: &[u8], count: usize) -> Option<&[Self]>;
}

macro_rules! bytes {
    ($($len:literal)*) => { $(
        impl Bytes for [u8; $len] {
            const LEN: usize = $len;
            const ZEROS: Self = [0; $len];

            #[inline(always)]
            fn of(bytes: &[u8]) -> Option<&Self> {
                bytes.try_into().ok()
            }

            fn all(bytes: &[u8], count: usize) -> Option<&[Self]> {
                let (nonces, rest) = bytes.as_chunks();
                (nonces.len() == count && rest.is_empty()).then_some(nonces)
            }
        }
    )* };
}
bytes!(8 12 16 24 32 48 64);

impl Bytes for [u8; 0] {
    const LEN: usize = 0;
    const ZEROS: Self = [];

    #[inline(always)]
    fn of(bytes: &[u8]) -> Option<&Self> {
        bytes.is_empty().then_some(&[])
    }

    /// As many nonces of no bytes as there are messages. They take no memory.
    fn all(bytes: &[u8], count: usize) -> Option<&[Self]> {
        static NONE: [[u8; 0]; usize::MAX] = [[]; usize::MAX];
        bytes.is_empty().then_some(&NONE[..count])
    }
}

/// A detached tag as a key's calls have it.
pub(crate) trait DetachedTag: Copy + AsRef<[u8]> {
    /// The length of a key's tags, unless its maker chooses another.
    const USUAL_LEN: usize;
    /// The tag as a cipher has it: an array, or a slice where keys choose its length.
    type Bytes: ?Sized;

    /// A tag of `len` zeros.
    fn zeros(len: usize) -> Self;
    fn out(&mut self) -> &mut [u8];

    /// The tag in these bytes, if they are `len` bytes.
    fn of(bytes: &[u8], len: usize) -> Option<&Self::Bytes>;
    fn of_mut(bytes: &mut [u8], len: usize) -> Option<&mut Self::Bytes>;
}

impl DetachedTag for Tag {
    const USUAL_LEN: usize = Tag::LEN;
    type Bytes = [u8; Tag::LEN];

    #[inline(always)]
    fn zeros(_len: usize) -> Self {
        Self::from([0; Tag::LEN])
    }

    #[inline(always)]
    fn out(&mut self) -> &mut [u8] {
        self.as_bytes_mut()
    }

    #[inline(always)]
    fn of(bytes: &[u8], _len: usize) -> Option<&Self::Bytes> {
        bytes.try_into().ok()
    }

    #[inline(always)]
    fn of_mut(bytes: &mut [u8], _len: usize) -> Option<&mut Self::Bytes> {
        bytes.try_into().ok()
    }
}

impl DetachedTag for LongTag {
    const USUAL_LEN: usize = 32;
    type Bytes = [u8];

    #[inline(always)]
    fn zeros(len: usize) -> Self {
        Self::of_zeros(TagLen::of(len))
    }

    #[inline(always)]
    fn out(&mut self) -> &mut [u8] {
        self.as_bytes_mut()
    }

    #[inline(always)]
    fn of(bytes: &[u8], len: usize) -> Option<&[u8]> {
        (bytes.len() == len).then_some(bytes)
    }

    #[inline(always)]
    fn of_mut(bytes: &mut [u8], len: usize) -> Option<&mut [u8]> {
        (bytes.len() == len).then_some(bytes)
    }
}
