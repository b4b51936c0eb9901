//! Kuznyechik in CTR and CTR-ACPKM: what other protocols are built from.

use super::Kuznyechik;
use super::key::on_key;
use crate::error::Error;
use crate::mode::ctr;
use crate::tier::Tier;
use crate::tier::stack::making_key;
use core::fmt;
use zeroize::Zeroizing;

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
    key: Kuznyechik,
    iv: [u8; ctr::IV_LEN],
    /// How many whole blocks are used, or begun.
    blocks: u64,
    /// The block of keystream that was last begun, and how many of its bytes are left.
    last: Zeroizing<[u8; 16]>,
    left: usize,
}

impl KuznyechikCtr {
    /// The length of an IV in bytes.
    pub const IV_LEN: usize = ctr::IV_LEN;

    /// Starts the keystream of a key and an IV.
    #[must_use]
    pub fn new(key: &[u8; 32], iv: &[u8; Self::IV_LEN]) -> Self {
        Self::with_tier(key, iv, Tier::detect())
    }

    /// As [`new`](Self::new) on a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &[u8; 32], iv: &[u8; Self::IV_LEN], tier: Tier) -> Self {
        making_key(|| Self {
            key: Kuznyechik::checked(key, tier),
            iv: *iv,
            blocks: 0,
            last: Zeroizing::new([0; 16]),
            left: 0,
        })
    }

    /// XORs the next bytes of the keystream into `in_out`.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `in_out` is then as it was.
    pub fn apply_keystream(&mut self, in_out: &mut [u8]) -> Result<(), Error> {
        let (begun, whole) = in_out.split_at_mut(in_out.len().min(self.left));
        let rest_of_last = 16 - self.left;
        if whole.is_empty() {
            ctr::xor(begun, &self.last[rest_of_last..]);
            self.left -= begun.len();
            return Ok(());
        }
        let (iv, first) = (&self.iv, self.blocks);
        let new_last = on_key!(self.key, whole.len(), |t, keys| {
            ctr::xor_keystream(t, keys, iv, first, whole)
        })?;
        ctr::xor(begun, &self.last[rest_of_last..]);
        self.last = new_last;
        self.blocks = self.blocks.wrapping_add(whole.len().div_ceil(16) as u64);
        self.left = whole.len().next_multiple_of(16) - whole.len();
        Ok(())
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
    ctr: KuznyechikCtr,
    section_len: u64,
    /// Bytes of the current section that were not used yet.
    section_left: u64,
}

impl KuznyechikCtrAcpkm {
    /// The length of an IV in bytes.
    pub const IV_LEN: usize = KuznyechikCtr::IV_LEN;

    /// Starts the keystream of a key and an IV; the key changes after every `section_len`
    /// bytes.
    ///
    /// # Errors
    ///
    /// [`Error::SectionLen`] if `section_len` is zero or no multiple of 16.
    pub fn new(key: &[u8; 32], iv: &[u8; Self::IV_LEN], section_len: u64) -> Result<Self, Error> {
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
        iv: &[u8; Self::IV_LEN],
        section_len: u64,
        tier: Tier,
    ) -> Result<Self, Error> {
        if section_len == 0 || !section_len.is_multiple_of(16) {
            return Err(Error::SectionLen { given: section_len });
        }
        let ctr = KuznyechikCtr::with_tier(key, iv, tier);
        Ok(Self { ctr, section_len, section_left: section_len })
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
                making_key(|| self.change_key())?;
                self.section_left = self.section_len;
            }
            let left = usize::try_from(self.section_left).unwrap_or(usize::MAX);
            let (piece, after) = rest.split_at_mut(rest.len().min(left));
            self.ctr.apply_keystream(piece)?;
            self.section_left -= piece.len() as u64;
            rest = after;
        }
        Ok(())
    }

    fn change_key(&mut self) -> Result<(), Error> {
        let key = &mut self.ctr.key;
        let next = on_key!(key, 32, |t, keys| ctr::next_section_key(t, keys))?;
        *key = Kuznyechik::checked(&next, key.tier);
        Ok(())
    }
}

impl fmt::Debug for KuznyechikCtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuznyechikCtr").field("tier", &self.key.tier).finish_non_exhaustive()
    }
}

impl fmt::Debug for KuznyechikCtrAcpkm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuznyechikCtrAcpkm")
            .field("tier", &self.ctr.key.tier)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// It wraps 32 of them after 64 GiB of keystream, which no test makes.
    #[test]
    fn the_counter_has_64_bits() {
        let (key, iv, first) = ([3; 32], [9; 8], (1_u64 << 32) - 100);
        for tier in Tier::available() {
            let mut ctr = KuznyechikCtr::with_tier(&key, &iv, tier);
            ctr.blocks = first;
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
