//! Keysets, as Rust programs use them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../data/differences.rs"]
mod differences;
mod encrypted;
mod kms;
#[path = "../data/messages.rs"]
mod messages;
mod parameters;
mod properties;
mod refusals;
mod rotation;
mod streaming;
mod vectors;
