//! One message of a batch, as every mode is handed it.

/// What became of one message of a batch: one byte, so that a million of them stay
/// out of the way of the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// Sealed, or opened.
    #[default]
    Done = 0,
    /// Does not open under its key, nonce, AAD and tag. Its text was wiped.
    NotOpened = 1,
    /// The text or the AAD is longer than the algorithm allows. Its text is as it was.
    TooLong = 2,
    /// The algorithm refuses such a nonce, or a message that is empty in every part; or
    /// the tag is not as long as the key's. Its text is as it was.
    Refused = 3,
}

/// One message, whose nonce and lengths were checked: [`ToSeal`] or [`ToOpen`].
pub(crate) struct Message<'a, N, Tag> {
    /// Of no bytes, for an algorithm without nonces.
    pub(crate) nonce: &'a N,
    pub(crate) aad: &'a [u8],
    /// Plaintext or ciphertext, in place.
    pub(crate) in_out: &'a mut [u8],
    /// As long as the key's tags.
    pub(crate) tag: Tag,
    /// [`Status::Done`], until something else is found.
    pub(crate) status: &'a mut Status,
}

/// A message whose tag is to be written.
pub(crate) type ToSeal<'a, N> = Message<'a, N, &'a mut [u8]>;

/// A message that must have this tag.
pub(crate) type ToOpen<'a, N> = Message<'a, N, &'a [u8]>;

impl<'a, N, Tag: Default> Message<'a, N, Tag> {
    /// A place that holds no message.
    pub(crate) fn none(nonce: &'a N, status: &'a mut Status) -> Self {
        Self {
            nonce,
            aad: &[],
            in_out: &mut [],
            tag: Tag::default(),
            status,
        }
    }
}

impl<N, Tag> Message<'_, N, Tag> {
    /// Of AAD and text, in bytes.
    #[inline(always)]
    pub(crate) fn lens(&self) -> (usize, usize) {
        (self.aad.len(), self.in_out.len())
    }

    /// Of AAD and text, in blocks of 16 bytes.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> (usize, usize) {
        (self.aad.len().div_ceil(16), self.in_out.len().div_ceil(16))
    }
}
