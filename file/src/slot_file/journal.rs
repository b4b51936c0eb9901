//! The journal of a change of slots: the old header and the new one, beside the file.

use crate::atomic_file::AtomicFile;
use crate::derive::sha512;
use crate::header::{HEADER_LEN, MAX_HEADER_LEN, read_up_to};
use crate::slot::array;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

pub(super) use crate::chunk::PAYLOAD_HEAD_LEN;

pub(super) const TITLE: &[u8; 31] = b"sivka journal of slots, version";
const VERSION: u8 = 1;
const CHECK_LEN: usize = 32;
/// What a drive writes whole, or loses.
const SECTOR_LEN: usize = 512;
const HEAD_AT: usize = TITLE.len() + 1;
const OLD_AT: usize = HEAD_AT + PAYLOAD_HEAD_LEN;
/// Bytes of a journal of two headers of `header_len`.
const fn len_of(header_len: usize) -> usize {
    OLD_AT + 2 * header_len + CHECK_LEN
}

/// A file, and where its journal is.
pub(super) struct Place {
    file: PathBuf,
    journal: PathBuf,
}

impl Place {
    /// Links are followed: the journal is beside the file itself.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let file = fs::canonicalize(path)?;
        let journal = beside(&file, ".sivka-slots")?;
        Ok(Self { file, journal })
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    #[cfg(test)]
    pub(super) fn journal(&self) -> &Path {
        &self.journal
    }
}

/// The name of a hidden file beside `file`: `.NAME` and `ending`.
pub(super) fn beside(file: &Path, ending: &str) -> io::Result<PathBuf> {
    let mut name = OsString::from(".");
    name.push(file.file_name().ok_or(io::ErrorKind::IsADirectory)?);
    name.push(ending);
    Ok(file.with_file_name(name))
}

/// What is needed to finish a change, and to know that it is this file's.
pub(super) struct Journal {
    /// Salt and commitment, which no change of slots touches.
    pub(super) payload_head: [u8; PAYLOAD_HEAD_LEN],
    pub(super) old: Vec<u8>,
    /// As long as the old one.
    pub(super) new: Vec<u8>,
}

