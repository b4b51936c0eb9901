//! RustCrypto's `aead` traits, so that a program changes one line to use these keys.
//!
//! The traits fix the length of a tag by the type. So they return `aead::Error` for a key of the
//! ChaCha20-BLAKE2b family that was made with another length than 32 bytes. SIV has no nonce and no
//! such trait: generic code may rely on nonces to differ.
//!
//! The traits do not define the content of a buffer after an error. Here a message that does not
//! open leaves zeros. A refused call leaves its input unchanged, and zeros in a separate output.

use super::Aead;
use crate::Error;
use crate::tier::secret;
use aead::consts::{U8, U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, TagPosition};

macro_rules! aead_traits {
    ($($name:ident: $key_size:ident, $nonce_size:ident, $tag_size:ident;)*) => { $(
        impl KeySizeUser for crate::$name {
            type KeySize = $key_size;
        }

        impl KeyInit for crate::$name {
            fn new(key: &Key<Self>) -> Self {
                Self::new(&key.0)
            }
        }

        impl AeadCore for crate::$name {
            type NonceSize = $nonce_size;
            type TagSize = $tag_size;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for crate::$name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<aead::Tag<Self>> {
                let mut tag = aead::Tag::<Self>::default();
                in_place(buffer, |in_out| {
                    Aead::seal_in_place(self, nonce, aad, in_out, &mut tag)
                })?;
                Ok(tag)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                in_place(buffer, |in_out| {
                    Aead::open_in_place(self, nonce, aad, in_out, tag)
                })
            }
        }
    )* };
}
#[cfg(feature = "aes-gcm-siv")]
aead_traits! {
    Aes128GcmSiv: U16, U12, U16;
    Aes256GcmSiv: U32, U12, U16;
}
#[cfg(feature = "chacha20-blake2b")]
aead_traits! {
    ChaCha20Blake2b: U32, U8, U32;
    XChaCha20Blake2b: U32, U24, U32;
}
#[cfg(feature = "kuznyechik")]
aead_traits! {
    KuznyechikMgm: U32, U16, U16;
}

/// Does `work` with a copy of the input where the output belongs. One that is apart from the
/// input has nothing left of it if that fails.
fn in_place(
    mut buffer: InOutBuf<'_, '_, u8>,
    work: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> aead::Result<()> {
    let is_apart = buffer.get_in().as_ptr() != buffer.get_out().as_ptr();
    for mut byte in buffer.reborrow() {
        *byte.get_out() = *byte.get_in();
    }
    work(buffer.get_out()).map_err(|_| {
        if is_apart {
            secret::wipe(buffer.get_out());
        }
        aead::Error
    })
}
