//! ring, which has AES-GCM and ChaCha20-Poly1305 but not AES-GCM-SIV.

use super::narrow::Narrow;
use super::{Peer, PeerAlgorithm};
use crate::aead::{Aead, OneAtATime, split};
use ring::aead::{
    AES_128_GCM, AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey,
};

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    let algorithm = match cipher {
        PeerAlgorithm::Aes128Gcm => &AES_128_GCM,
        PeerAlgorithm::Aes256Gcm => &AES_256_GCM,
        PeerAlgorithm::ChaCha20Poly1305 => &CHACHA20_POLY1305,
        _ => return None,
    };
    let key = UnboundKey::new(algorithm, key).expect("a key of the algorithm's length");
    let key = LessSafeKey::new(key);
    Some(match cipher {
        PeerAlgorithm::ChaCha20Poly1305 => ("ring", Box::new(OneAtATime(Narrow(key)))),
        _ => ("ring", Box::new(OneAtATime(key))),
    })
}

impl Aead for LessSafeKey {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("a 12-byte nonce");
        let tag =
            self.seal_in_place_separate_tag(nonce, Aad::from(aad), in_out).expect("ring seals");
        room.copy_from_slice(tag.as_ref());
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("a 12-byte nonce");
        self.open_in_place(nonce, Aad::from(aad), message).is_ok()
    }
}
