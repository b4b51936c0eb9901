//! The header, which stands twice in a file: how it is found, read and unlocked (specification
//! sections 4 and 5.5).

use crate::chunk::{PAYLOAD_HEAD_LEN, SALT_LEN};
use crate::derive::{Secret, array, expand, hmac, publish};
use crate::error::Error;
use crate::passphrase::{Argon2Cost, Work};
use crate::slot::{Opened, Slot, SlotInfo, Unlock};
use crate::slots::Unlocked;
use crate::suite::Suite;
use std::cmp::Reverse;
use std::io::{self, Read};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The length of a copy is a multiple of this.
const STEP: usize = 1024;
pub(crate) const MAX_COPY_LEN: usize = 65_536;
/// The length of both copies of a header in bytes, unless its slots or the room for more need
/// longer ones.
pub const HEADER_LEN: usize = 2 * STEP;
/// The most bytes that both copies of a header have.
pub const MAX_HEADER_LEN: usize = 2 * MAX_COPY_LEN;
/// The most key slots that a file can have.
pub const MAX_SLOTS: usize = 64;
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x93SIVKA\r\n";
const PREFIX_LEN: usize = 20;
const SALT_AT: usize = PREFIX_LEN + 8;
const SLOTS_AT: usize = SALT_AT + SALT_LEN;
const MAC_LEN: usize = 32;

/// A header with at least one well-formed copy. Nothing in it is authentic before
/// [`Header::unlock`].
#[derive(Clone, Debug)]
pub struct Header {
    /// What is tried first, and from [`Header::unlock`] on what opened.
    pub(crate) copy: HeaderCopy,
    /// What is tried then.
    pub(crate) other: Option<HeaderCopy>,
    pub(crate) copies_agree: bool,
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
        let first = len_at(file, 0);
        let is_second = |at: &usize| len_at(file, *at) == Some(*at);
        let second = first.filter(is_second);
        let second = second.or_else(|| (STEP..=MAX_COPY_LEN).step_by(STEP).find(is_second));
        if first.is_none() && second.is_none() {
            parse_prefix(file)?;
        }
        let first = first.and_then(|len| Some((file.get(..len)?, false)));
        let second = second.and_then(|len| Some((file.get(len..2 * len)?, true)));
        if first.is_none() && second.is_none() {
            return Err(Error::Truncated(0));
        }
        let whole = first.into_iter().chain(second);
        let mut copies: Vec<_> = whole.filter_map(HeaderCopy::parse).collect();
        copies.sort_by_key(|copy| Reverse(copy.counter));
        let mut copies = copies.into_iter();
        let copy = copies.next().ok_or(Error::HeaderDamaged)?;
        let other = copies.next();
        let is_same = |other: &HeaderCopy| other.to_bytes() == copy.to_bytes();
        let copies_agree = other.as_ref().is_some_and(is_same);
        Ok(Self { copy, other: other.filter(|_| !copies_agree), copies_agree })
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

    /// Whether both copies are there, whole and equal. Otherwise one is damaged, missing, or older
    /// than the other, and a change of slots mends it.
    #[must_use]
    pub fn copies_agree(&self) -> bool {
        self.copies_agree
    }

    /// The visible fields of each used slot, in order; they need no key.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = SlotInfo> + '_ {
        self.copy.slots.iter().map(|slot| slot.info)
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
        // Which of two copies' errors is the file's; what is not a copy's comes first.
        let rank = |error: &Error| match error {
            Error::CostTooHigh { .. } => 1,
            Error::UnknownSlot { .. } => 2,
            Error::NoSlotOpens => 3,
            Error::HeaderDamaged => 4,
            _ => 0,
        };
        let (mut work, mut failure) = (Work::new(limit), Error::HeaderDamaged);
        for copy in [Some(self.copy), self.other].into_iter().flatten() {
            match copy.unlock(keys, &mut work) {
                Ok((opened, slot)) => return Unlocked::new(copy, self.copies_agree, opened, slot),
                Err(error) if rank(&error) < rank(&failure) => failure = error,
                Err(_) => {}
            }
        }
        Err(failure)
    }
}

/// A copy of the header. Nothing in it is authentic before [`Self::unlock`].
#[derive(Clone, Debug)]
pub(crate) struct HeaderCopy {
    pub(crate) suite: Suite,
    pub(crate) len: usize,
    /// Whether it stands after the other.
    pub(crate) is_second: bool,
    pub(crate) counter: u64,
    /// The payload's.
    pub(crate) salt: [u8; SALT_LEN],
    pub(crate) slots: Vec<Slot>,
    mac: [u8; MAC_LEN],
}

impl HeaderCopy {
    /// Without a slot, and not yet authenticated.
    pub(crate) fn new(suite: Suite, len: usize, salt: [u8; SALT_LEN]) -> Self {
        let (slots, mac) = (Vec::new(), [0; MAC_LEN]);
        Self { suite, len, is_second: false, counter: 0, salt, slots, mac }
    }

    /// A copy of the length that its prefix says; `None` if it is malformed.
    fn parse((bytes, is_second): (&[u8], bool)) -> Option<Self> {
        let (len, suite) = parse_prefix(bytes).ok()?;
        let copy = Self {
            is_second,
            counter: u64::from_be_bytes(array(bytes, PREFIX_LEN)),
            slots: slots_in(&bytes[SLOTS_AT..len - MAC_LEN]),
            mac: array(bytes, len - MAC_LEN),
            ..Self::new(suite, len, array(bytes, SALT_AT))
        };
        // What is no slot, and room that is not zero, is not in the encoding.
        let is_whole = copy.to_bytes() == bytes;
        (is_whole && (1..=MAX_SLOTS).contains(&copy.slots.len())).then_some(copy)
    }

