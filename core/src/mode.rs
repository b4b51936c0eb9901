//! Modes: constructions from the standards, each written once.

pub(crate) mod gcm_siv;
