//! What the last failure was about.

pub use crate::failure::LastError;

use crate::failure::last;

/// The record of the last failed call of this thread. Never NULL. It and its strings stay until
/// another call of this thread fails or it ends. Strings are UTF-8; paths are as they were given.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_last_error() -> *const LastError {
    last()
}
