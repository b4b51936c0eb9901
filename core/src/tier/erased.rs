//! Values that leave nothing in memory when they are dropped.

use super::secret::keep_stores;
use super::stack::overwrite_calls;
use core::mem::ManuallyDrop;

/// A value whose memory is all zeros after the drop, with the unused bytes of an enum's variant: a
/// move copies old bytes of the stack into them. The drop also wipes the stack that the value's use
/// has left.
pub struct Erased<T>(Wiped<T>);

/// [`Erased`], but for the stack.
pub(crate) struct Wiped<T>(ManuallyDrop<T>);

impl<T> Erased<T> {
    /// To be made where it stays: a move leaves a copy behind.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Self(Wiped::new(value))
    }
}

impl<T> Wiped<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T> core::ops::Deref for Wiped<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for Wiped<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> core::ops::Deref for Erased<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for Erased<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Erased<T> {
    fn drop(&mut self) {
        overwrite_calls();
    }
}

impl<T> Drop for Wiped<T> {
    fn drop(&mut self) {
        // SAFETY: dropped here only, and not used as a `T` after.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        // SAFETY: the pointer comes from a reference to so many bytes, and no `T` lives
        // in them any more.
        unsafe { core::ptr::from_mut(&mut self.0).write_bytes(0, 1) };
        keep_stores(&mut self.0);
    }
}
