//! The trusted base: what this CPU can do, how code enters that feature set,
//! and how secrets leave memory and registers.
//!
//! Nothing here imports anything else of ours.

#[allow(unsafe_code)]
pub(crate) mod bytes;
#[allow(unsafe_code)]
mod cpu;
#[allow(unsafe_code)]
pub(crate) mod secret;
#[allow(unsafe_code)]
mod token;

pub use token::Tier;
#[cfg(target_arch = "x86_64")]
pub(crate) use token::{Avx2, Avx512, Vaes256, Vaes256Gfni, kernel};
pub(crate) use token::{BASELINE_WORDS, Kind, Portable, Token};
