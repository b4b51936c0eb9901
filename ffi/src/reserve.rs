//! Memory for what the system refuses.
//!
//! Rust's collections, and crates below, end the process where they are refused memory. Here they
//! get it from a reserve, of which no call begins without half, or else with what the system has.

use crate::failure::Failure;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{hint, ptr, thread};

/// What is taken is a multiple of it, and aligned to it at most.
const UNIT: usize = 64;
/// 8 MiB, which the process does not have until they are used.
const UNITS: usize = 1 << 17;

#[repr(C, align(64))]
struct Reserve {
    units: UnsafeCell<[[u8; UNIT]; UNITS]>,
    is_taken: UnsafeCell<[bool; UNITS]>,
}

// SAFETY: who was given units uses them alone, and who has the lock what says which are taken.
unsafe impl Sync for Reserve {}

#[global_allocator]
static RESERVE: Reserve = Reserve {
    units: UnsafeCell::new([[0; UNIT]; UNITS]),
    is_taken: UnsafeCell::new([false; UNITS]),
};
static LOCK: AtomicBool = AtomicBool::new(false);
/// How many units are taken.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Whether a call may begin that needs at most so many bytes.
pub(crate) fn ensure(len: usize) -> Result<(), Failure> {
    // The other half is for other threads.
    if TAKEN.load(Ordering::Relaxed) + len / UNIT <= UNITS / 2 {
        return Ok(());
    }
    let layout = Layout::array::<u8>(len.max(1)).map_err(|_| Failure::NoMemory)?;
    // SAFETY: the layout is not empty, and nobody uses what is given.
    let given = hint::black_box(unsafe { System.alloc(layout) });
    if given.is_null() {
        return Err(Failure::NoMemory);
    }
    // SAFETY: it was just given.
    unsafe { System.dealloc(given, layout) };
    Ok(())
}

fn locked<R>(work: impl FnOnce(&mut [bool; UNITS]) -> R) -> Option<R> {
    // Not for ever: a process that forks meanwhile leaves it locked in its child.
    for _ in 0..1 << 20 {
        if !LOCK.swap(true, Ordering::Acquire) {
            // SAFETY: nobody else has the lock.
            let done = work(unsafe { &mut *RESERVE.is_taken.get() });
            LOCK.store(false, Ordering::Release);
            return Some(done);
        }
        thread::yield_now();
    }
    None
}

/// So much of the reserve, or null.
#[cold]
fn take(layout: Layout) -> *mut u8 {
    let count = layout.size().div_ceil(UNIT);
    let found = locked(|is_taken| {
        let mut free = 0;
        let last = is_taken.iter().position(|taken| {
            free = if *taken { 0 } else { free + 1 };
            free == count
        });
        // What is longer is asked for where it may be refused.
        let fits = layout.align() <= UNIT && count <= UNITS / 4;
        let first = last.filter(|_| fits)? + 1 - count;
        is_taken[first..first + count].fill(true);
        TAKEN.fetch_add(count, Ordering::Relaxed);
        Some(RESERVE.units.get().cast::<u8>().wrapping_add(first * UNIT))
    });
    found.flatten().unwrap_or(ptr::null_mut())
}

// SAFETY: memory is the system's, or units that nobody else has. Nothing unwinds.
unsafe impl GlobalAlloc for Reserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let given = unsafe { System.alloc(layout) };
        if given.is_null() { take(layout) } else { given }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        let first = start.addr().wrapping_sub(self.units.get().addr()) / UNIT;
        if first >= UNITS {
            // SAFETY: the caller's promise: it is the system's.
            return unsafe { System.dealloc(start, layout) };
        }
        let count = layout.size().div_ceil(UNIT);
        locked(|is_taken| {
            is_taken[first..first + count].fill(false);
            TAKEN.fetch_sub(count, Ordering::Relaxed);
        });
    }
}
