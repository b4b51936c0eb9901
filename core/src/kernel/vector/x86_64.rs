//! Vectors of one, two or four blocks.
//!
//! They are called from `#[target_feature]` functions only, where they inline to one
//! instruction each.

use crate::tier::bytes::{load128, load128_masked, load512_padded, store128, store128_masked};
use core::arch::x86_64::*;
use m128::{Vector, shuffle, xor};

/// Hands a text in a macro the narrowest tier with vectors, and its features.
macro_rules! narrowest {
    ($text:ident) => {
        $text!(Avx2, "aes,pclmulqdq,avx2", "aes,pclmulqdq,avx2,bmi2");
    };
}
pub(in crate::kernel) use narrowest;

super::ends::ends!("aes,pclmulqdq,avx2");

crate::tier::helpers! {
    "avx2";
    /// Two nonces, each after four bytes of zeros.
    fn nonces256(nonces: &[[u8; 12]; 2]) -> __m256i {
        let bytes = nonces.as_flattened();
        let (Some(first), Some(second)) = (bytes.first_chunk(), bytes.last_chunk()) else {
            return _mm256_setzero_si256();
        };
        let nonces = _mm256_set_m128i(load128(second), load128(first));
        let after_zeros = _mm256_set_epi8(
            15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, -1, -1, -1, -1, //
            11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1,
        );
        _mm256_shuffle_epi8(nonces, after_zeros)
    }
}

crate::tier::helpers! {
    "avx512f,avx512bw,avx512vl";
    /// Four nonces, each after four bytes of zeros.
    fn nonces512(nonces: &[[u8; 12]; 4]) -> __m512i {
        let words = _mm512_set_epi32(11, 10, 9, 0, 8, 7, 6, 0, 5, 4, 3, 0, 2, 1, 0, 0);
        let nonces = load512_padded(nonces.as_flattened());
        _mm512_maskz_permutexvar_epi32(0xeeee, words, nonces)
    }

    /// The last block of a text, by one load.
    fn load_end_masked(text: &[u8]) -> __m128i {
        let end = &text[text.len().saturating_sub(1) / 16 * 16..];
        match end.try_into() {
            Ok(block) => load128(block),
            Err(_) => load128_masked(end),
        }
    }

    /// Stores it.
    fn store_end_masked(text: &mut [u8], _previous: __m128i, end: __m128i) {
        let start = text.len().saturating_sub(1) / 16 * 16;
        match text[start..].as_chunks_mut() {
            ([block], _) => store128(block, end),
            (_, rest) => store128_masked(rest, end),
        }
    }
}

/// Declares a module of vectors: what is the same at every width, and `$operations`.
macro_rules! module {
    (
        $module:ident, $vector:ident, $lanes:literal, $features:literal,
        $load:ident $store:ident $side_by_side:ident $six_side_by_side:ident;
        $($operations:tt)*
    ) => {
        pub(in crate::kernel) mod $module {
            use crate::kernel::Block;
            use crate::tier::bytes::*;
            pub(in crate::kernel) use crate::tier::bytes::{
                $load as load_bytes, $side_by_side as side_by_side,
                $six_side_by_side as six_side_by_side, $store as store_bytes,
            };
            use core::arch::x86_64::*;

            pub(in crate::kernel) type Vector = $vector;
            /// Blocks, and so messages, in a vector.
            pub(in crate::kernel) const LANES: usize = $lanes;

            $crate::tier::helpers! {
                $features;

                pub(in crate::kernel) fn load(blocks: &[Block; LANES]) -> Vector {
                    match blocks.as_flattened().first_chunk() {
                        Some(bytes) => load_bytes(bytes),
                        None => splat(&[0; 16]),
                    }
                }
                pub(in crate::kernel) fn store(blocks: &mut [Block; LANES], v: Vector) {
                    if let Some(bytes) = blocks.as_flattened_mut().first_chunk_mut() {
                        store_bytes(bytes, v);
                    }
                }

                /// The same block in every lane.
                pub(in crate::kernel) fn splat(block: &Block) -> Vector {
                    broadcast(load128(block))
                }

                /// Each nonce after four bytes of zeros.
                pub(in crate::kernel) fn nonces(nonces: &[&[u8; 12]; LANES]) -> Vector {
                    shift_up::<4>(join(nonces.map(|nonce| load96(nonce))))
                }

                /// The same number in every word.
                pub(in crate::kernel) fn every_word(word: u32) -> Vector {
                    every_signed_word(word.cast_signed())
                }

                /// Byte shuffle within each block; indices with the top bit give zero.
                pub(in crate::kernel) fn shuffle(a: Vector, indices: &Block) -> Vector {
                    shuffle_by(a, splat(indices))
                }
                $($operations)*
            }
        }
    };
}

