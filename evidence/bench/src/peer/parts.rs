//! The fastest parts in Rust: `chacha20` and `blake2b_simd`.

use super::compose::{self, Parts};
use super::{Peer, PeerAlgorithm};
use chacha20::ChaCha20Legacy;
use chacha20::cipher::{KeyIvInit, StreamCipher};

/// Says in every report when the build lets `chacha20` use AVX-512.
const NAME: &str = if cfg!(chacha20_avx512) { "parts (AVX-512)" } else { "parts" };

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    compose::offering(NAME, RustParts, cipher, key)
}

struct RustParts;

impl Parts for RustParts {
    #[inline(always)]
    fn hash(&self, key: &[u8], pieces: &[&[u8]], out: &mut [u8]) {
        let mut params = blake2b_simd::Params::new();
        let mut state = params.key(key).hash_length(out.len()).to_state();
        for piece in pieces {
            state.update(piece);
        }
        out.copy_from_slice(state.finalize().as_bytes());
    }

    #[inline(always)]
    fn cipher(&self, key: &[u8; 32], nonce: &[u8; 8], in_out: &mut [u8]) {
        ChaCha20Legacy::new(key.into(), nonce.into()).apply_keystream(in_out);
    }
}
