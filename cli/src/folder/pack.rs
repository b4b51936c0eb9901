//! Packing a folder, entry by entry, as the bytes are asked for.

use std::collections::HashMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat,
};
use tar::{Builder, EntryType, Header};

use super::descent::{Descent, FOLDER, id};
use super::extents::{PartReader, describe, parts};
use super::pieces::PieceWriter;
use super::time::Mtime;
use super::{entry, mark};
use crate::console::{Console, LeftOut};
use crate::exit::Exit;
use crate::failure::Failure;

/// The bytes of a name that a header has room for.
const NAME_LEN: usize = 100;

/// The most bytes of an entry's names: `unpack` takes 1 MiB with what else describes it.
const MOST_NAMES: usize = 768 << 10;

/// Whether an entry may have a name and a link's target of so many bytes.
fn has_room(name_len: usize, link_len: usize) -> bool {
    name_len + link_len <= MOST_NAMES
}

/// What became of a folder.
pub(crate) struct Packed {
    /// Entries in the archive, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that are not in it, and were named.
    pub(crate) left_out: u64,
}

/// Writes the folder at `root` as an archive, and leaves out the file `own`, which is the
/// one under way. Any entry that cannot be read is a failure of the whole.
pub(crate) fn pack(
    root: &Path,
    own: &[(u64, u64)],
    writer: PieceWriter,
    console: Console<'_>,
) -> Result<Packed, Failure> {
    let mut packer = Packer {
        root,
        own,
        console,
        archive: Builder::new(writer),
        linked: HashMap::new(),
        entries: 0,
        outside: 0,
        left_out: LeftOut::default(),
    };
    let failed = |error| Failure::io(root, &error);
    packer
        .archive
        .get_mut()
        .write_all(&mark())
        .map_err(failed)?;
    let folder = openat(CWD, root, ROOT, Mode::empty()).map_err(|e| failed(e.into()))?;
    let found = fstat(&folder).map_err(|error| failed(error.into()))?;
    packer.folder(Path::new(""), &found)?;
    let names = names(&folder).map_err(failed)?;
    let mut descent = Descent::new();
    descent
        .enter(OsStr::new(""), folder, names)
        .map_err(failed)?;
    while let Some(innermost) = descent.innermost().map_err(failed)? {
        let Some(name) = innermost.more.next() else {
            descent.leave();
            continue;
        };
        let path = innermost.path.join(&name);
        if let Some((folder, names)) = packer.entry(innermost.folder, &name, &path)? {
            descent.enter(&name, folder, names).map_err(failed)?;
        }
    }
    let left_out = packer.left_out.count(console);
    if packer.outside > 0 {
        let (links, lead) = match packer.outside {
            1 => ("1 symbolic link".to_owned(), "leads"),
            n => (format!("{n} symbolic links"), "lead"),
        };
        let option = "`open` makes such links with --outside-links only";
        console.note(&format!(
            "{}: {links} in it {lead} outside; {option}",
            crate::name::shown(root)
        ));
    }
    let entries = packer.entries;
    let writer = packer.archive.into_inner().map_err(failed)?;
    writer.end().map_err(failed)?;
    Ok(Packed { entries, left_out })
}

/// A symbolic link is followed to the folder that was named, and none below it.
const ROOT: OFlags = FOLDER.difference(OFlags::NOFOLLOW);
/// Nor is a named pipe waited for that took the place of a file.
const ENTRY: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// What is in a folder, in the order of the names' bytes, so that an archive does not depend
/// on the disk.
type Names = std::vec::IntoIter<OsString>;

fn names(folder: &OwnedFd) -> io::Result<Names> {
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

struct Packer<'a> {
    root: &'a Path,
    own: &'a [(u64, u64)],
    console: Console<'a>,
    archive: Builder<PieceWriter>,
    /// The first name of each file that has several.
    linked: HashMap<(u64, u64), PathBuf>,
    entries: u64,
    /// Symbolic links that lead outside.
    outside: u64,
    left_out: LeftOut,
}

