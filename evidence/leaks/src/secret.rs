//! Secrets that are made up, and what valgrind is told of them.

use std::cell::Cell;

/// Where a set of secrets comes from: the same seed gives the same secrets.
#[derive(Clone, Copy)]
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) const FIRST: Self = Self(0x9e37_79b9_7f4a_7c15);
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(crate) const SECOND: Self = Self(0x0123_4567_89ab_cdef);

    /// A byte of a tag to forge, another one with each seed: what compares byte by byte then
    /// takes another time.
    pub(crate) fn place(self, len: usize) -> usize {
        if self.0 == Self::FIRST.0 { len - 1 } else { 0 }
    }

    pub(crate) fn secrets(self) -> Secrets {
        Secrets {
            state: Cell::new(self.0),
            are_marked: true,
        }
    }

    /// The same bytes for what may look at them.
    pub(crate) fn unmarked(self) -> Secrets {
        Secrets {
            are_marked: false,
            ..self.secrets()
        }
    }
}

/// A sequence of secrets.
pub(crate) struct Secrets {
    state: Cell<u64>,
    are_marked: bool,
}

impl Secrets {
    /// So many bytes, which valgrind takes for undefined.
    pub(crate) fn bytes(&self, len: usize) -> Vec<u8> {
        let bytes = (0..len).map(|_| self.byte()).collect::<Vec<u8>>();
        self.mark(bytes.as_slice());
        bytes
    }

    pub(crate) fn array<const LEN: usize>(&self) -> [u8; LEN] {
        let array = std::array::from_fn(|_| self.byte());
        self.mark(&array);
        array
    }

    pub(crate) fn blocks(&self, count: usize) -> Vec<[u8; 16]> {
        let blocks = (0..count).map(|_| std::array::from_fn(|_| self.byte()));
        let blocks = blocks.collect::<Vec<[u8; 16]>>();
        self.mark(blocks.as_slice());
        blocks
    }

    /// SplitMix64, byte by byte.
    fn byte(&self) -> u8 {
        let state = self.state.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 56) as u8
    }

    fn mark<T: ?Sized>(&self, bytes: &T) {
        if self.are_marked {
            mark_secret(bytes);
        }
    }
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
