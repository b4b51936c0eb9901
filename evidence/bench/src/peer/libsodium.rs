//! libsodium, the parts of which the C# library composes ChaCha20-BLAKE2b.

use super::compose::{self, Parts};
use super::narrow::Narrow;
use super::{Peer, PeerAlgorithm};
use crate::aead::{Aead, OneAtATime};
use libsodium_sys as ffi;
use std::mem::MaybeUninit;
use std::ptr;

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    // SAFETY: takes nothing and may be called again.
    assert!(unsafe { ffi::sodium_init() } >= 0, "sodium_init fails");
    if cipher == PeerAlgorithm::ChaCha20Poly1305 {
        let key = key.try_into().ok()?;
        return Some(("libsodium", Box::new(OneAtATime(Narrow(Poly1305(key))))));
    }
    compose::offering("libsodium", Sodium, cipher, key)
}

struct Sodium;

impl Parts for Sodium {
    #[inline(always)]
    fn hash(&self, key: &[u8], pieces: &[&[u8]], out: &mut [u8]) {
        let mut state = MaybeUninit::uninit();
        let state = state.as_mut_ptr();
        // SAFETY: `init` writes the state that the other calls use; key, pieces and
        // output are valid for the lengths given with them.
        let done = unsafe {
            let mut done = ffi::crypto_generichash_init(state, key.as_ptr(), key.len(), out.len());
            for piece in pieces {
                done |= ffi::crypto_generichash_update(state, piece.as_ptr(), piece.len() as u64);
            }
            done | ffi::crypto_generichash_final(state, out.as_mut_ptr(), out.len())
        };
        assert_eq!(done, 0, "crypto_generichash fails");
    }

    #[inline(always)]
    fn cipher(&self, key: &[u8; 32], nonce: &[u8; 8], in_out: &mut [u8]) {
        let (text, len) = (in_out.as_mut_ptr(), in_out.len() as u64);
        // SAFETY: key and nonce have the lengths that the function reads; input and output
        // are the same buffer, which it allows.
        let done = unsafe {
            ffi::crypto_stream_chacha20_xor(text, text, len, nonce.as_ptr(), key.as_ptr())
        };
        assert_eq!(done, 0, "crypto_stream_chacha20_xor fails");
    }
}

/// RFC 8439.
struct Poly1305([u8; 32]);

impl Aead for Poly1305 {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (text, len) = (message.as_mut_ptr(), message.len() as u64 - 16);
        let nonce: &[u8; 12] = nonce.try_into().expect("a 12-byte nonce");
        // SAFETY: the message has room for the 16-byte tag after the text; key and nonce
        // have the lengths read; input and output may be the same.
        let done = unsafe {
            ffi::crypto_aead_chacha20poly1305_ietf_encrypt(
                text,
                ptr::null_mut(),
                text,
                len,
                aad.as_ptr(),
                aad.len() as u64,
                ptr::null(),
                nonce.as_ptr(),
                self.0.as_ptr(),
            )
        };
        assert_eq!(done, 0, "crypto_aead_chacha20poly1305_ietf_encrypt fails");
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (text, len) = (message.as_mut_ptr(), message.len() as u64);
        let nonce: &[u8; 12] = nonce.try_into().expect("a 12-byte nonce");
        // SAFETY: as in `seal`; the output is shorter than the input.
        let done = unsafe {
            ffi::crypto_aead_chacha20poly1305_ietf_decrypt(
                text,
                ptr::null_mut(),
                ptr::null_mut(),
                text,
                len,
                aad.as_ptr(),
                aad.len() as u64,
                nonce.as_ptr(),
                self.0.as_ptr(),
            )
        };
        done == 0
    }
}
