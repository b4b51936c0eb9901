//! AES-SIV on VAES at 512 bits: thirty-two blocks in flight, thirty-two chains side by side.
//! One chain is no work for wide vectors.

use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::vectors::avx512::encrypt_vectors as encrypt;

impl_aes_siv!(Avx512, chain: Avx512::avx2);
aes_siv!(Avx512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq", m512, 64);
