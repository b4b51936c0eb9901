//! Values that leave nothing in memory when they are dropped.

use super::calls::overwrite_calls;
use super::secret::keep_stores;
use core::mem::ManuallyDrop;

/// A value whose memory is all zeros after the drop, with the unused bytes of an enum's variant: a
/// move copies old bytes of the stack into them. The drop also wipes the stack that the value's use
/// has left.
pub type Erased<T> = Wiped<T, true>;

/// [`Erased`], but for the stack where `STACK` is false.
pub struct Wiped<T, const STACK: bool = false>(ManuallyDrop<T>);

impl<T, const STACK: bool> Wiped<T, STACK> {
    /// To be made where it stays: a move leaves a copy behind.
    #[inline(always)]
    pub fn of(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T, const STACK: bool> core::ops::Deref for Wiped<T, STACK> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T, const STACK: bool> core::ops::DerefMut for Wiped<T, STACK> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T, const STACK: bool> Drop for Wiped<T, STACK> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: dropped here only, and not used as a `T` after.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        // SAFETY: the pointer comes from a reference to so many bytes, and no `T` lives
        // in them any more.
        unsafe { core::ptr::from_mut(&mut self.0).write_bytes(0, 1) };
        keep_stores(&mut self.0);
        if STACK {
            overwrite_calls();
        }
    }
}

/// Blocks of working memory that hold secrets: zeros at first.
pub(crate) type Scratch<const BLOCKS: usize> = Wiped<[[u8; 16]; BLOCKS]>;

impl<const BLOCKS: usize> Scratch<BLOCKS> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self::of([[0; 16]; BLOCKS])
    }
}
