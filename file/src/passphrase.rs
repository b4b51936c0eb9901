//! Passphrases and what it costs to try one.

use crate::error::Error;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// A passphrase, wiped when dropped.
///
/// Its bytes are the UTF-8 encoding as given: no Unicode normalisation, nothing
/// trimmed. A caller that reads one from a terminal or a file removes the line end.
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// Takes a passphrase over.
    #[must_use]
    pub fn new(passphrase: String) -> Self {
        Self(Zeroizing::new(passphrase))
    }

    /// Whether there is nothing in it. An empty passphrase seals nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Argon2id (RFC 9106) version 0x13 of this passphrase, 32 bytes.
    ///
    /// The caller has checked `cost` against its limit.
    pub(crate) fn stretch(
        &self,
        salt: &[u8; 32],
        cost: Argon2Cost,
    ) -> Result<Zeroizing<[u8; 32]>, Error> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32))
            .map_err(|_| Error::BadCost { asked: cost })?;
        let no_memory = Error::NoMemory {
            kib: cost.memory_kib,
        };
        // Reserved by hand: a plain `vec!` would end the process when memory is short.
        let mut blocks: Vec<Block> = Vec::new();
        let count = params.block_count();
        if blocks.try_reserve_exact(count).is_err() {
            return Err(no_memory);
        }
        blocks.resize(count, Block::default());
        let mut secret = Zeroizing::new([0; 32]);
        let stretched = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into_with_memory(self.0.as_bytes(), salt, &mut *secret, &mut blocks);
        blocks.iter_mut().for_each(Zeroize::zeroize);
        stretched.map_err(|_| Error::BadCost { asked: cost })?;
        Ok(secret)
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// What one try of a passphrase costs: the parameters of Argon2id (RFC 9106).
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
    /// What sealing uses unless told otherwise: 256 MiB, 3 passes, 4 lanes. RFC 9106
    /// section 4 recommends 64 MiB, 3 passes and 4 lanes where memory is short, and
    /// 2 GiB, 1 pass and 4 lanes where it is not; this stands between the two.
    pub const DEFAULT: Self = Self {
        memory_kib: 256 << 10,
        passes: 3,
        lanes: 4,
    };

    /// What opening allows unless told otherwise: 1 GiB, 16 passes, 255 lanes.
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
        write!(f, "{memory_kib} KiB, {passes} passes, {lanes} lanes")
    }
}
