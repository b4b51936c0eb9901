//! RustCrypto's `aead` traits on Kuznyechik-MGM.

use super::KuznyechikMgm;
use crate::tag::Tag;
use aead::consts::{U16, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, TagPosition};

impl KeySizeUser for KuznyechikMgm {
    type KeySize = U32;
}

impl KeyInit for KuznyechikMgm {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

impl AeadCore for KuznyechikMgm {
    type NonceSize = U16;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl AeadInOut for KuznyechikMgm {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        aad: &[u8],
        mut buffer: InOutBuf<'_, '_, u8>,
    ) -> aead::Result<aead::Tag<Self>> {
        copy_in_to_out(&mut buffer);
        self.seal_in_place(&nonce.0, aad, buffer.get_out())
            .map(|tag| <[u8; Tag::LEN]>::from(tag).into())
            .map_err(|_| aead::Error)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        aad: &[u8],
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &aead::Tag<Self>,
    ) -> aead::Result<()> {
        copy_in_to_out(&mut buffer);
        self.open_in_place(&nonce.0, aad, buffer.get_out(), &Tag::from(tag.0))
            .map_err(|_| aead::Error)
    }
}

/// Makes an apart pair of buffers an in-place one.
fn copy_in_to_out(buffer: &mut InOutBuf<'_, '_, u8>) {
    for mut byte in buffer.reborrow() {
        *byte.get_out() = *byte.get_in();
    }
}
