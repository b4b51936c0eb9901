//! What is drawn: bytes, numbers, lengths.

/// SplitMix64: the same seed gives the same messages.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.word()) * end as u128) >> 64) as usize
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }

    /// Lengths of a batch: one for all, or each its own; mostly short, as what is long takes
    /// the time of many short ones and walks the same loops.
    pub(crate) fn lens(&mut self) -> Vec<usize> {
        let count = 1 + self.below(40);
        let most = match self.below(64) {
            0 => 1500,
            1..4 => 300,
            4..16 => 80,
            _ => 33,
        };
        let one = self.below(most);
        let are_alike = self.once_in(2);
        let len = |_| if are_alike { one } else { self.below(most) };
        (0..count).map(len).collect()
    }
}
