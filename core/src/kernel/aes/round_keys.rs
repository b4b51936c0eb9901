//! The round-key layout that the x86-64 tiers share, and the key schedule on AES-NI.

use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::kernel;
use core::arch::x86_64::*;
use zeroize::Zeroize;

/// `ROUND_KEYS` round keys in the order of use, 11 or 15 of them.
#[repr(align(64))]
pub(crate) struct RoundKeys<const ROUND_KEYS: usize>(pub(super) [Block; ROUND_KEYS]);

impl<const ROUND_KEYS: usize> Drop for RoundKeys<ROUND_KEYS> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// `w[i] = w[i-4] ^ w[i-1]` for four words at once: a prefix XOR, then `t` everywhere.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn mix(previous: __m128i, t: __m128i) -> __m128i {
    let p = _mm_xor_si128(previous, _mm_slli_si128::<4>(previous));
    let p = _mm_xor_si128(p, _mm_slli_si128::<8>(p));
    _mm_xor_si128(p, t)
}

kernel! {
    pub(super) fn expand128(tier: Avx2, key: &[u8; 16]) -> RoundKeys<11> {
        let mut keys = RoundKeys([[0; 16]; 11]);
        let mut k = load128(key);
        store128(&mut keys.0[0], k);
        macro_rules! step {
            ($i:literal, $rcon:literal) => {
                let t = _mm_shuffle_epi32::<0xff>(_mm_aeskeygenassist_si128::<$rcon>(k));
                k = mix(k, t);
                store128(&mut keys.0[$i], k);
            };
        }
        step!(1, 0x01); step!(2, 0x02); step!(3, 0x04); step!(4, 0x08); step!(5, 0x10);
        step!(6, 0x20); step!(7, 0x40); step!(8, 0x80); step!(9, 0x1b); step!(10, 0x36);
        keys
    }
}

kernel! {
    pub(super) fn expand256(tier: Avx2, key: &[u8; 32]) -> RoundKeys<15> {
        let mut keys = RoundKeys([[0; 16]; 15]);
        let (low, high) = key.split_at(16);
        let mut a = load128(low.try_into().expect("16 of 32 bytes"));
        let mut b = load128(high.try_into().expect("16 of 32 bytes"));
        store128(&mut keys.0[0], a);
        store128(&mut keys.0[1], b);
        macro_rules! even {
            ($i:literal, $rcon:literal) => {
                let t = _mm_shuffle_epi32::<0xff>(_mm_aeskeygenassist_si128::<$rcon>(b));
                a = mix(a, t);
                store128(&mut keys.0[$i], a);
            };
        }
        macro_rules! odd {
            ($i:literal) => {
                let t = _mm_shuffle_epi32::<0xaa>(_mm_aeskeygenassist_si128::<0>(a));
                b = mix(b, t);
                store128(&mut keys.0[$i], b);
            };
        }
        even!(2, 0x01); odd!(3); even!(4, 0x02); odd!(5); even!(6, 0x04); odd!(7);
        even!(8, 0x08); odd!(9); even!(10, 0x10); odd!(11); even!(12, 0x20); odd!(13);
        even!(14, 0x40);
        keys
    }
}
