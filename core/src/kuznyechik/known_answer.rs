//! Keys are made where the known answers hold.

use super::mgm;
use crate::aead::known_answer;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::self_check::KnownAnswers;
use crate::tier::{Tier, on_tier, stack::Depth};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

pub(super) fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || gives_known_answers(tier))
}

/// Whether the cipher and MGM give the known answers on `tier`.
pub(super) fn gives_known_answers(tier: Tier) -> bool {
    mgm::known_answer_holds(tier)
        && on_tier!(tier, Depth::Nothing, |t| decryption_is_the_inverse(t))
}

/// Decryption, which is no part of MGM: as many blocks as reach every path, there and back.
fn decryption_is_the_inverse<T: Kernel>(t: T) -> bool {
    let keys = t.expand(&known_answer::key());
    let inverse = t.expand_inverse(&keys);
    let blocks: [[u8; 16]; 132] = core::array::from_fn(|i| [i as u8; 16]);
    [1, 2, 6, 8, 15, 17, 64, 132].into_iter().all(|count| {
        let mut copy = blocks;
        t.decrypt_blocks(&keys, &inverse, &mut copy[..count]);
        let changed = copy[..count].iter().zip(&blocks).all(|(a, b)| a != b);
        t.encrypt_blocks(&keys, &mut copy[..count]);
        changed && copy == blocks
    })
}
