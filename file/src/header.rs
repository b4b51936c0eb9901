//! The header: version, suite, key slots and a MAC (specification section 4).

use crate::cost::Argon2Cost;
use crate::derive::{Random, expand, hmac, system_random};
use crate::error::Error;
use crate::slot::{FileKey, Lock, SLOT_LEN, Slot, SlotInfo, Unlock, array};
use crate::suite::Suite;
use crate::verdict::publish;
use std::io::{ErrorKind, Read};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The length of the header in bytes, whatever slots are in use.
pub const HEADER_LEN: usize = 2048;
/// The most key slots that a file can have.
pub const MAX_SLOTS: usize = 16;
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x93SIVKA\r\n";
const PREFIX_LEN: usize = 16;
const MAC_AT: usize = PREFIX_LEN + MAX_SLOTS * SLOT_LEN;
const MAC_LEN: usize = HEADER_LEN - MAC_AT;
const _: () = assert!(MAC_LEN == 32);

/// A well-formed header. Nothing in it is authenticated before [`Header::unlock`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    suite: Suite,
    slots: Vec<Slot>,
    mac: [u8; MAC_LEN],
}

impl Header {
    /// Reads exactly [`HEADER_LEN`] bytes, or less if the input is shorter or is not
    /// a Sivka file.
    ///
    /// # Errors
    /// [`Error::NotSivka`], [`Error::UnknownVersion`], [`Error::UnknownSuite`],
    /// [`Error::UnknownSlot`], [`Error::HeaderDamaged`], [`Error::Truncated`] and
    /// [`Error::Read`].
    pub fn read<R: Read>(mut input: R) -> Result<Self, Error> {
        let mut bytes = [0; HEADER_LEN];
        let len = read_up_to(&mut input, &mut bytes)?;
        Self::parse(&bytes[..len])
    }

    /// Reads a header from the first bytes of a file; bytes after [`HEADER_LEN`] are
    /// ignored.
    ///
    /// # Errors
    /// As [`Self::read`], without [`Error::Read`].
    pub fn parse(file: &[u8]) -> Result<Self, Error> {
        let (bytes, suite) = parse_prefix(file)?;
        let mut slots = Vec::new();
        for (index, slot) in slot_bytes(bytes).enumerate() {
            match Slot::decode(index, slot)? {
                Some(slot) if slots.len() == index => slots.push(slot),
                // A used slot after an empty one would be a second encoding.
                Some(_) => return Err(Error::HeaderDamaged),
                None => {}
            }
        }
        if slots.is_empty() {
            return Err(Error::HeaderDamaged);
        }
        Ok(Self {
            suite,
            slots,
            mac: array(bytes, MAC_AT),
        })
    }

    /// As [`Self::parse`], but leaves out what does not parse, and says whether
    /// nothing was left out.
    pub(crate) fn parse_what_is_left(file: &[u8]) -> Result<(Self, bool), Error> {
        let (bytes, suite) = parse_prefix(file)?;
        let slots = slot_bytes(bytes)
            .enumerate()
            .filter_map(|(index, slot)| Slot::decode(index, slot).ok().flatten());
        let header = Self {
            suite,
            slots: slots.collect(),
            mac: array(bytes, MAC_AT),
        };
        let is_whole = header.to_bytes() == *bytes;
        Ok((header, is_whole))
    }

    /// Reads what can be read of a header that [`Self::parse`] refuses: the suite, and
    /// each slot that is not empty with its index and what it shows, or what is wrong
    /// with it. For people who ask what is left: nothing of it is authenticated.
    ///
    /// # Errors
    /// [`Error::NotSivka`], [`Error::UnknownVersion`], [`Error::UnknownSuite`] and
    /// [`Error::Truncated`].
    pub fn describe_damaged(file: &[u8]) -> Result<(Suite, Vec<DamagedSlot>), Error> {
        let (bytes, suite) = parse_prefix(file)?;
        let slots = slot_bytes(bytes).enumerate().filter_map(|(index, slot)| {
            match Slot::decode(index, slot) {
                Ok(None) => None,
                Ok(Some(slot)) => Some((index, Ok(slot.info()))),
                Err(error) => Some((index, Err(error))),
            }
        });
        Ok((suite, slots.collect()))
    }

