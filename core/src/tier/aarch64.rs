//! The tiers of AArch64.

#[allow(unsafe_code)]
pub(crate) mod bytes;
mod cpu;
#[allow(unsafe_code)]
pub(super) mod registers;

use super::Token;
use super::features::token;
use cpu::Features;
use registers::WipeVectors;

/// Declares kernels of a tier of AArch64; see [`compiled_for!`](super::features). The helpers of a
/// kernel name the features too. Kernels for `NeonSha3` call helpers of `Neon`, which are then
/// compiled once more.
macro_rules! kernel {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident $([$($generics:tt)*])? ($tier:ident: $token:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block)+) => { $(
        $crate::tier::kernel!(@$token
            $(#[$meta])* $vis fn $name [$($($generics)*)?] ($tier: $crate::tier::$token $(, $arg: $ty)*) [$(-> $ret)?] $body);
    )+ };
    (@Neon $($kernel:tt)*) => {
        $crate::tier::compiled_for!("neon,aes", $($kernel)*);
    };
    (@NeonSha3 $($kernel:tt)*) => {
        $crate::tier::compiled_for!("neon,aes,sha3", $($kernel)*);
    };
}
pub(crate) use kernel;

token!(
    /// The vectors that every AArch64 CPU has, with AES and PMULL of 64 bits.
    Neon,
    neon_bundle beside sha3,
    WipeVectors,
    many registers: false
);
token!(
    /// The same on a CPU that has the instructions for SHA-3 as well: sums of three vectors
    /// (EOR3), and sums that are rotated (XAR). No tier of its own: a kernel that gains by
    /// them asks for it.
    NeonSha3,
    sha3 beside sha3,
    WipeVectors,
    many registers: false
);

impl Neon {
    /// The same tier with the instructions for SHA-3, where the CPU has them.
    #[inline(always)]
    pub(crate) fn with_sha3(self) -> Option<NeonSha3> {
        #[cfg(sivka_stateless)]
        return self.0.then_some(NeonSha3::trusted(true));
        #[cfg(not(sivka_stateless))]
        NeonSha3::detect()
    }
}
