//! The memory calls that the compiler takes for granted, which nobody else provides here.
//!
//! They are written in instructions: a compiler makes of a loop that copies a call that copies.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;
