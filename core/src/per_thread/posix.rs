//! Values that their threads find by a key of POSIX.

#![allow(unsafe_code, reason = "keys of POSIX threads")]

use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::alloc::{Layout, alloc};
use std::boxed::Box;

/// A static's type, by [`per_thread!`](crate::__per_thread!).
#[derive(Debug)]
pub struct PerThread<T> {
    /// One more than the key, so that 0 says that there is none.
    number: AtomicUsize,
    first: fn() -> T,
}

/// The system has no memory for the value of this thread, or no key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Refused;

impl<T: 'static> PerThread<T> {
    /// No thread has a value yet; its first one is that of `first`.
    pub const fn new(first: fn() -> T) -> Self {
        const { assert!(size_of::<T>() > 0) };
        Self { number: AtomicUsize::new(0), first }
    }

    /// Works with the value of this thread, which is made if there is none yet.
    ///
    /// # Errors
    /// [`Refused`]; nothing was done.
    #[inline]
    pub fn try_with<R>(&self, work: impl FnOnce(&T) -> R) -> Result<R, Refused> {
        // SAFETY: the key is made and not deleted.
        let value = self.key().map(|key| unsafe { libc::pthread_getspecific(key) });
        // SAFETY: `make` alone gives the key values: boxes, which live until their thread ends.
        match value.and_then(|value| unsafe { value.cast::<T>().as_ref() }) {
            Some(value) => Ok(work(value)),
            None => self.make().map(work),
        }
    }

    #[inline]
    fn key(&self) -> Option<libc::pthread_key_t> {
        let number = self.number.load(Ordering::Acquire).checked_sub(1)?;
        Some(number as libc::pthread_key_t)
    }

    #[cold]
    #[inline(never)]
    fn make(&self) -> Result<&T, Refused> {
        let key = self.key().or_else(|| self.make_key()).ok_or(Refused)?;
        // SAFETY: a type of no size is refused by `new`.
        let place = unsafe { alloc(Layout::new::<T>()) }.cast::<T>();
        if place.is_null() {
            return Err(Refused);
        }
        // SAFETY: memory for a `T`, which nobody else has.
        unsafe { place.write((self.first)()) };
        // SAFETY: the key is made and not deleted.
        if unsafe { libc::pthread_setspecific(key, place.cast()) } != 0 {
            // SAFETY: just made, with the layout of a box.
            drop(unsafe { Box::from_raw(place) });
            return Err(Refused);
        }
        // SAFETY: as above.
        Ok(unsafe { &*place })
    }

    #[cold]
    fn make_key(&self) -> Option<libc::pthread_key_t> {
        unsafe extern "C" fn drop_value<T>(value: *mut c_void) {
            // SAFETY: a value that `make` gave the key, of a thread that ends.
            drop(unsafe { Box::from_raw(value.cast::<T>()) });
        }
        let mut key = 0;
        // SAFETY: the place is writable, and the function there: the library is not unloaded.
        if unsafe { libc::pthread_key_create(&raw mut key, Some(drop_value::<T>)) } != 0 {
            return None;
        }
        let number = key as usize + 1;
        let set = self.number.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire);
        if set.is_err() {
            // SAFETY: just made, and nobody knows of it.
            unsafe { libc::pthread_key_delete(key) };
        }
        self.key()
    }
}
