//! The features that the CPU and the operating system offer together.
//!
//! Read from CPUID directly, so that a `no_std` build chooses the same tier as one with `std`; a
//! test compares every answer with the standard library's.
//!
//! A feature counts only if the operating system saves the registers that the code uses (XCR0). A
//! 256-bit user of VAES asks for the 256-bit state only.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(not(sivka_stateless))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The features that tiers are made of, already joined with XCR0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) avx2_bundle: bool,
    pub(super) vaes256_bundle: bool,
    /// GFNI beside the 256-bit VAES bundle, which it need not come with.
    pub(super) gfni: bool,
    pub(super) avx512_bundle: bool,
    /// Registers of 256 bits, and thirty-two of 512 bits. A CPU that has them may lack the rest
    /// of every bundle; the C library copies through them all the same.
    pub(super) avx: bool,
    pub(super) avx512vl: bool,
}

// Intel SDM volume 2A, CPUID; volume 1, 13.3 for XCR0.
const LEAF1_ECX: u32 = bits(&[
    1,  /* PCLMULQDQ */
    9,  /* SSSE3 */
    19, /* SSE4.1 */
    25, /* AES */
    26, /* XSAVE */
]) | OSXSAVE
    | AVX;
const OSXSAVE: u32 = bits(&[27]);
const AVX: u32 = bits(&[28]);
const LEAF7_EBX_AVX2: u32 = bits(&[5 /* AVX2 */, 8 /* BMI2 */]);
const LEAF7_EBX_AVX512VL: u32 = bits(&[16 /* F */, 31 /* VL */]);
const LEAF7_EBX_AVX512: u32 = bits(&[17 /* DQ */, 30 /* BW */]) | LEAF7_EBX_AVX512VL;
const LEAF7_ECX_VAES256: u32 = bits(&[9 /* VAES */, 10 /* VPCLMULQDQ */]);
const LEAF7_ECX_GFNI: u32 = bits(&[8]);
const LEAF7_ECX_AVX512: u32 = bits(&[1 /* VBMI */, 8 /* GFNI */]);
const XCR0_YMM: u64 = 0b110;
const XCR0_ZMM: u64 = 0b1110_0110;

const fn bits(positions: &[u32]) -> u32 {
    let mut mask = 0;
    let mut i = 0;
    while i < positions.len() {
        mask |= 1 << positions[i];
        i += 1;
    }
    mask
}

impl Features {
    /// The current answer.
    #[cfg(sivka_stateless)]
    pub(super) fn detect() -> Self {
        Self::read()
    }

    /// The remembered answer: in a virtual machine, CPUID goes to the host, which takes longer than
    /// making a key.
    #[cfg(not(sivka_stateless))]
    pub(super) fn detect() -> Self {
        const KNOWN: u8 = 0x80;
        static CACHED: AtomicU8 = AtomicU8::new(0);
        let mut bits = CACHED.load(Ordering::Relaxed);
        if bits == 0 {
            let read = Self::read();
            bits = KNOWN
                | u8::from(read.avx2_bundle)
                | u8::from(read.vaes256_bundle) << 1
                | u8::from(read.gfni) << 2
                | u8::from(read.avx512_bundle) << 3
                | u8::from(read.avx) << 4
                | u8::from(read.avx512vl) << 5;
            CACHED.store(bits, Ordering::Relaxed);
        }
        Self {
            avx2_bundle: bits & 1 != 0,
            vaes256_bundle: bits & 2 != 0,
            gfni: bits & 4 != 0,
            avx512_bundle: bits & 8 != 0,
            avx: bits & 16 != 0,
            avx512vl: bits & 32 != 0,
        }
    }

    fn read() -> Self {
        // `__cpuid` became a safe function in later compilers.
        #[allow(unused_unsafe)]
        // SAFETY: every x86-64 CPU has CPUID.
        let (highest_leaf, leaf1) = unsafe { (__cpuid(0).eax, __cpuid(1)) };
        let xcr0 = match leaf1.ecx & OSXSAVE {
            0 => 0,
            // SAFETY: the OSXSAVE bit of leaf 1 says that XGETBV may run.
            _ => unsafe { read_xcr0() },
        };
        let (mut leaf7_ebx, mut leaf7_ecx) = (0, 0);
        if highest_leaf >= 7 {
            #[allow(unused_unsafe)]
            // SAFETY: as above; leaf 7 exists.
            let leaf7 = unsafe { __cpuid_count(7, 0) };
            (leaf7_ebx, leaf7_ecx) = (leaf7.ebx, leaf7.ecx);
        }
        let has = |found: u32, wanted: u32| found & wanted == wanted;
        let avx = has(leaf1.ecx, AVX) && xcr0 & XCR0_YMM == XCR0_YMM;
        let avx512vl = avx && has(leaf7_ebx, LEAF7_EBX_AVX512VL) && xcr0 & XCR0_ZMM == XCR0_ZMM;
        let avx2_bundle = avx && has(leaf1.ecx, LEAF1_ECX) && has(leaf7_ebx, LEAF7_EBX_AVX2);
        let vaes256_bundle = avx2_bundle && has(leaf7_ecx, LEAF7_ECX_VAES256);
        let gfni = vaes256_bundle && has(leaf7_ecx, LEAF7_ECX_GFNI);
        let avx512_bundle = vaes256_bundle
            && avx512vl
            && has(leaf7_ebx, LEAF7_EBX_AVX512)
            && has(leaf7_ecx, LEAF7_ECX_AVX512);
        Self { avx2_bundle, vaes256_bundle, gfni, avx512_bundle, avx, avx512vl }
    }
}

#[target_feature(enable = "xsave")]
fn read_xcr0() -> u64 {
    // SAFETY: this function has the target feature of the intrinsic.
    unsafe { _xgetbv(0) }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Features;

    #[test]
    fn agrees_with_the_standard_library() {
        macro_rules! has {
            ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
        }
        let avx2_bundle = has!("aes" "pclmulqdq" "avx2" "bmi2");
        let vaes256_bundle = avx2_bundle && has!("vaes" "vpclmulqdq");
        let (avx, avx512vl) = (has!("avx"), has!("avx512f" "avx512vl"));
        let gfni = vaes256_bundle && has!("gfni");
        let avx512_bundle = gfni && avx512vl && has!("avx512bw" "avx512dq" "avx512vbmi");
        let expected = Features { avx2_bundle, vaes256_bundle, gfni, avx512_bundle, avx, avx512vl };
        assert_eq!(Features::detect(), expected);
    }
}
