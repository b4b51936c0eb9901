//! Slots that are made and changed (specification section 5.6).

use crate::atomic_file::without_refusal;
use crate::chunk::{ChunkCipher, PAYLOAD_HEAD_LEN, SALT_LEN};
use crate::derive::{Secret, system_random};
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::header::{Header, HeaderCopy, MAX_SLOTS};
use crate::reader::OpenOptions;
use crate::slot::{Lock, Opened, Slot, Unlock};
use crate::suite::Kind;
use crate::writer::SealOptions;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A header together with its file key: its slots can be changed.
///
/// The file key and the payload stay as they are. So a removed key's owner who has a copy of the
/// old header still opens the payload: to shut somebody out, seal it anew.
pub struct Unlocked {
    pub(crate) header: Header,
    pub(crate) file_key: Secret,
    pub(crate) kind: Kind,
    /// The index of the slot that opened.
    pub(crate) slot: usize,
    /// The counter of a changed header.
    next_counter: Option<u64>,
}

impl Unlocked {
    pub(crate) fn new(
        copy: HeaderCopy,
        copies_agree: bool,
        opened: Opened,
        slot: usize,
    ) -> Result<Self, Error> {
        Ok(Self {
            next_counter: copy.counter.checked_add(1),
            kind: Kind::from_number(opened.kind).ok_or(Error::UnknownKind(opened.kind))?,
            file_key: opened.file_key,
            slot,
            header: Header { copy, other: None, copies_agree },
        })
    }

    /// A header with a new salt and new slots for a new file key.
    pub(crate) fn create(
        locks: &[Lock<'_>],
        options: &SealOptions,
        file_key: Secret,
    ) -> Result<Self, Error> {
        let len = options.header_len(locks)? / 2;
        let mut salt = [0; SALT_LEN];
        system_random(&mut salt)?;
        let mut unlocked = Self {
            header: Header {
                copy: HeaderCopy::new(options.suite, len, salt),
                other: None,
                copies_agree: true,
            },
            file_key,
            kind: options.kind,
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

    /// Adds a slot after the last one, and returns its index.
    ///
    /// # Errors
    /// [`Error::TooManySlots`], [`Error::NoRoom`], [`Error::EmptyPassphrase`],
    /// [`Error::BadCost`], [`Error::NoMemory`], [`Error::Random`], [`Error::BadRecipient`],
    /// [`Error::TooManyChanges`]. The header is unchanged then.
    pub fn add(&mut self, lock: &Lock<'_>) -> Result<usize, Error> {
        let index = self.header.copy.slots.len();
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
        let mut slots = self.header.copy.slots.iter().enumerate();
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
        let slot = self.new_slot(lock, self.slot_at(index)?.record.len())?;
        self.change(|slots| slots[index] = slot)
    }

    /// Derives the keys of the payload, and its first bytes.
    pub(crate) fn payload(&self) -> (ChunkCipher, [u8; PAYLOAD_HEAD_LEN]) {
        let copy = &self.header.copy;
        ChunkCipher::derive((copy.suite, self.kind), &self.file_key, &copy.salt)
    }

    fn slot_at(&self, index: usize) -> Result<&Slot, Error> {
        let slot = self.header.copy.slots.get(index);
        slot.ok_or(Error::NoSuchSlot(index))
    }

    /// A slot for which there is room, with `freed` bytes more than are free now.
    fn new_slot(&self, lock: &Lock<'_>, freed: usize) -> Result<Slot, Error> {
        let copy = &self.header.copy;
        let (needed, free) = (lock.slot_len(), copy.free() + freed);
        match needed <= free {
            true => Slot::seal(lock, &copy.prefix(), (&self.file_key, self.kind)),
            false => Err(Error::NoRoom { needed, free }),
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Slot>)) -> Result<(), Error> {
        let copy = &mut self.header.copy;
        copy.counter = self.next_counter.ok_or(Error::TooManyChanges)?;
        change(&mut copy.slots);
        copy.authenticate(&self.file_key);
        Ok(())
    }
}

/// Changes the slots of the file at `path` with `change`, under the [`FileLock`] that other changes
/// wait for.
///
/// Only the two copies of the header are written, one after the other, and each is made durable: a
/// crash leaves the old slots or the new ones. A damaged copy is whole again.
///
/// # Errors
/// As [`Header::read`] and [`Header::unlock`], and what `change` gives: the file is unchanged
/// then. [`Error::Read`] if the file cannot be opened or locked, as [`FileLock::wait_for`] says.
/// [`Error::Write`] if the header cannot be written: the slots are the old ones or the new ones.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut lock = FileLock::to_change(path).map_err(Error::Read)?;
    let sync = |file: &mut File| without_refusal(file.sync_all());
    change_slots_in(&mut lock.file, keys, options, sync, change)
}

/// [`change_slots`] in anything that can be read, written and sought, from its position on.
/// Nobody else may change it meanwhile. `sync`, for one that keeps nothing back
/// [`Write::flush`], makes each copy durable before the other is written.
///
/// # Errors
/// As [`change_slots`].
pub fn change_slots_in<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    mut sync: impl FnMut(&mut F) -> io::Result<()>,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let start = file.stream_position()?;
    let mut unlocked = Header::read(&mut *file)?.unlock(keys, options.max_cost)?;
    let result = change(&mut unlocked)?;
    // First over the copy that was not read, then over the one that was.
    let copy = &unlocked.header.copy;
    let mut places = [copy.len as u64, 0];
    if copy.is_second {
        places.reverse();
    }
    let bytes = copy.to_bytes();
    for place in places {
        file.seek(SeekFrom::Start(start + place))
            .and_then(|_| file.write_all(&bytes))
            .and_then(|()| sync(file))
            .map_err(Error::Write)?;
    }
    Ok(result)
}
