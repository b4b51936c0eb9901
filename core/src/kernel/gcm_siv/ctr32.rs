//! CTR of AES-GCM-SIV (RFC 8452 section 4): 32 bits count, the first four bytes of the block,
//! little-endian, modulo 2^32.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod first_rounds;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;
#[cfg(target_arch = "x86_64")]
pub(super) mod vaes256;
pub(super) mod vectors;
