//! How secrets leave the stack.
//!
//! Kernels work on more keys than there are registers. The compiler puts the rest on the stack,
//! which no destructor wipes. A call's part of the stack is dead when it returns; it is overwritten
//! then.

use super::secret::wipe_calls;

/// How much is overwritten around the end of the stack in a call, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct WipeExtent {
    /// The depth of the call's own calls.
    below: usize,
    /// The call's own.
    above: usize,
}

impl WipeExtent {
    pub(super) const fn new(below: usize, above: usize) -> Self {
        Self { below, above }
    }

    /// The depth of any call.
    pub(crate) const ALL: Self = Self::new(8 << 10, 8 << 10);

    /// For calls that overwrite their own stack, or leave it to the end of the key.
    pub(crate) const NOTHING: Self = Self::new(0, 0);

    /// For batches in lanes.
    #[cfg(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ))]
    pub(crate) const LANES: Self = Self::new(6 << 10, 4 << 10);

    /// For messages of any length below a batch's own part, which is large.
    pub(crate) const BELOW_BATCH: Self = Self::new(OF_CALLS, 8 << 10);

    #[inline(always)]
    pub(super) fn is_nothing(self) -> bool {
        self.below + self.above == 0
    }

    /// For a message of so many bytes. Shorter ones overwrite nothing: it would be up to a third of
    /// their time. A reader of memory learns no more from their remains than from the key, which is
    /// there as well. Dropping the key wipes them.
    #[inline(always)]
    pub(crate) fn of_message(len: usize) -> Self {
        if len < 64 << 10 { Self::NOTHING } else { Self::ALL }
    }
}

/// Overwrites dead stack when dropped, in the function that made the call, with vectors of
/// `VECTOR_LEN` bytes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct DeadStack<const VECTOR_LEN: usize> {
    extent: WipeExtent,
    /// Where the stack ended in the call.
    end: usize,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<const VECTOR_LEN: usize> DeadStack<VECTOR_LEN> {
    #[inline(always)]
    pub(crate) fn new(extent: WipeExtent) -> Self {
        Self { extent, end: stack_pointer() }
    }

    /// For the function that is called to say that its stack ends here.
    #[inline(always)]
    pub(crate) fn ends_here(&mut self) {
        self.end = stack_pointer();
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn stack_pointer() -> usize {
    let end: usize;
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!("mov {}, rsp", out(reg) end, options(nomem, nostack, preserves_flags));
    }
    end
}

/// From `top`, or the end of the stack if that is lower, down to `start`. The stack's end is moved
/// there meanwhile, because the memory below it belongs to nobody. Its guard page is met first.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! overwrite {
    ($start:expr, $top:expr, $zero:literal, [$($store:literal),*]) => {
        core::arch::asm!(
            "mov {end}, rsp",
            "cmp {top}, rsp",
            "cmova {top}, rsp",
            "sub {start}, 128",
            "cmp {start}, rsp",
            "cmova {start}, rsp",
            "mov rsp, {start}",
            $zero,
            "sub {top}, 64",
            "movups [{top}], xmm0",
            "movups [{top} + 16], xmm0",
            "movups [{top} + 32], xmm0",
            "movups [{top} + 48], xmm0",
            // Upwards: downwards, the loop would begin below the written part.
            "add {top}, 63",
            "and {top}, -64",
            "2:",
            "sub {top}, 64",
            $($store,)*
            "cmp {top}, {start}",
            "ja 2b",
            "mov rsp, {end}",
            end = out(reg) _,
            start = inout(reg) $start => _,
            top = inout(reg) $top => _,
            out("xmm0") _,
        )
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<const VECTOR_LEN: usize> Drop for DeadStack<VECTOR_LEN> {
    #[inline(always)]
    fn drop(&mut self) {
        self.overwrite();
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<const VECTOR_LEN: usize> DeadStack<VECTOR_LEN> {
    #[inline(always)]
    fn overwrite(&self) {
        if self.extent.is_nothing() {
            return;
        }
        let start = self.end - self.extent.below;
        let top = self.end + self.extent.above;
        // SAFETY: the writes are below the stack pointer of this function, and so in no live frame;
        // without `nostack`, nothing of this frame is below either. Vectors of 32 and 64 bytes are
        // for tokens that prove them.
        unsafe {
            match VECTOR_LEN {
                64 => overwrite!(start, top, "vpxor xmm0, xmm0, xmm0", ["vmovdqa64 [{top}], zmm0"]),
                32 => overwrite!(
                    start,
                    top,
                    "vpxor xmm0, xmm0, xmm0",
                    ["vmovdqa [{top}], ymm0", "vmovdqa [{top} + 32], ymm0"]
                ),
                _ => overwrite!(
                    start,
                    top,
                    "pxor xmm0, xmm0",
                    [
                        "movaps [{top}], xmm0",
                        "movaps [{top} + 16], xmm0",
                        "movaps [{top} + 32], xmm0",
                        "movaps [{top} + 48], xmm0"
                    ]
                ),
            }
        }
    }
}

/// The same without a word of this CPU's: so much below the caller, or somewhat more.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) struct DeadStack<const VECTOR_LEN: usize>(WipeExtent);

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
impl<const VECTOR_LEN: usize> DeadStack<VECTOR_LEN> {
    #[inline(always)]
    pub(crate) fn new(extent: WipeExtent) -> Self {
        Self(extent)
    }

    #[inline(always)]
    #[allow(clippy::unused_self, reason = "where the stack ends is not asked for")]
    pub(crate) fn ends_here(&mut self) {}
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
impl<const VECTOR_LEN: usize> Drop for DeadStack<VECTOR_LEN> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0.is_nothing() {
            return;
        }
        match self.0.below.max(self.0.above) {
            depth if depth <= 4 << 10 => overwrite::<{ 4 << 10 }>(),
            depth if depth <= 8 << 10 => overwrite::<{ 8 << 10 }>(),
            _ => overwrite_calls(),
        }
    }
}

/// The depth of making any key, in bytes, and of its calls.
const OF_MAKING: usize = 8 << 10;
pub(super) const OF_CALLS: usize = 12 << 10;

/// [`wipe_calls`], and the registers through which the C library copies a key.
#[inline(always)]
fn overwrite<const LEN: usize>() {
    wipe_calls::<LEN>();
    super::registers::wipe_registers();
}

/// [`overwrite`] for what any calls of a key leave.
#[inline(always)]
pub(crate) fn overwrite_calls() {
    overwrite::<OF_CALLS>();
}

/// Makes a key in its final memory, and overwrites the stack that this used.
#[inline(always)]
pub fn making_key<R>(make: impl FnOnce() -> R) -> R {
    making(overwrite::<OF_MAKING>, make)
}

/// Calls `make`, then `overwrite`, unwinding included.
#[inline(always)]
pub(super) fn making<R>(overwrite: impl Fn(), make: impl FnOnce() -> R) -> R {
    struct Guard<F: Fn()>(F);
    impl<F: Fn()> Drop for Guard<F> {
        #[inline(always)]
        fn drop(&mut self) {
            (self.0)();
        }
    }
    #[inline(never)]
    fn enter<R>(make: impl FnOnce() -> R) -> R {
        make()
    }
    let _guard = Guard(overwrite);
    enter(make)
}

/// Makes a call with a stack that holds nothing of calls before it: values that are made and
/// moved to where they stay take along what stood in their unused bytes.
#[inline(always)]
pub fn on_clean_stack<R>(call: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn enter<R>(call: impl FnOnce() -> R) -> R {
        call()
    }
    overwrite_calls();
    enter(call)
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "sse2"))]
mod tests;
