//! Strings one after the other in one buffer, with offsets.

use super::source::Source;
use core::ops::Range;

/// Strings in one buffer: string `i` is `bytes[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The buffer; bytes before the first offset and after the last belong to no string.
    pub bytes: Vec<u8>,
    /// One more than strings.
    pub offsets: Vec<usize>,
}

impl Laid {
    /// Lays out strings after `before` bytes, with `after` bytes at the end.
    #[must_use]
    pub fn new<'a>(
        (before, after): (usize, usize),
        strings: impl Iterator<Item = &'a [u8]>,
    ) -> Self {
        let mut laid = Self { bytes: vec![NOBODYS; before], offsets: vec![before] };
        for string in strings {
            laid.bytes.extend_from_slice(string);
            laid.offsets.push(laid.bytes.len());
        }
        laid.bytes.resize(laid.bytes.len() + after, NOBODYS);
        laid
    }

    /// A buffer for strings of these lengths, filled by `source`.
    pub(super) fn filled(
        (before, after): (usize, usize),
        lens: impl Iterator<Item = usize>,
        source: &mut dyn Source,
    ) -> Self {
        let offsets = bounds(before, lens);
        let end = offsets[offsets.len() - 1];
        let mut bytes = vec![NOBODYS; end + after];
        source.fill(&mut bytes[before..end]);
        Self { bytes, offsets }
    }

    /// The place of string `i`.
    #[must_use]
    pub fn place(&self, i: usize) -> Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// String `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> &[u8] {
        &self.bytes[self.place(i)]
    }

    /// String `i`, to be written.
    #[must_use]
    pub fn get_mut(&mut self, i: usize) -> &mut [u8] {
        let place = self.place(i);
        &mut self.bytes[place]
    }

    /// How many strings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every string, in order.
    pub fn strings(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Whether the bytes before the first string and after the last are as they were.
    #[must_use]
    pub fn is_framed(&self) -> bool {
        let (first, last) = (self.offsets[0], self.offsets[self.len()]);
        let outside = self.bytes[..first].iter().chain(&self.bytes[last..]);
        outside.copied().all(|byte| byte == NOBODYS)
    }
}

/// Where strings of these lengths begin from `start` on, and where the last one ends.
pub(crate) fn bounds(start: usize, lens: impl Iterator<Item = usize>) -> Vec<usize> {
    let ends = lens.scan(start, |end, len| {
        *end += len;
        Some(*end)
    });
    core::iter::once(start).chain(ends).collect()
}

/// The margins of a buffer: before the first string and after the last.
const NOBODYS: u8 = 0xc7;
