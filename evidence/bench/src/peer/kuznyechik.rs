//! RustCrypto's `kuznyechik` and `mgm`.

use crate::aead::{Aead, OneAtATime, split};
use crate::block_cipher::{BlockCipher, Blocks, Dependent};
use crate::harness::Work;
use ::kuznyechik::Kuznyechik;
use ::kuznyechik::cipher::array::Array;
use ::kuznyechik::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use kuznyechik_of_mgm::Kuznyechik as KuznyechikOfMgm;
use mgm::Mgm;
use mgm::aead::{AeadInPlace, KeyInit as _};

/// Says in every report which implementation the build chose.
pub(crate) const NAME: &str = if cfg!(kuznyechik_backend = "soft") {
    "RustCrypto soft"
} else if cfg!(kuznyechik_backend = "compact_soft") {
    "RustCrypto compact_soft"
} else if cfg!(target_feature = "sse2") {
    "RustCrypto sse2"
} else {
    "RustCrypto"
};

pub(crate) fn blocks(key: &[u8; 32]) -> Box<dyn Work> {
    Box::new(Blocks(Kuznyechik::new(key.into())))
}

pub(crate) fn dependent(key: &[u8; 32]) -> Box<dyn Work> {
    Box::new(Dependent(Kuznyechik::new(key.into())))
}

pub(super) fn sealing(key: &[u8]) -> Box<dyn Work> {
    let key = Mgm::new_from_slice(key).expect("a key of 32 bytes");
    Box::new(OneAtATime(MgmKey(key)))
}

impl BlockCipher for Kuznyechik {
    #[inline(always)]
    fn encrypt(&self, blocks: &mut [[u8; 16]]) {
        self.encrypt_blocks(Array::cast_slice_from_core_mut(blocks));
    }

    #[inline(always)]
    fn decrypt(&self, blocks: &mut [[u8; 16]]) {
        self.decrypt_blocks(Array::cast_slice_from_core_mut(blocks));
    }

    #[inline(always)]
    fn encrypt_one(&self, block: &mut [u8; 16]) {
        self.encrypt_block(block.into());
    }

    #[inline(always)]
    fn decrypt_one(&self, block: &mut [u8; 16]) {
        self.decrypt_block(block.into());
    }
}

struct MgmKey(Mgm<KuznyechikOfMgm>);

impl Aead for MgmKey {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let nonce: [u8; 16] = nonce.try_into().expect("a 16-byte nonce");
        let tag = self.0.encrypt_in_place_detached(&nonce.into(), aad, in_out);
        room.copy_from_slice(&tag.expect("within the limits"));
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let nonce: [u8; 16] = nonce.try_into().expect("a 16-byte nonce");
        let opened = self.0.decrypt_in_place_detached(&nonce.into(), aad, in_out, &(*tag).into());
        opened.is_ok()
    }
}
