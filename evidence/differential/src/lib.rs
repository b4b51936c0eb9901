//! Messages of drawn shapes are sealed and opened on every tier, in batches, in columns and
//! singly. All must agree, and with the oracle for some of them.
//!
//! There are three drivers. The program runs for as long as it is told, and says what it
//! covered; core's tests run for seconds; a fuzz target draws from what the fuzzer wrote.
#![forbid(unsafe_code)]

mod key;
mod tiers;

pub use key::OneKey;
pub use tiers::{EveryTier, kuznyechik_blocks};
