//! The references of Sivka's tests.
//!
//! - [`aes`], [`polyval`], [`gcm_siv`], [`aes_siv`], [`chacha20`], [`blake2b`],
//!   [`chacha20_blake2b`], [`kuznyechik`], [`mgm`] and [`gost_modes`] are written from the
//!   standards as plainly as possible. They are slow, **not** constant-time, and never
//!   import `sivka`: an error would have to be made twice to go unseen.
//! - [`vectors`] reads the files under `vectors/`.
//! - [`lengths`] is the one grid of lengths and the one painting of inputs.
//! - [`tiers`] reads `SIVKA_REQUIRE_TIERS`.
#![forbid(unsafe_code)]

pub mod aes;
pub mod aes_siv;
pub mod blake2b;
pub mod chacha20;
pub mod chacha20_blake2b;
pub mod gcm_siv;
pub mod gost_modes;
pub mod kuznyechik;
pub mod lengths;
pub mod mgm;
pub mod polyval;
pub mod tiers;
pub mod vectors;
