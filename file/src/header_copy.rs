//! One copy of the header: version, suite, length, counter, key slots and a MAC (specification
//! sections 4.1 to 4.3).

use crate::cost::Argon2Cost;
use crate::derive::{array, expand, hmac};
use crate::error::Error;
use crate::passphrase::Passphrase;
use crate::slot::{FileKey, Opened, Slot, SlotInfo, Unlock};
use crate::suite::Suite;
use crate::verdict::publish;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The length of a copy is a multiple of this.
pub(crate) const STEP: usize = 1024;
pub(crate) const MAX_COPY_LEN: usize = 65_536;
/// The most key slots that a file can have.
pub const MAX_SLOTS: usize = 64;
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x93SIVKA\r\n";
pub(crate) const PREFIX_LEN: usize = 20;
const SLOTS_AT: usize = PREFIX_LEN + 8;
const MAC_LEN: usize = 32;

/// A well-formed copy. Nothing in it is authentic before [`Self::unlock`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderCopy {
    pub(crate) suite: Suite,
    pub(crate) len: usize,
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
            counter: 0,
            slots: Vec::new(),
            mac: [0; MAC_LEN],
        }
    }

    /// Reads a copy, of which `bytes` are all and the prefix is valid.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let (copy, is_whole) = Self::parse_what_is_left(bytes)?;
        match is_whole && (1..=MAX_SLOTS).contains(&copy.slots.len()) {
            true => Ok(copy),
            false => Err(Error::HeaderDamaged),
        }
    }

    /// As [`Self::parse`], but leaves out what is no slot, and tells whether nothing was left out.
    pub(crate) fn parse_what_is_left(bytes: &[u8]) -> Result<(Self, bool), Error> {
        let (len, suite) = parse_prefix(bytes)?;
        let mut copy = Self::new(suite, len);
        copy.counter = counter_of(bytes);
        copy.slots = slots_of(bytes).flatten().take(MAX_SLOTS + 1).collect();
        copy.mac = array(bytes, len - MAC_LEN);
        let is_whole = copy.to_bytes() == bytes;
        Ok((copy, is_whole))
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

    pub(crate) fn mac_is_right(&self, file_key: &FileKey) -> bool {
        publish(self.compute_mac(file_key).ct_eq(&self.mac))
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
        match self.mac_is_right(&found.0.file_key) {
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
        let price = |key: &&Unlock<'_>| match key {
            Unlock::KeyFile(_) => 0,
            Unlock::Identity(_) => 1,
            Unlock::Passphrase(_) => 2,
        };
        let mut keys: Vec<&Unlock<'_>> = keys.iter().collect();
        keys.sort_by_key(price);
        for key in keys.into_iter().flat_map(forms) {
            for (index, slot) in self.slots.iter().enumerate() {
                let opened = work
                    .allow(index, slot, &key)
                    .and_then(|()| slot.open(&self.prefix(), &key));
                match opened {
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

/// What passphrases may still cost, over both copies of a header.
pub(crate) struct Work {
    limit: Argon2Cost,
    left: u64,
    /// Passphrases and parameters that were paid for: a passphrase remembers what came of them.
    paid: Vec<(*const Passphrase, Vec<u8>)>,
}

impl Work {
    pub(crate) fn new(limit: Argon2Cost) -> Self {
        Self {
            limit,
            left: limit.work(),
            paid: Vec::new(),
        }
    }

    /// Takes off what it costs to try a key on a slot, if it is allowed.
    fn allow(&mut self, index: usize, slot: &Slot, key: &Unlock<'_>) -> Result<(), Error> {
        let (Unlock::Passphrase(passphrase), SlotInfo::Passphrase { cost }) = (key, slot.info())
        else {
            return Ok(());
        };
        let tried = (
            std::ptr::from_ref::<Passphrase>(passphrase),
            slot.parameters().to_vec(),
        );
        if self.paid.contains(&tried) {
            return Ok(());
        }
        if !cost.is_within(self.limit) || cost.work() > self.left {
            return Err(Error::CostTooHigh {
                index,
                asked: cost,
                limit: self.limit,
            });
        }
        self.left -= cost.work();
        self.paid.push(tried);
        Ok(())
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

/// Checks a prefix, and gives the copy's length and the suite.
pub(crate) fn parse_prefix(bytes: &[u8]) -> Result<(usize, Suite), Error> {
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

/// The counter of a whole copy.
pub(crate) fn counter_of(copy: &[u8]) -> u64 {
    u64::from_be_bytes(array(copy, PREFIX_LEN))
}

/// The slots of a whole copy, in order, with `None` in the place of bytes that are none. After
/// these it goes on where a slot of a known kind begins, if one does.
pub(crate) fn slots_of(copy: &[u8]) -> impl Iterator<Item = Option<Slot>> {
    let bytes = &copy[SLOTS_AT..copy.len() - MAC_LEN];
    // The room after the last slot is zero, and no slot begins with zero.
    let last = bytes.iter().rposition(|&byte| byte != 0);
    let end = last.map_or(0, |at| at + 1);
    let mut at = 0;
    let mut is_lost = false;
    std::iter::from_fn(move || {
        while at < end {
            match Slot::read(&bytes[at..]) {
                Some(slot) if !is_lost || slot.is_known() => {
                    at += slot.as_bytes().len();
                    is_lost = false;
                    return Some(Some(slot));
                }
                _ => at += 1,
            }
            if !std::mem::replace(&mut is_lost, true) {
                return Some(None);
            }
        }
        None
    })
}
