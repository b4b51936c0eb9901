//! The tiers of x86-64.

#[allow(unsafe_code)]
pub(crate) mod bytes;
#[allow(unsafe_code)]
mod cpu;
#[allow(unsafe_code)]
pub(super) mod registers;

use super::Token;
use super::features::token;
use cpu::Features;
use registers::{WipeAvx, WipeAvx512};

/// Declares kernels of a tier of x86-64; see [`compiled_for!`](super::features). The features of a
/// tier's kernels are here; the helpers of a kernel name the part that they use.
macro_rules! kernel {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident $([$($generics:tt)*])? ($tier:ident: $token:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block)+) => { $(
        $crate::tier::kernel!(@$token
            $(#[$meta])* $vis fn $name [$($($generics)*)?] ($tier: $crate::tier::$token $(, $arg: $ty)*) [$(-> $ret)?] $body);
    )+ };
    (@Avx2 $($kernel:tt)*) => {
        $crate::tier::compiled_for!("aes,pclmulqdq,avx2,bmi2", $($kernel)*);
    };
    (@Vaes256 $($kernel:tt)*) => {
        $crate::tier::compiled_for!("aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", $($kernel)*);
    };
    (@Vaes256Gfni $($kernel:tt)*) => {
        $crate::tier::compiled_for!("aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,gfni", $($kernel)*);
    };
    (@Avx512 $($kernel:tt)*) => {
        $crate::tier::compiled_for!("aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni", $($kernel)*);
    };
}
pub(crate) use kernel;

token!(
    /// AES-NI, PCLMULQDQ, AVX2 and BMI2.
    Avx2,
    avx2_bundle beside gfni,
    WipeAvx,
    many registers: false
);
token!(
    /// The AVX2 tier with VAES and VPCLMULQDQ at 256 bits, on CPUs with and without AVX-512.
    Vaes256,
    vaes256_bundle beside gfni,
    WipeAvx,
    many registers: false
);
token!(
    /// The 256-bit VAES tier of a CPU that has GFNI as well, which the first CPUs of that
    /// tier lack. No tier of its own: a kernel that gains by it asks for it.
    Vaes256Gfni,
    gfni beside gfni,
    WipeAvx,
    many registers: false
);
token!(
    /// AVX-512 F, BW, VL, DQ and VBMI with VAES, VPCLMULQDQ and GFNI.
    Avx512,
    avx512_bundle beside gfni,
    WipeAvx512,
    many registers: true
);

/// The narrower tier that every CPU of this one also is.
macro_rules! has_avx2 {
    ($($token:ident)*) => {
        $(impl $token {
            #[inline(always)]
            pub(crate) fn avx2(self) -> Avx2 {
                Avx2(self.0)
            }
        })*
    };
}
has_avx2!(Vaes256 Avx512);

impl Vaes256 {
    /// The same tier with GFNI, where the CPU has it.
    pub(crate) fn with_gfni(self) -> Option<Vaes256Gfni> {
        #[cfg(sivka_stateless)]
        return self.0.then_some(Vaes256Gfni::trusted(true));
        #[cfg(not(sivka_stateless))]
        Vaes256Gfni::detect()
    }
}
