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

    /// Up to 64 bytes, zeros after them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load512_padded(bytes: &[u8]) -> __m512i {
        // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not read.
        unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
    }

    /// Stores the first `bytes.len()` bytes of `v`, at most 64.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn store512_partial(bytes: &mut [u8], v: __m512i) {
        // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not written.
        unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), v) }
    }

    /// A mask of the first `len` of 64 bytes.
    #[inline]
    #[target_feature(enable = "bmi2")]
    fn first_bytes(len: usize) -> u64 {
        if len >= 64 {
            u64::MAX
        } else {
            _bzhi_u64(u64::MAX, len as u32)
        }
    }
}
