//! Kuznyechik in CTR and CTR-ACPKM: what other protocols are built from.

use super::key::{TierKey, TierKeys, on_key};
use crate::error::Error;
use crate::mode::ctr;
use crate::tier::Tier;
use crate::tier::stack::Depth;
use core::fmt;
use zeroize::Zeroizing;

/// The length of a CTR IV in bytes.
const IV_LEN: usize = ctr::IV_LEN;

/// Where a keystream is: so many whole blocks used, and this much of one more.
struct Position {
    iv: [u8; IV_LEN],
    blocks: u64,
    /// The block of keystream that was last begun, and how many of its bytes are left.
    last: Zeroizing<[u8; 16]>,
    left: usize,
}

impl Position {
    fn new(iv: &[u8; IV_LEN]) -> Self {
        Self { iv: *iv, blocks: 0, last: Zeroizing::new([0; 16]), left: 0 }
    }

    /// Continues the keystream under `key`.
    fn xor_keystream(&mut self, key: &TierKey, in_out: &mut [u8]) -> Result<(), Error> {
        let (begun, whole) = in_out.split_at_mut(in_out.len().min(self.left));
        if !whole.is_empty() {
            let (iv, first) = (&self.iv, self.blocks);
            let new_last = on_key!(TierKeys, key, whole.len(), |t, keys| ctr::xor_keystream(
                t, keys, iv, first, whole
            ))?;
            ctr::xor(begun, &self.last[16 - self.left..]);
            self.last = new_last;
            self.blocks = self.blocks.wrapping_add(whole.len().div_ceil(16) as u64);
            self.left = whole.len().next_multiple_of(16) - whole.len();
        } else {
            ctr::xor(begun, &self.last[16 - self.left..]);
            self.left -= begun.len();
        }
        Ok(())
    }
}

/// Kuznyechik in counter mode (GOST R 34.13-2015 section 5.2, with whole blocks of keystream).
///
/// Encryption and decryption are the same call. **Nothing is authenticated**, and two
/// messages under one key and IV reveal the difference of their plaintexts; use
/// [`KuznyechikMgm`](crate::KuznyechikMgm) unless a protocol asks for this mode.
///
/// The keystream of one IV has 2^64 blocks.
///
/// # Example
///
/// ```
/// use sivka::KuznyechikCtr;
///
/// let mut message = *b"in two pieces";
/// let mut ctr = KuznyechikCtr::new(&[7; 32], &[0; 8]);
/// ctr.apply_keystream(&mut message[..5])?;
/// ctr.apply_keystream(&mut message[5..])?;
/// KuznyechikCtr::new(&[7; 32], &[0; 8]).apply_keystream(&mut message)?;
/// assert_eq!(&message, b"in two pieces");
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct KuznyechikCtr {
    key: TierKey,
    position: Position,
}

impl KuznyechikCtr {
    /// The length of an IV in bytes.
    pub const IV_LEN: usize = IV_LEN;

    /// Starts the keystream of a key and an IV.
    #[must_use]
    pub fn new(key: &[u8; 32], iv: &[u8; IV_LEN]) -> Self {
        Self::with_tier(key, iv, Tier::detect())
    }

    /// As [`new`](Self::new) on a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &[u8; 32], iv: &[u8; IV_LEN], tier: Tier) -> Self {
        Depth::Middle
            .making_key(tier, || Self { key: TierKey::new(key, tier), position: Position::new(iv) })
    }

    /// XORs the next bytes of the keystream into `in_out`.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `in_out` is then as it was.
    pub fn apply_keystream(&mut self, in_out: &mut [u8]) -> Result<(), Error> {
        self.position.xor_keystream(&self.key, in_out)
    }
}

