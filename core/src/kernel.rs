//! Kernels: one primitive on one tier, whole buffers in, whole buffers out.
//!
//! Rows are primitives, columns are tiers; a missing file is a missing kernel.
//! No trait here has a vector type in its signatures, and no kernel looks at the CPU:
//! the token it is called on is the proof.

#[cfg(any(feature = "aes-gcm-siv", feature = "aes-siv"))]
pub(crate) mod aes;
#[cfg(feature = "aes-siv")]
pub(crate) mod aes_siv;
#[cfg(feature = "chacha20-blake2b")]
pub(crate) mod blake2b;
// Random nonces are its keystream.
#[cfg(any(feature = "chacha20-blake2b", all(feature = "aes-gcm-siv", feature = "std")))]
pub(crate) mod chacha20;
#[cfg(feature = "chacha20-blake2b")]
pub(crate) mod chacha20_blake2b;
#[cfg(feature = "aes-gcm-siv")]
pub(crate) mod gcm_siv;
#[cfg(feature = "kuznyechik")]
pub(crate) mod kuznyechik;
#[cfg(feature = "kuznyechik")]
pub(crate) mod mgm_multiply;
#[cfg(any(feature = "aes-gcm-siv", feature = "kuznyechik"))]
pub(crate) mod polyval;
#[cfg(any(feature = "aes-gcm-siv", feature = "aes-siv", feature = "kuznyechik"))]
mod vector;

/// The AES block and POLYVAL field element size in bytes.
pub(crate) const BLOCK_LEN: usize = 16;

/// Sixteen bytes: an AES block or a POLYVAL field element, least significant byte first.
pub(crate) type Block = [u8; BLOCK_LEN];
