//! AES-GCM-SIV on VAES and VPCLMULQDQ, 256 bits wide.

use super::chains::{chains, scheduling, single_messages};
use super::fused::fused;
use super::lanes::lanes;
use super::tag_block::derive_halves;
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::tier::{Vaes256, kernel};

single_messages!(Vaes256, seal: [32 => 1, 64 => 2, 128 => 4], open: [32 => 1, 64 => 2, 128 => 4, 256 => 8]);

scheduling!(Vaes256);

/// Messages without AAD and of at most one block.
mod one_block {
    super::chains!(
        Vaes256,
        "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq",
        one_block::TwoPowers<N>,
        m128
    );
}

/// Messages of a few vectors, and of at most 64 bytes of AAD.
mod short {
    super::chains!(Vaes256, "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", vaes256::Powers, m256);
}

fused!(Vaes256, "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", vaes256, vaes256, m256);

lanes!(
    Vaes256,
    "avx2,vaes,vpclmulqdq",
    vaes256,
    crate::kernel::vector::m256,
    8,
    SEALED_LEN: 496,
    OPENED_LEN: 384,
    MIXED_LEN: 512,
    KEY_ROWS: 10,
    AS_GIVEN_LEN: 64,
    FEW: 12,
);