/// Kuznyechik in counter mode with a new key for every section (CTR-ACPKM, RFC 8645
/// section 6.2.2, with a counter of 64 bits).
///
/// As [`KuznyechikCtr`], nothing is authenticated. After every `section_len` bytes the
/// key is replaced by one derived from it, so that no key encrypts much.
///
/// # Example
///
/// ```
/// use sivka::KuznyechikCtrAcpkm;
///
/// let mut message = [0; 100];
/// KuznyechikCtrAcpkm::new(&[7; 32], &[0; 8], 32)?.apply_keystream(&mut message)?;
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct KuznyechikCtrAcpkm {
    key: TierKey,
    position: Position,
    section_len: u64,
    /// Bytes of the current section that were not used yet.
    section_left: u64,
}

impl KuznyechikCtrAcpkm {
    /// The length of an IV in bytes.
    pub const IV_LEN: usize = IV_LEN;

    /// Starts the keystream of a key and an IV; the key changes after every `section_len`
    /// bytes.
    ///
    /// # Errors
    ///
    /// [`Error::SectionLen`] if `section_len` is zero or no multiple of 16.
    pub fn new(key: &[u8; 32], iv: &[u8; IV_LEN], section_len: u64) -> Result<Self, Error> {
        Self::with_tier(key, iv, section_len, Tier::detect())
    }

    /// As [`new`](Self::new) on a given tier, for tests and benchmarks.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    #[doc(hidden)]
    pub fn with_tier(
        key: &[u8; 32],
        iv: &[u8; IV_LEN],
        section_len: u64,
        tier: Tier,
    ) -> Result<Self, Error> {
        if section_len == 0 || !section_len.is_multiple_of(16) {
            return Err(Error::SectionLen { given: section_len });
        }
        Depth::Middle.making_key(tier, || {
            Ok(Self {
                key: TierKey::new(key, tier),
                position: Position::new(iv),
                section_len,
                section_left: section_len,
            })
        })
    }

    /// XORs the next bytes of the keystream into `in_out`.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `in_out` is then as it was.
    pub fn apply_keystream(&mut self, in_out: &mut [u8]) -> Result<(), Error> {
        let mut rest = in_out;
        while !rest.is_empty() {
            if self.section_left == 0 {
                Depth::Middle.making_key(self.key.tier, || self.change_key())?;
                self.section_left = self.section_len;
            }
            let left = usize::try_from(self.section_left).unwrap_or(usize::MAX);
            let (piece, after) = rest.split_at_mut(rest.len().min(left));
            self.position.xor_keystream(&self.key, piece)?;
            self.section_left -= piece.len() as u64;
            rest = after;
        }
        Ok(())
    }

    fn change_key(&mut self) -> Result<(), Error> {
        let key = &self.key;
        let next = on_key!(TierKeys, key, 32, |t, keys| ctr::next_section_key(t, keys))?;
        self.key = TierKey::new(&next, self.key.tier);
        Ok(())
    }
}

macro_rules! debug {
    ($($name:ident)*) => {
        $(
            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($name))
                        .field("tier", &self.key.tier)
                        .finish_non_exhaustive()
                }
            }
        )*
    };
}
debug!(KuznyechikCtr KuznyechikCtrAcpkm);

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Kuznyechik;

    /// It wraps 32 of them after 64 GiB of keystream, which no test makes.
    #[test]
    fn the_counter_has_64_bits() {
        let (key, iv, first) = ([3; 32], [9; 8], (1_u64 << 32) - 100);
        for tier in Tier::available() {
            let mut ctr = KuznyechikCtr::with_tier(&key, &iv, tier);
            ctr.position.blocks = first;
            let mut keystream = [0; 16 * 200];
            ctr.apply_keystream(&mut keystream).unwrap();
            let cipher = Kuznyechik::with_tier(&key, tier);
            for (number, block) in (first..).zip(keystream.as_chunks::<16>().0) {
                let mut expected = [9; 16];
                expected[8..].copy_from_slice(&number.to_be_bytes());
                cipher.encrypt_block(&mut expected).unwrap();
                assert_eq!(*block, expected, "{number} on {tier}");
            }
        }
    }
}
