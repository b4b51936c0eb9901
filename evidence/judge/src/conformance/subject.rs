//! One key of an implementation, as the tests call it.

/// What became of one message of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Sealed, or opened; or a null.
    Done,
    /// Does not open; its text is zeros.
    NotOpened,
    /// Longer than may be; its text is as it was.
    TooLong,
    /// Refused; its text is as it was.
    Refused,
}

/// The AADs of many messages.
#[derive(Clone, Copy, Debug)]
pub enum Aads<'a> {
    /// One for all.
    Common(&'a [u8]),
    /// One a message.
    List(&'a [&'a [u8]]),
    /// All in one buffer, from each offset to the next.
    Contiguous(&'a [u8], &'a [usize]),
}

/// The texts of many messages, in place.
#[derive(Debug)]
pub enum Texts<'a, 'b> {
    /// One a message.
    List(&'a mut [&'b mut [u8]]),
    /// All in one buffer, from each offset to the next.
    Contiguous(&'a mut [u8], &'a [usize]),
}

/// Offsets of a column, of either width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offsets {
    /// Of 32 bits.
    Bits32(Vec<i32>),
    /// Of 64 bits.
    Bits64(Vec<i64>),
}

/// The values of a column, or its rows.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// All, from each offset to the next.
    pub bytes: &'a [u8],
    /// One more than there are values.
    pub offsets: &'a Offsets,
    /// Which are there, as a bitmap and the number of the first value's bit in it.
    pub validity: Option<(&'a [u8], usize)>,
}

impl Offsets {
    pub(super) fn of(offsets: &[usize], is_wide: bool) -> Self {
        if is_wide {
            Self::Bits64(offsets.iter().map(|offset| *offset as i64).collect())
        } else {
            Self::Bits32(offsets.iter().map(|offset| *offset as i32).collect())
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Bits32(offsets) => offsets.len(),
            Self::Bits64(offsets) => offsets.len(),
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
    /// As many messages as there are outcomes. Says how many of them were not done.
    fn seal_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &mut [u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure>;
    fn open_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &[u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure>;
    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Failure>;
    /// Draws the nonces if there are none.
    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &Column<'_>,
        aads: Aads<'_>,
        rows: &mut [u8],
        offsets: &mut Offsets,
    ) -> Result<(), Failure>;
    fn opened_column_len(&self, rows: &Column<'_>) -> Result<usize, Failure>;
    fn open_column(
        &self,
        rows: &Column<'_>,
        aads: Aads<'_>,
        values: &mut [u8],
        offsets: &mut Offsets,
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure>;
}
