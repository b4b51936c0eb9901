//! AES-EAX (Bellare, Rogaway, Wagner 2004), with IVs of 12 or 16 bytes: IV ‖ ciphertext ‖ tag.

use super::aes_ctr::AesCtr;
use super::verdict::equal;
use super::{FixedOverhead, key_len};
use crate::error::Error;
use cmac::digest::OutputSizeUser;
use cmac::digest::typenum::U16;
use cmac::{KeyInit, Mac};

const TAG_LEN: usize = 16;

/// `M` is CMAC with the AES of the key.
pub(super) struct Eax<M> {
    ctr: AesCtr,
    mac: M,
    iv_len: usize,
}

impl<M: Mac + KeyInit + OutputSizeUser<OutputSize = U16> + Clone> Eax<M> {
    pub(super) fn new(key: &[u8], iv_len: u32) -> Result<Self, Error> {
        let mac = <M as KeyInit>::new_from_slice(key);
        Ok(Self {
            ctr: AesCtr::new(key)?,
            mac: mac.map_err(|_| key_len(key.len()))?,
            iv_len: iv_len as usize,
        })
    }

    /// CMAC with a block before the message that says what it is of.
    fn omac(&self, of: u8, message: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[15] = of;
        let mac = self.mac.clone().chain_update(block).chain_update(message);
        mac.finalize().into_bytes().into()
    }

    /// What CTR begins with, and the tag but for the ciphertext's part.
    fn start(&self, iv: &[u8], aad: &[u8]) -> ([u8; 16], [u8; 16]) {
        let start = self.omac(0, iv);
        (start, xor(start, self.omac(1, aad)))
    }
}

fn xor(mut left: [u8; 16], right: [u8; 16]) -> [u8; 16] {
    left.iter_mut()
        .zip(right)
        .for_each(|(left, right)| *left ^= right);
    left
}

impl<M> FixedOverhead for Eax<M>
where
    M: Mac + KeyInit + OutputSizeUser<OutputSize = U16> + Clone + Send + Sync,
{
    fn overhead(&self) -> usize {
        self.iv_len + TAG_LEN
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (iv, rest) = sealed.split_at_mut(self.iv_len);
        let (ciphertext, tag) = rest.split_at_mut(plaintext.len());
        getrandom::fill(iv).map_err(|_| Error::Random)?;
        let (start, before) = self.start(iv, aad);
        ciphertext.copy_from_slice(plaintext);
        self.ctr.apply(&start, ciphertext);
        tag.copy_from_slice(&xor(before, self.omac(2, ciphertext)));
        Ok(())
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (iv, rest) = sealed.split_at(self.iv_len);
        let (ciphertext, tag) = rest.split_at(plaintext.len());
        let (start, before) = self.start(iv, aad);
        let wanted = xor(before, self.omac(2, ciphertext));
        if !equal(&wanted, tag) {
            return Err(Error::Open);
        }
        plaintext.copy_from_slice(ciphertext);
        self.ctr.apply(&start, plaintext);
        Ok(())
    }
}
