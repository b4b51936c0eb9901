//! Files and links, with what they hold.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use super::Unpacker;
use crate::folder::entries::Entries;
use crate::folder::error::{Error, Why};
use crate::folder::restore::PRIVATE;
use crate::folder::tar::{Entry, EntryKind};

/// What one entry came to: the inner error is that of the file system, about its name.
type Tried<T> = Result<io::Result<T>, Error>;

/// Bytes that are written at once, or not at all if they are zeros.
pub(super) const PIECE_LEN: usize = 64 << 10;
static ZEROS: [u8; PIECE_LEN] = [0; PIECE_LEN];

impl Unpacker<'_> {
    pub(super) fn make(&mut self, entries: &mut Entries<'_>, entry: &Entry) -> Result<(), Error> {
        let path = &entry.path;
        self.claim(path)?;
        let made = match &entry.kind {
            EntryKind::File { .. } if entries.is_damaged(entry) => {
                return self.damaged(entries, entry);
            }
            EntryKind::File { len } => {
                let made = self.file(entries, entry, path)?;
                self.unpacked.len += if made.is_ok() { *len } else { 0 };
                made
            }
            EntryKind::SymbolicLink { target } => {
                let made = symlink(target, self.at(path));
                if made.is_ok() {
                    self.restorer.restore_link(&self.at(path), entry);
                }
                made
            }
            EntryKind::HardLink { first } => return self.hard_link(first, entry),
            EntryKind::Folder | EntryKind::Lost => return Ok(()),
        };
        self.unpacked.entries += u64::from(self.accept(path, made)?.is_some());
        Ok(())
    }

    /// Makes a file with its content. One that is not complete is removed.
    fn file(&mut self, entries: &mut Entries<'_>, entry: &Entry, path: &Path) -> Tried<()> {
        let at = self.at(path);
        let file = match new_file(&at) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error)),
        };
        let len = match entry.kind {
            EntryKind::File { len } => len,
            _ => 0,
        };
        let written = self.content(entries, &file, len)?;
        if let Err(error) = written {
            fs::remove_file(&at).map_err(Error::path(path))?;
            return Ok(Err(error));
        }
        self.restore(&file, entry);
        let synced = self.place.sync_each(&file);
        synced.map_err(Error::path(path)).map(Ok)
    }

    /// Writes content of `len` bytes, and leaves holes for zeros. What is lost behind the end of a
    /// damaged archive are zeros as well.
    fn content(&mut self, entries: &mut Entries<'_>, file: &File, len: u64) -> Tried<()> {
        let mut at = 0;
        while at < len {
            let mut filled = 0;
            while filled < PIECE_LEN {
                match entries.content(&mut self.buffer[filled..]) {
                    Ok(0) => break,
                    Ok(read) => filled += read,
                    Err(Error::Malformed { .. }) if self.is_salvage => break,
                    Err(error) => return Err(error),
                }
            }
            let piece = &self.buffer[..filled];
            if *piece != ZEROS[..filled]
                && let Err(error) = file.write_all_at(piece, at)
            {
                return Ok(Err(error));
            }
            if filled < PIECE_LEN {
                break;
            }
            at += filled as u64;
        }
        // Not every file system can do it, and most files are as long already.
        let is_whole = file.metadata().is_ok_and(|found| found.len() == len);
        Ok(if is_whole { Ok(()) } else { file.set_len(len) })
    }

    fn damaged(&mut self, entries: &mut Entries<'_>, entry: &Entry) -> Result<(), Error> {
        self.name(&entry.path, Why::Damaged);
        if self.options.partial {
            let mut name = entry.path.clone().into_os_string();
            name.push(".damaged");
            let path = PathBuf::from(name);
            let made = self.file(entries, entry, &path)?;
            if self.accept(&path, made)?.is_some() {
                self.partials.insert(path);
            }
        }
        Ok(())
    }
}

pub(super) fn new_file(at: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(PRIVATE & 0o666)
        .open(at)
}
