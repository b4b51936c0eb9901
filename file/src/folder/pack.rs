//! Packing a folder.
//!
//! An entry that cannot be read is named and left out, and packing goes on. Only a folder that
//! cannot be entered itself is a failure.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use super::attributes::attributes;
use super::error::{Error, Named, Why};
use super::tar::{self, BLOCK_LEN, Entry, EntryKind, Time};

/// What of a folder is packed, and who hears of it.
#[non_exhaustive]
pub struct Pack<'a> {
    /// Whether an entry is packed: its path below the folder, and whether it is a folder. If it is
    /// not, nothing in it is.
    pub select: &'a dyn Fn(&Path, bool) -> bool,
    /// Extended attributes and access lists as well, but no labels of the system's.
    pub attributes: bool,
    /// Hears of each entry before it is packed.
    pub step: &'a dyn Fn(&Path),
}

impl Default for Pack<'_> {
    fn default() -> Self {
        Self {
            select: &|_, _| true,
            attributes: true,
            step: &|_| {},
        }
    }
}

/// What became of a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Packed {
    /// Entries in the archive, the folder itself included, lost files not.
    pub entries: u64,
    /// Entries that are not in it as they are on the disk.
    pub named: Vec<Named>,
}

/// Writes the folder at `folder` as an archive. A symbolic link is followed to the folder that is
/// named, and none below it.
///
/// # Errors
/// [`Error::Path`] for the folder itself, and [`Error::Archive`] if `out` refuses.
pub fn pack(folder: &Path, out: &mut dyn Write, options: &Pack<'_>) -> Result<Packed, Error> {
    let mut packer = Packer {
        root: folder,
        out,
        options,
        linked: HashMap::new(),
        packed: Packed::default(),
        buffer: vec![0; 256 << 10],
    };
    let opened = open_waiting(folder, OFlags::DIRECTORY).map_err(Error::path(folder))?;
    let found = opened.metadata().map_err(Error::path(folder))?;
    let first = packer.append(Path::new(""), EntryKind::Folder, &found, Some(&opened))?;
    packer.walk(Path::new(""))?;
    let is_lost = |named: &&Named| matches!(named.why, Why::Lost);
    let lost = packer.packed.named.iter().filter(is_lost);
    let lost = lost.map(|named| named.path.as_path());
    tar::write_end(packer.out, &first, lost).map_err(Error::Archive)?;
    Ok(packer.packed)
}

struct Packer<'a> {
    root: &'a Path,
    out: &'a mut dyn Write,
    options: &'a Pack<'a>,
    /// The first name of each file that has several.
    linked: HashMap<(u64, u64), PathBuf>,
    packed: Packed,
    buffer: Vec<u8>,
}

