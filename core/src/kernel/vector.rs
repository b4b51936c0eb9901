//! The few vector operations that kernels of AES are written over, under the same names at every
//! width.

#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "x86_64", target_feature = "sse2")
))]
mod ends;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(in crate::kernel) mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(in crate::kernel) use neon::{self as m128, narrowest};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) use x86_64::{m128, m256, m512, narrowest};
