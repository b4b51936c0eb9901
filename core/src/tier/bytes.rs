//! The only raw loads and stores: byte arrays to vectors and back.

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::*;

    #[inline(always)]
    pub(crate) fn load128(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 readable bytes, no alignment asked; SSE2 is the x86-64 baseline.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    pub(crate) fn store128(bytes: &mut [u8; 16], v: __m128i) {
        // SAFETY: 16 writable bytes, no alignment asked; SSE2 is the x86-64 baseline.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn load256(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: 32 readable bytes, no alignment asked.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn store256(bytes: &mut [u8; 32], v: __m256i) {
        // SAFETY: 32 writable bytes, no alignment asked.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load512(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: 64 readable bytes, no alignment asked.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store512(bytes: &mut [u8; 64], v: __m512i) {
        // SAFETY: 64 writable bytes, no alignment asked.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
    }
}
