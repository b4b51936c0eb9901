//! POLYVAL on PCLMULQDQ, eight blocks with one reduction.
//!
//! `A := (A + X1)·H^8 + X2·H^7 + … + X8·H`: Karatsuba products, three
//! multiplications each, summed before they are reduced. A piece of fewer blocks
//! uses the lowest powers only, and only those that the message needs are made.

use super::Polyval;
use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

impl Polyval for Avx2 {
    #[inline(always)]
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        polyval(self, h, aad, text, length_block)
    }
}

/// Blocks between two reductions.
pub(in crate::kernel) const GROUP: usize = 8;

kernel! {
    fn polyval(tier: Avx2, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        let longest = aad.len().max(text.len());
        let powers = Powers::new(h, longest.div_ceil(16));
        let mut sum = Sum::zero();
        sum.absorb(&powers, aad);
        sum.absorb(&powers, text);
        sum.finish(&powers, length_block)
    }
}

/// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
/// middle term still with the other two in it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Product {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Product {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn zero() -> Self {
        let zero = _mm_setzero_si128();
        Self {
            low: zero,
            middle: zero,
            high: zero,
        }
    }

    /// Adds `x · power`; `power_halves` is [`halves`] of the power.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn add(&mut self, x: __m128i, power: __m128i, power_halves: __m128i) {
        let low = _mm_clmulepi64_si128::<0x00>(x, power);
        let high = _mm_clmulepi64_si128::<0x11>(x, power);
        let middle = _mm_clmulepi64_si128::<0x00>(halves(x), power_halves);
        self.low = _mm_xor_si128(self.low, low);
        self.high = _mm_xor_si128(self.high, high);
        self.middle = _mm_xor_si128(self.middle, middle);
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3).
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m128i {
        // x^127 + x^126 + x^121 + 1 over x^64: the upper half of the polynomial.
        let polynomial = _mm_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
        let middle = _mm_xor_si128(self.middle, _mm_xor_si128(self.low, self.high));
        let low = _mm_xor_si128(self.low, _mm_slli_si128::<8>(middle));
        let high = _mm_xor_si128(self.high, _mm_srli_si128::<8>(middle));
        let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
        let low = _mm_xor_si128(_mm_shuffle_epi32::<SWAP>(low), t);
        let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
        _mm_xor_si128(_mm_shuffle_epi32::<SWAP>(low), _mm_xor_si128(t, high))
    }
}

/// Exchanges the 64-bit halves, as four 32-bit indices.
const SWAP: i32 = 0x4e;

/// Low half plus high half, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn halves(x: __m128i) -> __m128i {
    _mm_xor_si128(x, _mm_shuffle_epi32::<SWAP>(x))
}

/// `a · b · x^-128`.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn dot(a: __m128i, b: __m128i) -> __m128i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    product.reduce()
}

/// Powers of the authentication key: `powers[i]` is H^(i+1).
pub(in crate::kernel) struct Powers {
    powers: [__m128i; GROUP],
    halves: [__m128i; GROUP],
}

impl Powers {
    /// Prepares groups of up to `blocks` blocks, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn new(h: &Block, blocks: usize) -> Self {
        let h = load128(h);
        let mut made = Self {
            powers: [h; GROUP],
            halves: [halves(h); GROUP],
        };
        if blocks > 1 {
            made.set(1, dot(h, h));
        }
        if blocks > 2 {
            made.set(2, dot(made.powers[1], h));
            made.set(3, dot(made.powers[1], made.powers[1]));
        }
        if blocks > 4 {
            for i in 0..4 {
                made.set(4 + i, dot(made.powers[3], made.powers[i]));
            }
        }
        made
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn set(&mut self, i: usize, power: __m128i) {
        self.powers[i] = power;
        self.halves[i] = halves(power);
    }
}

/// The running sum.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sum(__m128i);

impl Sum {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn zero() -> Self {
        Self(_mm_setzero_si128())
    }

    /// Absorbs `text`, padded with zeros to whole blocks.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn absorb(&mut self, powers: &Powers, text: &[u8]) {
        let (blocks, rest) = text.as_chunks::<16>();
        let (groups, odd) = blocks.as_chunks::<GROUP>();
        for group in groups {
            self.absorb_group(powers, group);
        }
        if !odd.is_empty() {
            self.absorb_group(powers, odd);
        }
        if !rest.is_empty() {
            let mut block = [0; 16];
            block[..rest.len()].copy_from_slice(rest);
            self.absorb_group(powers, &[block]);
        }
    }

    /// Absorbs at most [`GROUP`] blocks with one reduction.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn absorb_group(&mut self, powers: &Powers, blocks: &[Block]) {
        let mut product = Product::zero();
        let mut sum = self.0;
        for (i, block) in blocks.iter().enumerate() {
            let power = (blocks.len() - 1 - i) % GROUP;
            let x = _mm_xor_si128(load128(block), sum);
            sum = _mm_setzero_si128();
            product.add(x, powers.powers[power], powers.halves[power]);
        }
        self.0 = product.reduce();
    }

    /// Absorbs the length block and returns the value of the polynomial.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn finish(mut self, powers: &Powers, length_block: &Block) -> Block {
        self.absorb_group(powers, &[*length_block]);
        let mut out = [0; 16];
        store128(&mut out, self.0);
        out
    }
}
