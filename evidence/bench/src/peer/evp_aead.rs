//! The EVP_AEAD interface that BoringSSL and AWS-LC share.

/// Declares a key over the EVP_AEAD functions of the crate `$ffi`, under the
/// name `$name`: `offering(cipher, key)` gives the peer.
///
/// Keys are set up once (EVP_AEAD_CTX_new); messages go through
/// EVP_AEAD_CTX_seal and EVP_AEAD_CTX_open in place, ciphertext ‖ tag, or apart through
/// EVP_AEAD_CTX_seal_scatter and EVP_AEAD_CTX_open_gather.
macro_rules! evp_aead {
    ($ffi:ident, $name:literal) => {
        use super::narrow::Narrow;
        use super::{Peer, PeerAlgorithm};
        use crate::aead::{self, Aead, Apart, Given};
        use crate::messages::Interface;
        use std::ptr::{self, NonNull};

        /// The peer's work for `cipher`, if it has it.
        pub(super) fn offering(
            cipher: PeerAlgorithm,
            key: &[u8],
            interface: Option<Interface>,
        ) -> Option<Peer> {
            // SAFETY: the functions that name an AEAD take nothing and return
            // a pointer to static data.
            let aead = unsafe {
                match cipher {
                    PeerAlgorithm::Aes128GcmSiv => $ffi::EVP_aead_aes_128_gcm_siv(),
                    PeerAlgorithm::Aes256GcmSiv => $ffi::EVP_aead_aes_256_gcm_siv(),
                    PeerAlgorithm::Aes128Gcm => $ffi::EVP_aead_aes_128_gcm(),
                    PeerAlgorithm::Aes256Gcm => $ffi::EVP_aead_aes_256_gcm(),
                    PeerAlgorithm::ChaCha20Poly1305 => $ffi::EVP_aead_chacha20_poly1305(),
                    _ => return None,
                }
            };
            let key = Key::new(aead, key);
            Some(match cipher {
                PeerAlgorithm::ChaCha20Poly1305 => ($name, aead::work(Narrow(key), interface)),
                _ => ($name, aead::work(key, interface)),
            })
        }

        /// An EVP_AEAD_CTX that we own.
        struct Key(NonNull<$ffi::EVP_AEAD_CTX>);

        const TAG_LEN: usize = 16;

        impl Key {
            fn new(aead: *const $ffi::EVP_AEAD, key: &[u8]) -> Self {
                // SAFETY: `aead` is one of the static AEADs; `key` is readable for the
                // length given with it, and a wrong length is answered with null.
                let ctx = unsafe { $ffi::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), TAG_LEN) };
                Self(NonNull::new(ctx).expect("EVP_AEAD_CTX_new takes the key"))
            }
        }

        impl Drop for Key {
            fn drop(&mut self) {
                // SAFETY: the context came from EVP_AEAD_CTX_new and is freed once.
                unsafe { $ffi::EVP_AEAD_CTX_free(self.0.as_ptr()) }
            }
        }

        impl Aead for Key {
            #[inline(always)]
            fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
                let mut written = 0;
                let in_out = message.as_mut_ptr();
                // SAFETY: the context lives; nonce and AAD are readable for their
                // lengths; input and output start at the same address, which the
                // interface allows, and `message` has room for the tag.
                let done = unsafe {
                    $ffi::EVP_AEAD_CTX_seal(
                        self.0.as_ptr(),
                        in_out,
                        &mut written,
                        message.len(),
                        nonce.as_ptr(),
                        nonce.len(),
                        in_out,
                        message.len() - TAG_LEN,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                assert!(done == 1 && written == message.len(), "EVP_AEAD_CTX_seal fails");
            }

            #[inline(always)]
            fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
                let mut written = 0;
                let in_out = message.as_mut_ptr();
                // SAFETY: as in `seal`; the output is shorter than the input.
                let done = unsafe {
                    $ffi::EVP_AEAD_CTX_open(
                        self.0.as_ptr(),
                        in_out,
                        &mut written,
                        message.len(),
                        nonce.as_ptr(),
                        nonce.len(),
                        in_out,
                        message.len(),
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                done == 1
            }
        }

        impl Apart for Key {
            #[inline(always)]
            fn seal_apart(&mut self, given: Given<'_>, to: &mut [u8], tag: &mut [u8]) {
                let Given { nonce, aad, text } = given;
                let mut written = 0;
                // SAFETY: the context lives; nonce, AAD and text are readable for their
                // lengths, `to` is as long as the text and apart from it, and
                // the tag is writable for its length; there is no further input.
                let done = unsafe {
                    $ffi::EVP_AEAD_CTX_seal_scatter(
                        self.0.as_ptr(),
                        to.as_mut_ptr(),
                        tag.as_mut_ptr(),
                        &mut written,
                        tag.len(),
                        nonce.as_ptr(),
                        nonce.len(),
                        text.as_ptr(),
                        text.len(),
                        ptr::null(),
                        0,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                assert!(done == 1 && written == tag.len(), "EVP_AEAD_CTX_seal_scatter fails");
            }

            #[inline(always)]
            fn open_apart(&mut self, given: Given<'_>, tag: &[u8], to: &mut [u8]) -> bool {
                let Given { nonce, aad, text } = given;
                // SAFETY: as in `seal_apart`, with a tag that is read.
                let done = unsafe {
                    $ffi::EVP_AEAD_CTX_open_gather(
                        self.0.as_ptr(),
                        to.as_mut_ptr(),
                        nonce.as_ptr(),
                        nonce.len(),
                        text.as_ptr(),
                        text.len(),
                        tag.as_ptr(),
                        tag.len(),
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                done == 1
            }
        }
    };
}
pub(super) use evp_aead;