impl Packer<'_> {
    /// Packs one entry; of a folder, what is in it is still to come.
    fn entry(
        &mut self,
        within: &OwnedFd,
        name: &OsString,
        path: &Path,
    ) -> Result<Option<(OwnedFd, Names)>, Failure> {
        let failed = |error: io::Error| Failure::io(&self.root.join(path), &error);
        let found = statat(within, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|error| failed(error.into()))?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => {
                let folder = openat(within, name, FOLDER, Mode::empty())
                    .map_err(|error| failed(error.into()))?;
                let found = fstat(&folder).map_err(|error| failed(error.into()))?;
                let names = names(&folder).map_err(failed)?;
                self.folder(path, &found)?;
                return Ok(Some((folder, names)));
            }
            FileType::RegularFile => {
                let file = openat(within, name, ENTRY, Mode::empty())
                    .map_err(|error| failed(error.into()))?;
                self.file(path, &File::from(file))?;
            }
            FileType::Symlink => {
                let target =
                    readlinkat(within, name, Vec::new()).map_err(|error| failed(error.into()))?;
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

    fn folder(&mut self, path: &Path, found: &Stat) -> Result<(), Failure> {
        let mut name = path.as_os_str().as_bytes().to_vec();
        if name.is_empty() {
            name.push(b'.');
        }
        name.push(b'/');
        let header = header(EntryType::Directory, found);
        self.append(path, header, found, &name, &[], io::empty())
    }

    fn file(&mut self, path: &Path, file: &File) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::io(&self.root.join(path), &error);
        let found = fstat(file).map_err(|error| failed(error.into()))?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Err(failed(io::Error::other("changed while it was read")));
        }
        let id = id(&found);
        if self.own.contains(&id) {
            self.console.detail(|| {
                format!(
                    "{}: is the result of this run",
                    crate::name::shown_name(path)
                )
            });
            return Ok(());
        }
        let name = path.as_os_str().as_bytes();
        if found.st_nlink > 1 {
            if let Some(first) = self.linked.get(&id) {
                let first = first.as_os_str().as_bytes().to_vec();
                let header = header(EntryType::Link, &found);
                return self.append(path, header, &found, name, &first, io::empty());
            }
            self.linked.insert(id, path.to_path_buf());
        }
        // Neither is negative.
        let (len, allocated) = (found.st_size as u64, found.st_blocks as u64 * 512);
        let parts = parts(file, len, allocated);
        let mut header = header(EntryType::Regular, &found);
        let map = describe(&mut header, &parts, len);
        let data = map.chain(PartReader::new(file, parts));
        self.append(path, header, &found, name, &[], data)
    }

    fn symbolic_link(
        &mut self,
        path: &Path,
        found: &Stat,
        target: &CString,
    ) -> Result<(), Failure> {
        let target = target.as_bytes();
        if entry::leads_outside(path, Path::new(OsStr::from_bytes(target))) {
            self.outside += 1;
        }
        let name = path.as_os_str().as_bytes();
        let header = header(EntryType::Symlink, found);
        self.append(path, header, found, name, target, io::empty())
    }

    /// Writes an entry: what its header has no room for goes ahead of it.
    fn append(
        &mut self,
        path: &Path,
        mut header: Header,
        found: &Stat,
        name: &[u8],
        link: &[u8],
        data: impl Read,
    ) -> Result<(), Failure> {
        if !has_room(name.len(), link.len()) {
            let limit = MOST_NAMES >> 10;
            let message = format!("a path in it is longer than {limit} KiB");
            let root = crate::name::shown(self.root);
            return Err(Failure::new(Exit::Limit, format!("{root}: {message}")));
        }
        self.console
            .detail(|| format!("packing {}", crate::name::shown(&self.root.join(path))));
        let write = || {
            let mtime = Mtime::new(found.st_mtime, found.st_mtime_nsec as i64);
            match mtime.as_plain() {
                Some(seconds) => header.set_mtime(seconds),
                None => {
                    let decimal = mtime.to_decimal();
                    self.archive
                        .append_pax_extensions([("mtime", decimal.as_bytes())])?;
                }
            }
            if name.len() > NAME_LEN {
                self.append_long(EntryType::GNULongName, name)?;
            }
            if link.len() > NAME_LEN {
                self.append_long(EntryType::GNULongLink, link)?;
            }
            let gnu = header.as_gnu_mut().expect("made as such a header");
            fill(&mut gnu.name, name);
            fill(&mut gnu.linkname, link);
            header.set_cksum();
            self.archive.append(&header, data)
        };
        write().map_err(|error: io::Error| match error.kind() {
            // Nobody reads any more: the other side knows why.
            ErrorKind::BrokenPipe => Failure::io(self.root, &error),
            _ => Failure::io(&self.root.join(path), &error),
        })?;
        self.entries += 1;
        Ok(())
    }

    /// An entry that holds the long name of the next one.
    fn append_long(&mut self, kind: EntryType, name: &[u8]) -> io::Result<()> {
        let mut header = Header::new_gnu();
        fill(
            &mut header.as_gnu_mut().expect("made as such a header").name,
            b"././@LongLink",
        );
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(name.len() as u64 + 1);
        header.set_cksum();
        self.archive.append(&header, name.chain(&[0][..]))
    }
}

fn header(kind: EntryType, found: &Stat) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    // A mode has 16 bits on macOS.
    #[allow(clippy::unnecessary_cast)]
    header.set_mode(found.st_mode as u32 & 0o7777);
    header.set_uid(found.st_uid.into());
    header.set_gid(found.st_gid.into());
    header.set_mtime(0);
    header.set_size(0);
    header
}

/// As much of `bytes` as there is room for.
fn fill(field: &mut [u8; NAME_LEN], bytes: &[u8]) {
    let len = bytes.len().min(NAME_LEN);
    field[..len].copy_from_slice(&bytes[..len]);
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
