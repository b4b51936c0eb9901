//! Block ciphers: in bulk, and one dependent block at a time.

use crate::harness::Work;
use crate::messages::Messages;

/// A block cipher with its key.
pub(crate) trait BlockCipher {
    fn encrypt(&self, blocks: &mut [[u8; 16]]);
    fn decrypt(&self, blocks: &mut [[u8; 16]]);
    fn encrypt_one(&self, block: &mut [u8; 16]);
    fn decrypt_one(&self, block: &mut [u8; 16]);
}

/// All whole blocks of a message in one call.
pub(crate) struct Blocks<C>(pub(crate) C);

impl<C: BlockCipher> Work for Blocks<C> {
    fn forward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            self.0.encrypt(message.as_chunks_mut().0);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            self.0.decrypt(message.as_chunks_mut().0);
        }
    }
}

/// One block after the other, chained so that neither direction can begin a block before
/// it has the result of the one before: IGE.
pub(crate) struct Dependent<C>(pub(crate) C);

fn add(block: &mut [u8; 16], other: [u8; 16]) {
    *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(other)).to_ne_bytes();
}

impl<C: BlockCipher> Work for Dependent<C> {
    fn forward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            let (mut plaintext, mut ciphertext) = ([0; 16], [0; 16]);
            for block in message.as_chunks_mut().0 {
                let this = *block;
                add(block, ciphertext);
                self.0.encrypt_one(block);
                add(block, plaintext);
                (plaintext, ciphertext) = (this, *block);
            }
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            let (mut plaintext, mut ciphertext) = ([0; 16], [0; 16]);
            for block in message.as_chunks_mut().0 {
                let this = *block;
                add(block, plaintext);
                self.0.decrypt_one(block);
                add(block, ciphertext);
                (plaintext, ciphertext) = (*block, this);
            }
        }
    }
}
