//! What this library is and what it runs on.

use crate::failure::guard;
use crate::region::Region;
use std::ffi::{CStr, c_char};
use zeroize::Zeroize;

/// The number of the interface that this header describes. It changes, and the shared library's
/// name with it, when older programs would no longer work. Compare it with sivka_abi_version().
pub const SIVKA_ABI_VERSION: u32 = 1;

/// The version as a C string, made beside the version.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version has no zero byte inside"),
    };

/// The version of the library, as "1.2.3". Static; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The number of the interface of the library that was loaded.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_abi_version() -> u32 {
    SIVKA_ABI_VERSION
}

/// The tier that new keys run on, which is the widest that this CPU has: "portable",
/// "avx2", "vaes256", "avx512", "neon" or a later one. Static; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_tier() -> *const c_char {
    tier_name(sivka::Tier::detect().name()).as_ptr()
}

/// Overwrites `bytes_len` bytes with zeros, in a way that no compiler leaves out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_wipe(bytes: *mut u8, bytes_len: usize) {
    guard(|| {
        // SAFETY: writable, as the header asks, and nothing else of it in use.
        unsafe { Region::new("bytes", bytes, bytes_len)?.as_mut_slice() }.zeroize();
        Ok(())
    });
}

/// The C string of a tier's name.
pub(crate) fn tier_name(name: &str) -> &'static CStr {
    const NAMES: [&CStr; 5] = [c"portable", c"avx2", c"vaes256", c"avx512", c"neon"];
    let same = |known: &&CStr| known.to_bytes() == name.as_bytes();
    NAMES.into_iter().find(same).unwrap_or(c"unknown")
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_tier_has_its_name() {
        for tier in sivka::Tier::available() {
            assert_eq!(super::tier_name(tier.name()).to_str(), Ok(tier.name()));
        }
    }
}
