//! Authenticated encryption that forgives mistakes: a repeated nonce does not expose messages, and
//! no secret decides a branch or an address.
//!
//! | type | standard | nonce | tag | survives a repeated nonce | committing |
//! |---|---|---|---|---|---|
//! | [`Aes128GcmSiv`], [`Aes256GcmSiv`] | RFC 8452 | 12 bytes | 16 bytes | yes | no |
//! | [`ChaCha20Blake2b`] | the C# library of 2022 | 8 bytes, a counter | 32, 48 or 64 bytes | no | fully |
//! | [`XChaCha20Blake2b`] | the same | 24 bytes | 32, 48 or 64 bytes | no | fully |
//! | [`XChaCha20Blake2bSiv`] | the same | none | 32, 48 or 64 bytes | yes | fully |
//! | [`AesSiv256`], [`AesSiv384`], [`AesSiv512`] | RFC 5297 | none | 16 bytes, in front | yes | no |
//! | [`KuznyechikMgm`] | RFC 9058 | 16 bytes, 127 bits | 16 bytes | no | no |
//!
//! # Seal and open
//!
//! ```
//! # #[cfg(feature = "getrandom")] {
//! use sivka::Aes256GcmSiv;
//!
//! let secret = Aes256GcmSiv::generate_key()?; // to be stored
//! let key = Aes256GcmSiv::new(&secret);
//! let sealed = key.seal(b"the plaintext", b"what is authenticated only")?;
//! assert_eq!(key.open(&sealed, b"what is authenticated only")?, b"the plaintext");
//! assert!(key.open(&sealed, b"something else").is_err());
//! # }
//! # Ok::<(), sivka::Error>(())
//! ```
//!
//! # Three levels
//!
//! - `seal` and `open` draw and carry the nonce.
//! - `seal_with_nonce` and `open_with_nonce` take it; an algorithm without one takes `&[]`.
//! - `seal_in_place` and `open_in_place`, or `seal_into` and `open_into` from one buffer to
//!   another, work in the caller's memory with a detached tag. They allocate nothing.
//!   `seal_batch` and `open_batch` do so for many messages, `seal_column` and `open_column` for
//!   a column of Arrow.
//!
//! All keys are one type, [`Key`], with these calls. [`ChaCha20Blake2b`] has no `seal` and no
//! `open`: its nonces must be counted.
//!
//! For a program that learns its algorithm only when it runs, [`Algorithm`] and [`Aead`] have the
//! same calls over slices.
//!
//! # Promises
//!
//! - Opening fails in one way ([`Error::Open`]), says nothing about why, and leaves
//!   no plaintext: the buffer is wiped.
//! - No branch, index or division depends on a secret, on any tier.
//! - Keys wipe themselves when dropped, never print themselves, and are
//!   `Send + Sync`. They are not `Clone`: each copy would be another secret in memory. Every call
//!   takes `&self`, so threads share a key by reference or in an `Arc`.
//! - The code for a CPU's instruction set is chosen when a key is made
//!   ([`Tier::detect`]), and passes a known-answer check once per process before
//!   its first use.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | `alloc` and `getrandom` |
//! | `alloc` | yes | the calls that return a `Vec` |
//! | `getrandom` | yes | `seal`, which draws a nonce |
//! | `aes-gcm-siv` | yes | AES-GCM-SIV |
//! | `aes-siv` | yes | AES-SIV |
//! | `chacha20-blake2b` | yes | ChaCha20-BLAKE2b, XChaCha20-BLAKE2b, XChaCha20-BLAKE2b-SIV |
//! | `kuznyechik` | yes | [`Kuznyechik`] and its modes |
//! | `aead` | no | the traits of RustCrypto's `aead` crate, which `rustcrypto` has |
//! | `cipher` | no | the traits of RustCrypto's `cipher` crate on [`Kuznyechik`], and `kuznyechik` |
//! | `posix-keys` | no | for libraries that are never unloaded: refused memory ends no process |
//!
//! At least one family of algorithms is needed; one alone takes less than half as long to compile.
//! Without `std`, `alloc` and `getrandom`, the crate needs neither `std` nor an allocator. Give it
//! 128 KiB of stack. The first key of an algorithm checks known answers, which takes up to 100 KiB.
//! A column takes up to 104, a batch up to 53, and every other call up to 20. This includes the
//! overwriting of secrets there. Without optimisation (`opt-level = 0`), a first key or a column
//! takes up to 520 KiB.

