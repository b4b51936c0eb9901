//! AES in counter mode, which AES-EAX, AES-CTR-HMAC and streams have in common.

use super::key_len;
use crate::error::Error;
use aes::cipher::{InnerIvInit, KeyInit, StreamCipher};
use aes::{Aes128, Aes256};
use ctr::CtrCore;
use ctr::cipher::StreamCipherCoreWrapper;
use ctr::flavors::Ctr128BE;

pub(super) enum AesCtr {
    Aes128(Aes128),
    Aes256(Aes256),
}

impl AesCtr {
    pub(super) fn new(key: &[u8]) -> Result<Self, Error> {
        let key_len = |_| key_len(key.len());
        Ok(match key.len() {
            16 => Self::Aes128(Aes128::new_from_slice(key).map_err(key_len)?),
            _ => Self::Aes256(Aes256::new_from_slice(key).map_err(key_len)?),
        })
    }

    /// Encrypts or decrypts; the counter is all 128 bits, and begins with `start`.
    pub(super) fn apply(&self, start: &[u8; 16], in_out: &mut [u8]) {
        match self {
            Self::Aes128(aes) => {
                let core = CtrCore::<_, Ctr128BE>::inner_iv_init(aes, start.into());
                StreamCipherCoreWrapper::from_core(core).apply_keystream(in_out);
            }
            Self::Aes256(aes) => {
                let core = CtrCore::<_, Ctr128BE>::inner_iv_init(aes, start.into());
                StreamCipherCoreWrapper::from_core(core).apply_keystream(in_out);
            }
        }
    }
}
