//! What it costs to try a passphrase.

use std::fmt;

/// The cost of one try of a passphrase: the parameters of Argon2id (RFC 9106).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argon2Cost {
    /// Memory in KiB: at least eight for each lane.
    pub memory_kib: u32,
    /// Passes over the memory: at least one.
    pub passes: u32,
    /// Lanes, which could be computed at the same time: 1 to 255.
    pub lanes: u32,
}

impl Argon2Cost {
    /// The default for sealing: 256 MiB, 3 passes, 4 lanes. RFC 9106 section 4 recommends 64 MiB, 3
    /// passes and 4 lanes if memory is short, and otherwise 2 GiB, 1 pass and 4 lanes; this is
    /// between the two.
    pub const DEFAULT: Self = Self {
        memory_kib: 256 << 10,
        passes: 3,
        lanes: 4,
    };

    /// The default limit for opening: 1 GiB, 16 passes, 255 lanes.
    pub const DEFAULT_LIMIT: Self = Self {
        memory_kib: 1 << 20,
        passes: 16,
        lanes: Self::MAX_LANES,
    };

    /// The most lanes that the format allows.
    pub const MAX_LANES: u32 = 255;

    /// Whether the format allows this cost (specification section 5.3).
    #[must_use]
    pub fn is_valid(self) -> bool {
        self.passes >= 1
            && (1..=Self::MAX_LANES).contains(&self.lanes)
            && self.memory_kib >= 8 * self.lanes
    }

    /// KiB written over all passes, which is what the time is proportional to.
    pub(crate) fn work(self) -> u64 {
        u64::from(self.memory_kib) * u64::from(self.passes)
    }

    /// Whether each parameter is within `limit`.
    pub(crate) fn is_within(self, limit: Self) -> bool {
        self.memory_kib <= limit.memory_kib
            && self.passes <= limit.passes
            && self.lanes <= limit.lanes
    }
}

impl Default for Argon2Cost {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Argon2Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            memory_kib,
            passes,
            lanes,
        } = self;
        let (memory, unit) = match *memory_kib {
            0 => (0, "KiB"),
            kib if kib.is_multiple_of(1 << 20) => (kib >> 20, "GiB"),
            kib if kib.is_multiple_of(1 << 10) => (kib >> 10, "MiB"),
            kib => (kib, "KiB"),
        };
        let passes_word = if *passes == 1 { "pass" } else { "passes" };
        let lanes_word = if *lanes == 1 { "lane" } else { "lanes" };
        write!(
            f,
            "{memory} {unit}, {passes} {passes_word}, {lanes} {lanes_word}"
        )
    }
}
