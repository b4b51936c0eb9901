//! An AEAD that is given its nonce.

use crate::error::Error;

/// An AEAD that works in place, with its nonce and its tag apart.
pub(super) trait Detached: Send + Sync {
    fn nonce_len(&self) -> usize;

    fn tag_len(&self) -> usize {
        16
    }

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// Whatever `in_out` holds on an error, the caller wipes it.
    fn open(&self, nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error>;
}
