//! One key of an implementation as the checks call it, and a key of ours as that.

use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, OffsetsMut, Status, Tier,
};

/// Why a [`Subject`] refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The message does not open.
    Open,
    /// The caller's mistake; nothing was written.
    Misuse,
}

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
        Self { aead: key.expect("a key of key_len bytes") }
    }
}

fn one<T>(done: Result<T, Error>) -> Result<T, Failure> {
    done.map_err(|error| match error {
        Error::Open => Failure::Open,
        _ => Failure::Misuse,
    })
}

/// How many of many failed.
fn many(done: Result<(), Error>) -> Result<usize, Failure> {
    match done {
        Err(Error::Batch { failed }) => Ok(failed),
        done => one(done).map(|()| 0),
    }
}

/// Declares the calls of a [`Subject`]. A key of ours has those of the list by the same names.
macro_rules! calls {
    ($($of:ident: $name:ident($($argument:ident: $type:ty),*) -> $output:ty;)+) => {
        /// One key of one implementation on one tier, at the levels of its interface. `nonce` and
        /// `tag` always have the algorithm's lengths, and an output has its input's. Of many, as
        /// many as there are statuses, a call says how many were not done.
        #[allow(missing_docs, clippy::missing_errors_doc)]
        pub trait Subject {
            fn tier_name(&self) -> &str;
            fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure>;
            /// Draws the nonces if there are none.
            fn seal_column(
                &self,
                nonces: Option<&[u8]>,
                values: &Column<'_>,
                aads: BatchAad<'_>,
                rows: &mut [u8],
                offsets: OffsetsMut<'_>,
            ) -> Result<(), Failure>;
            $(fn $name(&self, $($argument: $type),*) -> Result<$output, Failure>;)+
        }

        impl Subject for OneKey {
            fn tier_name(&self) -> &str {
                self.aead.tier_name()
            }

            fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
                #[cfg(feature = "std")]
                return one(self.aead.seal(plaintext, aad));
                #[cfg(not(feature = "std"))]
                panic!("{plaintext:?} and {aad:?}: no nonce is drawn without `std`");
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
                one(self.aead.seal_column(nonces, values, aads, rows, offsets))
            }

            $(fn $name(&self, $($argument: $type),*) -> Result<$output, Failure> {
                $of(self.aead.$name($($argument),*))
            })+
        }
    };
}

calls! {
    one: open(sealed: &[u8], aad: &[u8]) -> Vec<u8>;
    one: seal_with_nonce(nonce: &[u8], plaintext: &[u8], aad: &[u8]) -> Vec<u8>;
    one: open_with_nonce(nonce: &[u8], sealed: &[u8], aad: &[u8]) -> Vec<u8>;
    one: seal_into(nonce: &[u8], text: &[u8], aad: &[u8], to: &mut [u8], tag: &mut [u8]) -> ();
    one: open_into(nonce: &[u8], text: &[u8], aad: &[u8], tag: &[u8], to: &mut [u8]) -> ();
    one: seal_in_place(nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &mut [u8]) -> ();
    one: open_in_place(nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> ();
    many: seal_batch(
        nonces: &[u8], aads: BatchAad<'_>, texts: BatchText<'_, '_>, tags: &mut [u8],
        statuses: &mut [Status]
    ) -> usize;
    many: open_batch(
        nonces: &[u8], aads: BatchAad<'_>, texts: BatchText<'_, '_>, tags: &[u8],
        statuses: &mut [Status]
    ) -> usize;
    one: sealed_column_len(values: &Column<'_>) -> usize;
    one: opened_column_len(rows: &Column<'_>) -> usize;
    many: open_column(
        rows: &Column<'_>, aads: BatchAad<'_>, values: &mut [u8], offsets: OffsetsMut<'_>,
        statuses: &mut [Status]
    ) -> usize;
}
