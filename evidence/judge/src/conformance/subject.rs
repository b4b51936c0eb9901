//! One key of an implementation, as the tests call it.

use sivka::{BatchAad, BatchText, Column, OffsetsMut, Status};

/// Offsets of a column, of either width, with their memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Offsets {
    Bits32(Vec<i32>),
    Bits64(Vec<i64>),
}

impl Offsets {
    pub(super) fn of(offsets: &[usize], is_wide: bool) -> Self {
        if is_wide {
            Self::Bits64(offsets.iter().map(|offset| *offset as i64).collect())
        } else {
            Self::Bits32(offsets.iter().map(|offset| *offset as i32).collect())
        }
    }

    pub(super) fn get(&self) -> sivka::Offsets<'_> {
        match self {
            Self::Bits32(offsets) => sivka::Offsets::Bits32(offsets),
            Self::Bits64(offsets) => sivka::Offsets::Bits64(offsets),
        }
    }

    pub(super) fn get_mut(&mut self) -> OffsetsMut<'_> {
        match self {
            Self::Bits32(offsets) => OffsetsMut::Bits32(offsets),
            Self::Bits64(offsets) => OffsetsMut::Bits64(offsets),
        }
    }
}

/// Why a [`Subject`] did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The message does not open.
    Open,
    /// The caller's mistake, named in the text; nothing was written.
    Misuse,
}

/// One key of one implementation on one tier, at the levels of its interface. `nonce` and
/// `tag` always have the algorithm's lengths, and an output has its input's.
#[allow(missing_docs, clippy::missing_errors_doc)]
pub trait Subject {
    fn tier_name(&self) -> &str;
    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure>;
    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure>;
    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure>;
    fn open_with_nonce(&self, nonce: &[u8], sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure>;
    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure>;
    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Failure>;
    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure>;
    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Failure>;
    /// As many messages as there are statuses. Says how many of them were not done.
    fn seal_batch(
        &self,
        nonces: &[u8],
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<usize, Failure>;
    fn open_batch(
        &self,
        nonces: &[u8],
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &[u8],
        statuses: &mut [Status],
    ) -> Result<usize, Failure>;
    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Failure>;
    /// Draws the nonces if there are none.
    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &Column<'_>,
        aads: BatchAad<'_>,
        rows: &mut [u8],
        offsets: OffsetsMut<'_>,
    ) -> Result<(), Failure>;
    fn opened_column_len(&self, rows: &Column<'_>) -> Result<usize, Failure>;
    fn open_column(
        &self,
        rows: &Column<'_>,
        aads: BatchAad<'_>,
        values: &mut [u8],
        offsets: OffsetsMut<'_>,
        statuses: &mut [Status],
    ) -> Result<usize, Failure>;
}
