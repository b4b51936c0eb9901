//! What is done while POLYVAL waits.

/// Work for the time in which POLYVAL waits for a product.
pub(in crate::kernel) trait Step {
    /// Does a part of it, if any is left.
    fn step(&mut self);
}

/// Does nothing.
impl Step for () {
    #[inline(always)]
    fn step(&mut self) {}
}

/// Does nothing. One type per kernel, so each function that takes it has one caller and is
/// inlined.
pub(in crate::kernel) struct Nothing<const KERNEL: usize>;

impl<const KERNEL: usize> Step for Nothing<KERNEL> {
    #[inline(always)]
    fn step(&mut self) {}
}
