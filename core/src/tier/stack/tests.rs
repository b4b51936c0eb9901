//! Whether dead stack is overwritten, wherever it ends.

use super::*;
use std::hint::black_box;

const MARKS: [u8; 2] = [0xa5, 0x5a];
const LEFT_LEN: usize = 1000;
type Below = [u8; 2 * LEFT_LEN];

/// A call that leaves marks in its whole frame.
#[inline(never)]
fn leave_marks<const VECTOR_LEN: usize>(dead: &mut DeadStack<VECTOR_LEN>, mark: u8) {
    dead.ends_here();
    let mut marks = [mark; LEFT_LEN];
    black_box(&mut marks);
}

/// In a build for one CPU, the code of a tier had no frame of its own, and left its content there.
#[test]
fn what_a_tier_runs_has_a_frame_of_its_own() {
    use crate::tier::{Avx2, Avx512, Portable, Token, Vaes256};
    fn check<T: Token>() {
        if let Some(tier) = T::detect() {
            let inside = tier.run_within(WipeExtent::NOTHING, stack_pointer);
            assert!(inside < stack_pointer());
        }
    }
    check::<Portable>();
    check::<Avx2>();
    check::<Vaes256>();
    check::<Avx512>();
}

/// The stack below this frame after a call that leaves marks, with `DeadStack` and without.
#[inline(never)]
fn left_below<const VECTOR_LEN: usize>(extent: WipeExtent, mark: u8) -> Below {
    let mut dead = DeadStack::<VECTOR_LEN>::new(extent);
    leave_marks(&mut dead, mark);
    // Unoptimised, to drop it would be a call, whose own part of the stack stays.
    dead.overwrite();
    core::mem::forget(dead);
    let mut left = [0; 2 * LEFT_LEN];
    // SAFETY: reads what lies below the stack pointer, which is mapped: a call has just
    // used as much of it as is copied, but for a page at most, which the tests' own
    // start has used. The copy is written where `left` is alive.
    unsafe {
        core::arch::asm!(
            "mov rsi, rsp",
            "sub rsi, {len}",
            "rep movsb",
            len = const 2 * LEFT_LEN,
            inout("rcx") left.len() => _,
            inout("rdi") left.as_mut_ptr() => _,
            out("rsi") _,
        );
    }
    left
}

/// The same from a frame that lies `PAD` bytes further down.
#[inline(never)]
fn lower<const PAD: usize, const VECTOR_LEN: usize>(extent: WipeExtent, mark: u8) -> Below {
    let mut pad = [0_u8; PAD];
    black_box(&mut pad);
    let left = left_below::<VECTOR_LEN>(extent, mark);
    black_box(&mut pad);
    left
}

/// How many bytes of `left` are marks. An address that is left has a byte that equals one
/// mark or the other, but it is the same after both calls.
fn marks(left: [Below; 2]) -> usize {
    let [first, second] = left;
    let pairs = first.into_iter().zip(second);
    pairs.filter(|pair| <[u8; 2]>::from(*pair) == MARKS).count()
}

fn at_every_alignment<const VECTOR_LEN: usize>() {
    let calls = [
        lower::<16, VECTOR_LEN>,
        lower::<32, VECTOR_LEN>,
        lower::<48, VECTOR_LEN>,
        lower::<64, VECTOR_LEN>,
    ];
    for call in calls {
        let left = |extent| marks(MARKS.map(|mark| call(extent, mark)));
        assert!(left(WipeExtent::NOTHING) >= LEFT_LEN / 2, "no mark was seen");
        assert_eq!(left(WipeExtent::ALL), 0);
    }
}

#[test]
fn no_byte_of_a_call_is_left_wherever_the_stack_ends() {
    at_every_alignment::<16>();
    if std::is_x86_feature_detected!("avx") {
        at_every_alignment::<32>();
    }
    if std::is_x86_feature_detected!("avx512f") {
        at_every_alignment::<64>();
    }
}
