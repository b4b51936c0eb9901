//! CTR, and chains side by side, with eight vectors in flight, written once for every width.

use super::AesSiv;
use crate::kernel::Block;

/// Defines them for a tier with vectors of `$vector_len` bytes. The module has `encrypt`. `$chain`
/// says which tier runs one chain, which is no work for wide vectors.
macro_rules! aes_siv {
    ($tier:ident, $features:literal, $vector_module:ident, $vector_len:literal, chain: $chain:expr) => {
        use super::{AesSiv, REVERSED, low_half};
        use crate::kernel::Block;
        use crate::kernel::aes::RoundKeys;
        use crate::kernel::vector::$vector_module::{self as vector, LANES as BLOCKS, Vector};
        use crate::tier::{kernel, $tier};

        impl_aes_siv!($tier, $chain, 16 24 32);

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

        $crate::tier::helpers! {
            $features;
            /// Up to `N` vectors, the last of them perhaps cut short.
            fn xor_up_to[const N: usize, const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, counters: &mut Counters, from: Option<&[u8]>,
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

            /// Encrypts up to `N` vectors of blocks.
            fn encrypt_up_to[const N: usize, const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [u8],
            ) {
                let mut states = [vector::splat(&[0; 16]); N];
                for (state, piece) in states.iter_mut().zip(blocks.chunks($vector_len)) {
                    *state = vector::load_padded(piece);
                }
                for (piece, state) in blocks.chunks_mut($vector_len).zip(encrypt(keys, states)) {
                    vector::store_partial(piece, state);
                }
            }

            /// Encrypts every block.
            fn encrypt_row[const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, row: &mut [Block; LANES],
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
/// Puts the kernels of a tier under the trait, for keys of every length.
macro_rules! impl_aes_siv {
    ($token:ident, $chain:expr, $($key_len:literal)*) => { $(
        impl AesSiv<$key_len> for $token {
            const LANES: usize = LANES;

            #[inline(always)]
            fn cbc_mac(self, keys: &Self::RoundKeys, state: &mut Block, blocks: &[Block]) {
                cbc_mac($chain(self), keys, state, blocks);
            }

            #[inline(always)]
            fn ctr_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                ctr_xor(self, keys, counter, from, in_out);
            }

            #[inline(always)]
            fn ctr_xor_and_cbc_mac(
                self,
                ctr_keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[Block]>,
                in_out: &mut [Block],
                mac_keys: &Self::RoundKeys,
                state: &mut Block,
            ) {
                let chain = $chain(self);
                ctr_xor_and_cbc_mac(chain, ctr_keys, counter, from, in_out, mac_keys, state);
            }

            #[inline(always)]
            fn encrypt_all(self, keys: &Self::RoundKeys, blocks: &mut [Block]) {
                encrypt_all(self, keys, blocks);
            }

            #[inline(always)]
            fn cbc_mac_lanes(self, keys: &Self::RoundKeys, rows: &mut [Block]) {
                cbc_mac_lanes(self, keys, rows);
            }
        }
    )* };
}
mod blocks;

/// The bytes of a block in the opposite order, where a vector counts.
const REVERSED: Block = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// A number in the low half of a block, little-endian.
#[inline(always)]
fn low_half(number: usize) -> Block {
    (number as u128).to_le_bytes()
}

#[cfg(target_arch = "x86_64")]
mod vaes256 {
    use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
    use crate::kernel::aes::vectors::vaes256::encrypt_vectors as encrypt;

    aes_siv!(Vaes256, "avx2,vaes,vpclmulqdq", m256, 32, chain: Vaes256::avx2);
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
    use crate::kernel::aes::vectors::avx512::encrypt_vectors as encrypt;

    aes_siv!(
        Avx512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq", m512, 64, chain: Avx512::avx2
    );
}
