//! AES on VAES, two or four blocks in a vector.

/// Defines it for vectors of one width.
macro_rules! vectors {
    ($module:ident, $vector:ident, $features:literal) => {
        pub(in crate::kernel) mod $module {
            use crate::kernel::aes::RoundKeys;
            use crate::kernel::vector::$vector::{self as vector, Vector};

            /// Encrypts vectors of blocks.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn encrypt_vectors<const N: usize, const ROUND_KEYS: usize>(
                keys: &RoundKeys<ROUND_KEYS>,
                mut states: [Vector; N],
            ) -> [Vector; N] {
                let [first, middle @ .., last] = &keys.0[..] else {
                    return states;
                };
                states = states.map(|state| vector::xor(state, vector::splat(first)));
                for key in middle {
                    states = states.map(|state| vector::aes_round(state, vector::splat(key)));
                    vector::side_by_side(&mut states);
                }
                states.map(|state| vector::aes_last_round(state, vector::splat(last)))
            }
        }
    };
}
vectors!(vaes256, m256, "avx2,vaes,vpclmulqdq");
vectors!(avx512, m512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq");
