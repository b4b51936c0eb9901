//! The tiers of x86-64.

#[allow(unsafe_code)]
pub(crate) mod bytes;
#[allow(unsafe_code)]
mod cpu;
#[allow(unsafe_code)]
mod registers;

use super::Token;
use super::stack::{DeadStack, Reach};
use cpu::Features;
use registers::{WipeYmm, WipeZmm};

/// Declares a kernel: a safe function that takes the tier's token and whose
/// body is compiled for that tier.
///
/// ```text
/// kernel! { fn name[const N: usize](tier: Avx2, bytes: &mut [u8; N]) -> usize { … } }
/// ```
///
/// The body runs inside a `#[target_feature]` function, where intrinsics that
/// take no pointer are safe; the one `unsafe` is the crossing, and the token is
/// its proof. What a tier's kernels may use stands here; the helpers of a kernel
/// name the part of it that they use.
macro_rules! kernel {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $([$($generics:tt)*])? ($tier:ident: $token:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block) => {
        $crate::tier::kernel!(@$token
            $(#[$meta])* $vis fn $name [$($($generics)*)?] ($tier: $crate::tier::$token $(, $arg: $ty)*) [$(-> $ret)?] $body);
    };
    (@Avx2 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2", $($kernel)*);
    };
    (@Vaes256 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", $($kernel)*);
    };
    (@Vaes256Gfni $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,gfni", $($kernel)*);
    };
    (@Avx512 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni", $($kernel)*);
    };
    (@@ $features:literal, $(#[$meta:meta])* $vis:vis fn $name:ident [$($generics:tt)*] ($tier:ident: $token:ty $(, $arg:ident: $ty:ty)*) [$($ret:tt)*] $body:block) => {
        $(#[$meta])*
        #[allow(unsafe_code)]
        #[inline(always)]
        $vis fn $name<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
            #[target_feature(enable = $features)]
            #[inline]
            fn body<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
                let _ = $tier;
                $body
            }
            // SAFETY: the token proves that the CPU has the features named above.
            unsafe { body($tier $(, $arg)*) }
        }
    };
}
pub(crate) use kernel;

/// A token, and its `run`: a kernel that calls its argument, with the guard that wipes
/// every register which that tier's code can have used.
macro_rules! token {
    ($(#[$meta:meta])* $token:ident, $feature:ident, $wipe:ident, $vector_len:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $token(());

        impl Token for $token {
            fn detect() -> Option<Self> {
                Features::detect().$feature.then_some(Self(()))
            }

            #[inline(always)]
            fn run_within<R>(self, reach: Reach, f: impl FnOnce() -> R) -> R {
                kernel! {
                    fn enter[R, F: FnOnce() -> R](tier: $token, dead: &mut DeadStack<$vector_len>, f: F) -> R {
                        dead.ends_here();
                        let _wipe = $wipe;
                        f()
                    }
                }
                enter(self, &mut DeadStack::new(reach), f)
            }
        }
    };
}

token!(
    /// AES-NI, PCLMULQDQ, AVX2 and BMI2.
    Avx2,
    avx2_bundle,
    WipeYmm,
    32
);
token!(
    /// The AVX2 tier with VAES and VPCLMULQDQ at 256 bits, on CPUs that lack AVX-512
    /// as well as on those that have it.
    Vaes256,
    vaes256_bundle,
    WipeYmm,
    32
);
token!(
    /// The 256-bit VAES tier of a CPU that has GFNI as well, which the first CPUs of that
    /// tier lack. No tier of its own: a kernel that gains by it asks for it.
    Vaes256Gfni,
    gfni,
    WipeYmm,
    32
);
token!(
    /// AVX-512 F, BW, VL, DQ and VBMI with VAES, VPCLMULQDQ and GFNI.
    Avx512,
    avx512_bundle,
    WipeZmm,
    64
);

/// The narrower tier that every CPU of this one also is.
macro_rules! has_avx2 {
    ($($token:ident)*) => {
        $(impl $token {
            #[inline(always)]
            pub(crate) fn avx2(self) -> Avx2 {
                Avx2(())
            }
        })*
    };
}
has_avx2!(Vaes256 Avx512);

impl Vaes256 {
    /// The same tier with GFNI, where the CPU has it.
    pub(crate) fn with_gfni(self) -> Option<Vaes256Gfni> {
        Vaes256Gfni::detect()
    }
}
