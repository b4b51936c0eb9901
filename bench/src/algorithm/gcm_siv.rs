//! AES-GCM-SIV, with AES-GCM of the same key size as the yardstick.

use super::Algorithm;
use crate::aead::Aead;
use crate::batch;
use crate::harness::{Contender, Kind, Operation};
use crate::messages::Shape;
use crate::peer::{self, Cipher};
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Tag, Tier};

/// RFC 8452, AEAD_AES_128_GCM_SIV.
pub(super) const AES_128: Algorithm = Algorithm {
    name: "aes-128-gcm-siv",
    contenders: aes_128,
    ..COMMON
};

/// RFC 8452, AEAD_AES_256_GCM_SIV.
pub(super) const AES_256: Algorithm = Algorithm {
    name: "aes-256-gcm-siv",
    contenders: aes_256,
    ..COMMON
};

const COMMON: Algorithm = Algorithm {
    name: "",
    operations: &[Operation::Seal, Operation::Open],
    nonce_len: 12,
    tag_len: 16,
    lens: &[
        16, 64, 128, 256, 1024, 4096, 8192, 16_384, 65_536, 1_048_576, 35_756_441,
    ],
    aad_lens: &[0, 16],
    batch_lens: &[16, 64, 256],
    contenders: aes_256,
};

fn aes_128(shape: Shape) -> Vec<Contender> {
    let key = *b"a 128-bit key ..";
    let mut all = Vec::new();
    for tier in Tier::available() {
        all.extend(batch::ours(AES_128.name, tier, shape, || {
            Aes128GcmSiv::with_tier(&key, tier)
        }));
    }
    all.extend(peers(AES_128.name, Kind::Peer, Cipher::Aes128GcmSiv, &key));
    all.extend(peers(
        "aes-128-gcm",
        Kind::Yardstick,
        Cipher::Aes128Gcm,
        &key,
    ));
    all
}

fn aes_256(shape: Shape) -> Vec<Contender> {
    let key = *b"a 256-bit key, not a secret one.";
    let mut all = Vec::new();
    for tier in Tier::available() {
        all.extend(batch::ours(AES_256.name, tier, shape, || {
            Aes256GcmSiv::with_tier(&key, tier)
        }));
    }
    all.extend(peers(AES_256.name, Kind::Peer, Cipher::Aes256GcmSiv, &key));
    all.extend(peers(
        "aes-256-gcm",
        Kind::Yardstick,
        Cipher::Aes256Gcm,
        &key,
    ));
    all
}

/// Every peer that offers `cipher`.
fn peers(
    algorithm: &'static str,
    kind: Kind,
    cipher: Cipher,
    key: &[u8],
) -> impl Iterator<Item = Contender> {
    peer::offering(cipher, key)
        .into_iter()
        .map(move |(peer, work)| Contender {
            name: match kind {
                Kind::Yardstick => format!("{peer} AES-GCM"),
                Kind::Peer | Kind::Ours(_) => peer.to_owned(),
            },
            algorithm,
            kind,
            work,
        })
}

/// Our keys through the in-place calls with a detached tag.
macro_rules! in_place {
    ($key:ty) => {
        impl Aead for $key {
            #[inline(always)]
            fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
                let (in_out, room) = message
                    .split_last_chunk_mut::<{ Tag::LEN }>()
                    .expect("room for a tag");
                let nonce = nonce.try_into().expect("a 12-byte nonce");
                let tag = self
                    .seal_in_place(nonce, aad, in_out)
                    .expect("within the limits");
                *room = tag.into();
            }

            #[inline(always)]
            fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
                let (in_out, tag) = message
                    .split_last_chunk_mut::<{ Tag::LEN }>()
                    .expect("a tag");
                let nonce = nonce.try_into().expect("a 12-byte nonce");
                self.open_in_place(nonce, aad, in_out, &Tag::from(*tag))
                    .is_ok()
            }
        }
    };
}
in_place!(Aes128GcmSiv);
in_place!(Aes256GcmSiv);
