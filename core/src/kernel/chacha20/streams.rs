//! The keystreams of many nonces under one key, one block in each lane of a vector.
//!
//! A short message has too few blocks to fill a vector, and HChaCha20 is one block whatever
//! the message. Here the blocks of many messages share the rounds: first HChaCha20 of every
//! nonce, then the blocks of all texts, one after another, each in the next lane.

use super::{ChaCha20, KEY_LEN, Matrix};
use crate::tier::{Portable, secret};

/// The most keystreams that any tier makes side by side.
pub(crate) const MAX_STREAMS: usize = 16;

/// XChaCha20's nonce. That of ChaCha20 is its end, and the rest means nothing.
pub(crate) type StreamNonce = [u8; 24];

/// Keystreams side by side; on a tier without lanes for them, one after another.
pub(crate) trait Streams: ChaCha20 {
    /// How many at most.
    const STREAMS: usize = 1;

    /// How many at least: fewer are sooner made one after another.
    const FEWEST: usize = 1;

    /// The longest text, in bytes: a longer one fills the vectors alone.
    const LONGEST: usize = 0;

    /// XORs into each text the keystream of its nonce under `key`, from block 0 on: that of
    /// XChaCha20 if `extended`, or that of ChaCha20. There are as many nonces as texts.
    #[inline(always)]
    fn xor_streams(
        self,
        key: &[u8; KEY_LEN],
        nonces: &[StreamNonce],
        extended: bool,
        texts: &mut [&mut [u8]],
    ) {
        for (nonce, text) in nonces.iter().zip(texts) {
            let (Some(first), Some(last)) = (nonce.first_chunk(), nonce.last_chunk()) else {
                return;
            };
            let mut own = *key;
            if extended {
                self.hchacha20(key, first, &mut own);
            }
            self.chacha20_xor(&Matrix::new(&own, last), 0, text);
            secret::wipe(&mut own);
        }
    }
}

impl Streams for Portable {}
