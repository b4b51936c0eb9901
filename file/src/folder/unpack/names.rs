//! Other names of a file, and names of files that were lost.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::Unpacker;
use super::files::new_file;
use crate::folder::entries::Entries;
use crate::folder::error::{Error, Why};
use crate::folder::tar::{Entry, EntryKind};

impl Unpacker<'_> {
    /// What is there of this name, if this run made it under this name. No part of the way to it
    /// is a link.
    fn is_made(&self, path: &Path) -> Option<fs::Metadata> {
        let found = |path: &Path| {
            let is_left_out = self.not_made.contains(path);
            let found = (!is_left_out).then(|| self.at(path).symlink_metadata());
            found?.ok()
        };
        let is_folder = |path| found(path).is_some_and(|found| found.is_dir());
        let found = found(path)?;
        path.ancestors().skip(1).all(is_folder).then_some(found)
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
        // File systems without hard links say so in many ways.
        let made = fs::hard_link(&from, &to).or_else(|_| self.copy(&from, &to, entry));
        if self.accept(&entry.path, made)?.is_some() {
            self.unpacked.entries += 1;
            let names = self.links.entry(first.to_path_buf()).or_default();
            names.push(entry.path.clone());
        }
        Ok(())
    }

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
        self.restore(&file, entry);
        self.place.sync_each(&file)
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
            fs::remove_file(self.at(&path)).map_err(Error::path(&path))?;
            self.unpacked.entries -= 1;
            self.name(&path, Why::Lost);
        }
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
            self.make(entries, &entry)?;
            for name in names {
                self.hard_link(&entry.path, &name)?;
            }
        }
        Ok(())
    }
}
