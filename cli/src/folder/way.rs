//! Folders on the way to what is wanted of an archive, made when something in them is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::entry::{Described, Kind};
use super::restore::Rights;
use super::time::Mtime;

/// What is set of a folder when nothing more comes into it.
pub(super) struct Filled {
    pub(super) rights: Rights,
    pub(super) mtime: Mtime,
}

impl Described {
    pub(super) fn filled(&self) -> Filled {
        Filled {
            rights: self.rights.clone(),
            mtime: self.mtime,
        }
    }
}

/// Folders in each other that were not made yet. Only the innermost path is kept: an archive
/// may have many folders in each other, with long names.
#[derive(Default)]
pub(super) struct OnTheWay {
    /// The innermost.
    path: PathBuf,
    /// From the outermost to the innermost; what they are in was made.
    folders: Vec<Filled>,
}

impl OnTheWay {
    /// Leaves the folders that `parent` is not in.
    pub(super) fn go_up(&mut self, parent: &Path) {
        while self.path != parent && self.folders.pop().is_some() {
            self.path.pop();
        }
    }

    /// Goes down into the folder at `path`.
    pub(super) fn enter(&mut self, path: &Path, folder: Filled) {
        if self.folders.is_empty() {
            self.path = path.to_path_buf();
        } else if let Some(name) = path.file_name() {
            self.path.push(name);
        }
        self.folders.push(folder);
    }

    /// The folders that are to be made, from the outermost on.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Described> + use<> {
        let folders = std::mem::take(&mut self.folders);
        let outer = self.path.ancestors().nth(folders.len());
        let mut path = outer.unwrap_or(Path::new("")).to_path_buf();
        let names = self.path.strip_prefix(&path).unwrap_or(Path::new(""));
        let names: Vec<OsString> = names.iter().map(OsString::from).collect();
        folders.into_iter().zip(names).map(move |(folder, name)| {
            path.push(name);
            Described {
                path: path.clone(),
                kind: Kind::Folder,
                rights: folder.rights,
                mtime: folder.mtime,
                len: 0,
            }
        })
    }
}