    /// The suite that seals the payload.
    #[must_use]
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// What each used slot shows without a key, in order.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = SlotInfo> + '_ {
        self.slots.iter().map(Slot::info)
    }

    /// The header's one encoding.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..PREFIX_LEN].copy_from_slice(&self.prefix());
        let places = bytes[PREFIX_LEN..MAC_AT].chunks_exact_mut(SLOT_LEN);
        for (place, slot) in places.zip(&self.slots) {
            place.copy_from_slice(&slot.encode());
        }
        bytes[MAC_AT..].copy_from_slice(&self.mac);
        bytes
    }

    /// Finds the slot that one of `keys` opens, and checks the header's MAC.
    ///
    /// Key files are tried first, because they cost nothing. Passphrases are tried on
    /// every slot whose cost is within `limit`, in order, until `limit`'s memory times
    /// passes is spent.
    ///
    /// # Errors
    /// [`Error::NoSlotOpens`], [`Error::CostTooHigh`] (no slot opens, and one was not
    /// tried), [`Error::HeaderDamaged`], [`Error::NoMemory`].
    pub fn unlock(self, keys: &[Unlock<'_>], limit: Argon2Cost) -> Result<Unlocked, Error> {
        let (file_key, slot) = self.find_file_key(keys, limit)?;
        if !self.mac_is_right(&file_key) {
            return Err(Error::HeaderDamaged);
        }
        Ok(Unlocked {
            header: self,
            file_key,
            slot,
        })
    }

    /// A header with new slots for a new file key.
    pub(crate) fn create(
        suite: Suite,
        locks: &[Lock<'_>],
        file_key: FileKey,
        random: Random<'_>,
    ) -> Result<Unlocked, Error> {
        if locks.is_empty() {
            return Err(Error::NoSlotLeft);
        }
        let header = Self {
            suite,
            slots: Vec::with_capacity(MAX_SLOTS),
            mac: [0; MAC_LEN],
        };
        let mut unlocked = Unlocked {
            header,
            file_key,
            slot: 0,
        };
        for lock in locks {
            unlocked.add_with(lock, random)?;
        }
        Ok(unlocked)
    }

    /// Finds a slot that opens, and its index. What stood in the way of one slot is the
    /// error only if no other opens.
    pub(crate) fn find_file_key(
        &self,
        keys: &[Unlock<'_>],
        limit: Argon2Cost,
    ) -> Result<(FileKey, usize), Error> {
        let mut obstacle = None;
        let mut work_left = limit.work();
        let is_key_file = |key: &&Unlock<'_>| matches!(key, Unlock::KeyFile(_));
        let key_files = keys.iter().filter(is_key_file);
        let others = keys.iter().filter(|key| !is_key_file(key));
        for key in key_files.chain(others) {
            for (index, slot) in self.slots.iter().enumerate() {
                match self.try_slot(index, slot, key, limit, &mut work_left) {
                    Ok(Some(file_key)) => return Ok((file_key, index)),
                    Ok(None) => {}
                    Err(error @ (Error::HeaderDamaged | Error::CostTooHigh { .. })) => {
                        obstacle.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Err(obstacle.unwrap_or(Error::NoSlotOpens))
    }

    fn try_slot(
        &self,
        index: usize,
        slot: &Slot,
        key: &Unlock<'_>,
        limit: Argon2Cost,
        work_left: &mut u64,
    ) -> Result<Option<FileKey>, Error> {
        match (*key, slot.info()) {
            (Unlock::KeyFile(key), SlotInfo::KeyFile { .. }) => {
                slot.open_with_key(&self.prefix(), key)
            }
            (Unlock::Passphrase(passphrase), SlotInfo::Passphrase { cost }) => {
                if !cost.is_within(limit) || cost.work() > *work_left {
                    return Err(Error::CostTooHigh {
                        index,
                        asked: cost,
                        limit,
                    });
                }
                *work_left -= cost.work();
                slot.open_with_passphrase(&self.prefix(), passphrase, cost)
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn mac_is_right(&self, file_key: &FileKey) -> bool {
        publish(self.compute_mac(file_key).ct_eq(&self.mac))
    }

    fn compute_mac(&self, file_key: &FileKey) -> [u8; MAC_LEN] {
        let mut key = Zeroizing::new([0; 64]);
        expand(file_key, &[b"sivka.file.v1 header mac"], &mut *key);
        let mut mac = [0; 64];
        hmac(&key, &[&self.to_bytes()[..MAC_AT]], &mut mac);
        array(&mac, 0)
    }

    fn prefix(&self) -> [u8; PREFIX_LEN] {
        let mut prefix = [0; PREFIX_LEN];
        prefix[..8].copy_from_slice(&MAGIC);
        prefix[8..12].copy_from_slice(&VERSION.to_be_bytes());
        prefix[12..].copy_from_slice(&self.suite.number().to_be_bytes());
        prefix
    }
}

/// A slot of a header that may be damaged: its index, and what it shows or what is
/// wrong with it.
pub type DamagedSlot = (usize, Result<SlotInfo, Error>);

/// A header together with its file key: its slots can be changed.
///
/// The file key stays the same whatever is done here, so the payload stays as it is.
/// It also means that a removed key's owner, who has a copy of the old header, still
/// opens the payload: to shut somebody out of what the file says from now on, seal
/// it anew.
pub struct Unlocked {
    header: Header,
    file_key: FileKey,
    slot: usize,
}

impl Unlocked {
    /// The header as it now is.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The index of the slot that opened.
    #[must_use]
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// Adds a slot after the last one, and returns its index.
    ///
    /// # Errors
    /// [`Error::TooManySlots`], [`Error::EmptyPassphrase`], [`Error::BadCost`],
    /// [`Error::NoMemory`], [`Error::Random`]. The header is unchanged then.
    pub fn add(&mut self, lock: &Lock<'_>) -> Result<usize, Error> {
        self.add_with(lock, &mut system_random)
    }

    /// Removes a slot; those after it move up by one.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], and [`Error::NoSlotLeft`] if it is the only one. The
    /// header is unchanged then.
    pub fn remove(&mut self, index: usize) -> Result<(), Error> {
        if index >= self.header.slots.len() {
            return Err(Error::NoSuchSlot { index });
        }
        if self.header.slots.len() == 1 {
            return Err(Error::NoSlotLeft);
        }
        self.header.slots.remove(index);
        self.authenticate();
        Ok(())
    }

    /// Puts a new slot in the place of another.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], and as [`Self::add`]. The header is unchanged then.
    pub fn replace(&mut self, index: usize, lock: &Lock<'_>) -> Result<(), Error> {
        if index >= self.header.slots.len() {
            return Err(Error::NoSuchSlot { index });
        }
        self.header.slots[index] = self.new_slot(lock, &mut system_random)?;
        self.authenticate();
        Ok(())
    }

    pub(crate) fn file_key(&self) -> &FileKey {
        &self.file_key
    }

    fn add_with(&mut self, lock: &Lock<'_>, random: Random<'_>) -> Result<usize, Error> {
        let index = self.header.slots.len();
        if index == MAX_SLOTS {
            return Err(Error::TooManySlots);
        }
        let slot = self.new_slot(lock, random)?;
        self.header.slots.push(slot);
        self.authenticate();
        Ok(index)
    }

    fn new_slot(&self, lock: &Lock<'_>, random: Random<'_>) -> Result<Slot, Error> {
        Slot::seal(lock, &self.header.prefix(), &self.file_key, random)
    }

    fn authenticate(&mut self) {
        self.header.mac = self.header.compute_mac(&self.file_key);
    }
}

/// Checks magic, version and suite, in this order, and that the header is whole.
fn parse_prefix(file: &[u8]) -> Result<(&[u8; HEADER_LEN], Suite), Error> {
    if !file.starts_with(&MAGIC) {
        return Err(Error::NotSivka);
    }
    let number = |at: usize| match file.get(at..at + 4) {
        Some(bytes) => Ok(u32::from_be_bytes(array(bytes, 0))),
        None => Err(Error::Truncated { chunks: 0 }),
    };
    let version = number(8)?;
    if version != VERSION {
        return Err(Error::UnknownVersion { version });
    }
    let suite = number(12)?;
    let suite = Suite::from_number(suite).ok_or(Error::UnknownSuite { suite })?;
    let bytes = file.first_chunk().ok_or(Error::Truncated { chunks: 0 })?;
    Ok((bytes, suite))
}

fn slot_bytes(header: &[u8; HEADER_LEN]) -> impl Iterator<Item = &[u8; SLOT_LEN]> {
    let (slots, _) = header[PREFIX_LEN..MAC_AT].as_chunks();
    slots.iter()
}

/// Reads until `buffer` is full or the input ends; returns how many bytes were read.
pub(crate) fn read_up_to<R: Read>(input: &mut R, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Read(error)),
        }
    }
    Ok(len)
}
