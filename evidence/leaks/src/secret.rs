//! Made-up secrets, and marking them for valgrind and for the search of memory.

use std::cell::Cell;
use std::sync::{Mutex, OnceLock, PoisonError};
use zeroize::Zeroizing;

/// Where a set of secrets comes from: the same seed gives the same secrets.
#[derive(Clone, Copy)]
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) const FIRST: Self = Self(0x9e37_79b9_7f4a_7c15);
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(crate) const SECOND: Self = Self(0x0123_4567_89ab_cdef);

    /// One for each number, whose secrets are nowhere else.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(number: u64) -> Self {
        Self((number + 1).wrapping_mul(0xd129_8fb1_4a5e_93c7))
    }

    /// A byte of a tag to forge, another one with each seed: what compares byte by byte then
    /// takes another time.
    pub(crate) fn place(self, len: usize) -> usize {
        if self.0 == Self::FIRST.0 { len - 1 } else { 0 }
    }

    pub(crate) fn secrets(self) -> Secrets {
        Secrets { state: Cell::new(self.0), are_marked: true }
    }

    /// The same bytes for code that may look at them.
    pub(crate) fn unmarked(self) -> Secrets {
        Secrets { are_marked: false, ..self.secrets() }
    }
}

/// A sequence of secrets; the first is the key.
pub(crate) struct Secrets {
    state: Cell<u64>,
    are_marked: bool,
}

impl Secrets {
    /// So many bytes, which valgrind takes for undefined.
    pub(crate) fn bytes(&self, len: usize) -> Zeroizing<Vec<u8>> {
        let bytes = (0..len).map(|_| self.byte()).collect::<Vec<u8>>();
        if self.are_marked {
            mark_secret(bytes.as_slice());
        }
        Zeroizing::new(bytes)
    }

    /// SplitMix64, byte by byte.
    fn byte(&self) -> u8 {
        let state = self.state.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 56) as u8
    }
}

/// A key where it is: an array would be copied to wherever it goes.
pub(crate) fn array<const LEN: usize>(bytes: &[u8]) -> &[u8; LEN] {
    bytes.first_chunk().expect("as many bytes as a key has")
}

fn mark_secret<T: ?Sized>(bytes: &T) {
    #[cfg(feature = "ctgrind")]
    sivka::mark_secret(bytes);
    #[cfg(not(feature = "ctgrind"))]
    let _ = bytes;
}

/// Says that anybody may see `bytes` from here on.
pub(crate) fn publish<T: ?Sized>(bytes: &T) {
    #[cfg(feature = "ctgrind")]
    sivka::mark_public(bytes);
    #[cfg(not(feature = "ctgrind"))]
    let _ = bytes;
}

/// Gets the address and length of a key, and whether its use overwrites its stack.
pub(crate) type WhenUsed = fn(usize, usize, bool);

/// Waits until memory was searched, where it is.
pub(crate) static WHEN_USED: OnceLock<WhenUsed> = OnceLock::new();

/// Says that a key was used, which is still there.
pub(crate) fn used<T: ?Sized>(key: &T, overwrites: bool) {
    if let Some(when_used) = WHEN_USED.get() {
        let place = std::ptr::from_ref(key).cast::<u8>().addr();
        when_used(place, size_of_val(key), overwrites);
    }
}

/// The sealed output of this process's call, for the search: it contains salts and nonces.
static SEALED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

pub(crate) fn say_sealed(sealed: &[u8]) {
    publish(sealed);
    if WHEN_USED.get().is_some() {
        *SEALED.lock().unwrap_or_else(PoisonError::into_inner) = sealed.to_vec();
    }
}

#[cfg(target_os = "linux")]
pub(crate) fn take_sealed() -> Vec<u8> {
    std::mem::take(&mut SEALED.lock().unwrap_or_else(PoisonError::into_inner))
}