// Unit tests have `std` whatever the features; the tested code does not.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(unsafe_code)]
#![allow(
    private_bounds,
    private_interfaces,
    reason = "a cipher, which only this crate names, says which calls and arrays a key has"
)]
// With one family alone, some of the shared code is unused.
#![cfg_attr(
    not(all(
        feature = "aes-gcm-siv",
        feature = "aes-siv",
        feature = "chacha20-blake2b",
        feature = "kuznyechik"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(not(any(
    feature = "aes-gcm-siv",
    feature = "aes-siv",
    feature = "chacha20-blake2b",
    feature = "kuznyechik"
)))]
compile_error!("without default features, choose a family of algorithms");

#[cfg(feature = "alloc")]
extern crate alloc;

mod aead;
#[cfg(feature = "aes-gcm-siv")]
mod aes_gcm_siv;
#[cfg(feature = "aes-siv")]
mod aes_siv;
mod algorithms;
mod batch;
#[cfg(feature = "chacha20-blake2b")]
mod chacha20_blake2b;
mod column;
mod error;
mod kernel;
#[cfg(feature = "kuznyechik")]
mod kuznyechik;
mod mode;
#[cfg(feature = "std")]
mod per_thread;
#[cfg(feature = "getrandom")]
mod random;
mod self_check;
mod tag;
mod tier;
mod usage_bound;

pub use aead::{Aead, Algorithm, Key, NonceRule};
#[cfg(feature = "aes-gcm-siv")]
pub use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
#[cfg(feature = "aes-siv")]
pub use aes_siv::{AesSiv256, AesSiv384, AesSiv512};
pub use batch::{BatchAad, BatchText};
#[cfg(feature = "chacha20-blake2b")]
pub use chacha20_blake2b::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};
pub use column::{Column, ColumnNonces, Offsets, OffsetsMut, Validity};
pub use error::Error;
#[cfg(feature = "kuznyechik")]
pub use kuznyechik::{
    Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikMgm, KuznyechikOmac,
};
pub use mode::batch::Status;
pub use tag::{LongTag, Tag, TagLen};
pub use tier::Tier;
pub use usage_bound::UsageBound;
/// Bytes of a key that are wiped when they are dropped.
#[cfg(feature = "getrandom")]
pub use zeroize::Zeroizing;

/// The crates whose traits keys have, in the versions that these are of.
///
/// ```
/// # #[cfg(all(feature = "aead", feature = "aes-gcm-siv", feature = "getrandom"))] {
/// use sivka::rustcrypto::aead::{Aead, Payload};
/// use sivka::Aes256GcmSiv;
///
/// let key = Aes256GcmSiv::new(&*Aes256GcmSiv::generate_key()?);
/// let (nonce, message) = ([1; 12].into(), Payload { msg: b"text", aad: b"aad" });
/// assert!(Aead::encrypt(&key, &nonce, message).is_ok());
/// # }
/// # Ok::<(), sivka::Error>(())
/// ```
#[cfg(any(feature = "aead", feature = "cipher"))]
pub mod rustcrypto {
    #[cfg(feature = "aead")]
    pub use ::aead;
    #[cfg(feature = "cipher")]
    pub use ::cipher;
}

/// What the C interface keeps for each thread; outside semver.
#[cfg(all(feature = "posix-keys", any(target_os = "linux", target_os = "android")))]
#[doc(hidden)]
pub use per_thread::PerThread as __PerThread;
#[doc(hidden)]
pub use tier::calls::{making_key as __making_key, on_clean_stack as __on_clean_stack};
/// How `sivka-keyset` keeps keys of others' code as ours are kept; outside semver.
#[doc(hidden)]
pub use tier::erased::Erased as __Erased;

/// Marks memory for the valgrind check of constant time; see `CONTRIBUTING.md`.
#[cfg(feature = "__ctgrind")]
#[doc(hidden)]
pub use tier::valgrind::{mark_public, mark_secret};
