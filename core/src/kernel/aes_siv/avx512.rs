//! AES-SIV on VAES at 512 bits: thirty-two blocks in flight, thirty-two chains side by side.
//! One chain is no work for wide vectors.

use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::vectors::avx512::encrypt_vectors as encrypt;
use core::arch::x86_64::*;

impl_aes_siv!(Avx512, chain: Avx512::avx2);
aes_siv!(Avx512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq", m512, 64);

#[inline]
#[target_feature(enable = "avx512f,bmi2")]
fn kept(state: Vector, lanes: u32, i: usize) -> Vector {
    // Two words of 64 bits a lane.
    let words = _pdep_u64(u64::from(lanes), 0x5555_5555_5555_5555) * 3;
    _mm512_maskz_mov_epi64((words >> (8 * i)) as u8, state)
}
