//! Files and links, with what they hold, and their other names.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use super::Unpacker;
use crate::folder::entries::Entries;
use crate::folder::error::{Error, Why};
use crate::folder::restore::PRIVATE;
use crate::folder::tar::{Entry, EntryKind};

/// What one entry came to: the inner error is that of the file system, about its name.
type Tried = Result<io::Result<()>, Error>;

/// Bytes that are written at once, or not at all if they are zeros.
pub(super) const PIECE_LEN: usize = 64 << 10;
static ZEROS: [u8; PIECE_LEN] = [0; PIECE_LEN];

impl Unpacker<'_> {
    pub(super) fn make(&mut self, entries: &mut Entries<'_>, entry: &Entry) -> Result<(), Error> {
        match &entry.kind {
            EntryKind::HardLink { first } => self.hard_link(entries, first, entry),
            _ if !entries.is_damaged(entry) => self.give(entries, entry),
            _ => {
                self.name(&entry.path, Why::Damaged);
                if self.options.partial {
                    // When all that is whole has its name.
                    let mut name = entry.path.clone().into_os_string();
                    name.push(".damaged");
                    let mut partial = entry.clone();
                    partial.path = PathBuf::from(name);
                    self.pending.insert(entry.path.clone(), vec![partial]);
                }
                Ok(())
            }
        }
    }

    /// Makes a file or symbolic link of what `entries` is at.
    fn give(&mut self, entries: &mut Entries<'_>, entry: &Entry) -> Result<(), Error> {
        let (made, len) = match &entry.kind {
            EntryKind::File { len } => (self.file(entries, &entry.path, *len)?, *len),
            EntryKind::SymbolicLink { target } => (symlink(target, self.at(&entry.path)), 0),
            _ => return Ok(()),
        };
        if self.accept(&entry.path, made)? {
            self.made.insert(&entry.path, true);
            self.restore(entry);
            if !entries.is_damaged(entry) {
                self.unpacked.entries += 1;
                self.unpacked.len += len;
            }
        }
        Ok(())
    }

    /// Makes a file with its content. One that is not complete is removed.
    fn file(&mut self, entries: &mut Entries<'_>, path: &Path, len: u64) -> Tried {
        let at = self.at(path);
        let file = match new_file(&at) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error)),
        };
        let written = self.content(entries, &file, len)?;
        if written.is_err() {
            fs::remove_file(&at).map_err(Error::path(path))?;
        }
        Ok(written)
    }

    /// Writes content of `len` bytes, and leaves holes for zeros. What is lost behind the end of a
    /// damaged archive are zeros as well.
    fn content(&mut self, entries: &mut Entries<'_>, file: &File, len: u64) -> Tried {
        let mut at = 0;
        while at < len {
            let mut filled = 0;
            while filled < PIECE_LEN {
                match entries
                    .read(&mut self.buffer[filled..])
                    .map_err(Error::from)
                {
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

    /// Makes another name of `first`.
    fn hard_link(
        &mut self,
        entries: &Entries<'_>,
        first: &Path,
        entry: &Entry,
    ) -> Result<(), Error> {
        if self.made.contains(first, true) {
            let [from, to] = [first, &entry.path].map(|path| self.at(path));
            // File systems without hard links say so in many ways.
            let linked = fs::hard_link(&from, &to);
            let is_link = linked.is_ok();
            if self.accept(&entry.path, linked.or_else(|_| copy(&from, &to)))? {
                if !is_link {
                    self.restore(entry);
                }
                self.made.insert(&entry.path, true);
                self.unpacked.entries += 1;
                let names = self.links.entry(first.to_path_buf()).or_default();
                names.push(entry.path.clone());
            }
        } else if entries.is_seekable() && !self.selects(first, false) {
            let names = self.pending.entry(first.to_path_buf()).or_default();
            names.push(entry.clone());
        } else {
            self.name(&entry.path, Why::OtherName(first.to_path_buf()));
        }
        Ok(())
    }

    /// Removes a file that was no copy of what there was, with all its names.
    pub(super) fn take_back(&mut self, path: &Path) -> Result<(), Error> {
        for other in self.pending.remove(path).unwrap_or_default() {
            self.name(&other.path, Why::Lost);
        }
        let mut names = self.links.remove(path).unwrap_or_default();
        names.push(path.to_path_buf());
        for (index, path) in names.iter().rev().enumerate() {
            if self.made.remove(path, true) {
                let at = self.at(path);
                let found = at.symlink_metadata().map_err(Error::path(path))?;
                fs::remove_file(at).map_err(Error::path(path))?;
                if index == 0 && found.is_file() {
                    self.unpacked.len = self.unpacked.len.saturating_sub(found.len());
                }
                self.unpacked.entries -= 1;
                self.name(path, Why::Lost);
            }
        }
        Ok(())
    }

    /// Makes what gets the content of another entry.
    pub(super) fn second_pass(&mut self, entries: &mut Entries<'_>) -> Result<(), Error> {
        if !self.pending.is_empty() {
            entries.rewind()?;
        }
        // The rest was read before.
        while !self.pending.is_empty()
            && let Some(found) = entries.next_entry()?
        {
            let names = self.pending.remove(&found.path).unwrap_or_default();
            let mut first: Option<PathBuf> = None;
            for mut entry in names {
                if matches!(found.kind, EntryKind::HardLink { .. }) {
                    // A name of a name, whose content was before it.
                    self.name(&entry.path, Why::OtherName(found.path.clone()));
                } else if let Some(first) = &first {
                    self.hard_link(entries, first, &entry)?;
                } else {
                    entry = Entry {
                        path: entry.path,
                        ..found.clone()
                    };
                    self.give(entries, &entry)?;
                    first = Some(entry.path);
                }
            }
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.symlink_metadata()?.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    let file = new_file(to)?;
    let copied = File::open(from).and_then(|mut from| io::copy(&mut from, &mut &file));
    copied.map(drop).or_else(|error| {
        fs::remove_file(to)?;
        Err(error)
    })
}

fn new_file(at: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(PRIVATE & 0o666)
        .open(at)
}
