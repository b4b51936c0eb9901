//! What the last failure was about.

pub use crate::failure::LastError;

use crate::failure::{NOTHING, last};

/// What the last failed call of this thread was about. Never NULL. It and its strings, which
/// are UTF-8 (but for paths, which are as they were given), stay until another call of this
/// thread fails or the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_last_error() -> *const LastError {
    last(|record| &raw const record.shown).unwrap_or(&raw const NOTHING)
}
