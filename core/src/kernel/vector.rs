//! The few vector operations that kernels of AES are written over, under the same names at every
//! width.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(in crate::kernel) mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) use x86_64::{m128, m256, m512};

/// Indices of a byte shuffle, loaded from some bytes before or after the middle on: it moves the
/// bytes of a block up or down, and zeros in.
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "x86_64", target_feature = "sse2")
))]
const MOVED: [u8; 48] = {
    let mut indices = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        indices[16 + i] = i as u8;
        i += 1;
    }
    indices
};

/// The bytes of a block that the last one of a text does not have.
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "x86_64", target_feature = "sse2")
))]
#[inline(always)]
fn unused(text: &[u8]) -> usize {
    text.len().wrapping_neg() % 16
}
