//! Lengths of a style.

use super::source::{Source, one_of};
use super::style::{Count, LengthStyle};

/// The differences between the lengths of texts and of AADs.
pub(super) struct Scale {
    /// One more than the longest, mostly, and the longest that are drawn at times.
    most: [usize; 4],
    /// Around a block, and around what kernels take at once.
    near: &'static [usize],
    /// Lengths around the limit of some of them.
    far: &'static [usize],
    /// Of one message alone: so long that kernels look the first rounds of AES up.
    longest: &'static [usize],
}

/// Lengths around the limits of kernels. In lanes, they take texts of up to 192, 256, 384 or 512
/// bytes, of 64 to 2,048 bytes, or 16 blocks with two for each of the text. Beside a hash they take
/// 256 bytes of keystream, and they hash 128 bytes at a time.
pub(super) const TEXTS: Scale = Scale {
    most: [33, 80, 300, 1500],
    near: &[
        0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 111, 112, 113, 127, 128, 129, 191, 192, 193, 255,
        256, 257,
    ],
    far: &[383, 384, 385, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097],
    longest: &[8191, 16_384, 16_401, 20_000, 65_537],
};

/// And AADs of up to 64 bytes, or of the others' lengths.
pub(super) const AADS: Scale = Scale {
    most: [20, 70, 140, 600],
    near: &[0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129],
    far: &[223, 224, 225, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049],
    longest: &[4096, 4097, 16_385],
};

impl Scale {
    /// One more than the longest of some messages: as long a one as there is, once in 64.
    fn most(&self, source: &mut dyn Source) -> usize {
        match source.below(64) {
            0 => self.most[3],
            1..4 => self.most[2],
            4..16 => self.most[1],
            _ => self.most[0],
        }
    }

    /// A length at which something changes, once in 32 far away.
    fn boundary(&self, source: &mut dyn Source) -> usize {
        if source.once_in(32) { one_of(source, self.far) } else { one_of(source, self.near) }
    }

    /// A length below `most`, or a boundary, once in two.
    fn any(&self, most: usize, source: &mut dyn Source) -> usize {
        if source.once_in(2) { source.below(most) } else { self.boundary(source) }
    }

    /// So many lengths.
    pub(super) fn lens(
        &self,
        style: LengthStyle,
        count: usize,
        source: &mut dyn Source,
    ) -> Vec<usize> {
        let most = self.most(source);
        match style {
            LengthStyle::Equal => vec![self.any(most, source); count],
            LengthStyle::Empty => vec![0; count],
            LengthStyle::Runs => {
                // Few, so that one of them comes back.
                let few: [usize; 3] = std::array::from_fn(|_| self.any(most, source));
                runs(count, source, |source, _| one_of(source, &few))
            }
            LengthStyle::Gaps => {
                let few: [usize; 2] = std::array::from_fn(|_| self.any(most, source).max(1));
                let first = source.below(2);
                runs(count, source, |source, i| {
                    let len = one_of(source, &few);
                    if i % 2 == first { 0 } else { len }
                })
            }
            LengthStyle::Rising | LengthStyle::Falling => {
                let mut lens: Vec<_> = (0..count).map(|_| source.below(most)).collect();
                lens.sort_unstable();
                if style == LengthStyle::Falling {
                    lens.reverse();
                }
                lens
            }
            LengthStyle::Outlier => {
                let len = self.any(most, source);
                let mut lens = vec![len; count];
                let other = match source.below(64) {
                    0 => one_of(source, self.longest),
                    _ => self.any(most, source),
                };
                let other = if other == len { len + 1 } else { other };
                if let Some(place) = lens.get_mut(outlier(count, source)) {
                    *place = other;
                }
                lens
            }
            LengthStyle::Boundary => (0..count).map(|_| self.boundary(source)).collect(),
            LengthStyle::Independent => (0..count).map(|_| source.below(most)).collect(),
        }
    }
}

/// How many messages.
pub(super) fn count(style: Count, source: &mut dyn Source) -> usize {
    match style {
        Count::Few => source.below(6),
        // From 13 or 25 messages on, some kernels take them together.
        Count::Group => one_of(source, &[12, 13, 15, 16, 17, 24, 25, 31, 32, 33, 63, 64, 65]),
        Count::Groups => one_of(source, &[66, 97, 128, 130, 200]) - source.below(64),
        Count::Slab => one_of(source, &[255, 256, 257, 1023, 1024, 1025, 2049]),
    }
}

/// The place of the only one that is not like the others: the first, the last or any.
pub(super) fn outlier(count: usize, source: &mut dyn Source) -> usize {
    match source.below(8) {
        0 => 0,
        1 => count.saturating_sub(1),
        _ => source.below(count),
    }
}

/// The length of a run: as long as a group of some kernel, or one more or less; or up to 65.
fn run(source: &mut dyn Source) -> usize {
    if source.once_in(2) {
        1 + source.below(65)
    } else {
        one_of(source, &[1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65])
    }
}

/// Runs of values, `value` being asked for that of each by its number.
pub(super) fn runs<T: Clone>(
    count: usize,
    source: &mut dyn Source,
    mut value: impl FnMut(&mut dyn Source, usize) -> T,
) -> Vec<T> {
    let mut values = Vec::with_capacity(count);
    for number in 0.. {
        let left = count - values.len();
        if left == 0 {
            break;
        }
        let value = value(source, number);
        let run = run(source).min(left);
        values.extend(std::iter::repeat_n(value, run));
    }
    values
}
