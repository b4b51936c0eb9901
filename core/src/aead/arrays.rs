//! Nonces and tags as the engine has them: arrays where a key leaves no choice.

/// The longest nonce of all algorithms, in bytes.
pub(crate) const MAX_NONCE_LEN: usize = 24;

/// A nonce as an array.
pub(crate) trait NonceBytes:
    AsRef<[u8]> + AsMut<[u8]> + Default + Send + Sync + 'static
{
    const LEN: usize;

    /// The nonce in these bytes, if they are as many.
    fn of(bytes: &[u8]) -> Option<&Self>;

    /// `count` nonces one after the other.
    fn all(bytes: &[u8], count: usize) -> Option<&[Self]>
    where
        Self: Sized;
}

macro_rules! nonce_bytes {
    ($($len:literal)*) => { $(
        impl NonceBytes for [u8; $len] {
            const LEN: usize = $len;

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
nonce_bytes!(8 12 16 24);

/// As many nonces of no bytes as there are messages. They take no memory.
pub(crate) fn no_nonces(messages: usize) -> &'static [[u8; 0]] {
    static NONE: [[u8; 0]; usize::MAX] = [[]; usize::MAX];
    &NONE[..messages]
}

impl NonceBytes for [u8; 0] {
    const LEN: usize = 0;

    #[inline(always)]
    fn of(bytes: &[u8]) -> Option<&Self> {
        bytes.is_empty().then_some(&[])
    }

    fn all(bytes: &[u8], count: usize) -> Option<&[Self]> {
        bytes.is_empty().then(|| no_nonces(count))
    }
}

/// A tag as an array or a slice.
pub(crate) trait TagBytes {
    /// The tag in these bytes, if they are `len` bytes.
    fn of(bytes: &[u8], len: usize) -> Option<&Self>;
    fn of_mut(bytes: &mut [u8], len: usize) -> Option<&mut Self>;
    /// `len`, unless the tag is of another length.
    fn len_of(&self, len: usize) -> usize;
}

impl TagBytes for [u8; 16] {
    #[inline(always)]
    fn of(bytes: &[u8], _len: usize) -> Option<&Self> {
        bytes.try_into().ok()
    }

    #[inline(always)]
    fn of_mut(bytes: &mut [u8], _len: usize) -> Option<&mut Self> {
        bytes.try_into().ok()
    }

    #[inline(always)]
    fn len_of(&self, len: usize) -> usize {
        len
    }
}

impl TagBytes for [u8] {
    #[inline(always)]
    fn of(bytes: &[u8], len: usize) -> Option<&Self> {
        (bytes.len() == len).then_some(bytes)
    }

    #[inline(always)]
    fn of_mut(bytes: &mut [u8], len: usize) -> Option<&mut Self> {
        (bytes.len() == len).then_some(bytes)
    }

    #[inline(always)]
    fn len_of(&self, _len: usize) -> usize {
        self.len()
    }
}
