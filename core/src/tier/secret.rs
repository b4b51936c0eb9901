//! How secrets leave: registers are wiped here, memory by `zeroize`.
//!
//! Each guard clears every vector register that its tier's code can have used,
//! and declares them clobbered, so the compiler keeps no live value there.

/// Wipes the baseline vector registers when dropped.
pub(super) struct WipeBaseline;

impl Drop for WipeBaseline {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of the x86-64 baseline; every register written is declared.
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
}

/// Wipes registers 0 to 15, all bits, when dropped.
#[cfg(target_arch = "x86_64")]
pub(super) struct WipeYmm;

#[cfg(target_arch = "x86_64")]
impl Drop for WipeYmm {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: made only inside the `run` of a tier whose token proves AVX; every register
        // written is declared.
        unsafe {
            core::arch::asm!(
                "vzeroall",
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
#[cfg(target_arch = "x86_64")]
pub(super) struct WipeZmm;

#[cfg(target_arch = "x86_64")]
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
                    "vzeroall",
                    "vpxord zmm16, zmm16, zmm16", "vpxord zmm17, zmm17, zmm17",
                    "vpxord zmm18, zmm18, zmm18", "vpxord zmm19, zmm19, zmm19",
                    "vpxord zmm20, zmm20, zmm20", "vpxord zmm21, zmm21, zmm21",
                    "vpxord zmm22, zmm22, zmm22", "vpxord zmm23, zmm23, zmm23",
                    "vpxord zmm24, zmm24, zmm24", "vpxord zmm25, zmm25, zmm25",
                    "vpxord zmm26, zmm26, zmm26", "vpxord zmm27, zmm27, zmm27",
                    "vpxord zmm28, zmm28, zmm28", "vpxord zmm29, zmm29, zmm29",
                    "vpxord zmm30, zmm30, zmm30", "vpxord zmm31, zmm31, zmm31",
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

/// Blocks of working memory that hold secrets: zeros at first, wiped when dropped.
///
/// `zeroize` stores byte by byte, which would cost a short message more time than its
/// encryption. Here whole vectors are stored, and a statement that the compiler must
/// believe to read them keeps them from being left out.
pub(crate) struct Scratch<const BLOCKS: usize>([[u8; 16]; BLOCKS]);

impl<const BLOCKS: usize> Scratch<BLOCKS> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([[0; 16]; BLOCKS])
    }
}

impl<const BLOCKS: usize> core::ops::Deref for Scratch<BLOCKS> {
    type Target = [[u8; 16]; BLOCKS];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<const BLOCKS: usize> core::ops::DerefMut for Scratch<BLOCKS> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<const BLOCKS: usize> Drop for Scratch<BLOCKS> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        {
            self.0 = [[0; 16]; BLOCKS];
            // SAFETY: no instruction at all; the compiler must assume that it reads the
            // memory behind the pointer.
            unsafe {
                core::arch::asm!(
                    "/* {0} */",
                    in(reg) self.0.as_ptr(),
                    options(nostack, preserves_flags, readonly),
                );
            }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        zeroize::Zeroize::zeroize(self.0.as_flattened_mut());
    }
}

/// Tells valgrind that `bytes` are secret: it reports any branch or address that
/// depends on them. Outside valgrind it does nothing.
#[cfg(feature = "__ctgrind")]
pub fn mark_secret<T: ?Sized>(bytes: &T) {
    ctgrind::request(ctgrind::MAKE_MEM_UNDEFINED, bytes);
}

/// Tells valgrind that `bytes` may be known to anyone from here on.
#[cfg(feature = "__ctgrind")]
pub fn mark_public<T: ?Sized>(bytes: &T) {
    ctgrind::request(ctgrind::MAKE_MEM_DEFINED, bytes);
}

/// A verdict that the caller is told anyway, such as whether a tag was right.
#[inline(always)]
pub(crate) fn publish(verdict: bool) -> bool {
    #[cfg(feature = "__ctgrind")]
    mark_public(&verdict);
    verdict
}

#[cfg(feature = "__ctgrind")]
mod ctgrind {
    /// Requests of valgrind's memcheck (`memcheck.h`): base `'M' 'C'`, then a number.
    pub(super) const MAKE_MEM_UNDEFINED: u64 = 0x4d43_0001;
    pub(super) const MAKE_MEM_DEFINED: u64 = 0x4d43_0002;

    /// valgrind's client request (`valgrind.h`, amd64): four rotations that add up
    /// to nothing, and an exchange of a register with itself.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn request<T: ?Sized>(code: u64, bytes: &T) {
        let address = core::ptr::from_ref(bytes).cast::<u8>() as u64;
        let arguments = [code, address, size_of_val(bytes) as u64, 0, 0, 0];
        // SAFETY: on a real CPU the sequence changes no register but the declared one;
        // under valgrind it changes only the tool's knowledge of memory.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") 0_u64 => _,
            );
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn request<T: ?Sized>(_code: u64, _bytes: &T) {
        compile_error!("the valgrind check is for x86-64");
    }
}
