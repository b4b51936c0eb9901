//! Random nonces: from the operating system, and for algorithms that survive a repeated nonce
//! without a system call for each.
//!
//! A seed of 32 bytes from the operating system becomes, by ChaCha20, the nonces of one thread
//! for some time. Each nonce is erased where it was kept when it is given, and the seed as soon
//! as it is spent: who reads memory later learns none that was given.

#[cfg(all(feature = "aes-gcm-siv", feature = "std"))]
mod buffered;
#[cfg(all(feature = "aes-gcm-siv", feature = "std"))]
mod page;

use crate::error::Error;
#[cfg(all(feature = "aes-gcm-siv", feature = "std"))]
pub(crate) use buffered::fill;

/// Fills `bytes` from the operating system.
pub(crate) fn from_system(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|_| Error::Random)
}

/// Fills `bytes` from the operating system: without `std` there are no threads to keep any for,
/// and only AES-GCM-SIV survives a repeated nonce.
#[cfg(not(all(feature = "aes-gcm-siv", feature = "std")))]
pub(crate) fn fill(_tier: crate::tier::Tier, bytes: &mut [u8]) -> Result<(), Error> {
    from_system(bytes)
}
