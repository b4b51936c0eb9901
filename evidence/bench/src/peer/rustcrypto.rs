//! RustCrypto's `aes-gcm-siv` and `aes-siv`.

use super::{Peer, PeerAlgorithm, kuznyechik};
use crate::aead::{Aead, OneAtATime, split};
use aes_gcm_siv::aead::{AeadInOut, KeyInit, Tag};
use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use aes_siv::siv::Aes256Siv;

/// Says in every report when the build forces the implementation in software.
const NAME: &str = if cfg!(all(aes_backend = "soft", polyval_backend = "soft")) {
    "RustCrypto (software)"
} else {
    "RustCrypto"
};

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    match cipher {
        PeerAlgorithm::Aes128GcmSiv => Some(peer::<Aes128GcmSiv>(key)),
        PeerAlgorithm::Aes256GcmSiv => Some(peer::<Aes256GcmSiv>(key)),
        PeerAlgorithm::AesSiv512 => {
            let key = Aes256Siv::new_from_slice(key).expect("a 64-byte key");
            Some((NAME, Box::new(OneAtATime(Siv(key)))))
        }
        PeerAlgorithm::KuznyechikMgm => Some(("RustCrypto", kuznyechik::sealing(key))),
        _ => None,
    }
}

fn peer<A: KeyInit + AeadInOut + 'static>(key: &[u8]) -> Peer {
    let key = A::new_from_slice(key).expect("a key of the algorithm's length");
    (NAME, Box::new(OneAtATime(InOut(key))))
}

/// Anything behind RustCrypto's AEAD traits, in place with a detached tag.
struct InOut<A>(A);

impl<A: AeadInOut> Aead for InOut<A> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let nonce = nonce.try_into().expect("a 12-byte nonce");
        let tag =
            self.0.encrypt_inout_detached(nonce, aad, in_out.into()).expect("within the limits");
        room.copy_from_slice(&tag);
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let nonce = nonce.try_into().expect("a 12-byte nonce");
        let tag: &Tag<A> = (&tag[..]).try_into().expect("a 16-byte tag");
        self.0.decrypt_inout_detached(nonce, aad, in_out.into(), tag).is_ok()
    }
}

/// AES-SIV, whose crate's AEAD traits want a nonce.
struct Siv(Aes256Siv);

impl Aead for Siv {
    #[inline(always)]
    fn seal(&mut self, _nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let sealed = self.0.encrypt_inout_detached([aad], in_out.into());
        room.copy_from_slice(&sealed.expect("within the limits"));
    }

    #[inline(always)]
    fn open(&mut self, _nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let opened = self.0.decrypt_inout_detached([aad], in_out.into(), (&*tag).into());
        opened.is_ok()
    }
}
