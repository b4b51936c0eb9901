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
