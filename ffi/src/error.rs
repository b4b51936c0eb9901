//! What the last failure was about.

use crate::failure::{Failure, last};
use crate::region::Region;
use std::ffi::c_char;

/// What the last failed call of this thread was about: which argument, what was
/// expected, what was given. Empty if no call of this thread failed. It never quotes a
/// key or a message.
///
/// Writes at most `capacity` bytes to `text`, the terminating zero included, and
/// returns the length of the whole text in bytes without it, as snprintf does. `text`
/// may be NULL if `capacity` is 0. The text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_error_detail(text: *mut c_char, capacity: usize) -> usize {
    let whole = last(Failure::to_string).unwrap_or_default();
    // SAFETY: the caller's buffer, as the header asks.
    unsafe { write_text(&whole, text, capacity) }
}

/// Writes as much of `whole` as there is room for, and a zero, and returns the length of all.
///
/// # Safety
/// `text` is writable for `capacity` bytes unless that is 0.
pub(crate) unsafe fn write_text(whole: &str, text: *mut c_char, capacity: usize) -> usize {
    let Ok(text) = Region::new("text", text.cast::<u8>(), capacity) else {
        return whole.len();
    };
    // SAFETY: the caller's promise; nothing of ours is in it.
    let out = unsafe { text.as_mut_slice() };
    if let Some(room) = out.len().checked_sub(1) {
        let shown = whole_chars(whole, room);
        out[..shown.len()].copy_from_slice(shown.as_bytes());
        out[shown.len()] = 0;
    }
    whole.len()
}

/// The operating system's number (errno, or GetLastError of Windows) for what the last
/// failed call of this thread could not do, as to read or write a file; 0 if the failure
/// was not the system's.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_error_os_code() -> i32 {
    last(Failure::os_code).flatten().unwrap_or(0)
}

/// The longest beginning of `text` within `limit` bytes that leaves UTF-8 whole.
fn whole_chars(text: &str, limit: usize) -> &str {
    let mut cut = limit.min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    &text[..cut]
}
