//! The registers of the tiers of x86-64; see [`crate::tier`].

/// Wipes registers 0 to 15 when dropped.
///
/// A VEX or EVEX write of 128 bits zeroes the rest of the register. `x ^ x` is a zero idiom
/// that takes no execution unit; VZEROALL takes some ten cycles.
pub(super) struct WipeYmm;

impl Drop for WipeYmm {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: made only inside the `run` of a tier whose token proves AVX; every register
        // written is declared.
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
}

/// Wipes all thirty-two vector registers and the mask registers when dropped.
pub(super) struct WipeZmm;

impl Drop for WipeZmm {
    #[inline(always)]
    fn drop(&mut self) {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn wipe() {
            // SAFETY: this function's target feature covers the instructions; every register
            // written is declared.
            unsafe {
                core::arch::asm!(
                    "vpxor xmm0, xmm0, xmm0", "vpxor xmm1, xmm1, xmm1", "vpxor xmm2, xmm2, xmm2", "vpxor xmm3, xmm3, xmm3",
                    "vpxor xmm4, xmm4, xmm4", "vpxor xmm5, xmm5, xmm5", "vpxor xmm6, xmm6, xmm6", "vpxor xmm7, xmm7, xmm7",
                    "vpxor xmm8, xmm8, xmm8", "vpxor xmm9, xmm9, xmm9", "vpxor xmm10, xmm10, xmm10", "vpxor xmm11, xmm11, xmm11",
                    "vpxor xmm12, xmm12, xmm12", "vpxor xmm13, xmm13, xmm13", "vpxor xmm14, xmm14, xmm14", "vpxor xmm15, xmm15, xmm15",
                    "vpxord xmm16, xmm16, xmm16", "vpxord xmm17, xmm17, xmm17", "vpxord xmm18, xmm18, xmm18", "vpxord xmm19, xmm19, xmm19",
                    "vpxord xmm20, xmm20, xmm20", "vpxord xmm21, xmm21, xmm21", "vpxord xmm22, xmm22, xmm22", "vpxord xmm23, xmm23, xmm23",
                    "vpxord xmm24, xmm24, xmm24", "vpxord xmm25, xmm25, xmm25", "vpxord xmm26, xmm26, xmm26", "vpxord xmm27, xmm27, xmm27",
                    "vpxord xmm28, xmm28, xmm28", "vpxord xmm29, xmm29, xmm29", "vpxord xmm30, xmm30, xmm30", "vpxord xmm31, xmm31, xmm31",
                    "vzeroupper",
                    "kxorw k0, k0, k0", "kxorw k1, k1, k1", "kxorw k2, k2, k2", "kxorw k3, k3, k3",
                    "kxorw k4, k4, k4", "kxorw k5, k5, k5", "kxorw k6, k6, k6", "kxorw k7, k7, k7",
                    out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _,
                    out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
                    out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
                    out("zmm12") _, out("zmm13") _, out("zmm14") _, out("zmm15") _,
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
        // SAFETY: made only inside the `run` of a tier whose token proves AVX-512F.
        unsafe { wipe() }
    }
}
