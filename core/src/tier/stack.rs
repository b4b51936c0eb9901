//! How secrets leave the stack.
//!
//! Kernels work on more keys than there are registers. The compiler puts the rest on the stack,
//! which no destructor wipes. A call's part of the stack is dead when it returns; it is overwritten
//! then.

use super::secret::keep_stores;
use core::mem::MaybeUninit;

/// How deep calls go into the stack, at most, and so how much of it is overwritten.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    /// For calls that overwrite their own stack, or leave it to the end of the key.
    Nothing,
    /// Few vectors.
    Shallow,
    /// The working state of a hash or a cipher, a batch in lanes, or the making of any key.
    Middle,
    /// Any message.
    Deep,
    /// Any batch.
    Batch,
}

impl Depth {
    /// For a message of so many bytes. Shorter ones overwrite nothing: it would be up to a third of
    /// their time. A reader of memory learns no more from their remains than from the key, which is
    /// there as well. Dropping the key wipes them.
    #[inline(always)]
    pub(crate) fn of_message(len: usize) -> Self {
        if len < 64 << 10 { Self::Nothing } else { Self::Deep }
    }
}

/// Overwrites the frame of the function that this is inlined to, which has so many KiB and no other
/// variables. What is not a whole line of the cache comes last.
#[inline(always)]
pub(super) fn overwrite<const KIB: usize>(_: [(); KIB]) {
    const ZEROS: [MaybeUninit<u128>; 4] = [MaybeUninit::new(0); 4];
    let mut frame = [const { [const { MaybeUninit::<u128>::uninit() }; 64] }; KIB];
    let frame = frame.as_flattened_mut();
    let before_line = frame.as_ptr().addr().wrapping_neg() / 16 % 4;
    for line in frame[before_line..].as_chunks_mut().0 {
        *line = ZEROS;
        keep_stores(line);
    }
    if let Some(end) = frame.last_chunk_mut() {
        *end = ZEROS;
        keep_stores(end);
    }
}

/// A call with a frame of its own.
#[inline(never)]
pub(super) fn apart<R>(call: impl FnOnce() -> R) -> R {
    call()
}
