//! CTR of AES-GCM-SIV (RFC 8452 section 4): 32 bits count, the first four bytes of the block,
//! little-endian, modulo 2^32.

#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod avx512;
pub(in crate::kernel::gcm_siv) mod first_rounds;
#[cfg(target_arch = "aarch64")]
pub(in crate::kernel::gcm_siv) mod neon;
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod vaes256;
pub(in crate::kernel::gcm_siv) mod vectors;
