//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::chains::{chains, scheduling, single_messages};
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_very_long};
use super::lanes::lanes;
use super::tag_block::derive_halves;
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::tier::{Avx2, kernel};

single_messages!(Avx2, seal: [64 => 4], open: [64 => 4, 128 => 8, very_long => open_very_long]);

scheduling!(Avx2);

/// Messages without AAD and of at most one block.
mod one_block {
    super::chains!(Avx2, "aes,pclmulqdq,avx2,bmi2", one_block::TwoPowers<N>, m128);
}

/// Messages of a few vectors, and of at most 64 bytes of AAD.
mod short {
    super::chains!(Avx2, "aes,pclmulqdq,avx2,bmi2", blocks::Powers, m128);
}

fused!(Avx2, "aes,pclmulqdq,avx2,bmi2", avx2, blocks, m128);

fused_very_long!(Avx2, avx2, blocks);

lanes!(
    Avx2,
    "aes,pclmulqdq,avx2",
    blocks,
    crate::kernel::vector::m128,
    8,
    SEALED_LEN: 192,
    OPENED_LEN: 192,
    MIXED_LEN: 0,
    KEY_ROWS: 6,
    AS_GIVEN_LEN: 1,
    FEW: 24,
);
