//! AES-GCM-SIV on the AES instructions and PMULL of AArch64.

use super::vectors::tag_block::derive_halves;

super::vectors::instance! {
    Neon, "neon,aes", m128, neon, blocks::Powers,
    seal: [64 => 4],
    open: [64 => 4, 128 => 8, very_long => open_very_long],
    FEW_FOR_LANES: 8,
    SEALED_LEN: 512,
    OPENED_LEN: 512,
    MIXED_LEN: 512,
    KEY_ROWS: 10,
    AS_GIVEN_LEN: 64,
}

super::vectors::fused::fused_very_long!(Neon, neon, blocks);
