//! RustCrypto's `aead` traits, so that a program changes one line to use these keys.
//!
//! The traits fix the length of a tag by the type, so a key of the ChaCha20-BLAKE2b family
//! that was made with another length than 32 bytes returns `aead::Error` from them. SIV has no
//! nonce and stays outside: an empty one would look like any other in generic code that
//! relies on nonces to differ.

use super::Aead;
use crate::{Aes128GcmSiv, Aes256GcmSiv, ChaCha20Blake2b, KuznyechikMgm, XChaCha20Blake2b};
use aead::consts::{U8, U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, TagPosition};

macro_rules! aead_traits {
    ($($name:ident: $key_size:ident, $nonce_size:ident, $tag_size:ident;)*) => { $(
        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::new(&key.0)
            }
        }

        impl AeadCore for $name {
            type NonceSize = $nonce_size;
            type TagSize = $tag_size;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                mut buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<aead::Tag<Self>> {
                let mut tag = aead::Tag::<Self>::default();
                if self.algorithm().tag_len() != tag.len() {
                    return Err(aead::Error);
                }
                copy_in_to_out(&mut buffer);
                Aead::seal_in_place(self, nonce, aad, buffer.get_out(), &mut tag)
                    .map(|()| tag)
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
                Aead::open_in_place(self, nonce, aad, buffer.get_out(), tag)
                    .map_err(|_| aead::Error)
            }
        }
    )* };
}
aead_traits! {
    Aes128GcmSiv: U16, U12, U16;
    Aes256GcmSiv: U32, U12, U16;
    ChaCha20Blake2b: U32, U8, U32;
    XChaCha20Blake2b: U32, U24, U32;
    KuznyechikMgm: U32, U16, U16;
}

/// Makes an apart pair of buffers an in-place one.
fn copy_in_to_out(buffer: &mut InOutBuf<'_, '_, u8>) {
    for mut byte in buffer.reborrow() {
        *byte.get_out() = *byte.get_in();
    }
}