    /// The one encoding.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len);
        bytes.extend_from_slice(&self.prefix());
        bytes.extend_from_slice(&self.counter.to_be_bytes());
        bytes.extend_from_slice(&self.salt);
        let records = self.slots.iter().map(|slot| &slot.record);
        records.for_each(|record| bytes.extend_from_slice(record));
        bytes.resize(self.len - MAC_LEN, 0);
        bytes.extend_from_slice(&self.mac);
        bytes
    }

    /// Bytes that no slot has.
    pub(crate) fn free(&self) -> usize {
        let slots = self.slots.iter().map(|slot| slot.record.len());
        (self.len - MAC_LEN - SLOTS_AT).saturating_sub(slots.sum())
    }

    pub(crate) fn prefix(&self) -> [u8; PREFIX_LEN] {
        let mut prefix = [0; PREFIX_LEN];
        prefix[..8].copy_from_slice(&MAGIC);
        let numbers = [VERSION, self.suite.number(), self.len as u32];
        for (place, number) in prefix[8..].chunks_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        prefix
    }

    /// Makes the MAC new.
    pub(crate) fn authenticate(&mut self, file_key: &Secret) {
        self.mac = self.compute_mac(file_key);
    }

    fn compute_mac(&self, file_key: &Secret) -> [u8; MAC_LEN] {
        let mut key = Zeroizing::new([0; 64]);
        expand(file_key, &[b"sivka.file.v1 header mac"], &mut *key);
        let mut mac = [0; 64];
        hmac(&key, &[&self.to_bytes()[..self.len - MAC_LEN]], &mut mac);
        array(&mac, 0)
    }

    /// Finds the slot that one of `keys` opens, gives its index too, and checks the MAC. What stood
    /// in the way of one slot is the error only if no other opens.
    fn unlock(&self, keys: &[Unlock<'_>], work: &mut Work) -> Result<(Opened, usize), Error> {
        let mut obstacle = None;
        let mut tries: Vec<(&Unlock<'_>, usize)> = Vec::new();
        for key in keys {
            let forms = match key {
                Unlock::Passphrase(passphrase) => passphrase.form_count(),
                _ => 1,
            };
            tries.extend((0..forms).map(|form| (key, form)));
        }
        tries.sort_by_key(|(key, _)| match key {
            Unlock::KeyFile(_) => 0,
            Unlock::Identity(_) => 1,
            Unlock::Passphrase(_) => 2,
        });
        for key in tries {
            for (index, slot) in self.slots.iter().enumerate() {
                match slot.open(index, &self.prefix(), key, work) {
                    Ok(Some(opened)) => {
                        let mac = self.compute_mac(&opened.file_key);
                        let is_right = publish(mac.ct_eq(&self.mac));
                        return is_right.then_some((opened, index)).ok_or(Error::HeaderDamaged);
                    }
                    Ok(None) => {}
                    Err(error @ (Error::HeaderDamaged | Error::CostTooHigh { .. })) => {
                        obstacle.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        let unknown = |(index, slot): (usize, &Slot)| match slot.info {
            SlotInfo::Unknown { kind } => Some(Error::UnknownSlot { index, kind }),
            _ => None,
        };
        let unknown = || self.slots.iter().enumerate().find_map(unknown);
        Err(obstacle.or_else(unknown).unwrap_or(Error::NoSlotOpens))
    }
}

/// The least length of a copy that has so many bytes of slots.
pub(crate) fn copy_len(slots: usize) -> usize {
    (SLOTS_AT + slots + MAC_LEN).next_multiple_of(STEP)
}

/// How many of a file's first bytes its header may need, as far as `file`, its beginning, tells:
/// once there are so many, it needs no more.
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
        return Err(Error::Truncated(0));
    }
    let [version, suite, len] = [8, 12, 16].map(|at| u32::from_be_bytes(array(bytes, at)));
    if version != VERSION {
        return Err(Error::UnknownVersion(version));
    }
    let suite = Suite::from_number(suite).ok_or(Error::UnknownSuite(suite))?;
    match usize::try_from(len) {
        Ok(len @ STEP..=MAX_COPY_LEN) if len.is_multiple_of(STEP) => Ok((len, suite)),
        _ => Err(Error::HeaderDamaged),
    }
}

/// The slots in order, up to the room or to what is none.
fn slots_in(mut bytes: &[u8]) -> Vec<Slot> {
    let mut slots = Vec::new();
    // One more than there may be, which no header is.
    while let Some(slot) = Slot::read(bytes).filter(|_| slots.len() <= MAX_SLOTS) {
        bytes = &bytes[slot.record.len()..];
        slots.push(slot);
    }
    slots
}

/// The bytes of both copies, or of as much of them as there is. Of a file with a damaged copy it
/// may be more, at most [`MAX_HEADER_LEN`], and the payload's first bytes are among them. What
/// reads the file from its beginning reads these first, and then the rest of `input`.
pub(crate) fn read_header<R: Read>(input: &mut R) -> Result<Vec<u8>, Error> {
    // At once: what it is may be a key, and a buffer that grows leaves copies.
    let mut bytes = Vec::with_capacity(MAX_HEADER_LEN + PAYLOAD_HEAD_LEN);
    loop {
        let needed = header_need(&bytes);
        read_up_to(input, &mut bytes, needed)?;
        if bytes.len() < needed || needed == header_need(&bytes) {
            return Ok(bytes);
        }
    }
}

/// Reads on until there are `len` bytes or the input ends.
pub(crate) fn read_up_to<R: Read>(
    input: &mut R,
    bytes: &mut Vec<u8>,
    len: usize,
) -> io::Result<()> {
    let missing = len.saturating_sub(bytes.len()) as u64;
    input.by_ref().take(missing).read_to_end(bytes).map(drop)
}
