//! The few vector operations that many-message kernels are written over, under the
//! same names at every width.
//!
//! They are called from `#[target_feature]` functions only, where they inline to one
//! instruction each.

macro_rules! vector {
    ($module:ident, $features:literal, $vector:ident, $lanes:literal,
     $load:ident, $store:ident, $load_padded:ident, $store_partial:ident, $splat:expr, $xor:ident, $and:ident, $add32:ident, $shift_left_32:ident,
     $shuffle:ident, $words:ident, $unpack_low:ident, $shift_bytes:ident,
     $round:ident, $last_round:ident) => {
        pub(in crate::kernel) mod $module {
            use crate::kernel::Block;
            use crate::tier::bytes::*;
            use core::arch::x86_64::*;

            pub(in crate::kernel) type Vector = $vector;
            /// Blocks, and so messages, in a vector.
            pub(in crate::kernel) const LANES: usize = $lanes;

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn load(blocks: &[Block; LANES]) -> Vector {
                match blocks.as_flattened().first_chunk() {
                    Some(bytes) => $load(bytes),
                    None => splat(&[0; 16]),
                }
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn store(blocks: &mut [Block; LANES], v: Vector) {
                if let Some(bytes) = blocks.as_flattened_mut().first_chunk_mut() {
                    $store(bytes, v);
                }
            }

            /// At most a vector of bytes, zeros after them.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn load_padded(bytes: &[u8]) -> Vector {
                $load_padded(bytes)
            }

            /// Stores as many bytes.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn store_partial(bytes: &mut [u8], v: Vector) {
                $store_partial(bytes, v);
            }

            /// The same block in every lane.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn broadcast(block: __m128i) -> Vector {
                $splat(block)
            }

            /// The same block in every lane.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn splat(block: &Block) -> Vector {
                $splat(load128(block))
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn xor(a: Vector, b: Vector) -> Vector {
                $xor(a, b)
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn and(a: Vector, b: Vector) -> Vector {
                $and(a, b)
            }

            /// Sums of 32-bit words.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn add32(a: Vector, b: Vector) -> Vector {
                $add32(a, b)
            }

            /// `[w0, w1, w2, w3]` to `[0, w0, 0, w2]`.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn odd_words_from_even(a: Vector) -> Vector {
                $shift_left_32::<32>(a)
            }

            /// Byte shuffle within each block; indices with the top bit give zero.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn shuffle(a: Vector, indices: &Block) -> Vector {
                $shuffle(a, splat(indices))
            }

            /// The last word of each block in all its words.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn last_word(a: Vector) -> Vector {
                $words::<0xff>(a)
            }

            /// The low halves of `a` and of `b`, block by block.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn low_halves(a: Vector, b: Vector) -> Vector {
                $unpack_low(a, b)
            }

            /// Each block four bytes down, zeros above.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn without_first_word(a: Vector) -> Vector {
                $shift_bytes::<4>(a)
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn aes_round(state: Vector, key: Vector) -> Vector {
                $round(state, key)
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn aes_last_round(state: Vector, key: Vector) -> Vector {
                $last_round(state, key)
            }
        }
    };
}

vector!(
    m128,
    "aes,pclmulqdq,avx2",
    __m128i,
    1,
    load128,
    store128,
    load128_padded,
    store128_partial,
    core::convert::identity,
    _mm_xor_si128,
    _mm_and_si128,
    _mm_add_epi32,
    _mm_slli_epi64,
    _mm_shuffle_epi8,
    _mm_shuffle_epi32,
    _mm_unpacklo_epi64,
    _mm_srli_si128,
    _mm_aesenc_si128,
    _mm_aesenclast_si128
);
vector!(
    m256,
    "avx2,vaes,vpclmulqdq",
    __m256i,
    2,
    load256,
    store256,
    load256_padded,
    store256_partial,
    _mm256_broadcastsi128_si256,
    _mm256_xor_si256,
    _mm256_and_si256,
    _mm256_add_epi32,
    _mm256_slli_epi64,
    _mm256_shuffle_epi8,
    _mm256_shuffle_epi32,
    _mm256_unpacklo_epi64,
    _mm256_bsrli_epi128,
    _mm256_aesenc_epi128,
    _mm256_aesenclast_epi128
);
vector!(
    m512,
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
    __m512i,
    4,
    load512,
    store512,
    load512_narrow,
    store512_narrow,
    _mm512_broadcast_i32x4,
    _mm512_xor_si512,
    _mm512_and_si512,
    _mm512_add_epi32,
    _mm512_slli_epi64,
    _mm512_shuffle_epi8,
    _mm512_shuffle_epi32,
    _mm512_unpacklo_epi64,
    _mm512_bsrli_epi128,
    _mm512_aesenc_epi128,
    _mm512_aesenclast_epi128
);
