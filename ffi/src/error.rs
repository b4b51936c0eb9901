//! What the last failure was about.

pub use crate::failure::LastError;

use crate::failure::{NOTHING, last};
use crate::region::Region;
use std::ffi::c_char;

/// The record of the last failed call of this thread. Never NULL. It and its strings stay
/// until another call of this thread fails or the thread ends. Strings are UTF-8; paths
/// are as they were given.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_last_error() -> *const LastError {
    last(|record| &raw const record.shown).unwrap_or(&raw const NOTHING)
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

/// The longest beginning of `text` within `limit` bytes that leaves UTF-8 whole.
fn whole_chars(text: &str, limit: usize) -> &str {
    let mut cut = limit.min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    &text[..cut]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        let whole = "aé€𝄞";
        for (capacity, shown) in ["", "", "a", "a", "aé", "aé", "aé", "aé€"]
            .into_iter()
            .enumerate()
        {
            let mut room = [b'x'; 8];
            // SAFETY: so much of `room` is writable.
            let len = unsafe { write_text(whole, room.as_mut_ptr().cast(), capacity) };
            assert_eq!(len, whole.len());
            let written = if capacity == 0 { 0 } else { shown.len() + 1 };
            assert_eq!(
                room[..written].strip_suffix(b"\0").unwrap_or_default(),
                shown.as_bytes()
            );
            assert!(room[written..].iter().all(|byte| *byte == b'x'));
        }
    }
}
