//! What only the entries before say of an entry: its order, and whether what it names is there.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use super::{Entries, Judged};
use crate::folder::tar::{self, Entry, EntryKind};

/// The names of files and of symbolic links, as hashes under a key of this run: another entry can
/// have the hash of one by accident alone.
#[derive(Default)]
pub(in crate::folder) struct Names(RandomState, HashSet<u64>);

impl Names {
    pub(in crate::folder) fn insert(&mut self, name: &Path, is_file: bool) {
        self.1.insert(self.0.hash_one((name, is_file)));
    }

    pub(in crate::folder) fn contains(&self, name: &Path, is_file: bool) -> bool {
        self.1.contains(&self.0.hash_one((name, is_file)))
    }

    pub(in crate::folder) fn remove(&mut self, name: &Path, is_file: bool) -> bool {
        self.1.remove(&self.0.hash_one((name, is_file)))
    }
}

impl Entries<'_> {
    /// Moves on to `path`, if it may come next.
    pub(super) fn advance(&mut self, path: &Path, is_folder: bool) -> Judged<()> {
        let state = &mut self.state;
        if state.is_in_list {
            return Err("an entry after the lost files");
        }
        let Some(parent) = path.parent() else {
            let is_first = !state.has_begun;
            state.has_begun = true;
            return is_first
                .then_some(())
                .ok_or("the folder itself at another place than first");
        };
        if !state.has_begun {
            return Err("another entry than the folder itself first");
        }
        if *path <= *state.last {
            return Err("a name that is not in order");
        }
        if !state.folder.starts_with(parent) && !state.is_loose {
            return Err("an entry that is not in the folder before it");
        }
        state.is_loose = false;
        state.folder = if is_folder { path } else { parent }.to_path_buf();
        state.last = path.to_path_buf();
        Ok(())
    }

    /// Keeps the name of a file or link in mind. Another name must be one of these. Where parts of
    /// the archive are lost, nobody knows.
    pub(super) fn note_name(&mut self, path: &Path, kind: &EntryKind) -> Judged<()> {
        let is_file = match kind {
            _ if !self.holes.is_empty() => return Ok(()),
            EntryKind::File { .. } => true,
            EntryKind::SymbolicLink { .. } => false,
            EntryKind::HardLink { first } if self.names.contains(first, true) => true,
            EntryKind::HardLink { first } if self.names.contains(first, false) => false,
            EntryKind::HardLink { .. } => {
                return Err("another name of what is no file or symbolic link");
            }
            EntryKind::Folder | EntryKind::Lost => return Ok(()),
        };
        self.names.insert(path, is_file);
        Ok(())
    }

    pub(super) fn lost(&mut self, name: Vec<u8>) -> Judged<Entry> {
        let path = tar::path_of(name)?;
        if self.holes.is_empty() && !self.names.contains(&path, true) {
            return Err("a lost file that is none of its files");
        }
        Ok(Entry {
            path,
            kind: EntryKind::Lost,
            span: self.state.at..self.state.at,
            ..Entry::default()
        })
    }
}
