//! The header, which stands twice in a file, and changes of its slots (specification sections 4.4
//! and 5.6).

use crate::cost::Argon2Cost;
use crate::error::Error;
use crate::header_copy::{HeaderCopy, MAX_COPY_LEN, Work, copy_len, parse_prefix, slots_of};
pub use crate::header_copy::{MAX_SLOTS, VERSION};
use crate::header_search::{read_header, whole_copies};
use crate::kind::Kind;
use crate::slot::{FileKey, LONGEST_SLOT_LEN, Lock, Opened, Slot, SlotInfo, Unlock};
use crate::suite::Suite;
use std::io::Read;

/// A slot of a header that may be damaged: its index, and what it shows or what is
/// wrong with it.
pub type DamagedSlot = (usize, Result<SlotInfo, Error>);

/// Whether the two copies of a header agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// They are equal.
    Equal,
    /// One is damaged, missing, or older than the other. A change of slots mends it.
    Differ,
}

/// A header of which a copy is well formed. Nothing in it is authentic before
/// [`Header::unlock`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What is tried first, and from [`Header::unlock`] on what opened.
    copy: HeaderCopy,
    is_second: bool,
    /// What is tried then.
    other: Option<HeaderCopy>,
    copies: Copies,
}

impl Header {
    /// Reads the header: both copies, or of a damaged one at most 128 KiB.
    ///
    /// # Errors
    /// [`Error::NotSivka`], [`Error::UnknownVersion`], [`Error::UnknownSuite`],
    /// [`Error::HeaderDamaged`], [`Error::Truncated`] and [`Error::Read`].
    pub fn read<R: Read>(mut input: R) -> Result<Self, Error> {
        Self::parse(&read_header(&mut input)?)
    }

    /// Reads a header from the first bytes of a file; bytes after it are ignored. Of a file
    /// with a damaged copy [`MAX_HEADER_LEN`](crate::MAX_HEADER_LEN) bytes may be needed.
    ///
    /// # Errors
    /// As [`Self::read`], without [`Error::Read`].
    pub fn parse(file: &[u8]) -> Result<Self, Error> {
        let whole = whole_copies(file)?;
        let is_one = matches!(whole[..], [(one, _), (other, _)] if one == other);
        let parsed = |(bytes, is_second)| Some((HeaderCopy::parse(bytes).ok()?, is_second));
        let mut parsed = whole.into_iter().filter_map(parsed);
        let (copy, is_second) = parsed.next().ok_or(Error::HeaderDamaged)?;
        Ok(Self {
            copy,
            is_second,
            other: parsed.next().filter(|_| !is_one).map(|(other, _)| other),
            copies: match is_one {
                true => Copies::Equal,
                false => Copies::Differ,
            },
        })
    }

    /// Reads what can be read of a header that [`Self::parse`] refuses: the suite, and
    /// each slot with its index and what it shows, or that bytes in its place are no slot.
    /// For people who ask what is left: nothing of it is authenticated.
    ///
    /// # Errors
    /// As [`Self::parse`], if no copy is whole.
    pub fn describe_damaged(file: &[u8]) -> Result<(Suite, Vec<DamagedSlot>), Error> {
        let whole = whole_copies(file)?;
        let bytes = whole.first().map_or(&[][..], |&(bytes, _)| bytes);
        let (_, suite) = parse_prefix(bytes)?;
        let slots = slots_of(bytes).take(MAX_SLOTS).map(|slot| match slot {
            Some(slot) => Ok(slot.info()),
            None => Err(Error::HeaderDamaged),
        });
        Ok((suite, slots.enumerate().collect()))
    }

    /// Bytes of both copies: where the payload begins.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no header is empty")]
    pub fn len(&self) -> usize {
        2 * self.copy.len
    }

    /// Bytes of a copy that no slot has. A slot for a key file takes 124, for a passphrase
    /// 128, for an `age1…` recipient 116, for an `age1pq1…` recipient 1204.
    #[must_use]
    pub fn free(&self) -> usize {
        self.copy.free()
    }

    /// The suite that seals the payload.
    #[must_use]
    pub fn suite(&self) -> Suite {
        self.copy.suite
    }

    /// Whether the copies agree.
    #[must_use]
    pub fn copies(&self) -> Copies {
        self.copies
    }

    /// What each used slot shows without a key, in order.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = SlotInfo> + '_ {
        self.copy.slots.iter().map(Slot::info)
    }

    /// Both copies as they are written, equal.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.copy.to_bytes().repeat(2)
    }

    /// Finds the slot that one of `keys` opens, and checks the MAC of its copy.
    ///
    /// Key files are tried first, because they cost nothing, then identities. Passphrases are
    /// tried on every slot whose cost is within `limit`, in order, until `limit`'s memory times
    /// passes is spent.
    ///
    /// # Errors
    /// [`Error::NoSlotOpens`], [`Error::CostTooHigh`] (no slot opens, and one was not
    /// tried), [`Error::UnknownSlot`] (no slot opens, and one is of a kind that this library
    /// does not know), [`Error::HeaderDamaged`], [`Error::UnknownKind`], [`Error::NoMemory`].
    pub fn unlock(mut self, keys: &[Unlock<'_>], limit: Argon2Cost) -> Result<Unlocked, Error> {
        let mut work = Work::new(limit);
        let mut found = self.copy.unlock(keys, &mut work);
        if let (Err(error), Some(other)) = (&found, self.other.take())
            && let Some(rank_of_first) = rank(error)
        {
            match other.unlock(keys, &mut work) {
                // What is not a copy's error comes before both.
                Err(error) if rank(&error) >= Some(rank_of_first) => {}
                second => {
                    (self.copy, self.is_second) = (other, !self.is_second);
                    found = second;
                }
            }
        }
        let (opened, slot) = found?;
        Unlocked::new(self, opened, slot)
    }
}

