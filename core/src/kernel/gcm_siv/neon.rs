//! AES-GCM-SIV on the AES instructions and PMULL of AArch64.

use super::chains::{chains, scheduling, single_messages};
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_very_long};
use super::lanes::lanes;
use super::tag_block::derive_halves;
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::tier::{Neon, kernel};

single_messages!(Neon, seal: [64 => 4], open: [64 => 4, 128 => 8, very_long => open_very_long]);

scheduling!(Neon);

/// Messages without AAD and of at most one block.
mod one_block {
    super::chains!(Neon, "neon,aes", one_block::TwoPowers<N>, m128);
}

/// Messages of a few vectors, and of at most 64 bytes of AAD.
mod short {
    super::chains!(Neon, "neon,aes", blocks::Powers, m128);
}

fused!(Neon, "neon,aes", neon, blocks, m128);

fused_very_long!(Neon, neon, blocks);

lanes!(
    Neon,
    "neon,aes",
    blocks,
    crate::kernel::vector::m128,
    8,
    SEALED_LEN: 512,
    OPENED_LEN: 512,
    MIXED_LEN: 512,
    KEY_ROWS: 10,
    AS_GIVEN_LEN: 64,
    FEW: 8,
);