/// Declares the three widths. Each operation is given as what it is called at 128, 256 and 512
/// bits.
macro_rules! vectors {
    ($(
        $(#[$meta:meta])*
        fn $name:ident $([$($generics:tt)*])? ($($argument:ident: $type:ty),*) $(-> $result:ty)?
            = $m128:expr, $m256:expr, $m512:expr;
    )*) => {
        module! {
            m128, __m128i, 1, "aes,pclmulqdq,avx2",
            load128 store128 side_by_side128 six_side_by_side128;
            $(
                $(#[$meta])*
                pub(in crate::kernel) fn $name $([$($generics)*])? ($($argument: $type),*) $(-> $result)? {
                    $m128($($argument),*)
                }
            )*
        }
        module! {
            m256, __m256i, 2, "avx2,vaes,vpclmulqdq",
            load256 store256 side_by_side256 six_side_by_side256;
            $(
                $(#[$meta])*
                pub(in crate::kernel) fn $name $([$($generics)*])? ($($argument: $type),*) $(-> $result)? {
                    $m256($($argument),*)
                }
            )*
        }
        module! {
            m512, __m512i, 4, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
            load512 store512 side_by_side512 six_side_by_side512;
            $(
                $(#[$meta])*
                pub(in crate::kernel) fn $name $([$($generics)*])? ($($argument: $type),*) $(-> $result)? {
                    $m512($($argument),*)
                }
            )*
        }
    };
}

vectors! {
    /// At most a vector of bytes, zeros after them.
    fn load_padded(bytes: &[u8]) -> Vector = load128_padded, load256_padded, load512_narrow;

    /// Stores as many bytes.
    fn store_partial(bytes: &mut [u8], v: Vector)
        = store128_partial, store256_partial, store512_narrow;

    /// The same block in every lane.
    fn broadcast(block: __m128i) -> Vector
        = core::convert::identity, _mm256_broadcastsi128_si256, _mm512_broadcast_i32x4;

    /// Nonces one after the other, each after four bytes of zeros.
    fn adjacent_nonces(nonces: &[[u8; 12]; LANES]) -> Vector
        = |[nonce]: &[[u8; 12]; 1]| shift_up::<4>(load96(nonce)),
        super::nonces256, super::nonces512;

    /// A block to every lane.
    fn join(blocks: [__m128i; LANES]) -> Vector
        = |[a]: [__m128i; 1]| a,
        |[a, b]: [__m128i; 2]| _mm256_set_m128i(b, a),
        |[a, b, c, d]: [__m128i; 4]| {
            let low = _mm256_set_m128i(b, a);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), _mm256_set_m128i(d, c))
        };

    /// The block of every lane.
    fn split(v: Vector) -> [__m128i; LANES]
        = |v: __m128i| [v],
        |v: __m256i| [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)],
        |v: __m512i| [
            _mm512_castsi512_si128(v),
            _mm512_extracti32x4_epi32::<1>(v),
            _mm512_extracti32x4_epi32::<2>(v),
            _mm512_extracti32x4_epi32::<3>(v),
        ];

    /// The last block of a text, which may be cut short: then zeros after it.
    fn load_end(text: &[u8]) -> __m128i = super::load_end, super::load_end, super::load_end_masked;

    /// Stores it; `previous` is the block before it, if the text has one.
    fn store_end(text: &mut [u8], previous: __m128i, end: __m128i)
        = super::store_end, super::store_end, super::store_end_masked;
    fn xor(a: Vector, b: Vector) -> Vector = _mm_xor_si128, _mm256_xor_si256, _mm512_xor_si512;
    fn and(a: Vector, b: Vector) -> Vector = _mm_and_si128, _mm256_and_si256, _mm512_and_si512;

    /// Sums of 32-bit words.
    fn add32(a: Vector, b: Vector) -> Vector = _mm_add_epi32, _mm256_add_epi32, _mm512_add_epi32;
    fn add64(a: Vector, b: Vector) -> Vector = _mm_add_epi64, _mm256_add_epi64, _mm512_add_epi64;
    fn every_signed_word(word: i32) -> Vector
        = _mm_set1_epi32, _mm256_set1_epi32, _mm512_set1_epi32;

    /// In each word, its sign in all bits.
    fn signs(a: Vector) -> Vector
        = _mm_srai_epi32::<31>, _mm256_srai_epi32::<31>, _mm512_srai_epi32::<31>;

    /// `[w0, w1, w2, w3]` to `[0, w0, 0, w2]`.
    fn odd_words_from_even(a: Vector) -> Vector
        = _mm_slli_epi64::<32>, _mm256_slli_epi64::<32>, _mm512_slli_epi64::<32>;
    fn shuffle_by(a: Vector, indices: Vector) -> Vector
        = _mm_shuffle_epi8, _mm256_shuffle_epi8, _mm512_shuffle_epi8;

    /// The last word of each block in all its words.
    fn last_word(a: Vector) -> Vector
        = _mm_shuffle_epi32::<0xff>, _mm256_shuffle_epi32::<0xff>, _mm512_shuffle_epi32::<0xff>;

    /// The low halves of `a` and of `b`, block by block.
    fn low_halves(a: Vector, b: Vector) -> Vector
        = _mm_unpacklo_epi64, _mm256_unpacklo_epi64, _mm512_unpacklo_epi64;

    /// Each block so many bytes up, zeros below.
    fn shift_up[const BYTES: i32](a: Vector) -> Vector
        = _mm_slli_si128::<BYTES>, _mm256_bslli_epi128::<BYTES>, _mm512_bslli_epi128::<BYTES>;

    /// Each block four bytes down, zeros above.
    fn without_first_word(a: Vector) -> Vector
        = _mm_srli_si128::<4>, _mm256_bsrli_epi128::<4>, _mm512_bsrli_epi128::<4>;
    fn aes_round(state: Vector, key: Vector) -> Vector
        = _mm_aesenc_si128, _mm256_aesenc_epi128, _mm512_aesenc_epi128;
    fn aes_last_round(state: Vector, key: Vector) -> Vector
        = _mm_aesenclast_si128, _mm256_aesenclast_epi128, _mm512_aesenclast_epi128;
}
