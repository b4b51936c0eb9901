//! A caller's pointer and length, before it is trusted to be memory.

use crate::failure::Failure;
use crate::reserve::ensure;
use std::ffi::{CStr, c_char};
use std::ops::Range;
use std::ptr;

/// `len` values of `T` that a caller says are at `start`.
///
/// Made from any pointer: what can be checked without reading is checked, and what an
/// empty region points to does not matter. Becoming a slice is the unsafe step.
#[derive(Debug)]
pub(crate) struct Region<T> {
    what: &'static str,
    start: *mut T,
    len: usize,
}

impl<T> Clone for Region<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Region<T> {}

impl<T> Region<T> {
    /// Refuses null (unless empty), misaligned pointers, and lengths that no object in
    /// memory has. `what` is the argument's name in the header.
    pub(crate) fn new(what: &'static str, start: *const T, len: usize) -> Result<Self, Failure> {
        if len == 0 {
            return Ok(Self { what, start: ptr::dangling_mut(), len });
        }
        check_place(what, start)?;
        // No object is longer than isize::MAX bytes or goes round the end of memory.
        let bytes = len.checked_mul(size_of::<T>());
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        if bytes.and_then(|bytes| start.addr().checked_add(bytes)).is_none() {
            return Err(Failure::too_long(what));
        }
        Ok(Self { what, start: start.cast_mut(), len })
    }

    /// The same for an array of exactly `expected` values.
    pub(crate) fn exactly(
        what: &'static str,
        start: *const T,
        len: usize,
        expected: usize,
    ) -> Result<Self, Failure> {
        if len != expected {
            return Err(Failure::length(what, expected, len));
        }
        Self::new(what, start, len)
    }

    /// The same for an array of any number of items of `step` values.
    pub(crate) fn whole_items(
        what: &'static str,
        start: *const T,
        len: usize,
        step: usize,
    ) -> Result<Self, Failure> {
        if len.checked_rem(step).unwrap_or(len) != 0 {
            return Err(match step {
                0 => Failure::length(what, 0, len),
                _ => Failure::length(what, format_args!("a multiple of {step}"), len),
            });
        }
        Self::new(what, start, len)
    }

    /// The same for the place of one value, which may be left out.
    pub(crate) fn optional(what: &'static str, place: *const T) -> Result<Self, Failure> {
        Self::new(what, place, usize::from(!place.is_null()))
    }

    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Where it begins; never null.
    pub(crate) fn as_ptr(self) -> *const T {
        self.start
    }

    /// The first `len` values, if there are so many.
    pub(crate) fn first(self, len: usize) -> Result<Self, Failure> {
        if len > self.len {
            return Err(Failure::capacity(self.what, len, self.len));
        }
        Ok(Self { len, ..self })
    }

    /// The first `at` values and the others, if there are so many.
    pub(crate) fn split_at(self, at: usize) -> Result<(Self, Self), Failure> {
        let first = self.first(at)?;
        let start = self.start.wrapping_add(at);
        Ok((first, Self { start, len: self.len - at, ..self }))
    }

    /// Where it lies, for comparing.
    pub(crate) fn span(self) -> Span {
        let start = self.start.addr();
        Span { what: self.what, bytes: start..start + self.len * size_of::<T>() }
    }

    /// # Safety
    /// The values are readable for `'a`, and nothing writes them meanwhile.
    pub(crate) unsafe fn as_slice<'a>(self) -> &'a [T] {
        // SAFETY: not null, aligned and of a possible length since `new`; the rest is
        // the caller's promise.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    /// The values are writable for `'a`, and nothing else reads or writes them meanwhile.
    pub(crate) unsafe fn as_mut_slice<'a>(self) -> &'a mut [T] {
        // SAFETY: as in `as_slice`.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// All of them, if there are so many.
    ///
    /// # Safety
    /// As for [`Self::as_slice`].
    pub(crate) unsafe fn as_array<'a, const N: usize>(self) -> Result<&'a [T; N], Failure> {
        // SAFETY: the caller's promise.
        let values = unsafe { self.as_slice() };
        let wrong = |_| Failure::length(self.what, N, self.len);
        values.try_into().map_err(wrong)
    }

    /// Writes one value, wherever there is a place.
    ///
    /// # Safety
    /// As for [`Self::as_mut_slice`].
    pub(crate) unsafe fn write(self, value: T)
    where
        T: Clone,
    {
        // SAFETY: the caller's promise.
        unsafe { self.as_mut_slice() }.fill(value);
    }
}

/// Refuses null and what is misaligned.
pub(crate) fn check_place<T>(what: &'static str, place: *const T) -> Result<(), Failure> {
    match place.is_aligned() {
        _ if place.is_null() => Err(Failure::null(what)),
        true => Ok(()),
        false => Err(Failure::unaligned(what)),
    }
}

/// The bytes that a region covers, with its name.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) what: &'static str,
    pub(crate) bytes: Range<usize>,
}

impl Span {
    /// Nothing, which overlaps nothing.
    pub(crate) const NONE: Self = Self { what: "nothing", bytes: 0..0 };

