//! Yardsticks with a 12-byte nonce and a 16-byte tag among algorithms with a shorter nonce and
//! space for a longer tag.

use crate::aead::{Aead, Apart, Given};

/// A key of such a yardstick.
pub(super) struct Narrow<A>(pub(super) A);

const TAG_LEN: usize = 16;

/// The nonce with zeros before it.
fn padded(nonce: &[u8]) -> [u8; 12] {
    let mut padded = [0; 12];
    padded[12 - nonce.len()..].copy_from_slice(nonce);
    padded
}

/// The message with space for its own tag.
fn narrow(message: &mut [u8]) -> &mut [u8] {
    let len = message.len() - TAG_LEN;
    &mut message[..len]
}

impl<A: Aead> Aead for Narrow<A> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        self.0.seal(&padded(nonce), aad, narrow(message));
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        self.0.open(&padded(nonce), aad, narrow(message))
    }
}

impl<A: Apart> Apart for Narrow<A> {
    #[inline(always)]
    fn seal_apart(&mut self, given: Given<'_>, to: &mut [u8], tag: &mut [u8]) {
        let nonce = &padded(given.nonce);
        let given = Given { nonce, ..given };
        self.0.seal_apart(given, to, &mut tag[..TAG_LEN]);
    }

    #[inline(always)]
    fn open_apart(&mut self, given: Given<'_>, tag: &[u8], to: &mut [u8]) -> bool {
        let nonce = &padded(given.nonce);
        let given = Given { nonce, ..given };
        self.0.open_apart(given, &tag[..TAG_LEN], to)
    }
}
