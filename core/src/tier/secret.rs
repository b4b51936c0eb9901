//! How secrets leave memory and registers.
//!
//! Each guard clears every vector register that its tier's code can have used,
//! and declares them clobbered, so the compiler keeps no live value there.

use core::mem::{ManuallyDrop, MaybeUninit};
use subtle::{Choice, ConstantTimeEq};

/// Overwrites `bytes` with zeros that the compiler may not leave out.
///
/// `zeroize` does the same with one volatile store a byte; on the way of a short
/// message that costs more than its encryption.
#[inline(always)]
pub(crate) fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    keep_stores(bytes);
}

/// Forbids the compiler to leave out stores to `memory` that nothing seems to read.
#[inline(always)]
pub(crate) fn keep_stores<T: ?Sized>(memory: &mut T) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let address = core::ptr::from_mut(memory).cast::<u8>();
        // SAFETY: no instruction; the compiler must assume that the memory behind the
        // pointer is read here, so the stores before have to happen.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) address, options(nostack, preserves_flags));
        }
    }
    // WebAssembly, for one, has no stable `asm!`; the standard library's own barrier is a
    // best effort there.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(memory);
}

/// Blocks of working memory that hold secrets: zeros at first, wiped when dropped.
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
        wipe(self.0.as_flattened_mut());
    }
}

/// Aligned vectors of working memory for secrets that are made once, without the zeros at
/// first that [`Scratch`] has; wiped when dropped.
#[repr(align(64))]
pub(crate) struct Room<const VECTORS: usize>([MaybeUninit<[u8; 64]>; VECTORS]);

impl<const VECTORS: usize> Room<VECTORS> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; VECTORS])
    }

    /// Writes every vector in turn.
    #[inline(always)]
    pub(crate) fn write(&mut self, mut next: impl FnMut() -> [u8; 64]) -> &[[u8; 64]; VECTORS] {
        for vector in &mut self.0 {
            vector.write(next());
        }
        // SAFETY: the loop has written every element, and `MaybeUninit` changes no layout.
        unsafe { &*(&raw const self.0).cast() }
    }
}

impl<const VECTORS: usize> Drop for Room<VECTORS> {
    #[inline(always)]
    fn drop(&mut self) {
        // Part by part: a single `memset` of so much is a call, and slower.
        for part in self.0.chunks_mut(8) {
            part.fill(MaybeUninit::new([0; 64]));
            keep_stores(part);
        }
    }
}

/// A value all of whose memory is zeros after the drop, with the room that a variant of an
/// enum leaves unused: a move copies that room from the stack with whatever the making of
/// the value left there.
pub(crate) struct Erased<T>(ManuallyDrop<T>);

impl<T> Erased<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T> core::ops::Deref for Erased<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Drop for Erased<T> {
    fn drop(&mut self) {
        // SAFETY: dropped here only, and not used as a `T` after.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        // SAFETY: the pointer comes from a reference to so many bytes, and no `T` lives
        // in them any more.
        unsafe { core::ptr::from_mut(&mut self.0).write_bytes(0, 1) };
        keep_stores(&mut self.0);
    }
}

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

/// Wipes registers 0 to 15 when dropped.
///
/// A VEX or EVEX write of 128 bits zeroes the rest of the register, and `x ^ x` is
/// a zero idiom that takes no execution unit, where VZEROALL takes some ten cycles.
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

/// Tells valgrind that `bytes` are secret: it reports any branch or address that
/// depends on them. Outside valgrind it does nothing.
#[cfg(feature = "__ctgrind")]
pub fn mark_secret<T: ?Sized>(bytes: &T) {
    ctgrind::request(
        ctgrind::MAKE_MEM_UNDEFINED,
        core::ptr::from_ref(bytes).cast::<u8>().cast_mut(),
        size_of_val(bytes),
    );
}

/// Tells valgrind that `bytes` may be known to anyone from here on.
#[cfg(feature = "__ctgrind")]
pub fn mark_public<T: ?Sized>(bytes: &T) {
    ctgrind::request(
        ctgrind::MAKE_MEM_DEFINED,
        core::ptr::from_ref(bytes).cast::<u8>().cast_mut(),
        size_of_val(bytes),
    );
}

/// Whether two tags are equal, in constant time. The verdict is public.
#[inline(always)]
pub(crate) fn equal(a: &[u8; 16], b: &[u8; 16]) -> bool {
    let difference = u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b);
    let folded = difference as u64 | (difference >> 64) as u64;
    publish(folded.ct_eq(&0))
}

/// A verdict that the caller is told anyway, such as whether a tag was right.
#[inline(always)]
pub(crate) fn publish(verdict: Choice) -> bool {
    public(verdict.unwrap_u8()) == 1
}

/// Says to valgrind that anyone may know `value`, which was computed from secrets.
#[inline(always)]
pub(crate) fn public<T>(value: T) -> T {
    #[cfg_attr(not(feature = "__ctgrind"), allow(unused_mut))]
    let mut value = value;
    #[cfg(feature = "__ctgrind")]
    ctgrind::request(
        ctgrind::MAKE_MEM_DEFINED,
        (&raw mut value).cast(),
        size_of_val(&value),
    );
    value
}

#[cfg(feature = "__ctgrind")]
mod ctgrind {
    /// Requests of valgrind's memcheck (`memcheck.h`): base `'M' 'C'`, then a number.
    pub(super) const MAKE_MEM_UNDEFINED: u64 = 0x4d43_0001;
    pub(super) const MAKE_MEM_DEFINED: u64 = 0x4d43_0002;

    /// valgrind's client request (`valgrind.h`, amd64): four rotations that add up
    /// to nothing, and an exchange of a register with itself.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn request(code: u64, address: *mut u8, len: usize) {
        let arguments = [code, address as u64, len as u64, 0, 0, 0];
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
    pub(super) fn request(_code: u64, _address: *mut u8, _len: usize) {
        compile_error!("the valgrind check is for x86-64");
    }
}
