//! Buffers at a chosen offset that show whether something was written beside them.

use core::ops::{Deref, DerefMut};

/// The bytes of each guard: as many as the widest vector, so that a store of a
/// whole vector too many is seen.
const GUARD_LEN: usize = 128;
/// What the guards are filled with.
const GUARD_BYTE: u8 = 0xc7;

/// A slice between two guards.
pub(super) struct Guarded {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Guarded {
    /// Copies `content` to a place `offset` bytes after a 64-byte border.
    pub(super) fn new(content: &[u8], offset: usize) -> Self {
        let mut bytes = vec![GUARD_BYTE; 2 * GUARD_LEN + 63 + offset + content.len()];
        let guarded = &bytes[GUARD_LEN..];
        let start = GUARD_LEN + guarded.as_ptr().addr().next_multiple_of(64)
            - guarded.as_ptr().addr()
            + offset;
        let end = start + content.len();
        bytes[start..end].copy_from_slice(content);
        Self { bytes, start, end }
    }

    /// Panics if a byte before or after the slice was written.
    pub(super) fn assert_surroundings_untouched(&self) {
        let (before, after) = (&self.bytes[..self.start], &self.bytes[self.end..]);
        assert!(
            before.iter().all(|byte| *byte == GUARD_BYTE),
            "bytes before the buffer written"
        );
        assert!(
            after.iter().all(|byte| *byte == GUARD_BYTE),
            "bytes beyond the buffer written"
        );
    }
}

impl Deref for Guarded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_where_it_says() {
        for offset in 0..70 {
            assert_eq!(
                Guarded::new(&[1; 5], offset).as_ptr().addr() % 64,
                offset % 64
            );
        }
    }

    #[test]
    #[should_panic(expected = "beyond the buffer")]
    fn notices_the_byte_beyond() {
        let mut guarded = Guarded::new(&[1; 5], 3);
        let end = guarded.end;
        guarded.bytes[end] = 0;
        guarded.assert_surroundings_untouched();
    }

    #[test]
    #[should_panic(expected = "before the buffer")]
    fn notices_the_byte_before() {
        let mut guarded = Guarded::new(&[1; 5], 3);
        let start = guarded.start;
        guarded.bytes[start - 1] = 0;
        guarded.assert_surroundings_untouched();
    }
}
