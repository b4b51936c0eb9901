//! AES-SIV on VAES at 256 bits: sixteen blocks in flight, sixteen chains side by side. One
//! chain is no work for wide vectors.

use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::vectors::vaes256::encrypt_vectors as encrypt;
use core::arch::x86_64::*;

impl_aes_siv!(Vaes256, chain: Vaes256::avx2);
aes_siv!(Vaes256, "avx2,vaes,vpclmulqdq", m256, 32);

#[inline]
#[target_feature(enable = "avx2")]
fn kept(state: Vector, lanes: u32, i: usize) -> Vector {
    let goes_on = |lane| _mm_set1_epi32(-((lanes >> lane & 1) as i32));
    _mm256_and_si256(state, _mm256_set_m128i(goes_on(2 * i + 1), goes_on(2 * i)))
}
