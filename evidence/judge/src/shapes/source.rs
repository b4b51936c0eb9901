//! Where the numbers come from.

/// A source of numbers. Those of a test come from a seed, those of a fuzzer from its input,
/// those of accumulated vectors from a hash.
pub trait Source {
    /// The next number.
    fn word(&mut self) -> u64;

    /// A number below `end`, which is below 2^32; 0 if `end` is. One [`word`](Self::word).
    fn below(&mut self, end: usize) -> usize {
        (((self.word() >> 32) * end as u64) >> 32) as usize
    }

    /// Once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Fills `bytes` with words, the lowest byte first; the last word is cut.
    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
    }

    /// The seed from which a source of this kind continues the same way, if there is one.
    fn seed(&self) -> Option<u64> {
        None
    }
}

/// One of several, by one [`Source::below`].
pub fn one_of<T: Copy>(source: &mut dyn Source, all: &[T]) -> T {
    all[source.below(all.len())]
}

/// SplitMix64: the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Source for SplitMix64 {
    #[inline]
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn seed(&self) -> Option<u64> {
        Some(self.0)
    }
}

/// The fuzzer's bytes: each number below some end takes as few bytes as hold it, so that a byte of
/// the input is a decision. The content of buffers, and numbers after the last byte, come from a
/// seed: an input without bytes is as good as any other.
#[derive(Clone, Debug)]
pub struct Bytes<'a> {
    left: &'a [u8],
    then: SplitMix64,
}

impl<'a> Bytes<'a> {
    /// The decisions in `bytes`, and all else from `seed`.
    #[must_use]
    pub fn new(bytes: &'a [u8], seed: u64) -> Self {
        Self { left: bytes, then: SplitMix64::new(seed) }
    }
}

impl Source for Bytes<'_> {
    fn word(&mut self) -> u64 {
        match self.left.split_off(..8) {
            Some(bytes) => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            None => self.then.word(),
        }
    }

    fn below(&mut self, end: usize) -> usize {
        let bytes = match end {
            0 | 1 => return 0,
            2..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        match self.left.split_off(..bytes) {
            Some(number) => number.iter().fold(0, |all, byte| all << 8 | usize::from(*byte)) % end,
            None => self.then.below(end),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        self.then.fill(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_numbers_and_goes_on_where_it_says() {
        // The first numbers of seed 1234567 in the reference of Vigna.
        let mut source = SplitMix64::new(1_234_567);
        assert_eq!(source.word(), 6_457_827_717_110_365_317);
        assert_eq!(source.word(), 3_203_168_211_198_807_973);
        let mut again = SplitMix64::new(source.seed().expect("a seed"));
        assert_eq!(source.word(), again.word());
    }

    #[test]
    fn numbers_reach_every_value_below_their_end() {
        let mut source = SplitMix64::new(1);
        let mut seen = [0; 7];
        (0..700).for_each(|_| seen[source.below(7)] += 1);
        assert!(seen.iter().all(|count| (60..140).contains(count)), "{seen:?}");
        assert_eq!((source.below(0), source.below(1)), (0, 0));
    }

    #[test]
    fn bytes_are_decisions_and_a_seed_follows_them() {
        let mut bytes = Bytes::new(&[7, 1, 2, 9], 5);
        assert_eq!((bytes.below(10), bytes.below(1)), (7, 0));
        assert_eq!((bytes.below(1000), bytes.below(4)), (258, 1));
        assert_eq!(bytes.below(1000), SplitMix64::new(5).below(1000));
    }
}
