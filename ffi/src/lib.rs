//! The C interface of Sivka.
//!
//! C programs include `include/sivka.h`, which cbindgen writes from this crate, and read
//! its documentation there. This page is for changing the crate.
//!
//! A function here checks its arguments (`region`, `handle`), calls the Rust libraries, and turns
//! the result into a status (`failure`). It computes nothing that they compute.
//!
//! # Rules for every function
//!
//! C cannot promise what Rust's references need, so the header states it once for all
//! functions. A pointer is null or points to as many readable (or, if it is not const,
//! writable) bytes as the length beside it says, and stays so during the call. A handle
//! came from this library and was not freed. Everything beyond that (null, alignment,
//! overlap, absurd lengths) is checked, and is a status.
#![allow(
    clippy::missing_safety_doc,
    reason = "stated once, above and at the top of the header, for all functions"
)]

// The header has these in this order, which is that of its readers.
pub mod algorithm;
pub mod key;

pub mod message;

pub mod column;
pub mod many;

pub mod error;
pub mod status;
pub mod version;

pub mod file;
pub mod memory;
pub mod progress;
pub mod salvage;
pub mod slot;
pub mod stream;
pub mod suite;

pub mod keyring;
pub mod keyset;
pub mod kuznyechik;

mod failure;
mod handle;
mod region;
mod reserve;
