//! AES-EAX (Bellare, Rogaway, Wagner 2004), with IVs of 12 or 16 bytes: IV ‖ ciphertext ‖ tag.

use super::aes_ctr::AesCtr;
use super::detached::Detached;
use super::{equal, key_len};
use crate::error::Error;
use cmac::digest::OutputSizeUser;
use cmac::digest::typenum::U16;
use cmac::{KeyInit, Mac};

/// `M` is CMAC with the AES of the key.
pub(super) struct Eax<M> {
    ctr: AesCtr,
    mac: M,
    iv_len: usize,
}

impl<M: Mac + KeyInit + OutputSizeUser<OutputSize = U16> + Clone> Eax<M> {
    pub(super) fn new(key: &[u8], iv_len: usize) -> Result<Self, Error> {
        let mac = <M as KeyInit>::new_from_slice(key);
        Ok(Self { ctr: AesCtr::new(key)?, mac: mac.map_err(|_| key_len(key.len()))?, iv_len })
    }

    /// CMAC with a block before the message that gives the kind of the message.
    fn omac(&self, of: u8, message: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[15] = of;
        let mac = self.mac.clone().chain_update(block).chain_update(message);
        mac.finalize().into_bytes().into()
    }

    /// The first counter of CTR, and the tag without the ciphertext's part.
    fn start(&self, iv: &[u8], aad: &[u8]) -> ([u8; 16], [u8; 16]) {
        let start = self.omac(0, iv);
        (start, xor(start, self.omac(1, aad)))
    }
}

fn xor(mut left: [u8; 16], right: [u8; 16]) -> [u8; 16] {
    left.iter_mut().zip(right).for_each(|(left, right)| *left ^= right);
    left
}

impl<M> Detached for Eax<M>
where
    M: Mac + KeyInit + OutputSizeUser<OutputSize = U16> + Clone + Send + Sync,
{
    fn nonce_len(&self) -> usize {
        self.iv_len
    }

    fn seal(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let (start, before) = self.start(iv, aad);
        self.ctr.apply(&start, in_out);
        tag.copy_from_slice(&xor(before, self.omac(2, in_out)));
        Ok(())
    }

    fn open(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (start, before) = self.start(iv, aad);
        let wanted = xor(before, self.omac(2, in_out));
        if !equal(&wanted, tag) {
            return Err(Error::Open);
        }
        self.ctr.apply(&start, in_out);
        Ok(())
    }
}
