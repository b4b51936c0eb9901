//! Random bytes of one thread, which a child of the process does not inherit.

#![allow(unsafe_code, reason = "the system's calls for memory that a child does not inherit")]

use crate::tier::secret;
use core::sync::atomic::{AtomicUsize, Ordering, compiler_fence};
use memory::Memory;

/// In bytes, of all.
const LEN: usize = 4096;

/// How far a page is; anything else says that it is empty, zeros among it, which a child is
/// given.
const FILLING: usize = 1;
const FILLED: usize = 2;

#[repr(C)]
struct Layout {
    state: AtomicUsize,
    /// How many of the bytes are left, from the first on, if the page is filled.
    left: usize,
    bytes: [u8; LEN - 2 * size_of::<usize>()],
}

/// Random bytes, each given once, and zeros instead of the given ones.
///
/// A signal's handler may fork between any two instructions, and the child goes on with an empty
/// page. So only one step makes a page filled, from [`FILLING`], which a child's page never is.
/// Taken bytes count only if the page is still filled afterwards.
pub(super) struct Page(Memory);

impl Page {
    /// `None` if the system has no memory that a child does not inherit.
    pub(super) fn new() -> Option<Self> {
        Memory::new().map(Self)
    }

    /// Makes new bytes; none are left if `make` fails.
    pub(super) fn fill<E>(
        &mut self,
        make: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.0.begin();
        let layout = self.0.layout();
        let made = make(&mut layout.bytes);
        if made.is_ok() {
            layout.left = layout.bytes.len();
            self.0.end();
        }
        made
    }

    /// Fills `to` and says so, unless too little is left.
    #[inline]
    pub(super) fn give(&mut self, to: &mut [u8]) -> bool {
        if !self.0.is_filled() {
            return false;
        }
        let layout = self.0.layout();
        let left = layout.left;
        let Some(rest) = left.checked_sub(to.len()) else {
            return false;
        };
        let Some(from) = layout.bytes.get_mut(rest..left) else {
            return false;
        };
        hand_over(to, from);
        layout.left = rest;
        // A child of a fork was given zeros, or bytes that its parent has.
        let given = self.0.is_filled();
        if !given {
            to.fill(0);
        }
        given
    }
}

/// Copies random bytes and wipes them. A nonce of 96 bits takes two stores: `memcpy` lets two
/// overlap, and the cipher, which loads a nonce at once, would wait until all stores before these
/// are in the cache.
#[inline]
fn hand_over(to: &mut [u8], from: &mut [u8]) {
    let nonce = <&mut [u8; 12]>::try_from(&mut *to).ok();
    if let Some((to, from)) = nonce.zip(from.first_chunk_mut()) {
        *to = *from;
        secret::wipe(from);
    } else {
        to.copy_from_slice(from);
        secret::wipe(from);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        secret::wipe(&mut self.0.layout().bytes);
    }
}

