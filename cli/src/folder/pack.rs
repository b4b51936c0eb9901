//! Packing a folder, entry by entry, as the bytes are asked for.
//!
//! An entry that cannot be read, or is another one meanwhile, is named and left out, and
//! packing goes on. Only a folder that cannot be entered itself is a failure.

use std::collections::HashMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use std::os::unix::fs::FileExt;

use rustix::fs::{AtFlags, CWD, Dir, FileType, OFlags, Stat, fstat, readlinkat, statat};
use rustix::io::Errno;
use tar::{EntryType, Header};

use super::archive::{ArchiveWriter, Names, header};
use super::attributes::records;
use super::descent::{Descent, FOLDER, id, open_entry};
use super::entry;
use super::extents::{PartReader, describe, parts};
use super::patterns::Patterns;
use super::pieces::PieceWriter;
use crate::console::{Console, LeftOut};
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::{shown, shown_name};

/// The most bytes of an entry's names: `unpack` takes 2 MiB with what else describes it.
const MOST_NAMES: usize = 768 << 10;

/// How often a file is read that somebody writes to meanwhile.
const MOST_READS: usize = 2;

/// Whether an entry may have a name and a link's target of so many bytes.
fn has_room(name_len: usize, link_len: usize) -> bool {
    name_len + link_len <= MOST_NAMES
}

/// What of a folder is packed.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    /// What these fit is not.
    pub(crate) excluded: &'a Patterns,
    /// Extended attributes and access control lists.
    pub(crate) attributes: bool,
}

/// What became of a folder.
pub(crate) struct Packed {
    /// Entries in the archive, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that are not in it, and were named.
    pub(crate) left_out: u64,
    /// Whether attributes of some entries are not in it. These were named.
    pub(crate) has_lost: bool,
}

/// Writes the folder at `root` as an archive. Leaves out the files `own`, which are the one
/// under way and the one that it replaces.
pub(crate) fn pack(
    root: &Path,
    own: &[(u64, u64)],
    selection: Selection<'_>,
    writer: PieceWriter,
    console: Console<'_>,
) -> Result<Packed, Failure> {
    let failed = |error| Failure::io(root, &error);
    let mut packer = Packer {
        root,
        own,
        selection,
        console,
        archive: ArchiveWriter::new(writer).map_err(failed)?,
        linked: HashMap::new(),
        entries: 0,
        outside: 0,
        has_lost: false,
        left_out: LeftOut::all(),
    };
    packer.walk()?;
    let left_out = packer.left_out.count(console, root);
    packer.note_outside();
    let (entries, has_lost) = (packer.entries, packer.has_lost);
    packer.archive.end().map_err(failed)?;
    Ok(Packed {
        entries,
        left_out,
        has_lost,
    })
}

/// A symbolic link is followed to the folder that was named, and none below it.
pub(super) const ROOT: OFlags = FOLDER.difference(OFlags::NOFOLLOW);
/// Nor is a named pipe waited for that took the place of a file.
const ENTRY: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// What is in a folder, in the order of the names' bytes, so that an archive does not depend
/// on the disk.
pub(super) type Children = std::vec::IntoIter<OsString>;

pub(super) fn children(folder: &OwnedFd) -> io::Result<Children> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name));
        }
    }
    names.sort();
    Ok(names.into_iter())
}

/// Why an entry is not packed.
enum Trouble {
    /// It cannot be read. Those after it may be.
    Entry(io::Error),
    /// Nothing can be packed any more.
    Run(Failure),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Entry(error)
    }
}

impl From<Errno> for Trouble {
    fn from(error: Errno) -> Self {
        Self::Entry(error.into())
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Run(failure)
    }
}

struct Packer<'a> {
    root: &'a Path,
    own: &'a [(u64, u64)],
    selection: Selection<'a>,
    console: Console<'a>,
    archive: ArchiveWriter,
    /// The first name of each file that has several.
    linked: HashMap<(u64, u64), PathBuf>,
    entries: u64,
    /// Symbolic links that lead outside.
    outside: u64,
    /// Attributes that could not be read.
    has_lost: bool,
    left_out: LeftOut,
}

