//! Whether dead stack is overwritten, wherever it ends.

use super::*;
use crate::tier::{Avx2, Avx512, Portable, Vaes256};
use core::mem::MaybeUninit;
use std::hint::black_box;

const MARK: u8 = 0xa5;
/// As much as a shallow call leaves.
const LEN: usize = 2500;

/// A call that leaves marks in its whole frame.
#[inline(never)]
fn leave_marks() {
    black_box(&mut [MARK; LEN]);
}

/// How many marks are left where such a call had its frame.
#[inline(never)]
fn marks_left() -> usize {
    let mut frame = MaybeUninit::<[u8; LEN]>::uninit();
    // SAFETY: the assembly is empty, but as far as the compiler knows it writes the whole frame,
    // whose address it is given; and every byte is a `u8`.
    let frame = unsafe {
        core::arch::asm!("/* {0} */", in(reg) frame.as_mut_ptr(), options(nostack));
        frame.assume_init_ref()
    };
    frame.iter().filter(|byte| **byte == MARK).count()
}

/// The same after a tier has run the call, from a frame that lies `PAD` bytes further down.
#[inline(never)]
fn left_by<const PAD: usize, T: Token>(tier: T, depth: Depth) -> usize {
    let mut pad = [0_u8; PAD];
    black_box(&mut pad);
    tier.run_within(depth, leave_marks);
    let left = marks_left();
    black_box(&mut pad);
    left
}

/// In a build for one CPU, the code of a tier had no frame of its own, and left its content there.
#[test]
fn no_byte_of_a_call_is_left_wherever_the_stack_ends() {
    fn check<T: Token>() {
        let Some(tier) = T::detect() else { return };
        for left in [left_by::<16, T>, left_by::<32, T>, left_by::<48, T>, left_by::<64, T>] {
            assert!(left(tier, Depth::Nothing) >= LEN / 2, "no mark was seen");
            assert_eq!(left(tier, Depth::Shallow), 0);
        }
        let address = || core::ptr::from_mut(black_box(&mut 0_u8)).addr();
        assert!(tier.run_within(Depth::Nothing, address) < address());
    }
    check::<Portable>();
    check::<Avx2>();
    check::<Vaes256>();
    check::<Avx512>();
}
