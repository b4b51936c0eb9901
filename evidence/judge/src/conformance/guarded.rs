//! Buffers beside memory without access, which show writes beside them.
//!
//! On Unix the pages before and after may not be touched: one byte read there ends the process.
//! Elsewhere only writes are noticed.

use core::ops::{Deref, DerefMut};
use std::cell::RefCell;

/// Painted bytes beside a buffer: as many as the widest vector, so that a store of a
/// whole vector too many is seen.
const GUARD_LEN: usize = 128;
/// The byte of the paint.
const GUARD_BYTE: u8 = 0xc7;

/// Where a buffer lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// So many bytes after a page without access.
    After(usize),
    /// Directly before one.
    Before,
}

impl Place {
    /// Another place of the same kind.
    pub(super) fn times(self, factor: usize, modulus: usize) -> Self {
        match self {
            Self::After(offset) => Self::After(offset * factor % modulus),
            Self::Before => Self::Before,
        }
    }
}

/// A buffer between its guards.
pub(super) struct Guarded {
    pages: &'static mut [u8],
    start: usize,
    end: usize,
}

impl Guarded {
    /// Copies `content` into the buffer.
    pub(super) fn new(content: &[u8], place: Place) -> Self {
        let pages = take_pages(2 * GUARD_LEN + content.len());
        let start = match place {
            Place::After(offset) => offset,
            Place::Before => pages.len() - content.len(),
        };
        let end = start + content.len();
        pages[start.saturating_sub(GUARD_LEN)..start].fill(GUARD_BYTE);
        pages[start..end].copy_from_slice(content);
        let guard_end = pages.len().min(end + GUARD_LEN);
        pages[end..guard_end].fill(GUARD_BYTE);
        Self { pages, start, end }
    }

    /// Panics if a painted byte before or after the buffer was written.
    pub(super) fn assert_surroundings_untouched(&self) {
        let before = &self.pages[self.start.saturating_sub(GUARD_LEN)..self.start];
        let after = &self.pages[self.end..self.pages.len().min(self.end + GUARD_LEN)];
        assert!(before.iter().all(|byte| *byte == GUARD_BYTE), "bytes before the buffer written");
        assert!(after.iter().all(|byte| *byte == GUARD_BYTE), "bytes beyond the buffer written");
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let pages = core::mem::take(&mut self.pages);
        // A thread that ends has no list any more: its pages stay, for nobody.
        let _ = UNUSED.try_with(|unused| unused.borrow_mut().push(pages));
    }
}

impl Deref for Guarded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.pages[self.start..self.end]
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.pages[self.start..self.end]
    }
}

thread_local! {
    /// Pages that a buffer had: to map them takes longer than to seal a message.
    static UNUSED: RefCell<Vec<&'static mut [u8]>> = const { RefCell::new(Vec::new()) };
}

/// At least `len` bytes, from a 64-byte border on.
fn take_pages(len: usize) -> &'static mut [u8] {
    let unused = UNUSED.with_borrow_mut(|unused| {
        let fits = unused.iter().position(|pages| pages.len() >= len)?;
        Some(unused.swap_remove(fits))
    });
    unused.unwrap_or_else(|| new_pages(len))
}

/// Whole pages between two that nobody may touch.
#[cfg(unix)]
#[expect(unsafe_code, reason = "memory without access is mapped by the system")]
fn new_pages(len: usize) -> &'static mut [u8] {
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let page = usize::try_from(page).expect("a system with pages");
    let len = len.next_multiple_of(page);
    let (kind, nobody) = (libc::MAP_PRIVATE | libc::MAP_ANON, libc::PROT_NONE);
    // SAFETY: a new mapping, at a place that the system chooses.
    let start = unsafe { libc::mmap(core::ptr::null_mut(), len + 2 * page, nobody, kind, -1, 0) };
    assert_ne!(start, libc::MAP_FAILED, "no memory");
    // SAFETY: the second page of the mapping, which has one more before and one after `len`.
    let inner = unsafe { start.byte_add(page) };
    // SAFETY: `len` bytes of the mapping, which nobody uses yet.
    let allowed = unsafe { libc::mprotect(inner, len, libc::PROT_READ | libc::PROT_WRITE) };
    assert_eq!(allowed, 0, "no access");
    // SAFETY: so many bytes may be read and written from here on, are zeros, are never unmapped,
    // and nobody else has them.
    unsafe { core::slice::from_raw_parts_mut(inner.cast(), len) }
}

#[cfg(not(unix))]
fn new_pages(len: usize) -> &'static mut [u8] {
    let bytes = vec![0; len + 63].leak();
    let start = bytes.as_ptr().addr().next_multiple_of(64) - bytes.as_ptr().addr();
    &mut bytes[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lies_where_it_says() {
        for offset in 0..70 {
            let guarded = Guarded::new(&[1; 5], Place::After(offset));
            assert_eq!(guarded.as_ptr().addr() % 64, offset % 64);
        }
        let guarded = Guarded::new(&[1; 5], Place::Before);
        assert_eq!(guarded.as_ptr_range().end.addr() % 64, 0);
        assert_eq!(*guarded, [1; 5]);
    }

    #[test]
    #[should_panic(expected = "beyond the buffer")]
    fn notices_the_byte_beyond() {
        let guarded = Guarded::new(&[1; 5], Place::After(3));
        guarded.pages[guarded.end] = 0;
        guarded.assert_surroundings_untouched();
    }

    #[test]
    #[should_panic(expected = "before the buffer")]
    fn notices_the_byte_before() {
        let guarded = Guarded::new(&[1; 5], Place::Before);
        guarded.pages[guarded.start - 1] = 0;
        guarded.assert_surroundings_untouched();
    }
}
