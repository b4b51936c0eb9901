//! Authenticated encryption that survives mistakes.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod aes_gcm_siv;
mod error;
mod kernel;
mod mode;
mod tag;
mod tier;

pub use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
pub use error::Error;
pub use tag::Tag;
pub use tier::Tier;
