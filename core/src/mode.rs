//! Modes: constructions from the standards, each written once.

pub(crate) mod aes_siv;
pub(crate) mod batch;
pub(crate) mod chacha20_blake2b;
pub(crate) mod ctr;
pub(crate) mod gcm_siv;
pub(crate) mod message;
pub(crate) mod mgm;
pub(crate) mod omac;
