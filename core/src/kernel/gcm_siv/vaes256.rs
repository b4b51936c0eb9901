//! AES-GCM-SIV on VAES and VPCLMULQDQ, 256 bits wide.

use super::vectors::tag_block::derive_halves;

super::vectors::instance! {
    Vaes256, "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", m256, vaes256, vaes256::Powers,
    seal: [32 => 1, 64 => 2, 128 => 4],
    open: [32 => 1, 64 => 2, 128 => 4, 256 => 8],
    FEW_FOR_LANES: 12,
    SEALED_LEN: 496,
    OPENED_LEN: 384,
    MIXED_LEN: 512,
    KEY_ROWS: 10,
    AS_GIVEN_LEN: 64,
}
