//! CTR of AES-GCM-SIV (RFC 8452 section 4): 32 bits count, the first four bytes of the block,
//! little-endian, modulo 2^32.

#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod avx512;
pub(in crate::kernel::gcm_siv) mod vectors;

#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod avx2 {
    super::vectors::ctr32!(Avx2, "aes,pclmulqdq,avx2", m128);
}
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel::gcm_siv) mod vaes256 {
    super::vectors::ctr32!(Vaes256, "avx2,vaes,vpclmulqdq", m256);
}
#[cfg(target_arch = "aarch64")]
pub(in crate::kernel::gcm_siv) mod neon {
    super::vectors::ctr32!(Neon, "neon,aes", m128);
}
