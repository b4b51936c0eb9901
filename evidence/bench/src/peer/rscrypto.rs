//! The crate `rscrypto`.

use super::{Peer, PeerAlgorithm};
use crate::aead::{Aead, OneAtATime, split, two_strings};
use crate::harness::Work;
use rscrypto::aead::expert::AeadWithNonce;
use rscrypto::aead::{AesSivCmac256, AesSivCmac256Key, AesSivCmac256Nonce, Nonce96};
use rscrypto::{Aes128GcmSiv, Aes128GcmSivKey, Aes256GcmSiv, Aes256GcmSivKey};

const NAME: &str = "rscrypto";
const READABLE: &str = "a key, a nonce or a tag of the algorithm's length";

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    let work: Box<dyn Work> = match cipher {
        PeerAlgorithm::Aes128GcmSiv => {
            let key = Aes128GcmSivKey::from_bytes(key.try_into().expect(READABLE));
            Box::new(OneAtATime(GcmSiv(Aes128GcmSiv::new(&key))))
        }
        PeerAlgorithm::Aes256GcmSiv => {
            let key = Aes256GcmSivKey::from_bytes(key.try_into().expect(READABLE));
            Box::new(OneAtATime(GcmSiv(Aes256GcmSiv::new(&key))))
        }
        PeerAlgorithm::AesSiv256Nonce => {
            let key = AesSivCmac256Key::from_bytes(key.try_into().expect(READABLE));
            Box::new(OneAtATime(Siv(AesSivCmac256::new(&key))))
        }
        _ => return None,
    };
    Some((NAME, work))
}

/// AES-GCM-SIV in place with a detached tag.
struct GcmSiv<A>(A);

impl<A: AeadWithNonce<Nonce = Nonce96>> Aead for GcmSiv<A> {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let nonce = Nonce96::from_bytes(nonce.try_into().expect(READABLE));
        let sealed = self.0.encrypt_in_place(&nonce, aad, in_out);
        room.copy_from_slice(sealed.expect("within the limits").as_ref());
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let nonce = Nonce96::from_bytes(nonce.try_into().expect(READABLE));
        let tag = A::tag_from_slice(tag).expect(READABLE);
        self.0.decrypt_in_place(&nonce, aad, in_out, &tag).is_ok()
    }
}

/// AES-SIV, which here always has a nonce.
struct Siv(AesSivCmac256);

impl Aead for Siv {
    #[inline(always)]
    fn seal(&mut self, _nonce: &[u8], strings: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let [aad, nonce] = two_strings(strings);
        let nonce = AesSivCmac256Nonce::try_from(nonce).expect(READABLE);
        room.copy_from_slice(self.0.seal_in_place(nonce, aad, in_out).as_bytes());
    }

    #[inline(always)]
    fn open(&mut self, _nonce: &[u8], strings: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let [aad, nonce] = two_strings(strings);
        let nonce = AesSivCmac256Nonce::try_from(nonce).expect(READABLE);
        let tag = AesSivCmac256::tag_from_slice(tag).expect(READABLE);
        self.0.open_in_place(nonce, aad, in_out, &tag).is_ok()
    }
}
