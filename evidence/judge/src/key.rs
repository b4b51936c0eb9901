//! A key of any algorithm as what the conformance tests take.

use crate::conformance::{self, Aads, Failure, Outcome, Subject, Texts};
use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status,
    Tier, Validity,
};

/// A key on one tier, as a [`Subject`].
pub struct OneKey {
    /// The key.
    pub aead: Box<dyn Aead>,
}

impl OneKey {
    /// A key of as many bytes as the algorithm has.
    ///
    /// # Panics
    ///
    /// If `key` has another length.
    #[must_use]
    pub fn new(algorithm: &Algorithm, key: &[u8], tier: Tier) -> Self {
        let key = algorithm.new_key_with_tier(key, tier);
        Self {
            aead: key.expect("a key of key_len bytes"),
        }
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Open => Failure::Open,
        _ => Failure::Misuse,
    }
}

fn batch_aad<'a>(aads: Aads<'a>) -> BatchAad<'a> {
    match aads {
        Aads::Common(aad) => BatchAad::Common(aad),
        Aads::List(aads) => BatchAad::Slices(aads),
        Aads::Contiguous(bytes, offsets) => BatchAad::Contiguous { bytes, offsets },
    }
}

fn batch_text<'a, 'b>(texts: Texts<'a, 'b>) -> BatchText<'a, 'b> {
    match texts {
        Texts::List(texts) => BatchText::Slices(texts),
        Texts::Contiguous(bytes, offsets) => BatchText::Contiguous { bytes, offsets },
    }
}

fn column<'a>(column: &conformance::Column<'a>) -> Column<'a> {
    let validity = column.validity;
    Column {
        bytes: column.bytes,
        offsets: match column.offsets {
            conformance::Offsets::Bits32(offsets) => Offsets::Bits32(offsets),
            conformance::Offsets::Bits64(offsets) => Offsets::Bits64(offsets),
        },
        validity: validity.map(|(bitmap, first_bit)| Validity { bitmap, first_bit }),
    }
}

fn offsets_mut(offsets: &mut conformance::Offsets) -> OffsetsMut<'_> {
    match offsets {
        conformance::Offsets::Bits32(offsets) => OffsetsMut::Bits32(offsets),
        conformance::Offsets::Bits64(offsets) => OffsetsMut::Bits64(offsets),
    }
}

fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Done => Status::Done,
        Outcome::NotOpened => Status::NotOpened,
        Outcome::TooLong => Status::TooLong,
        Outcome::Refused => Status::Refused,
    }
}

fn outcome(status: Status) -> Outcome {
    match status {
        Status::Done => Outcome::Done,
        Status::NotOpened => Outcome::NotOpened,
        Status::TooLong => Outcome::TooLong,
        _ => Outcome::Refused,
    }
}

/// Runs a call with statuses in the place of outcomes.
fn with_statuses(
    outcomes: &mut [Outcome],
    call: impl FnOnce(&mut [Status]) -> Result<(), Error>,
) -> Result<usize, Failure> {
    let mut statuses: Vec<Status> = outcomes.iter().copied().map(status).collect();
    let failed = match call(&mut statuses) {
        Ok(()) => 0,
        Err(Error::Batch { failed }) => failed,
        Err(error) => return Err(failure(error)),
    };
    for (place, status) in outcomes.iter_mut().zip(statuses) {
        *place = outcome(status);
    }
    Ok(failed)
}

impl Subject for OneKey {
    fn tier_name(&self) -> &str {
        self.aead.tier_name()
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        #[cfg(feature = "std")]
        return self.aead.seal(plaintext, aad).map_err(failure);
        #[cfg(not(feature = "std"))]
        panic!(
            "{} bytes and {} of AAD: no nonce is drawn without `std`",
            plaintext.len(),
            aad.len()
        );
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.aead.open(sealed, aad).map_err(failure)
    }

    fn seal_with_nonce(&self, n: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.aead
            .seal_with_nonce(n, plaintext, aad)
            .map_err(failure)
    }

    fn open_with_nonce(&self, n: &[u8], sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.aead.open_with_nonce(n, sealed, aad).map_err(failure)
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        let sealed = self.aead.seal_into(nonce, plaintext, aad, ciphertext, tag);
        sealed.map_err(failure)
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Failure> {
        let opened = self.aead.open_into(nonce, ciphertext, aad, tag, plaintext);
        opened.map_err(failure)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        let sealed = self.aead.seal_in_place(nonce, aad, in_out, tag);
        sealed.map_err(failure)
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Failure> {
        let opened = self.aead.open_in_place(nonce, aad, in_out, tag);
        opened.map_err(failure)
    }

    fn seal_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &mut [u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        let (aad, in_out) = (batch_aad(aads), batch_text(texts));
        with_statuses(outcomes, |statuses| {
            self.aead.seal_batch(nonces, aad, in_out, tags, statuses)
        })
    }

    fn open_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &[u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        let (aad, in_out) = (batch_aad(aads), batch_text(texts));
        with_statuses(outcomes, |statuses| {
            self.aead.open_batch(nonces, aad, in_out, tags, statuses)
        })
    }

    fn sealed_column_len(&self, values: &conformance::Column<'_>) -> Result<usize, Failure> {
        let len = self.aead.sealed_column_len(&column(values));
        len.map_err(failure)
    }

    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &conformance::Column<'_>,
        aads: Aads<'_>,
        rows: &mut [u8],
        offsets: &mut conformance::Offsets,
    ) -> Result<(), Failure> {
        #[cfg(feature = "std")]
        let nonces = nonces.map_or(ColumnNonces::Random, ColumnNonces::Given);
        #[cfg(not(feature = "std"))]
        let nonces = ColumnNonces::Given(nonces.expect("no nonce is drawn without `std`"));
        let (values, aad, offsets) = (column(values), batch_aad(aads), offsets_mut(offsets));
        let sealed = self.aead.seal_column(nonces, &values, aad, rows, offsets);
        sealed.map_err(failure)
    }

    fn opened_column_len(&self, rows: &conformance::Column<'_>) -> Result<usize, Failure> {
        let len = self.aead.opened_column_len(&column(rows));
        len.map_err(failure)
    }

    fn open_column(
        &self,
        rows: &conformance::Column<'_>,
        aads: Aads<'_>,
        values: &mut [u8],
        offsets: &mut conformance::Offsets,
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        let (rows, aad, offsets) = (column(rows), batch_aad(aads), offsets_mut(offsets));
        with_statuses(outcomes, |statuses| {
            self.aead.open_column(&rows, aad, values, offsets, statuses)
        })
    }
}
