//! The header: version, suite, length, key slots and a MAC (specification section 4).

use crate::cost::Argon2Cost;
use crate::derive::{Random, expand, hmac, system_random};
use crate::error::Error;
use crate::slot::{FileKey, LONGEST_SLOT_LEN, Lock, Slot, SlotInfo, Unlock, array};
use crate::suite::Suite;
use crate::verdict::publish;
use std::io::{ErrorKind, Read};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The length of a header in bytes, unless its slots or the room for more need a longer one.
pub const HEADER_LEN: usize = 2048;
/// The most bytes that a header has.
pub const MAX_HEADER_LEN: usize = 65_536;
/// The most key slots that a file can have.
pub const MAX_SLOTS: usize = 64;
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x93SIVKA\r\n";
const PREFIX_LEN: usize = 20;
const MAC_LEN: usize = 32;
/// A header longer than the least is a multiple of this.
const STEP: usize = 1024;

/// A well-formed header. Nothing in it is authenticated before [`Header::unlock`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    suite: Suite,
    /// Bytes of the whole header.
    len: usize,
    slots: Vec<Slot>,
    mac: [u8; MAC_LEN],
}

impl Header {
    /// Reads exactly the header, or less if the input is shorter or is not a Sivka file.
    ///
    /// # Errors
    /// [`Error::NotSivka`], [`Error::UnknownVersion`], [`Error::UnknownSuite`],
    /// [`Error::HeaderDamaged`], [`Error::Truncated`] and [`Error::Read`].
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Self::parse(&read_header(input)?)
    }

    /// Reads a header from the first bytes of a file; bytes after it are ignored.
    ///
    /// # Errors
    /// As [`Self::read`], without [`Error::Read`].
    pub fn parse(file: &[u8]) -> Result<Self, Error> {
        let (bytes, suite) = parse_whole(file)?;
        let (slots, mac) = parts(bytes);
        let mut found = Vec::new();
        for slot in slots_of(slots) {
            found.push(slot.ok_or(Error::HeaderDamaged)?);
        }
        if found.is_empty() || found.len() > MAX_SLOTS {
            return Err(Error::HeaderDamaged);
        }
        Ok(Self {
            suite,
            len: bytes.len(),
            slots: found,
            mac,
        })
    }

    /// As [`Self::parse`], but leaves out what does not parse, and says whether
    /// nothing was left out.
    pub(crate) fn parse_what_is_left(file: &[u8]) -> Result<(Self, bool), Error> {
        let (bytes, suite) = parse_whole(file)?;
        let (slots, mac) = parts(bytes);
        let header = Self {
            suite,
            len: bytes.len(),
            slots: slots_of(slots).flatten().take(MAX_SLOTS).collect(),
            mac,
        };
        let is_whole = header.to_bytes() == bytes;
        Ok((header, is_whole))
    }

    /// Reads what can be read of a header that [`Self::parse`] refuses: the suite, and
    /// each slot with its index and what it shows, or that bytes in its place are no slot.
    /// For people who ask what is left: nothing of it is authenticated.
    ///
    /// # Errors
    /// [`Error::NotSivka`], [`Error::UnknownVersion`], [`Error::UnknownSuite`],
    /// [`Error::HeaderDamaged`] if the header's length is none, and [`Error::Truncated`].
    pub fn describe_damaged(file: &[u8]) -> Result<(Suite, Vec<DamagedSlot>), Error> {
        let (bytes, suite) = parse_whole(file)?;
        let (slots, _) = parts(bytes);
        let slots = slots_of(slots).take(MAX_SLOTS).map(|slot| match slot {
            Some(slot) => Ok(slot.info()),
            None => Err(Error::HeaderDamaged),
        });
        Ok((suite, slots.enumerate().collect()))
    }

    /// The length in bytes of the header of a file that begins so, of which 20 bytes are
    /// enough.
    ///
    /// # Errors
    /// As [`Self::parse`], of these bytes.
    pub fn len_of(file: &[u8]) -> Result<usize, Error> {
        parse_prefix(file).map(|(len, _)| len)
    }

    /// The length of the header in bytes: where the payload begins.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no header is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes of the header that no slot has. A slot for a key file takes 123, for a passphrase
    /// 127, for an `age1…` recipient 115, for an `age1pq1…` recipient 1203.
    #[must_use]
    pub fn free(&self) -> usize {
        self.len - self.used()
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
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len);
        bytes.extend_from_slice(&self.prefix());
        for slot in &self.slots {
            bytes.extend_from_slice(slot.as_bytes());
        }
        bytes.resize(self.len - MAC_LEN, 0);
        bytes.extend_from_slice(&self.mac);
        bytes
    }

    /// Bytes that prefix, slots and MAC have.
    fn used(&self) -> usize {
        let slots = self.slots.iter().map(|slot| slot.as_bytes().len());
        PREFIX_LEN + slots.sum::<usize>() + MAC_LEN
    }

    /// Finds the slot that one of `keys` opens, and checks the header's MAC.
    ///
    /// Key files are tried first, because they cost nothing, then identities. Passphrases are
    /// tried on every slot whose cost is within `limit`, in order, until `limit`'s memory times
    /// passes is spent.
    ///
    /// # Errors
    /// [`Error::NoSlotOpens`], [`Error::CostTooHigh`] (no slot opens, and one was not
    /// tried), [`Error::UnknownSlot`] (no slot opens, and one is of a kind that this library
    /// does not know), [`Error::HeaderDamaged`], [`Error::NoMemory`].
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
        room: usize,
        file_key: FileKey,
        random: Random<'_>,
    ) -> Result<Unlocked, Error> {
        let header = Self {
            suite,
            len: header_len(locks, room)?,
            slots: Vec::with_capacity(locks.len()),
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
        let turn_of = |key: &&Unlock<'_>| match key {
            Unlock::KeyFile(_) => 0,
            Unlock::Identity(_) => 1,
            Unlock::Passphrase(_) => 2,
        };
        let mut keys: Vec<&Unlock<'_>> = keys.iter().collect();
        keys.sort_by_key(turn_of);
        for key in keys.into_iter().flat_map(forms) {
            for (index, slot) in self.slots.iter().enumerate() {
                match self.try_slot(index, slot, &key, limit, &mut work_left) {
                    Ok(Some(file_key)) => return Ok((file_key, index)),
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
        let unknown = self
            .slots()
            .enumerate()
            .find_map(|(index, slot)| match slot {
                SlotInfo::Unknown { kind } => Some(Error::UnknownSlot { index, kind }),
                _ => None,
            });
        unknown.unwrap_or(Error::NoSlotOpens)
    }

    fn try_slot(
        &self,
        index: usize,
        slot: &Slot,
        key: &Unlock<'_>,
        limit: Argon2Cost,
        work_left: &mut u64,
    ) -> Result<Option<FileKey>, Error> {
        if let (Unlock::Passphrase(_), SlotInfo::Passphrase { cost }) = (key, slot.info()) {
            if !cost.is_within(limit) || cost.work() > *work_left {
                return Err(Error::CostTooHigh {
                    index,
                    asked: cost,
                    limit,
                });
            }
            *work_left -= cost.work();
        }
        slot.open(&self.prefix(), key)
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

    fn prefix(&self) -> [u8; PREFIX_LEN] {
        let mut prefix = [0; PREFIX_LEN];
        prefix[..8].copy_from_slice(&MAGIC);
        prefix[8..12].copy_from_slice(&VERSION.to_be_bytes());
        prefix[12..16].copy_from_slice(&self.suite.number().to_be_bytes());
        // No header is so long that this cuts.
        prefix[16..].copy_from_slice(&(self.len as u32).to_be_bytes());
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
    /// [`Error::TooManySlots`], [`Error::NoRoom`], [`Error::EmptyPassphrase`],
    /// [`Error::BadCost`], [`Error::NoMemory`], [`Error::Random`], [`Error::BadRecipient`]. The
    /// header is unchanged then.
    pub fn add(&mut self, lock: &Lock<'_>) -> Result<usize, Error> {
        self.add_with(lock, &mut system_random)
    }

    /// Removes a slot; those after it move up by one.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], and [`Error::NoSlotLeft`] if no other one is of a kind that
    /// this library knows. The header is unchanged then.
    pub fn remove(&mut self, index: usize) -> Result<(), Error> {
        if index >= self.header.slots.len() {
            return Err(Error::NoSuchSlot { index });
        }
        let mut slots = self.header.slots.iter().enumerate();
        if !slots.any(|(other, slot)| other != index && slot.is_known()) {
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
        let freed = self.header.slots[index].as_bytes().len();
        self.check_room(lock, freed)?;
        self.header.slots[index] = self.new_slot(lock, &mut system_random)?;
        self.authenticate();
        Ok(())
    }

    pub(crate) fn into_header(self) -> Header {
        self.header
    }

    pub(crate) fn file_key(&self) -> &FileKey {
        &self.file_key
    }

    fn add_with(&mut self, lock: &Lock<'_>, random: Random<'_>) -> Result<usize, Error> {
        let index = self.header.slots.len();
        if index == MAX_SLOTS {
            return Err(Error::TooManySlots);
        }
        self.check_room(lock, 0)?;
        let slot = self.new_slot(lock, random)?;
        self.header.slots.push(slot);
        self.authenticate();
        Ok(index)
    }

    /// Whether there is room for a slot, with `freed` bytes more than are free now.
    fn check_room(&self, lock: &Lock<'_>, freed: usize) -> Result<(), Error> {
        let (needed, free) = (lock.slot_len(), self.header.free() + freed);
        match needed <= free {
            true => Ok(()),
            false => Err(Error::NoRoom { needed, free }),
        }
    }

    fn new_slot(&self, lock: &Lock<'_>, random: Random<'_>) -> Result<Slot, Error> {
        Slot::seal(lock, &self.header.prefix(), &self.file_key, random)
    }

    fn authenticate(&mut self) {
        self.header.mac = self.header.compute_mac(&self.file_key);
    }
}

/// The length in bytes of a new header, with room for so many slots more of any kind.
pub(crate) fn header_len(locks: &[Lock<'_>], room: usize) -> Result<usize, Error> {
    if locks.is_empty() {
        return Err(Error::NoSlotLeft);
    }
    if locks.len().saturating_add(room) > MAX_SLOTS {
        return Err(Error::TooManySlots);
    }
    let slots: usize = locks.iter().map(Lock::slot_len).sum();
    let len = PREFIX_LEN + slots + room * LONGEST_SLOT_LEN + MAC_LEN;
    let len = len.next_multiple_of(STEP).max(HEADER_LEN);
    match len <= MAX_HEADER_LEN {
        true => Ok(len),
        false => Err(Error::TooManySlots),
    }
}

/// The bytes of a header, or of as much of it as there is.
pub(crate) fn read_header<R: Read>(mut input: R) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER_LEN];
    let mut read = read_up_to(&mut input, &mut bytes)?;
    if let Ok(len) = Header::len_of(&bytes[..read]) {
        bytes.resize(len, 0);
        read += read_up_to(&mut input, &mut bytes[read..])?;
    }
    bytes.truncate(read);
    Ok(bytes)
}

/// Checks magic, version, suite and the header's length, in this order, and gives the last
/// two.
fn parse_prefix(file: &[u8]) -> Result<(usize, Suite), Error> {
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
    match usize::try_from(number(16)?) {
        Ok(len @ HEADER_LEN..=MAX_HEADER_LEN) => Ok((len, suite)),
        _ => Err(Error::HeaderDamaged),
    }
}

/// As [`parse_prefix`], and checks that the header is whole, and gives it.
fn parse_whole(file: &[u8]) -> Result<(&[u8], Suite), Error> {
    let (len, suite) = parse_prefix(file)?;
    match file.get(..len) {
        Some(bytes) => Ok((bytes, suite)),
        None => Err(Error::Truncated { chunks: 0 }),
    }
}

/// The slots and the MAC of a whole header.
fn parts(header: &[u8]) -> (&[u8], [u8; MAC_LEN]) {
    let mac_at = header.len() - MAC_LEN;
    (&header[PREFIX_LEN..mac_at], array(header, mac_at))
}

/// The slots of a header, in order, with `None` in the place of bytes that are none. After
/// these it goes on where a slot of a known kind begins, if one does.
fn slots_of(bytes: &[u8]) -> impl Iterator<Item = Option<Slot>> {
    // The room after the last slot is zero, and no slot begins with zero.
    let end = bytes
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |at| at + 1);
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

/// A key as it is tried: a passphrase as it is normalised, and as it was given.
fn forms<'a>(key: &'a Unlock<'a>) -> Vec<Unlock<'a>> {
    match key {
        Unlock::Passphrase(passphrase) => passphrase.forms().map(Unlock::Passphrase).collect(),
        key => vec![*key],
    }
}
