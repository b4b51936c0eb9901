//! The input of the tag's hash, `aad ‖ message ‖ LE32(|aad|) ‖ LE32(|message|)`, cut
//! into runs of blocks without copying the long parts.

use super::lengths;
use crate::kernel::blake2b::{BLOCK_LEN, Block, Run};

/// Memory for the blocks that are in no buffer: across the AAD's end, and the last.
pub(super) type Scratch = [Block; 2];

/// Where a piece's blocks lie.
#[derive(Clone, Copy)]
enum Source {
    Aad,
    Message,
    Scratch,
}

/// A run of blocks, without the borrow.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    source: Source,
    /// The first byte in the source.
    start: usize,
    /// How many blocks.
    blocks: usize,
    /// As [`Run::last_len`].
    last_len: Option<u8>,
}

impl Piece {
    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    #[inline(always)]
    pub(super) fn last_len(&self) -> Option<u8> {
        self.last_len
    }

    /// The first `blocks` of the piece as a run, and the rest of it.
    #[inline(always)]
    pub(super) fn split<'r>(
        self,
        blocks: usize,
        aad: &'r [u8],
        message: &'r [u8],
        scratch: &'r Scratch,
    ) -> (Run<'r>, Option<Self>) {
        let bytes = match self.source {
            Source::Aad => aad,
            Source::Message => message,
            Source::Scratch => scratch.as_flattened(),
        };
        let len = blocks * BLOCK_LEN;
        let (run, _) = bytes[self.start..self.start + len].as_chunks();
        if blocks == self.blocks {
            (Run { blocks: run, last_len: self.last_len }, None)
        } else {
            let rest = Self { start: self.start + len, blocks: self.blocks - blocks, ..self };
            (Run { blocks: run, last_len: None }, Some(rest))
        }
    }
}

/// How far one message is absorbed.
pub(super) struct Input {
    aad_len: usize,
    message_len: usize,
    /// Bytes of `aad ‖ message` that are done: whole blocks.
    position: usize,
    done: bool,
}

impl Input {
    #[inline(always)]
    pub(super) fn new(aad: &[u8], message_len: usize) -> Self {
        Self { aad_len: aad.len(), message_len, position: 0, done: false }
    }

    /// Where in the message the first hash block begins that holds no AAD.
    #[inline(always)]
    pub(super) fn whole_blocks_from(&self) -> usize {
        self.aad_len.wrapping_neg() % BLOCK_LEN
    }

    /// Steps over whole blocks of the message that somebody else absorbed.
    #[inline(always)]
    pub(super) fn skip(&mut self, len: usize) {
        self.position += len;
    }

    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The next piece, of the part of the message that is there already. `None` if that
    /// holds no whole block any more, or if the last piece was the message's end.
    ///
    /// The lengths at the end are never absent, so a block full of message is never
    /// the hash's last.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        aad: &[u8],
        available: &[u8],
        scratch: &mut Scratch,
    ) -> Option<Piece> {
        if self.done {
            return None;
        }
        let message_at = self.position.saturating_sub(self.aad_len);
        let aad_left = aad.get(self.position..).unwrap_or(&[]);
        let message = available.get(message_at..).unwrap_or(&[]);
        let (source, start, whole) = if aad_left.is_empty() {
            (Source::Message, message_at, message.len() / BLOCK_LEN)
        } else {
            (Source::Aad, self.position, aad_left.len() / BLOCK_LEN)
        };
        if whole > 0 {
            self.position += whole * BLOCK_LEN;
            return Some(Piece { source, start, blocks: whole, last_len: None });
        }
        let len = aad_left.len() + message.len() + 8;
        let ends = available.len() == self.message_len && len <= size_of::<Scratch>();
        if !ends && len < BLOCK_LEN + 8 {
            return None;
        }
        let bytes = scratch.as_flattened_mut();
        bytes.fill(0);
        let (start, rest) = bytes.split_at_mut(aad_left.len());
        start.copy_from_slice(aad_left);
        if !ends {
            let len = BLOCK_LEN - aad_left.len();
            rest[..len].copy_from_slice(&message[..len]);
            self.position += BLOCK_LEN;
            return Some(Piece { source: Source::Scratch, start: 0, blocks: 1, last_len: None });
        }
        self.done = true;
        let (text, rest) = rest.split_at_mut(message.len());
        text.copy_from_slice(message);
        rest[..8].copy_from_slice(&lengths(self.aad_len, self.message_len));
        let blocks = len.div_ceil(BLOCK_LEN);
        let last_len = Some((len - (blocks - 1) * BLOCK_LEN) as u8);
        Some(Piece { source: Source::Scratch, start: 0, blocks, last_len })
    }
}
