//! The header, which stands twice in a file, and changes of its slots (specification sections 4.4
//! and 5.6).

use crate::chunk::PAYLOAD_HEAD_LEN;
use crate::cost::Argon2Cost;
use crate::error::Error;
use crate::header_copy::{
    HeaderCopy, MAX_COPY_LEN, MAX_HEADER_LEN, MAX_SLOTS, STEP, copy_len, header_need,
};
use crate::kind::Kind;
use crate::passphrase::Work;
use crate::slot::{FileKey, LONGEST_SLOT_LEN, Lock, Opened, Slot, SlotInfo, Unlock};
use crate::suite::Suite;
use std::io::{self, Read, Seek, SeekFrom};
use std::iter;

/// Whether the two copies of a header agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// They are equal.
    Equal,
    /// One is damaged, missing, or older than the other. A change of slots mends it.
    Differ,
}

/// A header with at least one well-formed copy. Nothing in it is authentic before
/// [`Header::unlock`].
#[derive(Clone, Debug)]
pub struct Header {
    /// What is tried first, and from [`Header::unlock`] on what opened.
    copy: HeaderCopy,
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
    /// with a damaged copy [`MAX_HEADER_LEN`] bytes may be needed.
    ///
    /// # Errors
    /// As [`Self::read`], without [`Error::Read`].
    pub fn parse(file: &[u8]) -> Result<Self, Error> {
        let found = HeaderCopy::find_all(file)?;
        let mut well_formed = found
            .into_iter()
            .filter(|(_, is_well_formed)| *is_well_formed);
        let (copy, _) = well_formed.next().ok_or(Error::HeaderDamaged)?;
        let other = well_formed.next().map(|(other, _)| other);
        let is_one = |other: &HeaderCopy| other.to_bytes() == copy.to_bytes();
        let copies = match other.as_ref().is_some_and(is_one) {
            true => Copies::Equal,
            false => Copies::Differ,
        };
        Ok(Self {
            copy,
            other: other.filter(|_| copies == Copies::Differ),
            copies,
        })
    }

