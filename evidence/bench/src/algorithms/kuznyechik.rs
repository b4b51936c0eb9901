//! Kuznyechik: the block cipher in bulk and one dependent block at a time, which is the
//! table that libgost15 prints of itself.

use crate::algorithm::{Algorithm, KEY};
use crate::block_cipher::{BlockCipher, Blocks, Dependent};
use crate::harness::{Contender, Kind, Operation, Work};
#[cfg(feature = "rustcrypto")]
use crate::peer::kuznyechik as rustcrypto;
use sivka::{Kuznyechik, Tier};

/// RFC 7801, every block on its own: 1, 2, 4, … 64 blocks and 65536.
pub(crate) const BLOCKS: Algorithm = Algorithm {
    name: "kuznyechik-blocks",
    hash_of: None,
    operations: &[Operation::Encrypt, Operation::Decrypt],
    lens: &[16, 32, 64, 128, 256, 512, 1024, 1_048_576],
    aad_lens: &[0],
    batch_lens: &[],
    at_once: 0,
    interface_lens: &[],
    ciphers: &[],
    contenders: |_, _| {
        #[allow(unused_mut, reason = "the peer may not be built in")]
        let mut all = ours(&BLOCKS, |key| Box::new(Blocks(key)));
        #[cfg(feature = "rustcrypto")]
        all.push(peer(&BLOCKS, rustcrypto::blocks(KEY)));
        all
    },
};

/// RFC 7801, every block needs the one before it.
pub(crate) const DEPENDENT: Algorithm = Algorithm {
    name: "kuznyechik-dependent",
    lens: &[16_384],
    contenders: |_, _| {
        #[allow(unused_mut, reason = "the peer may not be built in")]
        let mut all = ours(&DEPENDENT, |key| Box::new(Dependent(key)));
        #[cfg(feature = "rustcrypto")]
        all.push(peer(&DEPENDENT, rustcrypto::dependent(KEY)));
        all
    },
    ..BLOCKS
};

/// Our key on every tier.
fn ours(algorithm: &Algorithm, work: impl Fn(Kuznyechik) -> Box<dyn Work>) -> Vec<Contender> {
    let contender = |tier: Tier| Contender {
        name: format!("sivka {tier}"),
        algorithm: algorithm.name,
        kind: Kind::Ours(tier),
        work: work(Kuznyechik::with_tier(KEY, tier)),
    };
    Tier::available().map(contender).collect()
}

#[cfg(feature = "rustcrypto")]
fn peer(algorithm: &Algorithm, work: Box<dyn Work>) -> Contender {
    Contender {
        name: rustcrypto::NAME.to_owned(),
        algorithm: algorithm.name,
        kind: Kind::Peer,
        work,
    }
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
