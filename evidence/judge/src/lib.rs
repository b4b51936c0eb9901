//! Every check of the bytes of AEADs.
//!
//! - [`conformance`] checks a key on one tier against an algorithm's standard: published vectors,
//!   every length, refusals, forgeries, and many messages in one call.
//! - [`shapes`] draws many messages: styles first, then values.
//! - [`accumulated`] draws the messages of the accumulated vectors, and hashes their sealed bytes.
//! - [`OneKey`] is a key of ours as these checks take it, [`EveryTier`] one on all tiers.
//!
//! The tests of core and of the C interface run for seconds, and a fuzz target draws from the
//! fuzzer's bytes. The program runs for as long as it is told, and prints its coverage. Every run
//! draws other messages: see [`seed`].
#![deny(unsafe_code)]

pub mod accumulated;
pub mod conformance;
mod key;
pub mod shapes;
mod tiers;

pub use key::OneKey;
pub use tiers::{EveryTier, kuznyechik_blocks};

use std::env;
use std::hash::{BuildHasher, RandomState};

/// The seed of this run, which it prints: the number that `SIVKA_SEED` has, to repeat a run, or
/// one that is drawn.
///
/// # Panics
///
/// If `SIVKA_SEED` is no number.
#[must_use]
pub fn seed() -> u64 {
    let drawn = || RandomState::new().hash_one("seed");
    let given = env::var("SIVKA_SEED").ok();
    let seed = given.map_or_else(drawn, |text| text.parse().expect("SIVKA_SEED: a number"));
    println!("SIVKA_SEED={seed}");
    seed
}
