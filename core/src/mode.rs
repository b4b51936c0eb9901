//! Modes: constructions from the standards, each written once.

#[cfg(feature = "aes-siv")]
pub(crate) mod aes_siv;
pub(crate) mod batch;
#[cfg(feature = "chacha20-blake2b")]
pub(crate) mod chacha20_blake2b;
#[cfg(feature = "kuznyechik")]
pub(crate) mod ctr;
#[cfg(feature = "aes-gcm-siv")]
pub(crate) mod gcm_siv;
#[cfg(feature = "kuznyechik")]
pub(crate) mod mgm;
#[cfg(feature = "kuznyechik")]
pub(crate) mod omac;
