//! The known answer that a tier has to give before its first use.

use super::{Kernels, open, seal};
use crate::kernel::Block;

/// Lengths that between them reach every path of every tier's kernels.
pub(crate) const CHECKED_LENGTHS: [usize; 10] = [0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112];

/// The tag of the chain below; a test has the oracle compute it.
pub(crate) const KNOWN_ANSWER: Block = [
    0x55, 0x1c, 0x78, 0x8a, 0x44, 0xe5, 0xd9, 0x1d, 0xf9, 0x87, 0xab, 0x89, 0xde, 0xfa, 0x86, 0xe5,
];

/// Whether Kuznyechik and MGM give the known answer on this tier: one message of each
/// length is sealed, each with the tag before it as AAD and as the source of its nonce,
/// over the ciphertext before it, and opened; a forgery of each is tried. The last tag
/// depends on every byte on the way.
pub(crate) fn known_answers_hold<T: Kernels>(t: T) -> bool {
    let keys = t.expand(&core::array::from_fn(|i| i as u8));
    let mut message: [u8; 2112] = core::array::from_fn(|i| (i % 251) as u8);
    let mut last = [0; 16];
    for len in CHECKED_LENGTHS {
        let in_out = &mut message[..len];
        let mut nonce = last;
        nonce[0] &= 0x7f;
        let tag = seal(t, &keys, &nonce, &last, in_out);
        let mut copy = [0; 2112];
        let copy = &mut copy[..len];
        copy.copy_from_slice(in_out);
        if !open(t, &keys, &nonce, &last, copy, &tag) {
            return false;
        }
        let resealed = seal(t, &keys, &nonce, &last, copy);
        let mut forged = tag;
        forged[len % 16] ^= 1;
        if resealed != tag || copy != in_out || open(t, &keys, &nonce, &last, copy, &forged) {
            return false;
        }
        // Decryption is no part of MGM: as many blocks as the message has, there and back.
        let (blocks, _) = in_out.as_chunks_mut();
        let mut copy = [[0; 16]; 2112 / 16];
        let copy = &mut copy[..blocks.len()];
        copy.copy_from_slice(blocks);
        t.decrypt_blocks(&keys, copy);
        t.encrypt_blocks(&keys, copy);
        if copy != blocks {
            return false;
        }
        last = tag;
    }
    last == KNOWN_ANSWER
}
