//! Passphrases, and what they are stretched to.

use crate::cost::Argon2Cost;
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
