//! Our AEADs, through the trait that every key of ours has, and through the C interface.

mod batch;
#[allow(unsafe_code)]
mod c;

use crate::aead::{self, Aead, Apart, Given};
use crate::algorithm::Algorithm;
use crate::harness::{Contender, Kind, Work};
use crate::messages::{Interface, Shape};
use sivka::Tier;

/// Our contenders: single calls on every tier, and in a batch one call for many messages as
/// well. In rows of interfaces also the C interface, on the tier that it chooses itself.
pub(crate) fn contenders(algorithm: &Algorithm, shape: Shape) -> Vec<Contender> {
    let (row, key) = (algorithm.sivka(), algorithm.key());
    let contender = |name: String, tier: Tier, work: Box<dyn Work>| Contender {
        name,
        algorithm: algorithm.name,
        kind: Kind::Ours(tier),
        work,
    };
    let mut all = Vec::new();
    for tier in Tier::available() {
        let new_key = || Key::new(row, key, tier);
        let single = aead::work(new_key(), shape.interface);
        all.push(contender(format!("sivka {tier}"), tier, single));
        if shape.batch > 1 {
            let batch = batch::work(new_key().aead, algorithm.at_once);
            all.push(contender(format!("sivka {tier} batch"), tier, batch));
        }
    }
    let tier = Tier::detect();
    if shape.interface.is_some() {
        let single = aead::work(c::Key::new(row, key), shape.interface);
        all.push(contender(format!("sivka C {tier}"), tier, single));
    }
    if shape.interface == Some(Interface::Apart) && row.nonce_rule() != sivka::NonceRule::Counter {
        all.push(Contender {
            // Nobody can make the same bytes.
            algorithm: "random nonces",
            ..contender(
                format!("sivka C {tier} random"),
                tier,
                Box::new(c::RandomNonces::new(row, key, shape)),
            )
        });
    }
    all
}

/// A key of ours through the trait.
struct Key {
    aead: Box<dyn sivka::Aead>,
    tag_len: usize,
}

impl Key {
    fn new(row: &sivka::Algorithm, key: &[u8], tier: Tier) -> Self {
        let aead = row.new_key_with_tier(key, tier);
        Self { aead: aead.expect("a key of the algorithm's length"), tag_len: row.tag_len() }
    }
}

impl Aead for Key {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        let sealed = self.aead.seal_in_place(nonce, aad, in_out, tag);
        sealed.expect("within the limits");
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        self.aead.open_in_place(nonce, aad, in_out, tag).is_ok()
    }
}

impl Apart for Key {
    #[inline(always)]
    fn seal_apart(&mut self, given: Given<'_>, to: &mut [u8], tag: &mut [u8]) {
        let Given { nonce, aad, text } = given;
        let sealed = self.aead.seal_into(nonce, text, aad, to, tag);
        sealed.expect("within the limits");
    }

    #[inline(always)]
    fn open_apart(&mut self, given: Given<'_>, tag: &[u8], to: &mut [u8]) -> bool {
        let Given { nonce, aad, text } = given;
        self.aead.open_into(nonce, text, aad, tag, to).is_ok()
    }
}
