//! How secrets leave memory, are compared, and become public.

use core::mem::MaybeUninit;
use subtle::{Choice, ConstantTimeEq};

/// Overwrites `bytes` with zeros that the compiler may not leave out.
///
/// `zeroize` does the same with one volatile store a byte; on the way of a short
/// message that costs more than its encryption.
#[inline(always)]
pub(crate) fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    keep_stores(bytes);
}

/// Forbids the compiler to leave out stores to `memory` that nothing seems to read.
#[inline(always)]
pub(crate) fn keep_stores<T: ?Sized>(memory: &mut T) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let address = core::ptr::from_mut(memory).cast::<u8>();
        // SAFETY: no instruction; the compiler must assume that the memory behind the
        // pointer is read here, so the stores before have to happen.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) address, options(nostack, preserves_flags));
        }
    }
    // WebAssembly, for one, has no stable `asm!`; the standard library's own barrier is a
    // best effort there.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(memory);
}

/// A buffer for up to `MOST` blocks with secrets. Only the taken blocks are written and, when
/// dropped, wiped: a short message pays for its own blocks.
pub(crate) struct BlockRoom<const MOST: usize> {
    blocks: [MaybeUninit<[u8; 16]>; MOST],
    /// How many fours of blocks were taken.
    fours: usize,
}

impl<const MOST: usize> BlockRoom<MOST> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert!(MOST.is_multiple_of(4)) };
        Self { blocks: [const { MaybeUninit::uninit() }; MOST], fours: 0 }
    }

    /// The first `len` blocks: zeros, or old content.
    ///
    /// # Panics
    ///
    /// If the buffer has fewer.
    #[inline(always)]
    pub(crate) fn take(&mut self, len: usize) -> &mut [[u8; 16]] {
        let (taken, fours) = (self.fours, len.div_ceil(4));
        if fours > taken {
            self.zero(taken, fours);
            self.fours = fours;
        }
        &mut self.taken_mut()[..len]
    }

    /// The blocks that were taken, in whole fours.
    #[inline(always)]
    pub(crate) fn taken(&self) -> &[[u8; 16]] {
        let blocks = &self.blocks[..4 * self.fours];
        // SAFETY: `zero` has written every block of the first `fours` fours, and
        // `MaybeUninit` changes no layout.
        unsafe { &*(core::ptr::from_ref(blocks) as *const [[u8; 16]]) }
    }

    /// The same, to be written.
    #[inline(always)]
    pub(crate) fn taken_mut(&mut self) -> &mut [[u8; 16]] {
        let blocks = &mut self.blocks[..4 * self.fours];
        // SAFETY: as above.
        unsafe { &mut *(core::ptr::from_mut(blocks) as *mut [[u8; 16]]) }
    }

    #[inline(always)]
    fn zero(&mut self, from: usize, to: usize) {
        // Four by four: a single `memset` of a length that varies is a call, and slower.
        for four in &mut self.blocks.as_chunks_mut::<4>().0[from..to] {
            *four = [MaybeUninit::new([0; 16]); 4];
            keep_stores(four);
        }
    }
}

impl<const MOST: usize> Drop for BlockRoom<MOST> {
    #[inline(always)]
    fn drop(&mut self) {
        self.zero(0, self.fours);
    }
}

/// Aligned vectors of working memory for secrets that are made once, without the zeros at
/// first that [`Scratch`](super::erased::Scratch) has; wiped when dropped.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
#[repr(align(64))]
pub(crate) struct Room<const VECTORS: usize>([MaybeUninit<[u8; 64]>; VECTORS]);

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
impl<const VECTORS: usize> Room<VECTORS> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; VECTORS])
    }

    /// Writes every vector in turn.
    #[inline(always)]
    pub(crate) fn write(&mut self, mut next: impl FnMut() -> [u8; 64]) -> &[[u8; 64]; VECTORS] {
        for vector in &mut self.0 {
            vector.write(next());
        }
        // SAFETY: the loop has written every element, and `MaybeUninit` changes no layout.
        unsafe { &*(&raw const self.0).cast() }
    }
}

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
impl<const VECTORS: usize> Drop for Room<VECTORS> {
    #[inline(always)]
    fn drop(&mut self) {
        // Part by part: a single `memset` of so much is a call, and slower.
        for part in self.0.chunks_mut(8) {
            part.fill(MaybeUninit::new([0; 64]));
            keep_stores(part);
        }
    }
}

/// Overwrites vectors with zeros that the compiler may not leave out.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) fn wipe_vectors(vectors: &mut [core::arch::x86_64::__m512i]) {
    // SAFETY: as many bytes as the vectors have, and every value is a vector.
    unsafe { vectors.as_mut_ptr().write_bytes(0, vectors.len()) };
    keep_stores(vectors);
}

/// Whether two tags are equal, in constant time. The verdict is public.
#[inline(always)]
pub(crate) fn equal(a: &[u8; 16], b: &[u8; 16]) -> bool {
    publish(difference(a, b).ct_eq(&0))
}

/// [`equal`] for tags of more than one whole block, whose lengths are public.
#[inline(always)]
pub(crate) fn equal_blocks(a: &[u8], b: &[u8]) -> bool {
    let ((a_blocks, []), (b_blocks, [])) = (a.as_chunks(), b.as_chunks()) else {
        return false;
    };
    let pairs = a_blocks.iter().zip(b_blocks);
    let folded = pairs.fold(0, |folded, (a, b)| folded | difference(a, b));
    a.len() == b.len() && publish(folded.ct_eq(&0))
}

/// Zero if two blocks are equal.
#[inline(always)]
fn difference(a: &[u8; 16], b: &[u8; 16]) -> u64 {
    let difference = u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b);
    difference as u64 | (difference >> 64) as u64
}

/// A verdict that the caller is told anyway, such as whether a tag was right.
#[inline(always)]
pub(crate) fn publish(verdict: Choice) -> bool {
    public(verdict.unwrap_u8()) == 1
}

/// Says to valgrind that anyone may know `value`, which was computed from secrets.
#[inline(always)]
pub(crate) fn public<T>(value: T) -> T {
    #[cfg(feature = "__ctgrind")]
    let value = {
        let mut value = value;
        super::valgrind::mark_public(&value);
        // The mark is on the memory: a copy in a register would still be secret.
        keep_stores(&mut value);
        value
    };
    value
}
