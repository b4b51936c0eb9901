//! An AEAD that is given its nonce.

use super::FixedOverhead;
use crate::error::Error;
use sivka::Tier;

/// An AEAD that works in place, with its nonce and its tag apart.
pub(crate) trait Detached: Send + Sync {
    fn nonce_len(&self) -> usize;

    fn tag_len(&self) -> usize {
        16
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &mut [u8]) -> Result<(), Error>;

    /// On an error `text` is as it was: nothing is decrypted before the tag is verified.
    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error>;
}

/// A key of another crate, whose memory is wiped like ours.
struct Kept<C>(sivka::__Erased<C>);

pub(super) fn kept<C: Detached + 'static>(
    cipher: Result<C, Error>,
) -> Result<Box<dyn Detached>, Error> {
    Ok(Box::new(Kept(sivka::__Erased::of(cipher?))))
}

impl<C: Detached> Detached for Kept<C> {
    fn nonce_len(&self) -> usize {
        self.0.nonce_len()
    }

    fn tag_len(&self) -> usize {
        self.0.tag_len()
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let len = aad.len() + text.len();
        Tier::detect().__run(len, || self.0.seal(nonce, aad, text, tag))
    }

    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let len = aad.len() + text.len();
        Tier::detect().__run(len, || self.0.open(nonce, aad, text, tag))
    }
}

/// Nonce ‖ ciphertext ‖ tag; nonces are from the operating system.
impl FixedOverhead for Box<dyn Detached> {
    fn overhead(&self) -> usize {
        self.nonce_len() + self.tag_len()
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at_mut(self.nonce_len());
        let (text, tag) = rest.split_at_mut(plaintext.len());
        getrandom::fill(nonce).map_err(|_| Error::Random)?;
        text.copy_from_slice(plaintext);
        self.seal(nonce, aad, text, tag)
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at(self.nonce_len());
        let (ciphertext, tag) = rest.split_at(plaintext.len());
        plaintext.copy_from_slice(ciphertext);
        let opened = self.open(nonce, aad, plaintext, tag);
        if opened.is_err() {
            plaintext.fill(0);
        }
        opened
    }
}
