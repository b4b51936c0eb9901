//! The calls of keys. They are compiled here once for each algorithm, and serve [`Key`](super::Key)
//! and [`Aead`](super::Aead).

use super::keys::*;
use crate::tier::Tier;

/// Calls of keys beside [`Aead`](super::Aead).
pub trait Calls: Cipher {
    /// Makes a key in its final memory, and overwrites the stack that this used.
    fn make(key: &Self::Key, choice: Self::Choice, tier: Tier) -> Key<Self>;

    /// [`Key::seal_batch_with_random_nonces`].
    #[cfg(feature = "getrandom")]
    fn seal_batch_with_random_nonces(
        key: &Key<Self>,
        nonces: &mut [u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<(), Error>;
}

/// Makes the keys of ciphers what their calls need.
macro_rules! calls {
    ($($cipher:ty),*) => { $(
        impl $crate::aead::calls::Calls for $cipher {
            fn make(key: &Self::Key, choice: Self::Choice, tier: Tier) -> Key<Self> {
                Self::MAKING_DEPTH.making_key(tier, || Key {
                    engine: Engine::new(Self::new(key, choice, tier), tier),
                })
            }

            #[cfg(feature = "getrandom")]
            fn seal_batch_with_random_nonces(
                key: &Key<Self>,
                nonces: &mut [u8],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [u8],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                key.engine.seal_batch_with_random_nonces(nonces, aad, in_out, tags, statuses)
            }
        }

        impl $crate::aead::sealed::Sealed for Key<$cipher> {}

        impl Aead for Key<$cipher> {
            fn algorithm(&self) -> &'static Algorithm {
                self.engine.cipher().algorithm()
            }

            fn tier_name(&self) -> &'static str {
                self.engine.tier().name()
            }

            fn seal_into(
                &self,
                nonce: &[u8],
                plaintext: &[u8],
                aad: &[u8],
                ciphertext: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.seal(nonce, aad, Some(plaintext), ciphertext, tag)
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ciphertext: &[u8],
                aad: &[u8],
                tag: &[u8],
                plaintext: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.open(nonce, aad, Some(ciphertext), plaintext, tag)
            }

            fn seal_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.seal(nonce, aad, None, in_out, tag)
            }

            fn open_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                self.engine.open(nonce, aad, None, in_out, tag)
            }

            fn seal_batch(
                &self,
                nonces: &[u8],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [u8],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                self.engine.crypt_batch(nonces, aad, in_out, TagPlace::Made(tags), statuses)
            }

            fn open_batch(
                &self,
                nonces: &[u8],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &[u8],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                self.engine.crypt_batch(nonces, aad, in_out, TagPlace::Given(tags), statuses)
            }

            fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Error> {
                self.engine.sealed_column_len(values)
            }

            fn seal_column(
                &self,
                nonces: ColumnNonces<'_>,
                values: &Column<'_>,
                aad: BatchAad<'_>,
                sealed: &mut [u8],
                offsets: OffsetsMut<'_>,
            ) -> Result<(), Error> {
                self.engine.seal_column(nonces, values, aad, sealed, offsets)
            }

            fn opened_column_len(&self, sealed: &Column<'_>) -> Result<usize, Error> {
                self.engine.opened_column_len(sealed)
            }

            fn open_column(
                &self,
                sealed: &Column<'_>,
                aad: BatchAad<'_>,
                values: &mut [u8],
                offsets: OffsetsMut<'_>,
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                self.engine.open_column(sealed, aad, values, offsets, statuses)
            }

            #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
            fn set_usage_bound(&mut self, bound: UsageBound) {
                self.engine.set_usage_bound(bound);
            }

            #[cfg(feature = "getrandom")]
            fn draw_nonces(&self, nonces: &mut [u8], message_len: u64) -> Result<(), Error> {
                self.engine.draw_nonces(nonces, message_len)
            }

            #[cfg(feature = "getrandom")]
            fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.seal_after_nonce(plaintext, aad)
            }

            #[cfg(feature = "alloc")]
            fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.open_after_nonce(sealed, aad)
            }

            #[cfg(feature = "alloc")]
            fn seal_with_nonce(
                &self,
                nonce: &[u8],
                plaintext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.seal_to_vec(&[], nonce, plaintext, aad)
            }

            #[cfg(feature = "alloc")]
            fn open_with_nonce(
                &self,
                nonce: &[u8],
                ciphertext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.open_to_vec(nonce, ciphertext, aad)
            }
        }
    )* };
}
pub(crate) use calls;

/// [`Key::seal_all`].
#[cfg(feature = "getrandom")]
pub(super) fn seal_all(
    key: &dyn Aead,
    plaintexts: &[&[u8]],
    aad: &[u8],
) -> Result<Vec<Vec<u8>>, Error> {
    use crate::column::Offsets;
    use alloc::vec;
    let mut bytes = Vec::with_capacity(plaintexts.iter().map(|text| text.len()).sum());
    let mut offsets = vec![0];
    for text in plaintexts {
        bytes.extend_from_slice(text);
        offsets.push(bytes.len() as i64);
    }
    let values = Column { bytes: &bytes, offsets: Offsets::Bits64(&offsets), validity: None };
    let (nonces, aad) = (ColumnNonces::Random, BatchAad::Common(aad));
    let mut ends = vec![0; offsets.len()];
    let sealed = key.sealed_column_len(&values).and_then(|len| {
        let mut sealed = vec![0; len];
        key.seal_column(nonces, &values, aad, &mut sealed, OffsetsMut::Bits64(&mut ends))?;
        Ok(sealed)
    });
    crate::tier::secret::wipe(&mut bytes);
    let sealed = sealed?;
    let row = |ends: &[i64]| sealed[ends[0] as usize..ends[1] as usize].to_vec();
    Ok(ends.windows(2).map(row).collect())
}