/// Which of two copies' errors is the file's: the lower one. `None` of an error that is not a
/// copy's.
fn rank(error: &Error) -> Option<u8> {
    match error {
        Error::CostTooHigh { .. } => Some(0),
        Error::UnknownSlot { .. } => Some(1),
        Error::NoSlotOpens => Some(2),
        Error::HeaderDamaged => Some(3),
        _ => None,
    }
}

/// A header together with its file key: its slots can be changed.
///
/// The file key stays the same whatever is done here, so the payload stays as it is.
/// It also means that a removed key's owner, who has a copy of the old header, still
/// opens the payload: to shut somebody out of what the file says from now on, seal
/// it anew.
pub struct Unlocked {
    header: Header,
    file_key: FileKey,
    kind: Kind,
    slot: usize,
    /// The counter of a changed header.
    next_counter: Option<u64>,
}

impl Unlocked {
    fn new(header: Header, opened: Opened, slot: usize) -> Result<Self, Error> {
        let kind = opened.kind;
        Ok(Self {
            next_counter: header.copy.counter.checked_add(1),
            header,
            file_key: opened.file_key,
            kind: Kind::from_number(kind).ok_or(Error::UnknownKind { kind })?,
            slot,
        })
    }

    /// A header with new slots for a new file key.
    pub(crate) fn create(
        (suite, kind): (Suite, Kind),
        locks: &[Lock<'_>],
        room: usize,
        file_key: FileKey,
    ) -> Result<Self, Error> {
        let header = Header {
            copy: HeaderCopy::new(suite, header_len(locks, room)? / 2),
            is_second: false,
            other: None,
            copies: Copies::Equal,
        };
        let mut unlocked = Self {
            header,
            file_key,
            kind,
            slot: 0,
            next_counter: Some(0),
        };
        for lock in locks {
            unlocked.add(lock)?;
        }
        Ok(unlocked)
    }

    /// The header as it now is.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the content is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
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
    /// [`Error::BadCost`], [`Error::NoMemory`], [`Error::Random`], [`Error::BadRecipient`],
    /// [`Error::TooManyChanges`]. The header is unchanged then.
    pub fn add(&mut self, lock: &Lock<'_>) -> Result<usize, Error> {
        let index = self.slots().len();
        if index == MAX_SLOTS {
            return Err(Error::TooManySlots);
        }
        let slot = self.new_slot(lock, 0)?;
        self.change(|slots| slots.push(slot))?;
        Ok(index)
    }

    /// Removes a slot; those after it move up by one.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], [`Error::TooManyChanges`], and [`Error::NoSlotLeft`] if no other
    /// one is of a kind that this library knows. The header is unchanged then.
    pub fn remove(&mut self, index: usize) -> Result<(), Error> {
        self.check_index(index)?;
        let mut slots = self.slots().iter().enumerate();
        if !slots.any(|(other, slot)| other != index && slot.is_known()) {
            return Err(Error::NoSlotLeft);
        }
        self.change(|slots| drop(slots.remove(index)))
    }

    /// Puts a new slot in the place of another.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], and as [`Self::add`]. The header is unchanged then.
    pub fn replace(&mut self, index: usize, lock: &Lock<'_>) -> Result<(), Error> {
        self.check_index(index)?;
        let slot = self.new_slot(lock, self.slots()[index].as_bytes().len())?;
        self.change(|slots| slots[index] = slot)
    }

    pub(crate) fn into_header(self) -> Header {
        self.header
    }

    pub(crate) fn file_key(&self) -> &FileKey {
        &self.file_key
    }

    /// The header as one copy, and where it is written, in this order: over the copy that it
    /// was not read from, then over that one.
    pub(crate) fn places(&self) -> (Vec<u8>, [u64; 2]) {
        let copy = &self.header.copy;
        let mut places = [copy.len as u64, 0];
        if self.header.is_second {
            places.reverse();
        }
        (copy.to_bytes(), places)
    }

    fn slots(&self) -> &[Slot] {
        &self.header.copy.slots
    }

    fn check_index(&self, index: usize) -> Result<(), Error> {
        match index < self.slots().len() {
            true => Ok(()),
            false => Err(Error::NoSuchSlot { index }),
        }
    }

    /// A slot for which there is room, with `freed` bytes more than are free now.
    fn new_slot(&self, lock: &Lock<'_>, freed: usize) -> Result<Slot, Error> {
        let (needed, free) = (lock.slot_len(), self.header.free() + freed);
        if needed > free {
            return Err(Error::NoRoom { needed, free });
        }
        let prefix = self.header.copy.prefix();
        Slot::seal(lock, &prefix, (&self.file_key, self.kind))
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Slot>)) -> Result<(), Error> {
        let copy = &mut self.header.copy;
        copy.counter = self.next_counter.ok_or(Error::TooManyChanges)?;
        change(&mut copy.slots);
        copy.authenticate(&self.file_key);
        Ok(())
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
    match copy_len(slots + room * LONGEST_SLOT_LEN) {
        len @ ..=MAX_COPY_LEN => Ok(2 * len),
        _ => Err(Error::TooManySlots),
    }
}