impl Packer<'_> {
    /// Packs the folder itself, and all that is in it.
    fn walk(&mut self) -> Result<(), Failure> {
        let root = self.root;
        let failed = |error| Failure::io(root, &error);
        let folder = open_entry(CWD, root.as_os_str(), ROOT).map_err(failed)?;
        let names = children(&folder).map_err(failed)?;
        self.folder(Path::new(""), &folder)
            .map_err(|trouble| match trouble {
                Trouble::Entry(error) => failed(error),
                Trouble::Run(failure) => failure,
            })?;
        let mut descent = Descent::new();
        descent
            .enter(OsStr::new(""), folder, names)
            .map_err(failed)?;
        loop {
            if let Err(error) = descent.innermost() {
                // The folder is another one by now: what is left of it cannot be read.
                self.leave_out(descent.path(), &reason(&error));
                descent.leave();
                continue;
            }
            let Some(innermost) = descent.innermost().map_err(failed)? else {
                return Ok(());
            };
            let Some(name) = innermost.more.next() else {
                descent.leave();
                continue;
            };
            let path = innermost.path.join(&name);
            match self.entry(innermost.folder, &name, &path) {
                Ok(Some((folder, names))) => {
                    descent.enter(&name, folder, names).map_err(failed)?;
                }
                Ok(None) => {}
                Err(Trouble::Entry(error)) => self.leave_out(&path, &reason(&error)),
                Err(Trouble::Run(failure)) => return Err(failure),
            }
        }
    }

    /// Packs one entry; of a folder, what is in it is still to come.
    fn entry(
        &mut self,
        within: &OwnedFd,
        name: &OsString,
        path: &Path,
    ) -> Result<Option<(OwnedFd, Children)>, Trouble> {
        let found = statat(within, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(found.st_mode);
        if self
            .selection
            .excluded
            .fits(path, kind == FileType::Directory)
        {
            self.console
                .detail(|| format!("{}: is excluded", shown(&self.root.join(path))));
            return Ok(None);
        }
        match kind {
            FileType::Directory => {
                let folder = open_entry(within, name, FOLDER)?;
                let names = children(&folder)?;
                self.folder(path, &folder)?;
                return Ok(Some((folder, names)));
            }
            FileType::RegularFile => {
                let file = open_entry(within, name, ENTRY)?;
                self.file(path, &File::from(file))?;
            }
            FileType::Symlink => {
                let target = readlinkat(within, name, Vec::new())?;
                self.symbolic_link(path, &found, &target)?;
            }
            FileType::Fifo => self.leave_out(path, "is a named pipe"),
            FileType::Socket => self.leave_out(path, "is a socket"),
            _ => self.leave_out(path, "is a device"),
        }
        Ok(None)
    }

    fn leave_out(&mut self, path: &Path, why: &str) {
        self.left_out.add(self.console, &self.root.join(path), why);
    }

    fn folder(&mut self, path: &Path, folder: &OwnedFd) -> Result<(), Trouble> {
        let found = fstat(folder)?;
        let mut name = path.as_os_str().as_bytes().to_vec();
        if name.is_empty() {
            name.push(b'.');
        }
        name.push(b'/');
        let header = header(EntryType::Directory, &found);
        let names = Names {
            name: &name,
            link: &[],
        };
        let records = self.records(path, folder);
        self.append(path, header, &found, names, records, io::empty())
    }

    /// The attributes of a file or folder.
    fn records(&mut self, path: &Path, file: impl AsFd) -> Vec<(String, Vec<u8>)> {
        if !self.selection.attributes {
            return Vec::new();
        }
        let (records, lost) = records(file);
        if lost > 0 {
            self.has_lost = true;
            let what = "attributes that could not be read are not kept";
            let path = shown(&self.root.join(path));
            self.console.note(&format!("{path}: {what}"));
        }
        records
    }

    /// Packs a file, or another name of one. One that changes while it is read is taken
    /// back and read again.
    fn file(&mut self, path: &Path, file: &File) -> Result<(), Trouble> {
        let changed = || io::Error::other("changed while it was read");
        for reads in 1..=MOST_READS {
            let found = fstat(file)?;
            if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
                return Err(changed().into());
            }
            if found.st_size == 0 && file.read_at(&mut [0], 0)? > 0 {
                // As those of /proc: nobody knows where it ends.
                return Err(io::Error::other("says that it is empty, and is not").into());
            }
            let id = id(&found);
            if self.own.contains(&id) {
                self.console
                    .detail(|| format!("{}: is the result of this run", shown_name(path)));
                return Ok(());
            }
            let name = path.as_os_str().as_bytes();
            if found.st_nlink > 1
                && let Some(first) = self.linked.get(&id)
            {
                let link = &first.as_os_str().as_bytes().to_vec();
                let header = header(EntryType::Link, &found);
                let names = Names { name, link };
                return self.append(path, header, &found, names, Vec::new(), io::empty());
            }
            let failure = self.content(path, file, &found)?;
            let now = fstat(file)?;
            if failure.is_none() && same_content(&found, &now, reads == MOST_READS) {
                if found.st_nlink > 1 {
                    self.linked.insert(id, path.to_path_buf());
                }
                return Ok(());
            }
            self.archive
                .void()
                .map_err(|error| self.not_written(&error))?;
            self.entries -= 1;
            if let Some(error) = failure {
                return Err(error.into());
            }
        }
        Err(changed().into())
    }

    /// Packs a file as it is found. Gives the error that made zeros of some of it.
    fn content(
        &mut self,
        path: &Path,
        file: &File,
        found: &Stat,
    ) -> Result<Option<io::Error>, Trouble> {
        // Neither is negative.
        let (len, allocated) = (found.st_size as u64, found.st_blocks as u64 * 512);
        let parts = parts(file, len, allocated);
        let mut header = header(EntryType::Regular, found);
        let map = describe(&mut header, &parts, len);
        let mut data = PartReader::new(file, parts);
        let names = Names {
            name: path.as_os_str().as_bytes(),
            link: &[],
        };
        let records = self.records(path, file);
        self.append(path, header, found, names, records, map.chain(&mut data))?;
        Ok(data.into_failure())
    }

    fn symbolic_link(
        &mut self,
        path: &Path,
        found: &Stat,
        target: &CString,
    ) -> Result<(), Trouble> {
        let name = path.as_os_str().as_bytes();
        let (mut kind, mut link) = (EntryType::Symlink, target.as_bytes());
        let first;
        if entry::leads_outside(path, Path::new(OsStr::from_bytes(link))) {
            // Perhaps it is not unpacked, and then another name of it could not be.
            self.outside += 1;
        } else if found.st_nlink > 1 {
            match self.linked.get(&id(found)) {
                Some(path) => {
                    first = path.as_os_str().as_bytes().to_vec();
                    (kind, link) = (EntryType::Link, &first);
                }
                None => drop(self.linked.insert(id(found), path.to_path_buf())),
            }
        }
        let (header, names) = (header(kind, found), Names { name, link });
        self.append(path, header, found, names, Vec::new(), io::empty())
    }

    fn note_outside(&self) {
        let (links, lead) = match self.outside {
            0 => return,
            1 => ("1 symbolic link".to_owned(), "leads"),
            n => (format!("{n} symbolic links"), "lead"),
        };
        let option = "`open` makes such links with --outside-links only";
        self.console.note(&format!(
            "{}: {links} in it {lead} outside; {option}",
            shown(self.root)
        ));
    }

    /// Writes an entry.
    fn append(
        &mut self,
        path: &Path,
        header: Header,
        found: &Stat,
        names: Names<'_>,
        records: Vec<(String, Vec<u8>)>,
        data: impl Read,
    ) -> Result<(), Trouble> {
        if !has_room(names.name.len(), names.link.len()) {
            let limit = MOST_NAMES >> 10;
            let message = format!("a path in it is longer than {limit} KiB");
            let message = format!("{}: {message}", shown(self.root));
            return Err(Failure::new(Exit::Limit, message).into());
        }
        self.console
            .detail(|| format!("packing {}", shown(&self.root.join(path))));
        self.archive
            .append(header, found, names, records, data)
            .map_err(|error| self.not_written(&error))?;
        self.entries += 1;
        Ok(())
    }

    /// Nobody reads any more: the other side knows why.
    fn not_written(&self, error: &io::Error) -> Failure {
        Failure::io(self.root, error)
    }
}

/// Whether nobody wrote to a file between the two looks at it. Whoever does can put its other times
/// back, and not that of its status; names that come and go change that alone, again and again: so
/// the last reading counts without it.
fn same_content(before: &Stat, now: &Stat, is_last: bool) -> bool {
    let of = |found: &Stat| (found.st_size, found.st_mtime, found.st_mtime_nsec);
    let status = |found: &Stat| (found.st_ctime, found.st_ctime_nsec);
    of(before) == of(now) && (is_last || status(before) == status(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_limit_together() {
        assert!(has_room(MOST_NAMES, 0) && has_room(MOST_NAMES - 9, 9));
        assert!(!has_room(MOST_NAMES + 1, 0) && !has_room(MOST_NAMES - 9, 10));
        assert!(!has_room(2 * MOST_NAMES, 0));
    }
}