    /// Bytes of both copies: where the payload begins.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no header is empty")]
    pub fn len(&self) -> usize {
        2 * self.copy.len
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

    /// The visible fields of each used slot, in order; they need no key.
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
    /// Key files are tried first, because they cost nothing, then identities. Passphrases are tried
    /// on every slot whose cost is within `limit`, in order, until `limit`'s memory times passes is
    /// spent.
    ///
    /// # Errors
    /// [`Error::NoSlotOpens`], [`Error::CostTooHigh`] (no slot opens, and one was not
    /// tried), [`Error::UnknownSlot`] (no slot opens, and one is of a kind that this library
    /// does not know), [`Error::HeaderDamaged`], [`Error::UnknownKind`], [`Error::NoMemory`].
    pub fn unlock(self, keys: &[Unlock<'_>], limit: Argon2Cost) -> Result<Unlocked, Error> {
        let (mut work, mut failures) = (Work::new(limit), Vec::new());
        for copy in iter::once(self.copy).chain(self.other) {
            match copy.unlock(keys, &mut work) {
                Ok((opened, slot)) => return Unlocked::new(copy, self.copies, opened, slot),
                Err(error) => failures.push(error),
            }
        }
        // Which of two copies' errors is the file's; what is not a copy's comes first.
        let rank = |error: &Error| match error {
            Error::CostTooHigh { .. } => 1,
            Error::UnknownSlot { .. } => 2,
            Error::NoSlotOpens => 3,
            Error::HeaderDamaged => 4,
            _ => 0,
        };
        let failure = failures.into_iter().min_by_key(rank);
        Err(failure.unwrap_or(Error::HeaderDamaged))
    }
}

/// A header together with its file key: its slots can be changed.
///
/// The file key never changes, so the payload stays as it is. A removed key still opens the payload
/// with an old copy of the header: to shut somebody out of later contents, seal the file again.
pub struct Unlocked {
    header: Header,
    file_key: FileKey,
    kind: Kind,
    slot: usize,
    /// The counter of a changed header.
    next_counter: Option<u64>,
}

impl Unlocked {
    fn new(copy: HeaderCopy, copies: Copies, opened: Opened, slot: usize) -> Result<Self, Error> {
        Ok(Self {
            next_counter: copy.counter.checked_add(1),
            kind: opened.kind()?,
            file_key: opened.file_key,
            slot,
            header: Header {
                copy,
                other: None,
                copies,
            },
        })
    }

    /// A header with new slots for a new file key.
    pub(crate) fn create(
        (suite, kind): (Suite, Kind),
        locks: &[Lock<'_>],
        room: usize,
        file_key: FileKey,
    ) -> Result<Self, Error> {
        let mut unlocked = Self {
            header: Header {
                copy: HeaderCopy::new(suite, header_len(locks, room)? / 2),
                other: None,
                copies: Copies::Equal,
            },
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

    /// The kind of the content.
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
        self.slot_at(index)?;
        let mut slots = self.slots().iter().enumerate();
        if !slots.any(|(other, slot)| other != index && slot.is_known()) {
            return Err(Error::NoSlotLeft);
        }
        self.change(|slots| drop(slots.remove(index)))
    }

    /// Replaces a slot by a new one.
    ///
    /// # Errors
    /// [`Error::NoSuchSlot`], and as [`Self::add`]. The header is unchanged then.
    pub fn replace(&mut self, index: usize, lock: &Lock<'_>) -> Result<(), Error> {
        let slot = self.new_slot(lock, self.slot_at(index)?.as_bytes().len())?;
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
        if copy.is_second {
            places.reverse();
        }
        (copy.to_bytes(), places)
    }

    fn slots(&self) -> &[Slot] {
        &self.header.copy.slots
    }

    fn slot_at(&self, index: usize) -> Result<&Slot, Error> {
        self.slots().get(index).ok_or(Error::NoSuchSlot { index })
    }

    /// A slot for which there is room, with `freed` bytes more than are free now.
    fn new_slot(&self, lock: &Lock<'_>, freed: usize) -> Result<Slot, Error> {
        let (needed, free) = (lock.slot_len(), self.header.copy.free() + freed);
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

/// The bytes of both copies, or of as much of them as there is. Of a file with a damaged copy it
/// may be more, at most [`MAX_HEADER_LEN`], and the payload's first bytes are among them. What
/// reads the file from its beginning reads these first, and then the rest of `input`.
pub(crate) fn read_header<R: Read>(input: &mut R) -> Result<Vec<u8>, Error> {
    read_header_over(input, |_, _, error| Err(error))
}

/// [`read_header`] of what can be sought: what cannot be read is zeros, up to where a copy may
/// begin. The other copy may be whole.
pub(crate) fn seek_header<R: Read + Seek>(input: &mut R) -> Result<Vec<u8>, Error> {
    let start = input.stream_position();
    let mut failure = None;
    let mut bytes = read_header_over(input, |input, next, error| match &start {
        Ok(start) => {
            failure = Some(error);
            input.seek(SeekFrom::Start(start + next)).map(drop)
        }
        Err(_) => Err(error),
    })?;
    if let (Some(failure), Ok(start)) = (failure, start) {
        // What is no header's is read again.
        let header = Header::parse(&bytes).map_err(|_| Error::Read(failure))?;
        bytes.truncate(header.len());
        input.seek(SeekFrom::Start(start + header.len() as u64))?;
    }
    Ok(bytes)
}

fn read_header_over<R: Read>(
    input: &mut R,
    mut go_on_at: impl FnMut(&mut R, u64, io::Error) -> io::Result<()>,
) -> Result<Vec<u8>, Error> {
    // At once: what it is may be a key, and a buffer that grows leaves copies.
    let mut bytes = Vec::with_capacity(MAX_HEADER_LEN + PAYLOAD_HEAD_LEN);
    loop {
        let needed = header_need(&bytes);
        if let Err(error) = read_up_to(input, &mut bytes, needed) {
            let next = (bytes.len() + 1).next_multiple_of(STEP);
            go_on_at(input, next as u64, error)?;
            bytes.resize(next, 0);
        } else if bytes.len() < needed || needed == header_need(&bytes) {
            return Ok(bytes);
        }
    }
}

/// Reads on until there are `len` bytes or the input ends.
fn read_up_to<R: Read>(input: &mut R, bytes: &mut Vec<u8>, len: usize) -> io::Result<()> {
    let missing = len.saturating_sub(bytes.len()) as u64;
    input.by_ref().take(missing).read_to_end(bytes).map(drop)
}

/// The payload's first bytes, which begin at `at`, of which a part may have been read.
pub(crate) fn read_payload_head<R: Read>(
    input: &mut R,
    bytes: &mut Vec<u8>,
    at: usize,
) -> Result<[u8; PAYLOAD_HEAD_LEN], Error> {
    read_up_to(input, bytes, at + PAYLOAD_HEAD_LEN)?;
    let head = bytes.get(at..).and_then(<[u8]>::first_chunk);
    head.copied().ok_or(Error::Truncated { chunks: 0 })
}
