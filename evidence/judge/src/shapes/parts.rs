//! The parts of messages, and forgeries of one of them.

/// The parts of an algorithm's messages beside texts and AADs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The length of a nonce in bytes; 0 for an algorithm without one.
    pub nonce_len: usize,
    /// The bits that the first byte of a nonce may have.
    pub first_byte_mask: u8,
    /// The length of a tag in bytes.
    pub tag_len: usize,
}

/// A part of a message that a forger changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tag.
    Tag,
    /// The ciphertext.
    Text,
    /// The AAD.
    Aad,
    /// The nonce.
    Nonce,
    /// A row of a column, which is cut off. Where there is no row, as [`Tag`](Self::Tag).
    Length,
}

/// A forger's change of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forgery {
    /// The changed part.
    pub part: Part,
    /// The bit of it that is flipped, the lowest bit of the first byte being 0. Of a row that
    /// is cut off, eight times the bytes that are left.
    pub bit: usize,
}

impl Forgery {
    /// Flips the bit, if `part` is the changed one. A tag is changed for a row too.
    pub fn flip(self, part: Part, bytes: &mut [u8]) {
        let is_it = part == self.part || part == Part::Tag && self.part == Part::Length;
        let bit = self.bit % (8 * bytes.len()).max(1);
        if let (true, Some(byte)) = (is_it, bytes.get_mut(bit / 8)) {
            *byte ^= 1 << (bit % 8);
        }
    }

    /// The bytes that are left of a row of so many.
    #[must_use]
    pub fn left(self, row_len: usize) -> usize {
        match self.part {
            Part::Length => (self.bit / 8).min(row_len),
            _ => row_len,
        }
    }
}
