//! The algorithms of this version, by their names.

use crate::aead::Algorithm;
#[cfg(feature = "aes-gcm-siv")]
use crate::aes_gcm_siv::{AES_128_GCM_SIV, AES_256_GCM_SIV};
#[cfg(feature = "aes-siv")]
use crate::aes_siv::{AES_SIV_256, AES_SIV_384, AES_SIV_512};
#[cfg(feature = "chacha20-blake2b")]
use crate::chacha20_blake2b::*;
#[cfg(feature = "kuznyechik")]
use crate::kuznyechik::KUZNYECHIK_MGM;

/// Makes the list of the algorithms of features, in this order.
macro_rules! all {
    ($($feature:literal: $($row:expr),*;)*) => {
        static ALL: &[&Algorithm] = &[$($(#[cfg(feature = $feature)] &$row,)*)*];
    };
}
all! {
    "aes-gcm-siv": AES_128_GCM_SIV, AES_256_GCM_SIV;
    "chacha20-blake2b": CHACHA20_BLAKE2B[0], XCHACHA20_BLAKE2B[0], XCHACHA20_BLAKE2B_SIV[0];
    "kuznyechik": KUZNYECHIK_MGM;
    "chacha20-blake2b": CHACHA20_BLAKE2B[1], CHACHA20_BLAKE2B[2];
    "chacha20-blake2b": XCHACHA20_BLAKE2B[1], XCHACHA20_BLAKE2B[2];
    "chacha20-blake2b": XCHACHA20_BLAKE2B_SIV[1], XCHACHA20_BLAKE2B_SIV[2];
    "aes-siv": AES_SIV_256, AES_SIV_384, AES_SIV_512;
}

impl Algorithm {
    /// Every algorithm of this version. Later versions may add some, at the end.
    #[must_use]
    pub fn all() -> &'static [&'static Self] {
        ALL
    }

    /// The algorithm of a name, upper or lower case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let same = |row: &&&Self| row.name().eq_ignore_ascii_case(name);
        ALL.iter().find(same).copied()
    }
}
