//! AEADs one message at a time.

use crate::harness::Work;
use crate::messages::Messages;

/// A key of some implementation, used for one message after another, in place.
pub(crate) trait Aead {
    /// Seals `message`, which is plaintext followed by room for the tag.
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]);

    /// Opens `message`, which is ciphertext ‖ tag; the plaintext replaces the
    /// ciphertext. Says whether the tag was right.
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool;
}

/// Calls an [`Aead`] for each message.
pub(crate) struct OneAtATime<A>(pub(crate) A);

impl<A: Aead> Work for OneAtATime<A> {
    fn forward(&mut self, messages: &mut Messages) {
        for (nonce, aad, message) in messages.each() {
            self.0.seal(nonce, aad, message);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let mut opened = true;
        for (nonce, aad, message) in messages.each() {
            opened &= self.0.open(nonce, aad, message);
        }
        assert!(opened, "a message that was sealed does not open");
    }
}

/// A yardstick with a 12-byte nonce and a 16-byte tag among algorithms that have a
/// shorter nonce and room for a longer tag.
#[cfg(any(
    feature = "aws-lc",
    feature = "boringssl",
    feature = "libsodium",
    feature = "openssl",
    feature = "ring"
))]
pub(crate) struct Narrow<A>(pub(crate) A);

#[cfg(any(
    feature = "aws-lc",
    feature = "boringssl",
    feature = "libsodium",
    feature = "openssl",
    feature = "ring"
))]
impl<A> Narrow<A> {
    /// The nonce with zeros before it, and the message with room for 16 bytes of tag.
    fn narrow<'m>(nonce: &[u8], message: &'m mut [u8]) -> ([u8; 12], &'m mut [u8]) {
        let mut padded = [0; 12];
        padded[12 - nonce.len()..].copy_from_slice(nonce);
        let len = message.len() - 16;
        (padded, &mut message[..len])
    }
}

#[cfg(any(
    feature = "aws-lc",
    feature = "boringssl",
    feature = "libsodium",
    feature = "openssl",
    feature = "ring"
))]
impl<A: Aead> Aead for Narrow<A> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (nonce, message) = Self::narrow(nonce, message);
        self.0.seal(&nonce, aad, message);
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (nonce, message) = Self::narrow(nonce, message);
        self.0.open(&nonce, aad, message)
    }
}
