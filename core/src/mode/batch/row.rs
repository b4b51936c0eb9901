//! A row of a column: nonce ‖ ciphertext ‖ tag, or nonce ‖ tag ‖ ciphertext.

use crate::kernel::Block;

/// What every row has beside its text.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Of a nonce, in bytes.
    pub(crate) nonce_len: usize,
    /// Of a tag, in bytes.
    pub(crate) tag_len: usize,
    /// Whether the tag comes before the ciphertext.
    pub(crate) tag_first: bool,
}

impl Frame {
    /// The bytes of a row beyond its text.
    pub(crate) fn overhead(self) -> usize {
        self.nonce_len + self.tag_len
    }

    /// Whether the tag is a block and comes after the text.
    #[inline(always)]
    pub(super) fn ends_in_block(self) -> bool {
        self.tag_len == size_of::<Block>() && !self.tag_first
    }

    /// The text and the tag of a row.
    #[inline(always)]
    fn split(self, row: &[u8]) -> Option<(&[u8], &[u8])> {
        let after_nonce = row.get(self.nonce_len..)?;
        if self.tag_first {
            let (tag, text) = after_nonce.split_at_checked(self.tag_len)?;
            Some((text, tag))
        } else {
            after_nonce.split_at_checked(after_nonce.len().checked_sub(self.tag_len)?)
        }
    }

    /// The same of a row that is to be written.
    #[inline(always)]
    fn split_mut(self, row: &mut [u8]) -> Option<(&mut [u8], &mut [u8])> {
        let after_nonce = row.get_mut(self.nonce_len..)?;
        if self.tag_first {
            let (tag, text) = after_nonce.split_at_mut_checked(self.tag_len)?;
            Some((text, tag))
        } else {
            let text_len = after_nonce.len().checked_sub(self.tag_len)?;
            after_nonce.split_at_mut_checked(text_len)
        }
    }
}

/// One row.
pub(crate) struct Row<'a> {
    pub(super) from: &'a [u8],
    pub(super) to: &'a mut [u8],
    pub(super) frame: Frame,
}

impl<'a> Row<'a> {
    /// Writes the nonce and copies the value, for sealing in place: its text and the place of
    /// its tag.
    #[inline(always)]
    pub(crate) fn into_sealed(self, nonce: &[u8]) -> Option<(&'a mut [u8], &'a mut [u8])> {
        self.to
            .get_mut(..self.frame.nonce_len)?
            .copy_from_slice(nonce);
        let (text, tag) = self.frame.split_mut(self.to)?;
        text.copy_from_slice(self.from);
        Some((text, tag))
    }

    /// Copies the ciphertext, for opening in place: its text and its tag.
    #[inline(always)]
    pub(crate) fn into_opened(self) -> Option<(&'a mut [u8], &'a [u8])> {
        let (from, tag) = self.frame.split(self.from)?;
        self.to.copy_from_slice(from);
        Some((self.to, tag))
    }
}
