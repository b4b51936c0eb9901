//! The one grid of lengths, and what fills them.

/// The widest stride of any kernel on any tier, in bytes. A kernel with a wider
/// one raises this, and the grid follows.
pub const WIDEST_STRIDE: usize = 1024;

/// Every length from 0 to four times [`WIDEST_STRIDE`] plus one.
pub fn grid() -> impl Iterator<Item = usize> {
    0..=4 * WIDEST_STRIDE + 1
}

/// Lengths around every border between code paths, for checks that are too
/// costly to repeat at each length of [`grid`].
pub fn borders() -> impl Iterator<Item = usize> {
    grid().filter(|len| {
        let block = 16;
        *len <= block + 1
            || (5..=12).any(|power| {
                let border = 1_usize << power;
                len.abs_diff(border) <= 1 || len.abs_diff(border + block) <= 1
            })
    })
}

/// `len` bytes that count up from `first` modulo 251, a prime, so that no two
/// blocks, vectors or strides hold the same bytes in the same places.
#[must_use]
pub fn painted(first: usize, len: usize) -> Vec<u8> {
    (first..first + len).map(|i| (i % 251) as u8).collect()
}
