//! The trusted base: detection of the CPU's features, entering code that uses them, and wiping of
//! memory and registers.
//!
//! Nothing here imports anything else of ours.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod aarch64;
pub(crate) mod calls;
#[allow(unsafe_code)]
pub(crate) mod erased;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
#[allow(unsafe_code)]
mod features;
#[allow(unsafe_code)]
mod registers;
#[allow(unsafe_code)]
pub(crate) mod secret;
pub(crate) mod stack;
mod token;
#[cfg(sivka_stateless)]
#[allow(unsafe_code)]
mod trusted;
#[cfg(feature = "__ctgrind")]
#[allow(unsafe_code)]
pub(crate) mod valgrind;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

/// Hands the tiers of this architecture, the narrowest first, to a macro: its path is in brackets,
/// and the tokens after it are handed on after the tiers. Keys, dispatch and reports are all made
/// from this list.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! tiers {
    ([$($then:tt)*] $($rest:tt)*) => {
        $($then)*! {
            [(Portable "portable") (Avx2 "avx2") (Vaes256 "vaes256") (Avx512 "avx512")] $($rest)*
        }
    };
}
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
macro_rules! tiers {
    ([$($then:tt)*] $($rest:tt)*) => {
        $($then)*! { [(Portable "portable") (Neon "neon")] $($rest)* }
    };
}
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
macro_rules! tiers {
    ([$($then:tt)*] $($rest:tt)*) => {
        $($then)*! { [(Portable "portable")] $($rest)* }
    };
}
pub(crate) use tiers;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) use aarch64::{Neon, NeonSha3, bytes, kernel};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(crate) use features::{compiled_for, helpers};
pub use token::Tier;
pub(crate) use token::{BASELINE_WORDS, Kind, Portable, Token, on_kept, on_tier, per_tier};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86_64::{Avx2, Avx512, Vaes256, Vaes256Gfni, bytes, kernel};
