//! RustCrypto's `aead` traits for the two types that take a nonce, with 32-byte tags.
//!
//! The traits fix the length of a tag by the type, so a key made with another length
//! returns `aead::Error` from them. SIV has no nonce and stays outside: an empty one
//! would look like any other in generic code that relies on nonces to differ.

use super::{ChaCha20Blake2b, LongTag, TagLen, XChaCha20Blake2b};
use aead::consts::{U8, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, TagPosition};

macro_rules! aead_traits {
    ($name:ident, $nonce_size:ident) => {
        impl KeySizeUser for $name {
            type KeySize = U32;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::new(&key.0)
            }
        }

        impl AeadCore for $name {
            type NonceSize = $nonce_size;
            type TagSize = U32;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                mut buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<aead::Tag<Self>> {
                if self.tag_len() != TagLen::Bytes32 {
                    return Err(aead::Error);
                }
                copy_in_to_out(&mut buffer);
                let tag = self
                    .seal_in_place(&nonce.0, aad, buffer.get_out())
                    .map_err(|_| aead::Error)?;
                let tag: [u8; 32] = tag.as_bytes().try_into().map_err(|_| aead::Error)?;
                Ok(tag.into())
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                mut buffer: InOutBuf<'_, '_, u8>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                copy_in_to_out(&mut buffer);
                self.open_in_place(&nonce.0, aad, buffer.get_out(), &LongTag::from(tag.0))
                    .map_err(|_| aead::Error)
            }
        }
    };
}
aead_traits!(ChaCha20Blake2b, U8);
aead_traits!(XChaCha20Blake2b, U24);

/// Makes an apart pair of buffers an in-place one.
fn copy_in_to_out(buffer: &mut InOutBuf<'_, '_, u8>) {
    for mut byte in buffer.reborrow() {
        *byte.get_out() = *byte.get_in();
    }
}
