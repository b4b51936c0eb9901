//! AES-SIV on VAES at 256 bits: sixteen blocks in flight, sixteen chains side by side. One
//! chain is no work for wide vectors.

use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::vectors::vaes256::encrypt_vectors as encrypt;

impl_aes_siv!(Vaes256, chain: Vaes256::avx2);
aes_siv!(Vaes256, "avx2,vaes,vpclmulqdq", m256, 32);
