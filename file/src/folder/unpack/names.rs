//! Other names of a file, and names of files that were lost.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, utimensat};
use rustix::io::Errno;

use super::{Unpacker, new_file};
use crate::folder::entries::Entries;
use crate::folder::error::{Error, Why};
use crate::folder::place::tolerant;
use crate::folder::restore::timestamps;
use crate::folder::tar::{Entry, EntryKind, Time};

impl Unpacker<'_> {
    /// Whether something of this name is there, and this run made it under this name. No part of
    /// the way to it is a link.
    fn is_made(&self, path: &Path) -> Option<fs::Metadata> {
        if path.ancestors().any(|path| self.not_made.contains(path)) {
            return None;
        }
        let is_folder = |path: &Path| {
            self.at(path)
                .symlink_metadata()
                .is_ok_and(|found| found.is_dir())
        };
        let found = || self.at(path).symlink_metadata().ok();
        path.ancestors()
            .skip(1)
            .all(is_folder)
            .then(found)
            .flatten()
    }

    /// Makes another name of `first`.
    pub(super) fn hard_link(&mut self, first: &Path, entry: &Entry) -> Result<(), Error> {
        if self.is_made(first).is_some_and(|found| !found.is_dir()) {
            return self.link(first, entry);
        }
        if self.is_seekable && !self.selects(first, false) {
            let names = self.pending.entry(first.to_path_buf()).or_default();
            names.push(entry.clone());
        } else {
            self.name(&entry.path, Why::OtherName(first.to_path_buf()));
        }
        Ok(())
    }

    fn link(&mut self, first: &Path, entry: &Entry) -> Result<(), Error> {
        let [from, to] = [first, &entry.path].map(|path| self.at(path));
        const REFUSALS: [Errno; 6] = [
            Errno::PERM,
            Errno::ACCESS,
            Errno::OPNOTSUPP,
            Errno::NOSYS,
            Errno::MLINK,
            Errno::XDEV,
        ];
        let made = match fs::hard_link(&from, &to) {
            Err(error)
                if REFUSALS
                    .iter()
                    .any(|errno| error.raw_os_error() == Some(errno.raw_os_error())) =>
            {
                self.copy(&from, &to, entry)
            }
            made => made,
        };
        if self.accept(&entry.path, made)?.is_some() {
            self.unpacked.entries += 1;
            let names = self.links.entry(first.to_path_buf()).or_default();
            names.push(entry.path.clone());
        }
        Ok(())
    }

    /// For file systems without hard links.
    fn copy(&mut self, from: &Path, to: &Path, entry: &Entry) -> io::Result<()> {
        if from.symlink_metadata()?.is_symlink() {
            symlink(fs::read_link(from)?, to)?;
            self.restorer.restore_link(to, entry);
            return Ok(());
        }
        let file = new_file(to)?;
        let copied = File::open(from).and_then(|mut from| io::copy(&mut from, &mut &file));
        if let Err(error) = copied {
            fs::remove_file(to)?;
            return Err(error);
        }
        self.restore(&file, entry, 0);
        if self.place.syncs_each {
            tolerant(file.sync_all())
        } else {
            Ok(())
        }
    }

    /// Removes a file that was no copy of what there was, with all its names.
    pub(super) fn take_back(&mut self, entry: &Entry) -> Result<(), Error> {
        let path = &entry.path;
        if let Some(names) = self.pending.remove(path) {
            for other in names {
                self.name(&other.path, Why::Lost);
            }
            return Ok(());
        }
        let Some(found) = self.is_made(path).filter(fs::Metadata::is_file) else {
            return Ok(());
        };
        self.unpacked.len -= found.len().min(self.unpacked.len);
        let mut names = self.links.remove(path).unwrap_or_default();
        names.push(path.clone());
        names.retain(|name| !self.not_made.contains(name));
        for path in names {
            self.within(&path, |_, at| fs::remove_file(at).map_err(Error::path(at)))?;
            self.unpacked.entries -= 1;
            self.name(&path, Why::Lost);
        }
        Ok(())
    }

    /// Changes a folder that may be complete already: its time stays.
    fn within(
        &mut self,
        path: &Path,
        act: impl FnOnce(&mut Self, &Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let around = self.at(path.parent().unwrap_or(Path::new("")));
        let found = around.symlink_metadata().map_err(Error::path(path))?;
        act(self, &self.at(path))?;
        let time = Time {
            seconds: found.mtime(),
            // Below a thousand million.
            nanos: found.mtime_nsec() as u32,
        };
        // One that is refused was counted when the folder was left.
        let _ = utimensat(CWD, &around, &timestamps(time), AtFlags::SYMLINK_NOFOLLOW);
        Ok(())
    }

    /// Makes names of what was not selected itself.
    pub(super) fn second_pass(&mut self, entries: &mut Entries<'_>) -> Result<(), Error> {
        entries.rewind()?;
        while let Some(entry) = entries.next_entry()? {
            if self.pending.is_empty() {
                // The rest was read before.
                break;
            }
            let Some(mut names) = self.pending.remove(&entry.path).map(Vec::into_iter) else {
                continue;
            };
            let is_first = matches!(
                entry.kind,
                EntryKind::File { .. } | EntryKind::SymbolicLink { .. }
            );
            if !is_first {
                // A name of a name, whose content was before it.
                for name in names {
                    self.name(&name.path, Why::OtherName(entry.path.clone()));
                }
                continue;
            }
            let Some(first) = names.next() else { continue };
            let entry = Entry {
                path: first.path,
                ..entry
            };
            self.within(&entry.path, |unpacker, _| unpacker.make(entries, &entry))?;
            for name in names {
                self.within(&name.path, |unpacker, _| {
                    unpacker.hard_link(&entry.path, &name)
                })?;
            }
        }
        Ok(())
    }
}
