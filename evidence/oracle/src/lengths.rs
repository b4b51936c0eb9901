//! The one grid of lengths, and what fills them.

/// The widest stride of any kernel on any tier, in bytes. A kernel with a wider
/// one raises this, and the grid follows.
pub const WIDEST_STRIDE: usize = 1024;

/// Every length from 0 to four times the widest stride plus one.
fn every() -> impl Iterator<Item = usize> {
    0..=4 * WIDEST_STRIDE + 1
}

/// The lengths of every conformance test. Of all lengths up to four times [`WIDEST_STRIDE`] it
/// takes those up to a stride and a bit, then those within a block of each half stride. It does a
/// third of the work, so that it can also run in an emulator.
pub fn grid() -> impl Iterator<Item = usize> {
    every().filter(|len| is_in_grid(*len))
}

/// The lengths up to there that [`grid`] leaves out.
pub fn gaps() -> impl Iterator<Item = usize> {
    every().filter(|len| !is_in_grid(*len))
}

fn is_in_grid(len: usize) -> bool {
    let half_stride = WIDEST_STRIDE / 2;
    let beyond = len % half_stride;
    len <= WIDEST_STRIDE + 76 || beyond <= 17 || half_stride - beyond <= 17
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
