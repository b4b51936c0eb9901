//! Kernels: one primitive on one tier, whole buffers in, whole buffers out.
//!
//! Rows are primitives, columns are tiers; a missing file is a missing kernel.
//! No trait here has a vector type in its signatures, and no kernel looks at the CPU:
//! the token it is called on is the proof.

pub(crate) mod aes;
pub(crate) mod aes_siv;
pub(crate) mod blake2b;
pub(crate) mod chacha20;
pub(crate) mod chacha20_blake2b;
pub(crate) mod gcm_siv;
pub(crate) mod kuznyechik;
pub(crate) mod mgm_multiply;
pub(crate) mod polyval;

/// The AES block and POLYVAL field element size in bytes.
pub(crate) const BLOCK_LEN: usize = 16;

/// Sixteen bytes: an AES block or a POLYVAL field element, least significant byte first.
pub(crate) type Block = [u8; BLOCK_LEN];
