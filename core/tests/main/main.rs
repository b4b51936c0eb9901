//! The tests of the core's interface in one program. Apart from it are those that look at the
//! process as a whole: what a CPU has, a child's memory, what is left of a key.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accumulated;
mod aead;
#[cfg(feature = "aead")]
mod aead_traits;
mod aes_siv;
mod aes_siv_openssl;
mod allocations;
mod batch;
mod chacha20_blake2b;
mod column;
mod column_limits;
mod conformance;
mod kuznyechik;
mod printed;
mod published;
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
mod stack;
mod typed;
mod wycheproof;