impl Packer<'_> {
    /// Packs what is in a folder, in the order of the bytes of its names.
    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let names = fs::read_dir(self.root.join(folder)).and_then(|found| {
            let name = |found: io::Result<fs::DirEntry>| Ok(found?.file_name());
            found.map(name).collect::<io::Result<Vec<_>>>()
        });
        let mut names = names.unwrap_or_else(|error| {
            self.name(folder.to_path_buf(), Why::Unreadable(error));
            Vec::new()
        });
        names.sort();
        for path in names.into_iter().map(|name| folder.join(name)) {
            self.entry(&path)?;
        }
        Ok(())
    }

    fn name(&mut self, path: PathBuf, why: Why) {
        self.packed.named.push(Named { path, why });
    }

    /// Packs one entry, if it is selected; of a folder, all that is in it.
    fn entry(&mut self, path: &Path) -> Result<(), Error> {
        let at = self.root.join(path);
        let found = at.symlink_metadata();
        if !(self.options.select)(path, found.as_ref().is_ok_and(Metadata::is_dir)) {
            return Ok(());
        }
        let (kind, found, file) = match found.map_err(Why::from).and_then(|it| look(&at, it)) {
            Ok(opened) => opened,
            Err(why) => {
                self.name(path.to_path_buf(), why);
                return Ok(());
            }
        };
        if let Some(other) = self.other_name(path, &found) {
            return self.append(path, other, &found, None).map(drop);
        }
        self.append(path, kind.clone(), &found, file.as_ref())?;
        match (kind, file) {
            (EntryKind::File { len }, Some(file)) => self.file(path, &file, len, &found),
            (EntryKind::Folder, folder) => {
                drop(folder);
                self.walk(path)
            }
            _ => Ok(()),
        }
    }

    /// The link to the first name of what has several, if this is another one.
    fn other_name(&mut self, path: &Path, found: &Metadata) -> Option<EntryKind> {
        if found.is_dir() || found.nlink() < 2 {
            return None;
        }
        let first = self.linked.entry((found.dev(), found.ino()));
        let first = first.or_insert_with(|| path.to_path_buf()).clone();
        (first != path).then_some(EntryKind::HardLink { first })
    }

    /// Writes the content of a file, and says if it changed since it was found.
    fn file(&mut self, path: &Path, file: &File, len: u64, found: &Metadata) -> Result<(), Error> {
        let is_whole = self.content(file, len).map_err(Error::Archive)?;
        let of = |found: &Metadata| (found.len(), found.mtime(), found.mtime_nsec());
        match file.metadata() {
            Ok(now) if is_whole && of(&now) == of(found) => {}
            Ok(now) if is_whole && now.len() >= len => self.name(path.to_path_buf(), Why::Changed),
            _ => {
                // Another name of it is tried by itself.
                self.linked.remove(&(found.dev(), found.ino()));
                self.packed.entries -= 1;
                self.name(path.to_path_buf(), Why::Lost);
            }
        }
        Ok(())
    }

    /// Writes the first `len` bytes of a file. Where they cannot be read, writes zeros and gives
    /// `false`.
    fn content(&mut self, file: &File, len: u64) -> io::Result<bool> {
        let mut at = 0;
        while at < len {
            let most = (len - at).min(self.buffer.len() as u64) as usize;
            match file.read_at(&mut self.buffer[..most], at) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(read) => {
                    self.out.write_all(&self.buffer[..read])?;
                    at += read as u64;
                }
            }
        }
        io::copy(&mut io::repeat(0).take(len - at), self.out)?;
        tar::fill(self.out, len)?;
        Ok(at == len)
    }

    /// Writes all of an entry but its content, and gives its header.
    fn append(
        &mut self,
        path: &Path,
        kind: EntryKind,
        found: &Metadata,
        file: Option<&File>,
    ) -> Result<[u8; BLOCK_LEN], Error> {
        (self.options.step)(path);
        let (attributes, lost) = match file.filter(|_| self.options.attributes) {
            Some(file) => attributes(file),
            None => (BTreeMap::new(), 0),
        };
        let entry = Entry {
            path: path.to_path_buf(),
            kind,
            mode: found.mode() & 0o7777,
            uid: found.uid(),
            gid: found.gid(),
            mtime: Time {
                seconds: found.mtime(),
                // Below a thousand million.
                nanos: found.mtime_nsec() as u32,
            },
            attributes,
            span: 0..0,
        };
        let header = tar::write(self.out, &entry).map_err(Error::Archive)?;
        self.packed.entries += 1;
        if lost > 0 {
            self.name(path.to_path_buf(), Why::Attributes(lost));
        }
        Ok(header)
    }
}

/// What is at `at`, opened unless it is a link.
fn look(at: &Path, found: Metadata) -> Result<(EntryKind, Metadata, Option<File>), Why> {
    if found.is_symlink() {
        let target = fs::read_link(at)?;
        return Ok((EntryKind::SymbolicLink { target }, found, None));
    }
    // Opening a device can do something.
    if !found.is_file() && !found.is_dir() {
        return Err(special(found.file_type()));
    }
    let file = open_waiting(at, OFlags::NOFOLLOW)?;
    let found = file.metadata()?;
    let len = found.len();
    let kind = match found.file_type() {
        kind if kind.is_dir() => EntryKind::Folder,
        kind if kind.is_file() => EntryKind::File { len },
        kind => return Err(special(kind)),
    };
    if found.is_file() && len == 0 && file.read_at(&mut [0], 0)? > 0 && file.metadata()?.len() == 0
    {
        // As those of /proc: nobody knows where it ends.
        return Err(io::Error::other("it says that it is empty, and is not").into());
    }
    Ok((kind, found, Some(file)))
}

fn special(kind: fs::FileType) -> Why {
    Why::Special(match kind {
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    })
}

/// Opens a file or folder, and waits for nobody who took its place: neither for the other end of a
/// pipe nor for a device. Whoever has a lease on the file gives it back, or loses it after a time
/// that the system knows (45 seconds, if nobody changed it).
fn open_waiting(path: &Path, flags: OFlags) -> io::Result<File> {
    const LONGEST: Duration = Duration::from_secs(60);
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let begin = Instant::now();
    loop {
        match open(path, flags, Mode::empty()) {
            Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) if begin.elapsed() < LONGEST => {
                std::thread::sleep(Duration::from_millis(20));
            }
            file => return Ok(file?.into()),
        }
    }
}