impl Journal {
    /// Makes the journal durable; it appears whole or not at all, and replaces nothing: the
    /// change before has ended.
    pub(super) fn write(&self, place: &Place) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(len_of(self.new.len()));
        bytes.extend_from_slice(TITLE);
        bytes.push(VERSION);
        bytes.extend_from_slice(&self.payload_head);
        bytes.extend_from_slice(&self.old);
        bytes.extend_from_slice(&self.new);
        let check = sha512(&bytes);
        bytes.extend_from_slice(&check[..CHECK_LEN]);
        let mut file = AtomicFile::create(&place.journal, owner_only(), false)?;
        file.file().write_all(&bytes)?;
        file.give_name()?;
        AtomicFile::sync_name(&place.journal).inspect_err(|_| {
            // Nothing is changed. If it stays, whoever opens the file next removes it.
            let _ = remove(place);
        })
    }

    /// The journal that is beside the file, if there is one. What has its name and is none is
    /// an error, and is not read: it may be of any length, or a pipe that nobody writes to.
    pub(super) fn read(place: &Place) -> io::Result<Option<Self>> {
        let metadata = match fs::symlink_metadata(&place.journal) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata?,
        };
        let (mut bytes, mut is_believed) = (Vec::new(), false);
        let lens = len_of(HEADER_LEN) as u64..=len_of(MAX_HEADER_LEN) as u64;
        if metadata.is_file() && lens.contains(&metadata.len()) {
            let file = match File::open(&place.journal) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => file?,
            };
            is_believed = may_change(&file.metadata()?, &fs::metadata(&place.file)?);
            file.take(lens.end() + 1).read_to_end(&mut bytes)?;
        }
        let is_whole = is_believed
            && lens.contains(&(bytes.len() as u64))
            && bytes.len().is_multiple_of(2)
            && bytes.starts_with(TITLE)
            && bytes[TITLE.len()] == VERSION
            && bytes
                .split_last_chunk::<CHECK_LEN>()
                .is_some_and(|(before, check)| sha512(before)[..CHECK_LEN] == *check);
        if !is_whole {
            let message = format!("{}: is no journal of slots", place.journal.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let (old, new) =
            bytes[OLD_AT..bytes.len() - CHECK_LEN].split_at((bytes.len() - len_of(0)) / 2);
        Ok(Some(Self {
            payload_head: array(&bytes, HEAD_AT),
            old: old.to_vec(),
            new: new.to_vec(),
        }))
    }

    /// Writes the header, and only when it is safe removes the journal.
    pub(super) fn apply(&self, file: &mut File, place: &Place) -> io::Result<()> {
        file.rewind()?;
        let begun = "the change has begun, and who opens the file next finishes it";
        let written = file.write_all(&self.new);
        written.map_err(|error| after(begun, &error))?;
        let durable = file.sync_all().and_then(|()| remove(place));
        durable.map_err(|error| after("the slots are changed, and the journal is left", &error))
    }

    /// Whether the file's header is the old one still, before the same payload.
    pub(super) fn is_before(&self, file: &mut File) -> io::Result<bool> {
        let head = self.head_of(file)?;
        Ok(head.is_some_and(|head| head == [&self.old[..], &self.payload_head].concat()))
    }

    /// The file's header and the beginning of its payload, unless it is too short for them.
    fn head_of(&self, file: &mut File) -> io::Result<Option<Vec<u8>>> {
        file.rewind()?;
        let mut head = vec![0; self.old.len() + PAYLOAD_HEAD_LEN];
        Ok((read_up_to(file, &mut head)? == head.len()).then_some(head))
    }

    /// Whether the file's header is partly the old and partly the new one: every byte of
    /// one of them, and neither. A sector may have been lost on the way, and be zeros. Any
    /// other damage is none that a journal can mend.
    pub(super) fn is_torn(&self, file: &mut File) -> io::Result<bool> {
        let Some(head) = self.head_of(file)? else {
            return Ok(false);
        };
        let (header, payload_head) = head.split_at(self.old.len());
        let both = self.old.chunks(SECTOR_LEN).zip(self.new.chunks(SECTOR_LEN));
        let is_mixed = header
            .chunks(SECTOR_LEN)
            .zip(both)
            .all(|(found, (old, new))| is_of_either(found, old, new));
        Ok(payload_head == self.payload_head
            && is_mixed
            && header != self.old
            && header != self.new)
    }
}

/// Whether every byte of a sector is one of two, or it is zeros.
fn is_of_either(found: &[u8], old: &[u8], new: &[u8]) -> bool {
    let mut both = old.iter().zip(new);
    found.iter().all(|byte| *byte == 0)
        || found.iter().all(|byte| {
            both.next()
                .is_some_and(|(old, new)| byte == old || byte == new)
        })
}

/// An error that came when so much was done.
fn after(done: &str, error: &io::Error) -> io::Error {
    io::Error::other(format!("{done}: {error}"))
}

/// Applies the journal that a crash has left, if there is one. The file is locked.
pub(super) fn finish(file: &mut File, place: &Place) -> io::Result<()> {
    match Journal::read(place)? {
        None => Ok(()),
        Some(journal) if journal.is_torn(file)? => journal.apply(file, place),
        // The header was not written yet, or completely, or the journal is another
        // file's, which had this name before.
        Some(_) => remove(place),
    }
}

pub(super) fn remove(place: &Place) -> io::Result<()> {
    match fs::remove_file(&place.journal) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // A journal that comes back after a crash finds the header whole.
        _ => Ok(()),
    }
}

/// Whether who made the journal is the file's owner, the superuser, or who runs this. Others may
/// be allowed to make files beside it, as in /tmp, and not to write it: a journal of theirs would
/// have any header written.
#[cfg(unix)]
fn may_change(journal: &Metadata, file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let me = rustix::process::geteuid().as_raw();
    is_believed(journal.uid(), file.uid(), me)
}

#[cfg(unix)]
pub(super) fn is_believed(maker: u32, owner: u32, me: u32) -> bool {
    [0, owner, me].contains(&maker)
}

/// Elsewhere who may make files in a folder may change those that are there.
#[cfg(not(unix))]
fn may_change(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// It shows no more than the file, but what it shows of removed slots is nobody's matter.
fn owner_only() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(Permissions::from_mode(0o600))
    }
    #[cfg(not(unix))]
    None
}
