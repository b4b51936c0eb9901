//! Kuznyechik: the block cipher in bulk and one dependent block at a time, which is the
//! table that libgost15 prints of itself, and MGM.

use super::Algorithm;
use crate::aead::Aead;
use crate::batch;
use crate::harness::{Contender, Kind, Operation, Work};
use crate::messages::{Messages, Shape};
#[cfg(feature = "rustcrypto")]
use crate::peer::kuznyechik as rustcrypto;
use sivka::{Implementation, Kuznyechik, KuznyechikMgm, Tag, Tier};

const KEY: [u8; 32] = *b"a 256-bit key, not a secret one.";

/// RFC 7801, every block on its own: 1, 2, 4, … 64 blocks and 65536.
pub(super) const BLOCKS: Algorithm = Algorithm {
    name: "kuznyechik-blocks",
    operations: &[Operation::Encrypt, Operation::Decrypt],
    nonce_len: 0,
    tag_len: 0,
    lens: &[16, 32, 64, 128, 256, 512, 1024, 1_048_576],
    aad_lens: &[0],
    batch_lens: &[],
    contenders: blocks,
};

/// RFC 7801, every block needs the one before it.
pub(super) const DEPENDENT: Algorithm = Algorithm {
    name: "kuznyechik-dependent",
    lens: &[16_384],
    contenders: dependent,
    ..BLOCKS
};

/// RFC 9058.
pub(super) const MGM: Algorithm = Algorithm {
    name: "kuznyechik-mgm",
    operations: &[Operation::Seal, Operation::Open],
    nonce_len: 16,
    tag_len: 16,
    lens: &[16, 64, 256, 1024, 4096, 16_384, 65_536, 1_048_576],
    aad_lens: &[16],
    batch_lens: &[16, 64, 256],
    contenders: mgm,
};

fn contender(algorithm: &Algorithm, name: String, kind: Kind, work: Box<dyn Work>) -> Contender {
    Contender {
        name,
        algorithm: algorithm.name,
        kind,
        work,
    }
}

/// Our key on every tier, and in every implementation that is chosen by name only; those
/// count as of the portable tier.
fn ours() -> impl Iterator<Item = (String, Tier, Kuznyechik)> {
    let tiers = Tier::available().map(|tier| (format!("sivka {tier}"), tier));
    let tiers = tiers.map(|(name, tier)| (name, tier, Kuznyechik::with_tier(&KEY, tier)));
    let named = Tier::available().take(1).flat_map(|tier| {
        Implementation::ALL.map(|named| {
            let name = format!("sivka {}", named.name());
            (name, tier, Kuznyechik::with_implementation(&KEY, named))
        })
    });
    tiers.chain(named)
}

fn blocks(_: Shape) -> Vec<Contender> {
    let ours = ours()
        .map(|(name, tier, key)| contender(&BLOCKS, name, Kind::Ours(tier), Box::new(Blocks(key))));
    #[allow(unused_mut, reason = "the peer may not be built in")]
    let mut all: Vec<Contender> = ours.collect();
    #[cfg(feature = "rustcrypto")]
    all.push(contender(
        &BLOCKS,
        rustcrypto::NAME.to_owned(),
        Kind::Peer,
        rustcrypto::blocks(&KEY),
    ));
    all
}

fn dependent(_: Shape) -> Vec<Contender> {
    let ours = ours().map(|(name, tier, key)| {
        contender(&DEPENDENT, name, Kind::Ours(tier), Box::new(Dependent(key)))
    });
    #[allow(unused_mut, reason = "the peer may not be built in")]
    let mut all: Vec<Contender> = ours.collect();
    #[cfg(feature = "rustcrypto")]
    all.push(contender(
        &DEPENDENT,
        rustcrypto::NAME.to_owned(),
        Kind::Peer,
        rustcrypto::dependent(&KEY),
    ));
    all
}

fn mgm(shape: Shape) -> Vec<Contender> {
    let ours = Tier::available().flat_map(|tier| {
        batch::ours(MGM.name, tier, shape, || {
            KuznyechikMgm::with_tier(&KEY, tier)
        })
    });
    #[allow(unused_mut, reason = "the peer may not be built in")]
    let mut all: Vec<Contender> = ours.collect();
    #[cfg(feature = "rustcrypto")]
    all.push(contender(
        &MGM,
        "RustCrypto".to_owned(),
        Kind::Peer,
        rustcrypto::sealing(&KEY),
    ));
    all
}

/// A block cipher with its key.
pub(crate) trait BlockCipher {
    fn encrypt(&self, blocks: &mut [[u8; 16]]);
    fn decrypt(&self, blocks: &mut [[u8; 16]]);
    fn encrypt_one(&self, block: &mut [u8; 16]);
    fn decrypt_one(&self, block: &mut [u8; 16]);
}

impl BlockCipher for Kuznyechik {
    #[inline(always)]
    fn encrypt(&self, blocks: &mut [[u8; 16]]) {
        self.encrypt_blocks(blocks).expect("a tier that works");
    }

    #[inline(always)]
    fn decrypt(&self, blocks: &mut [[u8; 16]]) {
        self.decrypt_blocks(blocks).expect("a tier that works");
    }

    #[inline(always)]
    fn encrypt_one(&self, block: &mut [u8; 16]) {
        self.encrypt_block(block).expect("a tier that works");
    }

    #[inline(always)]
    fn decrypt_one(&self, block: &mut [u8; 16]) {
        self.decrypt_block(block).expect("a tier that works");
    }
}

/// All whole blocks of a message in one call.
pub(crate) struct Blocks<C>(pub(crate) C);

impl<C: BlockCipher> Work for Blocks<C> {
    fn forward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            self.0.encrypt(message.as_chunks_mut().0);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            self.0.decrypt(message.as_chunks_mut().0);
        }
    }
}

/// One block after the other, chained so that neither direction can begin a block before
/// it has the result of the one before: IGE.
pub(crate) struct Dependent<C>(pub(crate) C);

fn add(block: &mut [u8; 16], other: [u8; 16]) {
    *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(other)).to_ne_bytes();
}

impl<C: BlockCipher> Work for Dependent<C> {
    fn forward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            let (mut plaintext, mut ciphertext) = ([0; 16], [0; 16]);
            for block in message.as_chunks_mut().0 {
                let this = *block;
                add(block, ciphertext);
                self.0.encrypt_one(block);
                add(block, plaintext);
                (plaintext, ciphertext) = (this, *block);
            }
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        for (_, _, message) in messages.each() {
            let (mut plaintext, mut ciphertext) = ([0; 16], [0; 16]);
            for block in message.as_chunks_mut().0 {
                let this = *block;
                add(block, plaintext);
                self.0.decrypt_one(block);
                add(block, ciphertext);
                (plaintext, ciphertext) = (*block, this);
            }
        }
    }
}

impl Aead for KuznyechikMgm {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, room) = message
            .split_last_chunk_mut::<{ Tag::LEN }>()
            .expect("room for a tag");
        let nonce = nonce.try_into().expect("a 16-byte nonce");
        let tag = self.seal_in_place(nonce, aad, in_out);
        *room = tag.expect("within the limits").into();
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = message
            .split_last_chunk_mut::<{ Tag::LEN }>()
            .expect("a tag");
        let nonce = nonce.try_into().expect("a 16-byte nonce");
        self.open_in_place(nonce, aad, in_out, &Tag::from(*tag))
            .is_ok()
    }
}
