//! The algorithms of this version, by their names.

use crate::aead::Algorithm;
use crate::aes_gcm_siv::{AES_128_GCM_SIV, AES_256_GCM_SIV};
use crate::aes_siv::{AES_SIV_256, AES_SIV_384, AES_SIV_512};
use crate::chacha20_blake2b::*;
use crate::kuznyechik::KUZNYECHIK_MGM;

static ALL: [&Algorithm; 15] = [
    &AES_128_GCM_SIV,
    &AES_256_GCM_SIV,
    &CHACHA20_BLAKE2B,
    &XCHACHA20_BLAKE2B,
    &XCHACHA20_BLAKE2B_SIV,
    &KUZNYECHIK_MGM,
    &CHACHA20_BLAKE2B_TAG48,
    &CHACHA20_BLAKE2B_TAG64,
    &XCHACHA20_BLAKE2B_TAG48,
    &XCHACHA20_BLAKE2B_TAG64,
    &XCHACHA20_BLAKE2B_SIV_TAG48,
    &XCHACHA20_BLAKE2B_SIV_TAG64,
    &AES_SIV_256,
    &AES_SIV_384,
    &AES_SIV_512,
];

impl Algorithm {
    /// Every algorithm of this version. Later versions may add some, at the end.
    #[must_use]
    pub fn all() -> &'static [&'static Self] {
        &ALL
    }

    /// The algorithm of a name, upper or lower case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let same = |row: &&&Self| row.name().eq_ignore_ascii_case(name);
        ALL.iter().find(same).copied()
    }
}
