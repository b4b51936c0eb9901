//! The messages of a batch, as every mode is handed them: one by one, or some of one length
//! at once.

use super::batch::parts::Tags;

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

/// The messages of a batch that may be worked on, in order.
pub(crate) trait Messages<'a, N: 'a, Tag>: Iterator<Item = Message<'a, N, Tag>> {
    type Tags: Tags<'a, Tag = Tag>;

    /// Whether the next messages, `most` or as many as there are, are of one length.
    fn equal_lens(&self, most: usize) -> Option<EqualLens>;

    /// Takes [`QUAD`] of these to `quad`, or as many as are `left`.
    fn take_quad(&mut self, left: usize, quad: &mut Quad<'a, N, Self::Tags>);
}

/// Messages of one length.
#[derive(Clone, Copy)]
pub(crate) struct EqualLens {
    pub(crate) count: usize,
    pub(crate) aad_len: usize,
    pub(crate) text_len: usize,
}

/// Messages that are taken at once, at most.
pub(crate) const QUAD: usize = 4;

/// Some messages of one length, whole, part by part; parts of messages that are not there are
/// empty.
pub(crate) struct Quad<'a, N, Tags> {
    /// One a message.
    pub(crate) nonces: &'a [N],
    pub(crate) aads: [&'a [u8]; QUAD],
    pub(crate) texts: Texts<'a>,
    /// None for rows, which have theirs in `texts`.
    pub(crate) tags: Tags,
    /// All [`Status::Done`].
    pub(crate) statuses: &'a mut [Status],
}

/// Where some texts are read and written. Rows are nonce ‖ ciphertext ‖ tag, and come
/// one after another, as texts outside of them do.
pub(crate) enum Texts<'a> {
    InPlace([&'a mut [u8]; QUAD]),
    /// Texts that are sealed to rows.
    ToRows(&'a [u8], &'a mut [u8]),
    /// Rows that are opened to texts.
    FromRows(&'a [u8], &'a mut [u8]),
}

impl<'a, N, T: Tags<'a>> Quad<'a, N, T> {
    /// No messages.
    pub(crate) fn none() -> Self {
        Self {
            nonces: &[],
            aads: [&[]; QUAD],
            texts: Texts::InPlace(Default::default()),
            tags: T::none(),
            statuses: &mut [],
        }
    }
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
