//! POLYVAL (RFC 8452 section 3) of the input that section 4 gives it:
//! `POLYVAL(h, pad(aad) ‖ pad(text) ‖ length_block)`, where `pad` appends zeros to a whole
//! number of blocks.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod avx512;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(in crate::kernel) mod blocks;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(in crate::kernel) mod one_block;
pub(in crate::kernel) mod portable;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod products;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod vaes256;

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(in crate::kernel) use products::{Nothing, Step, Steps};
