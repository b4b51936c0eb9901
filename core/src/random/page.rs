//! Random bytes of one thread, which a child of the process does not inherit.

#![allow(
    unsafe_code,
    reason = "the system's calls for memory that a child does not inherit"
)]

use crate::tier::secret;
use memory::Memory;

/// In bytes, of all.
const LEN: usize = 4096;

/// What is left while bytes are made: more than there can be.
const FILLING: usize = usize::MAX;

/// A page of zeros has no bytes left.
#[repr(C)]
struct Layout {
    /// How many of the bytes are left, from the first on.
    left: usize,
    bytes: [u8; LEN - size_of::<usize>()],
}

/// Random bytes, each given once, and zeros where those stood that were given.
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
        self.0.layout().left = FILLING;
        let made = make(&mut self.0.layout().bytes);
        // A child that a signal's handler has forked meanwhile has lost the beginning.
        let is_whole = made.is_ok() && self.0.left() == FILLING;
        let layout = self.0.layout();
        layout.left = if is_whole { layout.bytes.len() } else { 0 };
        made
    }

    /// Fills `to` and says so, unless too little is left.
    #[inline]
    pub(super) fn give(&mut self, to: &mut [u8]) -> bool {
        let left = self.0.left();
        let Some(rest) = left.checked_sub(to.len()) else {
            return false;
        };
        let layout = self.0.layout();
        let Some(from) = layout.bytes.get_mut(rest..left) else {
            return false;
        };
        to.copy_from_slice(from);
        secret::wipe(from);
        // A signal's handler may have forked since the first look: this is the child then, and
        // was given zeros.
        if self.0.left() != left {
            to.fill(0);
            return false;
        }
        self.0.layout().left = rest;
        true
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
    use super::{LEN, Layout};
    use core::ptr::{self, NonNull};

    pub(super) struct Memory(NonNull<Layout>);

    impl Memory {
        pub(super) fn new() -> Option<Self> {
            let (access, kind) = (
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            );
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

        /// Of this process: the compiler may not take it from before.
        #[inline]
        pub(super) fn left(&self) -> usize {
            // SAFETY: as above.
            unsafe { ptr::read_volatile(&raw const (*self.0.as_ptr()).left) }
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: the mapping that `new` made, which nobody uses after this.
            unsafe { libc::munmap(self.0.as_ptr().cast(), LEN) };
        }
    }
}

/// What was left by a parent does not count.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod memory {
    use super::{LEN, Layout};
    use std::boxed::Box;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// How often this process is a child of the one in which the first page was made.
    static FORKS: AtomicUsize = AtomicUsize::new(0);

    pub(super) struct Memory {
        layout: Box<Layout>,
        made_after: usize,
    }

    impl Memory {
        pub(super) fn new() -> Option<Self> {
            extern "C" fn in_child() {
                FORKS.fetch_add(1, Ordering::Relaxed);
            }
            static COUNTED: OnceLock<bool> = OnceLock::new();
            // SAFETY: the function that is registered does nothing that is forbidden after
            // `fork`, and is never unloaded before the process ends or this library is.
            let count = || unsafe { libc::pthread_atfork(None, None, Some(in_child)) == 0 };
            COUNTED.get_or_init(count).then(|| Self {
                layout: Box::new(Layout {
                    left: 0,
                    bytes: [0; LEN - size_of::<usize>()],
                }),
                made_after: FORKS.load(Ordering::Relaxed),
            })
        }

        #[inline]
        pub(super) fn layout(&mut self) -> &mut Layout {
            let forks = FORKS.load(Ordering::Relaxed);
            if self.made_after != forks {
                (self.made_after, self.layout.left) = (forks, 0);
            }
            &mut self.layout
        }

        #[inline]
        pub(super) fn left(&self) -> usize {
            if self.made_after == FORKS.load(Ordering::Relaxed) {
                self.layout.left
            } else {
                0
            }
        }
    }
}

/// There are no children.
#[cfg(not(unix))]
mod memory {
    use super::{LEN, Layout};
    use std::boxed::Box;

    pub(super) struct Memory(Box<Layout>);

    impl Memory {
        pub(super) fn new() -> Option<Self> {
            Some(Self(Box::new(Layout {
                left: 0,
                bytes: [0; LEN - size_of::<usize>()],
            })))
        }

        #[inline]
        pub(super) fn layout(&mut self) -> &mut Layout {
            &mut self.0
        }

        #[inline]
        pub(super) fn left(&self) -> usize {
            self.0.left
        }
    }
}
