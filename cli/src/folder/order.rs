//! The order of an archive's entries, which says what is twice, and what is in no folder.
//!
//! Whoever lists a folder and whoever unpacks it judge by this, so that they agree.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::entry::{Described, Kind, levels_up, refuse};
use crate::name::shown_name;

#[derive(Default)]
pub(super) struct Order {
    /// The folder whose entries are next.
    path: PathBuf,
    /// The last name in it, and in each that it is in; none before the folder itself.
    last: Vec<Option<OsString>>,
    /// Whether the last name may come again, as its file was taken back.
    may_repeat: bool,
    /// The file that the entry before was.
    file: Option<u64>,
    /// What hard links may lead to. Numbers stand for paths: an archive has many.
    files: HashSet<u64>,
    /// The same of symbolic links, with how many levels up they lead: more than there are where
    /// that is anywhere.
    links: HashMap<u64, usize>,
    numbers: RandomState,
}

impl Order {
    /// Takes the next entry.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] where no folder has it there.
    pub(super) fn take(&mut self, described: &Described) -> io::Result<()> {
        if matches!(described.kind, Kind::Void) {
            let file = self.file.take();
            let file = file.ok_or_else(|| refuse("a mark that takes back no file"))?;
            self.files.remove(&file);
            self.may_repeat = true;
            return Ok(());
        }
        let path = &described.path;
        if path.as_os_str().is_empty() != self.last.is_empty() {
            return Err(refuse("the folder itself at another place than first"));
        }
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => self.take_name(path, parent, name)?,
            _ => self.last.push(None),
        }
        self.keep(described)
    }

    /// Fails if there was no entry.
    pub(super) fn end(&self) -> io::Result<()> {
        match self.last.is_empty() {
            true => Err(refuse("no entry")),
            false => Ok(()),
        }
    }

    /// Takes a name in a folder: it is the one under way, or around that.
    fn take_name(&mut self, path: &Path, parent: &Path, name: &OsStr) -> io::Result<()> {
        let said = |what: &str| refuse(&format!("{} {what}", shown_name(path)));
        while self.path != parent {
            if !self.path.pop() {
                return Err(said("before its folder"));
            }
            self.last.pop();
            self.may_repeat = false;
        }
        let may_repeat = std::mem::replace(&mut self.may_repeat, false);
        let Some(last) = self.last.last_mut() else {
            return Err(said("before its folder"));
        };
        match last.as_deref() {
            Some(last) if last == name && !may_repeat => return Err(said("twice")),
            Some(last) if last > name => return Err(said("after a name that it goes before")),
            _ => {}
        }
        *last = Some(name.to_owned());
        Ok(())
    }

    /// Keeps in mind what comes of an entry for those after it.
    fn keep(&mut self, described: &Described) -> io::Result<()> {
        let path = &described.path;
        let number = self.numbers.hash_one(path);
        self.file = None;
        let levels = path.components().count().saturating_sub(1);
        match &described.kind {
            Kind::Folder if !path.as_os_str().is_empty() => {
                self.path.clone_from(path);
                self.last.push(None);
            }
            Kind::File => {
                self.files.insert(number);
                self.file = Some(number);
            }
            Kind::SymbolicLink(target) => {
                let up = levels_up(target).filter(|up| *up <= levels);
                self.links.insert(number, up.unwrap_or(usize::MAX));
            }
            Kind::HardLink(first) => {
                let first = self.numbers.hash_one(first);
                match self.links.get(&first) {
                    // It says the same, and may lead elsewhere from here.
                    Some(up) if *up <= levels => drop(self.links.insert(number, *up)),
                    None if self.files.contains(&first) => drop(self.files.insert(number)),
                    Some(_) => {
                        let what = "a hard link to a symbolic link that leads outside";
                        return Err(refuse(what));
                    }
                    None => return Err(refuse("a hard link to what is no file before it")),
                }
            }
            _ => {}
        }
        Ok(())
    }
}
