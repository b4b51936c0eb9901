//! A key of any algorithm as what the conformance tests take.

use crate::conformance::{Failure, Subject};
use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, OffsetsMut, Status, Tier,
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

/// How many of many failed.
fn failed(done: Result<(), Error>) -> Result<usize, Failure> {
    match done {
        Ok(()) => Ok(0),
        Err(Error::Batch { failed }) => Ok(failed),
        Err(error) => Err(failure(error)),
    }
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
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<usize, Failure> {
        failed(self.aead.seal_batch(nonces, aads, texts, tags, statuses))
    }

    fn open_batch(
        &self,
        nonces: &[u8],
        aads: BatchAad<'_>,
        texts: BatchText<'_, '_>,
        tags: &[u8],
        statuses: &mut [Status],
    ) -> Result<usize, Failure> {
        failed(self.aead.open_batch(nonces, aads, texts, tags, statuses))
    }

    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Failure> {
        self.aead.sealed_column_len(values).map_err(failure)
    }

    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &Column<'_>,
        aads: BatchAad<'_>,
        rows: &mut [u8],
        offsets: OffsetsMut<'_>,
    ) -> Result<(), Failure> {
        #[cfg(feature = "std")]
        let nonces = nonces.map_or(ColumnNonces::Random, ColumnNonces::Given);
        #[cfg(not(feature = "std"))]
        let nonces = ColumnNonces::Given(nonces.expect("no nonce is drawn without `std`"));
        let sealed = self.aead.seal_column(nonces, values, aads, rows, offsets);
        sealed.map_err(failure)
    }

    fn opened_column_len(&self, rows: &Column<'_>) -> Result<usize, Failure> {
        self.aead.opened_column_len(rows).map_err(failure)
    }

    fn open_column(
        &self,
        rows: &Column<'_>,
        aads: BatchAad<'_>,
        values: &mut [u8],
        offsets: OffsetsMut<'_>,
        statuses: &mut [Status],
    ) -> Result<usize, Failure> {
        failed(self.aead.open_column(rows, aads, values, offsets, statuses))
    }
}
