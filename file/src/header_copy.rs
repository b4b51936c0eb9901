//! One copy of the header, and where the copies stand in a file (specification sections 4.1 to 4.4).

use crate::derive::{array, expand, hmac};
use crate::error::Error;
use crate::passphrase::Work;
use crate::slot::{FileKey, Opened, Slot, SlotInfo, Unlock};
use crate::suite::Suite;
use crate::verdict::publish;
use std::cmp::Reverse;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The length of a copy is a multiple of this.
pub(crate) const STEP: usize = 1024;
pub(crate) const MAX_COPY_LEN: usize = 65_536;
/// The usual length of both copies of a header in bytes; many slots, or space for more, make them
/// longer.
pub const HEADER_LEN: usize = 2 * STEP;
/// The most bytes that both copies of a header have.
pub const MAX_HEADER_LEN: usize = 2 * MAX_COPY_LEN;
/// The most key slots that a file can have.
pub const MAX_SLOTS: usize = 64;
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x93SIVKA\r\n";
const PREFIX_LEN: usize = 20;
const SLOTS_AT: usize = PREFIX_LEN + 8;
const MAC_LEN: usize = 32;

/// A copy. Nothing in it is authentic before [`Self::unlock`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderCopy {
    pub(crate) suite: Suite,
    pub(crate) len: usize,
    /// Whether it stands after the other.
    pub(crate) is_second: bool,
    pub(crate) counter: u64,
    pub(crate) slots: Vec<Slot>,
    mac: [u8; MAC_LEN],
}

impl HeaderCopy {
    /// Without a slot, and not yet authenticated.
    pub(crate) fn new(suite: Suite, len: usize) -> Self {
        Self {
            suite,
            len,
            is_second: false,
            counter: 0,
            slots: Vec::new(),
            mac: [0; MAC_LEN],
        }
    }

    /// The copies in a file that are whole, in the order in which they are tried, and whether
    /// each is well formed: what is no slot is left out of one that is not.
    pub(crate) fn find_all(file: &[u8]) -> Result<Vec<(Self, bool)>, Error> {
        let first = len_at(file, 0);
        let is_second = |at: &usize| len_at(file, *at) == Some(*at);
        let second = first.filter(is_second);
        let second = second.or_else(|| (STEP..=MAX_COPY_LEN).step_by(STEP).find(is_second));
        if first.is_none() && second.is_none() {
            parse_prefix(file)?;
        }
        let first = first.and_then(|len| Some((file.get(..len)?, false)));
        let second = second.and_then(|len| Some((file.get(len..2 * len)?, true)));
        let copies = first.into_iter().chain(second);
        let mut copies: Vec<_> = copies.map(Self::parse).collect::<Result<_, _>>()?;
        copies.sort_by_key(|(copy, _)| Reverse(copy.counter));
        match copies.is_empty() {
            true => Err(Error::Truncated { chunks: 0 }),
            false => Ok(copies),
        }
    }

    fn parse((bytes, is_second): (&[u8], bool)) -> Result<(Self, bool), Error> {
        let (len, suite) = parse_prefix(bytes)?;
        let copy = Self {
            suite,
            len,
            is_second,
            counter: u64::from_be_bytes(array(bytes, PREFIX_LEN)),
            slots: slots_in(&bytes[SLOTS_AT..len - MAC_LEN]),
            mac: array(bytes, len - MAC_LEN),
        };
        let is_whole = copy.to_bytes() == bytes;
        let is_well_formed = is_whole && (1..=MAX_SLOTS).contains(&copy.slots.len());
        Ok((copy, is_well_formed))
    }

