//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::vectors::tag_block::derive_halves;

super::vectors::instance! {
    Avx2, "aes,pclmulqdq,avx2,bmi2", m128, avx2, blocks::Powers,
    seal: [64 => 4],
    open: [64 => 4, 128 => 8, very_long => open_very_long],
    FEW_FOR_LANES: 24,
    SEALED_LEN: 192,
    OPENED_LEN: 192,
    MIXED_LEN: 0,
    KEY_ROWS: 6,
    AS_GIVEN_LEN: 1,
}

super::vectors::fused::fused_very_long!(Avx2, avx2, blocks);
