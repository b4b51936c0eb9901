//! The registers of x86-64; see [`crate::tier`].

#[cfg(not(sivka_stateless))]
use super::cpu::Features;

/// Wipes all vector and mask registers that this CPU has when dropped, in code for CPUs with AVX.
pub(super) struct WipeAvx;

impl Drop for WipeAvx {
    #[inline(always)]
    fn drop(&mut self) {
        wipe_ymm();
        // Only a tier for AVX-512 uses them in code without a C library.
        #[cfg(not(sivka_stateless))]
        if Features::detect().avx512vl {
            // SAFETY: the CPU has AVX-512VL, and the system saves its registers.
            unsafe { wipe_zmm() }
        }
    }
}

/// [`WipeAvx`] in code for CPUs with AVX-512.
pub(super) struct WipeAvx512;

impl Drop for WipeAvx512 {
    #[inline(always)]
    fn drop(&mut self) {
        wipe_ymm();
        // SAFETY: made only inside the `run` of a tier whose token proves AVX-512VL.
        unsafe { wipe_zmm() }
    }
}

/// [`WipeAvx`] in code for any CPU.
#[inline(always)]
pub(in crate::tier) fn wipe_vectors() {
    #[cfg(not(sivka_stateless))]
    if Features::detect().avx {
        return drop(WipeAvx);
    }
    // SAFETY: every CPU of this module has SSE2; every register written is declared.
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
}

/// Wipes registers 0 to 15.
///
/// A VEX write of 128 bits zeroes the rest of the register. `x ^ x` is a zero idiom that takes
/// no execution unit; VZEROALL takes some ten cycles.
#[inline(always)]
fn wipe_ymm() {
    // SAFETY: called only where the CPU has AVX; every register written is declared.
    unsafe {
        core::arch::asm!(
            "vpxor xmm0, xmm0, xmm0", "vpxor xmm1, xmm1, xmm1", "vpxor xmm2, xmm2, xmm2", "vpxor xmm3, xmm3, xmm3",
            "vpxor xmm4, xmm4, xmm4", "vpxor xmm5, xmm5, xmm5", "vpxor xmm6, xmm6, xmm6", "vpxor xmm7, xmm7, xmm7",
            "vpxor xmm8, xmm8, xmm8", "vpxor xmm9, xmm9, xmm9", "vpxor xmm10, xmm10, xmm10", "vpxor xmm11, xmm11, xmm11",
            "vpxor xmm12, xmm12, xmm12", "vpxor xmm13, xmm13, xmm13", "vpxor xmm14, xmm14, xmm14", "vpxor xmm15, xmm15, xmm15",
            "vzeroupper",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// Wipes registers 16 to 31 and the mask registers. It is a function of its own, because callers
/// may be compiled for other features, where the compiler does not know these registers.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn wipe_zmm() {
    // SAFETY: this function's target feature covers the instructions; every register written
    // is declared.
    unsafe {
        core::arch::asm!(
            "vpxord xmm16, xmm16, xmm16", "vpxord xmm17, xmm17, xmm17", "vpxord xmm18, xmm18, xmm18", "vpxord xmm19, xmm19, xmm19",
            "vpxord xmm20, xmm20, xmm20", "vpxord xmm21, xmm21, xmm21", "vpxord xmm22, xmm22, xmm22", "vpxord xmm23, xmm23, xmm23",
            "vpxord xmm24, xmm24, xmm24", "vpxord xmm25, xmm25, xmm25", "vpxord xmm26, xmm26, xmm26", "vpxord xmm27, xmm27, xmm27",
            "vpxord xmm28, xmm28, xmm28", "vpxord xmm29, xmm29, xmm29", "vpxord xmm30, xmm30, xmm30", "vpxord xmm31, xmm31, xmm31",
            "kxorw k0, k0, k0", "kxorw k1, k1, k1", "kxorw k2, k2, k2", "kxorw k3, k3, k3",
            "kxorw k4, k4, k4", "kxorw k5, k5, k5", "kxorw k6, k6, k6", "kxorw k7, k7, k7",
            out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
            out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            out("k1") _, out("k2") _, out("k3") _, out("k4") _,
            out("k5") _, out("k6") _, out("k7") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}