    fn overlaps(&self, other: &Self) -> bool {
        !self.bytes.is_empty()
            && !other.bytes.is_empty()
            && self.bytes.start < other.bytes.end
            && other.bytes.start < self.bytes.end
    }
}

/// Checks that no two of `written` overlap, and none of them overlaps any of `read`.
pub(crate) fn check_apart(written: &[Span], read: &[Span]) -> Result<(), Failure> {
    for (index, one) in written.iter().enumerate() {
        for other in written[index + 1..].iter().chain(read) {
            if one.overlaps(other) {
                return Err(Failure::overlap(one.what, other.what));
            }
        }
    }
    Ok(())
}

/// The UTF-8 that a caller says is at `text`.
///
/// # Safety
/// `text` is null or readable.
pub(crate) unsafe fn text_of<'a>(
    what: &'static str,
    text: *const c_char,
    len: usize,
) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { Region::new(what, text.cast::<u8>(), len)?.as_slice() };
    ensure(len.saturating_mul(64))?;
    std::str::from_utf8(bytes).map_err(|_| Failure::text(what))
}

/// Reads a name that ends with a zero.
///
/// # Safety
/// `text` is null or points to a C string.
pub(crate) unsafe fn c_str<'a>(
    what: &'static str,
    text: *const c_char,
) -> Result<&'a CStr, Failure> {
    check_place(what, text)?;
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    ensure(text.count_bytes().saturating_mul(16))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{SIVKA_ERROR_ALIGNMENT, SIVKA_ERROR_NULL, SIVKA_ERROR_TOO_LONG, Status};

    fn refused<T>(start: usize, len: usize) -> Option<Status> {
        let start = ptr::without_provenance(start);
        Region::<T>::new("it", start, len).err().map(|failure| failure.status())
    }

    #[test]
    fn what_cannot_be_memory_is_refused() {
        assert_eq!(refused::<u8>(0, 0), None);
        assert_eq!(refused::<u8>(0, 1), Some(SIVKA_ERROR_NULL));
        assert_eq!(refused::<u64>(12, 1), Some(SIVKA_ERROR_ALIGNMENT));
        assert_eq!(refused::<u64>(12, 0), None);
        assert_eq!(refused::<u8>(1, isize::MAX as usize), None);
        assert_eq!(refused::<u8>(1, isize::MAX as usize + 1), Some(SIVKA_ERROR_TOO_LONG));
        assert_eq!(refused::<u8>(usize::MAX, 1), Some(SIVKA_ERROR_TOO_LONG));
        assert_eq!(refused::<u64>(8, usize::MAX / 8), Some(SIVKA_ERROR_TOO_LONG));
        assert_eq!(refused::<u64>(8, usize::MAX), Some(SIVKA_ERROR_TOO_LONG));
    }

    #[test]
    fn touching_regions_are_apart() {
        let span = |bytes: Range<usize>| Span { what: "it", bytes };
        assert!(check_apart(&[span(10..20), span(20..30)], &[span(0..10)]).is_ok());
        assert!(check_apart(&[span(10..20)], &[span(19..30)]).is_err());
        assert!(check_apart(&[span(10..20)], &[span(0..11)]).is_err());
        assert!(check_apart(&[span(10..20), span(12..13)], &[]).is_err());
        // Nothing is written to an empty region, wherever it points.
        assert!(check_apart(&[span(10..20), span(15..15)], &[span(12..12)]).is_ok());
    }
}
