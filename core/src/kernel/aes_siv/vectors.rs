//! CTR, and chains side by side, with eight vectors in flight, written once for every width.

use crate::kernel::Block;

/// Defines them for a tier with vectors of `$vector_len` bytes. Its file has `encrypt`.
macro_rules! aes_siv {
    ($tier:ident, $features:literal, $vector_module:ident, $vector_len:literal) => {
        use super::vectors::{REVERSED, low_half};
        use crate::kernel::Block;
        use crate::kernel::aes::RoundKeys;
        use crate::kernel::vector::$vector_module::{self as vector, LANES as BLOCKS, Vector};
        use crate::tier::{kernel, $tier};

        /// The latency of AESENC times its throughput, rounded up.
        const VECTORS: usize = 8;
        const LANES: usize = VECTORS * BLOCKS;

        /// Counters, a vector of them, with the byte that counts first.
        struct Counters(Vector);

        impl Counters {
            $crate::tier::helpers! {
                $features;
                fn new(first: &Block) -> Self {
                    let counts = core::array::from_fn(low_half);
                    let first = vector::shuffle(vector::splat(first), &REVERSED);
                    Self(vector::add64(first, vector::load(&counts)))
                }

                fn next(&mut self) -> Vector {
                    let counters = vector::shuffle(self.0, &REVERSED);
                    self.0 = vector::add64(self.0, vector::splat(&low_half(BLOCKS)));
                    counters
                }
            }
        }

        /// Up to `N` vectors, the last of them perhaps cut short.
        #[inline]
        #[target_feature(enable = $features)]
        fn xor_up_to<const N: usize, const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            counters: &mut Counters,
            from: Option<&[u8]>,
            in_out: &mut [u8],
        ) {
            let mut states = [vector::splat(&[0; 16]); N];
            for state in &mut states {
                *state = counters.next();
            }
            let mut sources = from.map(|from| from.chunks($vector_len));
            let keystream = encrypt(keys, states);
            for (piece, keystream) in in_out.chunks_mut($vector_len).zip(keystream) {
                let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
                let text = vector::load_padded(text);
                vector::store_partial(piece, vector::xor(text, keystream));
            }
        }

        kernel! {
            fn ctr_xor[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                let mut counters = Counters::new(counter);
                let mut sources = from.map(|from| from.chunks(LANES * 16));
                for piece in in_out.chunks_mut(LANES * 16) {
                    let from = sources.as_mut().and_then(Iterator::next);
                    match piece.len().div_ceil($vector_len) {
                        0 | 1 => xor_up_to::<1, _>(keys, &mut counters, from, piece),
                        2 => xor_up_to::<2, _>(keys, &mut counters, from, piece),
                        3 | 4 => xor_up_to::<4, _>(keys, &mut counters, from, piece),
                        _ => xor_up_to::<VECTORS, _>(keys, &mut counters, from, piece),
                    }
                }
            }
        }

        /// Encrypts up to `N` vectors of blocks.
        #[inline]
        #[target_feature(enable = $features)]
        fn encrypt_up_to<const N: usize, const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            blocks: &mut [u8],
        ) {
            let mut states = [vector::splat(&[0; 16]); N];
            for (state, piece) in states.iter_mut().zip(blocks.chunks($vector_len)) {
                *state = vector::load_padded(piece);
            }
            for (piece, state) in blocks.chunks_mut($vector_len).zip(encrypt(keys, states)) {
                vector::store_partial(piece, state);
            }
        }

        kernel! {
            fn encrypt_all[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block],
            ) {
                let (strides, rest) = blocks.as_chunks_mut::<LANES>();
                for stride in strides {
                    encrypt_row(keys, stride);
                }
                let rest = rest.as_flattened_mut();
                match rest.len().div_ceil($vector_len) {
                    0 => {}
                    1 => encrypt_up_to::<1, _>(keys, rest),
                    _ => encrypt_up_to::<VECTORS, _>(keys, rest),
                }
            }
        }

        /// Encrypts every block.
        #[inline]
        #[target_feature(enable = $features)]
        fn encrypt_row<const ROUND_KEYS: usize>(
            keys: &RoundKeys<ROUND_KEYS>,
            row: &mut [Block; LANES],
        ) {
            let row = row.as_chunks_mut().0;
            let mut states = [vector::splat(&[0; 16]); VECTORS];
            for (state, blocks) in states.iter_mut().zip(&*row) {
                *state = vector::load(blocks);
            }
            for (blocks, state) in row.iter_mut().zip(encrypt(keys, states)) {
                vector::store(blocks, state);
            }
        }

        kernel! {
            fn cbc_mac_lanes[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, rows: &mut [Block],
            ) {
                let mut states = [vector::splat(&[0; 16]); VECTORS];
                for row in rows.as_chunks_mut::<LANES>().0 {
                    let row = row.as_chunks_mut().0;
                    for (state, blocks) in states.iter_mut().zip(&*row) {
                        *state = vector::xor(*state, vector::load(blocks));
                    }
                    states = encrypt(keys, states);
                    for (blocks, state) in row.iter_mut().zip(states) {
                        vector::store(blocks, state);
                    }
                }
            }
        }
    };
}
pub(super) use aes_siv;

/// The bytes of a block in the opposite order, where a vector counts.
pub(super) const REVERSED: Block = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// A number in the low half of a block, little-endian.
#[inline(always)]
pub(super) fn low_half(number: usize) -> Block {
    (number as u128).to_le_bytes()
}