/// The kernel gives a child zeros.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod memory {
    use super::{FILLED, FILLING, LEN, Layout, Ordering, compiler_fence};
    use core::ptr::{self, NonNull};

    pub(super) struct Memory(NonNull<Layout>);

    impl Memory {
        pub(super) fn new() -> Option<Self> {
            let (access, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new mapping, at a place that the system chooses.
            let page = unsafe { libc::mmap(ptr::null_mut(), LEN, access, kind, -1, 0) };
            if page == libc::MAP_FAILED {
                return None;
            }
            let memory = Self(NonNull::new(page.cast())?);
            // SAFETY: the whole mapping, which nobody else knows.
            let advise = |advice| unsafe { libc::madvise(page, LEN, advice) == 0 };
            // Who follows an advice that there is none, such as old QEMUs, follows none.
            let listens = !advise(-1);
            (listens && advise(libc::MADV_WIPEONFORK)).then_some(memory)
        }

        #[inline]
        pub(super) fn layout(&mut self) -> &mut Layout {
            // SAFETY: a mapping of `LEN` bytes, aligned to a page, that is this value's own;
            // any bytes are a `Layout`.
            unsafe { self.0.as_mut() }
        }

        pub(super) fn begin(&mut self) {
            self.layout().state.store(FILLING, Ordering::SeqCst);
        }

        pub(super) fn end(&mut self) {
            let (before, after) = (FILLING, FILLED);
            let state = &self.layout().state;
            let _ = state.compare_exchange(before, after, Ordering::SeqCst, Ordering::SeqCst);
        }

        #[inline]
        pub(super) fn is_filled(&mut self) -> bool {
            // Keeps earlier writes before the look, and later reads after it.
            compiler_fence(Ordering::SeqCst);
            let state = self.layout().state.load(Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
            state == FILLED
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: the mapping that `new` made, which nobody uses after this.
            unsafe { libc::munmap(self.0.as_ptr().cast(), LEN) };
        }
    }
}

/// A child counts that it is one: its parent's page is of another count. Where there is no Unix,
/// there are no children.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod memory {
    use super::{AtomicUsize, FILLED, FILLING, LEN, Layout, Ordering, compiler_fence};
    use std::boxed::Box;

    /// How often this process is a child of the one in which the first page was made.
    static FORKS: AtomicUsize = AtomicUsize::new(0);

    pub(super) struct Memory {
        layout: Box<Layout>,
        made_after: usize,
    }

    /// Whether children will be counted.
    #[cfg(unix)]
    fn are_counted() -> bool {
        extern "C" fn in_child() {
            FORKS.fetch_add(1, Ordering::Relaxed);
        }
        static COUNTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        // SAFETY: the function that is registered does nothing that is forbidden after
        // `fork`, and is never unloaded before the process ends or this library is.
        *COUNTED.get_or_init(|| unsafe { libc::pthread_atfork(None, None, Some(in_child)) == 0 })
    }

    #[cfg(not(unix))]
    fn are_counted() -> bool {
        true
    }

    impl Memory {
        pub(super) fn new() -> Option<Self> {
            let (state, bytes) = (AtomicUsize::new(0), [0; LEN - 2 * size_of::<usize>()]);
            let layout = || Box::new(Layout { state, left: 0, bytes });
            are_counted().then(|| Self { layout: layout(), made_after: 0 })
        }

        #[inline]
        pub(super) fn layout(&mut self) -> &mut Layout {
            &mut self.layout
        }

        pub(super) fn begin(&mut self) {
            self.layout.state.store(FILLING, Ordering::SeqCst);
            self.made_after = FORKS.load(Ordering::SeqCst);
            compiler_fence(Ordering::SeqCst);
        }

        pub(super) fn end(&mut self) {
            self.layout.state.store(FILLED, Ordering::SeqCst);
        }

        #[inline]
        pub(super) fn is_filled(&mut self) -> bool {
            compiler_fence(Ordering::SeqCst);
            let is_ours = self.made_after == FORKS.load(Ordering::Relaxed);
            let state = self.layout.state.load(Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
            is_ours && state == FILLED
        }
    }
}

#[cfg(all(test, any(target_os = "linux", target_os = "android")))]
mod tests {
    use super::*;

    /// A handler that forks while a page is filled: the child goes on with zeros, and must not
    /// take its page for filled.
    #[test]
    fn a_page_that_was_emptied_while_it_was_filled_gives_nothing() {
        let Some(mut page) = Page::new() else {
            return; // Only in QEMU, which `what_was_given_is_erased` asserts.
        };
        for empties in [true, false] {
            let filled = page.fill(|room| {
                room.fill(7);
                let start = room.as_mut_ptr().map_addr(|at| at / LEN * LEN).cast();
                // SAFETY: the page around the buffer becomes one of zeros, as a child's is.
                let emptied =
                    !empties || unsafe { libc::madvise(start, LEN, libc::MADV_DONTNEED) == 0 };
                emptied.then_some(()).ok_or(())
            });
            assert_eq!(filled, Ok(()));
            let mut nonce = [1; 12];
            assert_eq!(page.give(&mut nonce), !empties);
            assert_eq!(nonce, if empties { [1; 12] } else { [7; 12] });
        }
    }

    /// As many as a program with threads that come and go makes in time; more than the memory that
    /// C's library keeps for the threads of other tests.
    #[test]
    fn memory_of_pages_goes_back() {
        const PAGES: usize = 300_000;
        if Page::new().is_none() {
            return; // As above.
        }
        let pages_of_process = || {
            let sizes = std::fs::read_to_string("/proc/self/statm").expect("Linux tells it");
            let size = sizes.split(' ').next().expect("a size");
            size.parse::<usize>().expect("a number")
        };
        let before = pages_of_process();
        for _ in 0..PAGES {
            drop(Page::new());
        }
        let after = pages_of_process();
        assert!(after < before + PAGES / 10 * 9, "{before} and then {after}");
    }
}
