//! CTR of GOST R 34.13-2015 section 5.2, with s = n, and CTR-ACPKM of RFC 8645 section 6.2.2.

use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik;
use crate::kernel::kuznyechik::counters::Counters;
use crate::tier::secret::BlockRoom;
use zeroize::Zeroizing;

/// An IV: half a block.
pub(crate) const IV_LEN: usize = 8;

/// Blocks of keystream made in one call.
const GROUP: usize = 64;

/// XORs the keystream into `in_out`, starting with block number `first_block`. Returns the last
/// block of keystream: the caller may use its rest.
#[inline(always)]
pub(crate) fn xor_keystream<T: Kuznyechik>(
    t: T,
    keys: &T::RoundKeys,
    iv: &[u8; IV_LEN],
    first_block: u64,
    in_out: &mut [u8],
) -> Zeroizing<Block> {
    let mut last = Zeroizing::new([0; 16]);
    let mut room = BlockRoom::<GROUP>::new();
    let mut next = first_block;
    for piece in in_out.chunks_mut(16 * GROUP) {
        let keystream = room.take(piece.len().div_ceil(16));
        let counters = Counters {
            left_len: 0,
            left: 0,
            right: u128::from(u64::from_be_bytes(*iv)) << 64 | u128::from(next),
        };
        t.encrypt_counters(keys, counters, keystream);
        next = next.wrapping_add(keystream.len() as u64);
        xor(piece, keystream.as_flattened());
        if let Some(block) = keystream.last() {
            *last = *block;
        }
    }
    last
}

/// XORs into `text` as many bytes of a keystream.
#[inline(always)]
pub(crate) fn xor(text: &mut [u8], keystream: &[u8]) {
    for (byte, key) in text.iter_mut().zip(keystream) {
        *byte ^= key;
    }
}

/// RFC 8645 section 6.2.1: the key of the next section, E_K(D_1) ‖ E_K(D_2).
#[inline(always)]
pub(crate) fn next_section_key<T: Kuznyechik>(t: T, keys: &T::RoundKeys) -> Zeroizing<[u8; 32]> {
    // D is 80, 81, …, 9f.
    let mut next = Zeroizing::new(core::array::from_fn(|i| 0x80 + i as u8));
    t.encrypt_blocks(keys, next.as_chunks_mut().0);
    next
}