    /// The one encoding.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len);
        bytes.extend_from_slice(&self.prefix());
        bytes.extend_from_slice(&self.counter.to_be_bytes());
        for slot in &self.slots {
            bytes.extend_from_slice(slot.as_bytes());
        }
        bytes.resize(self.len - MAC_LEN, 0);
        bytes.extend_from_slice(&self.mac);
        bytes
    }

    /// Bytes that no slot has.
    pub(crate) fn free(&self) -> usize {
        let slots = self.slots.iter().map(|slot| slot.as_bytes().len());
        (self.len - MAC_LEN - SLOTS_AT).saturating_sub(slots.sum())
    }

    pub(crate) fn prefix(&self) -> [u8; PREFIX_LEN] {
        let mut prefix = [0; PREFIX_LEN];
        prefix[..8].copy_from_slice(&MAGIC);
        prefix[8..12].copy_from_slice(&VERSION.to_be_bytes());
        prefix[12..16].copy_from_slice(&self.suite.number().to_be_bytes());
        // No copy is so long that this cuts.
        prefix[16..].copy_from_slice(&(self.len as u32).to_be_bytes());
        prefix
    }

    /// Makes the MAC new.
    pub(crate) fn authenticate(&mut self, file_key: &FileKey) {
        self.mac = self.compute_mac(file_key);
    }

    fn compute_mac(&self, file_key: &FileKey) -> [u8; MAC_LEN] {
        let mut key = Zeroizing::new([0; 64]);
        expand(file_key, &[b"sivka.file.v1 header mac"], &mut *key);
        let mut mac = [0; 64];
        hmac(&key, &[&self.to_bytes()[..self.len - MAC_LEN]], &mut mac);
        array(&mac, 0)
    }

    /// Finds the slot that one of `keys` opens, gives its index too, and checks the MAC.
    pub(crate) fn unlock(
        &self,
        keys: &[Unlock<'_>],
        work: &mut Work,
    ) -> Result<(Opened, usize), Error> {
        let found = self.find_file_key(keys, work)?;
        match publish(self.compute_mac(&found.0.file_key).ct_eq(&self.mac)) {
            true => Ok(found),
            false => Err(Error::HeaderDamaged),
        }
    }

    /// [`Self::unlock`] without the MAC. What stood in the way of one slot is the error only if
    /// no other opens.
    pub(crate) fn find_file_key(
        &self,
        keys: &[Unlock<'_>],
        work: &mut Work,
    ) -> Result<(Opened, usize), Error> {
        let mut obstacle = None;
        let mut keys: Vec<&Unlock<'_>> = keys.iter().collect();
        keys.sort_by_key(|key| match key {
            Unlock::KeyFile(_) => 0,
            Unlock::Identity(_) => 1,
            Unlock::Passphrase(_) => 2,
        });
        for key in keys.into_iter().flat_map(forms) {
            for (index, slot) in self.slots.iter().enumerate() {
                match slot.open(index, &self.prefix(), &key, work) {
                    Ok(Some(opened)) => return Ok((opened, index)),
                    Ok(None) => {}
                    Err(error @ (Error::HeaderDamaged | Error::CostTooHigh { .. })) => {
                        obstacle.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Err(obstacle.unwrap_or_else(|| self.no_slot_opens()))
    }

    /// The error for keys that none of the slots fits.
    fn no_slot_opens(&self) -> Error {
        let unknown = |(index, slot): (usize, &Slot)| match slot.info() {
            SlotInfo::Unknown { kind } => Some(Error::UnknownSlot { index, kind }),
            _ => None,
        };
        let unknown = self.slots.iter().enumerate().find_map(unknown);
        unknown.unwrap_or(Error::NoSlotOpens)
    }
}

/// A key as it is tried: a passphrase as it is normalised, and as it was given.
fn forms<'a>(key: &'a Unlock<'a>) -> Vec<Unlock<'a>> {
    match key {
        Unlock::Passphrase(passphrase) => passphrase.forms().map(Unlock::Passphrase).collect(),
        key => vec![*key],
    }
}

/// The least length of a copy that has so many bytes of slots.
pub(crate) fn copy_len(slots: usize) -> usize {
    (SLOTS_AT + slots + MAC_LEN).next_multiple_of(STEP)
}

/// The number of bytes at the start of a file that its header may need, as far as `file`, its
/// beginning, shows.
#[must_use]
pub fn header_need(file: &[u8]) -> usize {
    match len_at(file, 0) {
        _ if file.len() < HEADER_LEN => HEADER_LEN,
        Some(len) if file.len() < 2 * len || len_at(file, len) == Some(len) => 2 * len,
        _ => MAX_HEADER_LEN,
    }
}

/// Where a valid prefix stands, the length that it says.
fn len_at(file: &[u8], at: usize) -> Option<usize> {
    let prefix = parse_prefix(file.get(at..)?);
    prefix.ok().map(|(len, _)| len)
}

/// Checks a prefix, and gives the copy's length and the suite.
fn parse_prefix(bytes: &[u8]) -> Result<(usize, Suite), Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Error::NotSivka);
    }
    if bytes.len() < PREFIX_LEN {
        return Err(Error::Truncated { chunks: 0 });
    }
    let number = |at| u32::from_be_bytes(array(bytes, at));
    let (version, suite) = (number(8), number(12));
    if version != VERSION {
        return Err(Error::UnknownVersion { version });
    }
    let suite = Suite::from_number(suite).ok_or(Error::UnknownSuite { suite })?;
    match usize::try_from(number(16)) {
        Ok(len @ STEP..=MAX_COPY_LEN) if len.is_multiple_of(STEP) => Ok((len, suite)),
        _ => Err(Error::HeaderDamaged),
    }
}

/// The slots in order. After bytes that are none it goes on where a slot of a known kind begins.
fn slots_in(bytes: &[u8]) -> Vec<Slot> {
    // The room after the last slot is zero, and no slot begins with zero.
    let last = bytes.iter().rposition(|&byte| byte != 0);
    let end = last.map_or(0, |at| at + 1);
    let (mut slots, mut at, mut is_lost) = (Vec::new(), 0, false);
    while at < end && slots.len() <= MAX_SLOTS {
        match Slot::read(&bytes[at..]) {
            Some(slot) if !is_lost || slot.is_known() => {
                at += slot.as_bytes().len();
                is_lost = false;
                slots.push(slot);
            }
            _ => {
                at += 1;
                is_lost = true;
            }
        }
    }
    slots
}
