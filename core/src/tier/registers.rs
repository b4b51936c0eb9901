//! How secrets leave registers.
//!
//! Each guard clears every vector register that its tier's code can have used,
//! and declares them clobbered, so the compiler keeps no live value there.

/// Wipes the baseline vector registers when dropped.
pub(super) struct WipeBaseline;

impl Drop for WipeBaseline {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        // SAFETY: the cfg says that SSE2 is there; every register written is declared.
        unsafe {
            core::arch::asm!(
                "pxor xmm0, xmm0", "pxor xmm1, xmm1", "pxor xmm2, xmm2", "pxor xmm3, xmm3",
                "pxor xmm4, xmm4", "pxor xmm5, xmm5", "pxor xmm6, xmm6", "pxor xmm7, xmm7",
                "pxor xmm8, xmm8", "pxor xmm9, xmm9", "pxor xmm10, xmm10", "pxor xmm11, xmm11",
                "pxor xmm12, xmm12", "pxor xmm13, xmm13", "pxor xmm14, xmm14", "pxor xmm15, xmm15",
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack, preserves_flags),
            );
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        drop(super::aarch64::registers::WipeVectors);
    }
}
