//! Handles: those that a caller points to, and the places of new ones.

use crate::failure::{Failure, guard, guard_always};
use crate::region::check_place;
use crate::status::Status;
use std::ptr;

/// A handle or structure that the caller points to.
///
/// # Safety
/// `pointer` is null, misaligned, or points to a live `T` that nothing writes during `'a`.
pub(crate) unsafe fn handle<'a, T>(
    what: &'static str,
    pointer: *const T,
) -> Result<&'a T, Failure> {
    check_place(what, pointer)?;
    // SAFETY: the caller's promise, not null and aligned.
    Ok(unsafe { &*pointer })
}

/// A handle that the call changes.
///
/// # Safety
/// `pointer` is null, misaligned, or points to a live `T` that nobody else uses during `'a`.
pub(crate) unsafe fn handle_mut<'a, T>(
    what: &'static str,
    pointer: *mut T,
) -> Result<&'a mut T, Failure> {
    check_place(what, pointer)?;
    // SAFETY: the caller's promise, not null and aligned.
    Ok(unsafe { &mut *pointer })
}

/// Carries out a call that makes a handle. Its place is written at the end, with null if there is
/// none: by then all arguments were read, so that they may be there themselves.
///
/// # Safety
/// `made` is null, misaligned, or points to a pointer that is writable.
pub(crate) unsafe fn making<T>(
    made: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Status {
    let place = check_place("made", made);
    let is_place = place.is_ok();
    let mut handle = ptr::null_mut();
    let status = guard(|| {
        place?;
        handle = Box::into_raw(Box::new(make()?));
        Ok(())
    });
    if is_place {
        // SAFETY: the caller's promise, not null and aligned.
        unsafe { made.write(handle) };
    }
    status
}

/// Wipes and frees what a handle points to, if it is not null.
///
/// # Safety
/// `pointer` is null, misaligned, or came from [`making`] and was not freed.
pub(crate) unsafe fn free<T>(what: &'static str, pointer: *mut T) {
    guard_always(|| {
        if !pointer.is_null() {
            check_place(what, pointer)?;
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(())
    });
}
