//! AES-SIV with two strings of associated data, the second a nonce (RFC 5297, section 3), for peers
//! that take no list.

use super::aead::{AES_SIV_512, peers};
use crate::aead::{Aead, OneAtATime, split, two_strings};
use crate::algorithm::Algorithm;
use crate::harness::{Contender, Kind};
use crate::messages::Shape;
use crate::peer::PeerAlgorithm;
use sivka::{AesSiv256, Tag, Tier};

/// RFC 5297, AEAD_AES_SIV_CMAC_256. The AAD of a row is both strings, 16 bytes each.
pub(super) const AES_SIV_256_NONCE: Algorithm = Algorithm {
    name: "aes-siv-256-nonce",
    hash_of: Some("aes-siv-256"),
    aad_lens: &[32],
    batch_lens: &[],
    ciphers: &[PeerAlgorithm::AesSiv256Nonce],
    contenders,
    ..AES_SIV_512
};

fn contenders(algorithm: &Algorithm, shape: Shape) -> Vec<Contender> {
    let key = algorithm.key().first_chunk().expect("a key of 32 bytes");
    let mut all: Vec<Contender> = Tier::available()
        .map(|tier| Contender {
            name: format!("sivka {tier}"),
            algorithm: algorithm.name,
            kind: Kind::Ours(tier),
            work: Box::new(OneAtATime(WithNonce(AesSiv256::with_tier(key, tier)))),
        })
        .collect();
    all.extend(peers(algorithm, shape));
    all
}

/// A key of ours, called with a list.
struct WithNonce(AesSiv256);

impl Aead for WithNonce {
    #[inline(always)]
    fn seal(&mut self, _nonce: &[u8], strings: &[u8], message: &mut [u8]) {
        let (in_out, room) = split::<16>(message);
        let sealed = self.0.seal_in_place_with_list(&two_strings(strings), in_out);
        *room = sealed.expect("within the limits").into();
    }

    #[inline(always)]
    fn open(&mut self, _nonce: &[u8], strings: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<16>(message);
        let tag = Tag::from(*tag);
        let opened = self.0.open_in_place_with_list(&two_strings(strings), in_out, &tag);
        opened.is_ok()
    }
}
