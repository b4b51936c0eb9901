//! Packing a folder.
//!
//! An entry that cannot be read is named and left out, and packing goes on. Only a folder that
//! cannot be entered itself is a failure.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use super::error::{Error, Named, Why};
use super::restore::attributes;
use super::tar::{self, Block, Entry, EntryKind, Time};

/// What of a folder is packed, and who hears of it.
#[non_exhaustive]
pub struct Pack<'a> {
    /// Whether an entry is packed: its path below the folder, and what the system says of it, if it
    /// says anything. If a folder is not, nothing in it is.
    pub select: &'a dyn Fn(&Path, Option<&Metadata>) -> bool,
    /// Extended attributes and access lists as well, but no labels of the system's.
    pub attributes: bool,
    /// [`Writer::archive_mark`](crate::Writer::archive_mark), by which salvage knows headers. Of an
    /// archive that is not sealed, zeros will do.
    pub mark: [u8; 8],
    /// Hears of each entry before it is packed.
    pub step: &'a dyn Fn(&Path),
}

impl Default for Pack<'_> {
    fn default() -> Self {
        Self { select: &|_, _| true, attributes: true, mark: [0; 8], step: &|_| {} }
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
    // No stack is large enough for a call for each folder in another.
    let mut pending = packer.within(Path::new(""));
    while let Some(path) = pending.pop() {
        if packer.entry(&path)? {
            pending.extend(packer.within(&path));
        }
    }
    let named = packer.packed.named.iter();
    let lost = named.filter(|named| matches!(named.why, Why::Lost));
    tar::write_end(packer.out, &first, lost.map(|named| named.path.as_path()))?;
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
    /// What is in a folder, in the order of the bytes of its names, the first one last.
    fn within(&mut self, folder: &Path) -> Vec<PathBuf> {
        let found: io::Result<Vec<_>> = fs::read_dir(self.root.join(folder))
            .and_then(|found| found.map(|entry| Ok(folder.join(entry?.file_name()))).collect());
        let mut paths = found.unwrap_or_else(|error| {
            self.name(folder, Why::Unreadable(error));
            Vec::new()
        });
        paths.sort_unstable_by(|path, other| other.cmp(path));
        paths
    }

    fn name(&mut self, path: &Path, why: Why) {
        let path = path.to_path_buf();
        self.packed.named.push(Named { path, why });
    }

    /// Packs one entry, if it is selected, and says whether it is a folder.
    fn entry(&mut self, path: &Path) -> Result<bool, Error> {
        let at = self.root.join(path);
        let found = at.symlink_metadata();
        if !(self.options.select)(path, found.as_ref().ok()) {
            return Ok(false);
        }
        let (kind, found, file) = match found.map_err(Why::from).and_then(|it| look(&at, it)) {
            Ok(opened) => opened,
            Err(why) => {
                self.name(path, why);
                return Ok(false);
            }
        };
        if !found.is_dir() && found.nlink() > 1 {
            let first = self.linked.entry((found.dev(), found.ino()));
            let first = first.or_insert_with(|| path.to_path_buf()).clone();
            if first != path {
                let other = EntryKind::HardLink { first };
                return self.append(path, other, &found, None).map(|_| false);
            }
        }
        self.append(path, kind, &found, file.as_ref())?;
        if let Some(file) = file.filter(|_| found.is_file()) {
            self.content(path, &file, &found)?;
        }
        Ok(found.is_dir())
    }

    /// Writes as much of a file as it had when it was found, and says if it changed since. Where it
    /// cannot be read, writes zeros: it is lost.
    fn content(&mut self, path: &Path, file: &File, found: &Metadata) -> Result<(), Error> {
        let (mut at, len) = (0, found.len());
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
        let of = |found: &Metadata| (found.len(), found.mtime(), found.mtime_nsec());
        match file.metadata() {
            Ok(now) if at == len && of(&now) == of(found) => {}
            Ok(now) if at == len && now.len() >= len => self.name(path, Why::Changed),
            _ => {
                // Another name of it is tried by itself.
                self.linked.remove(&(found.dev(), found.ino()));
                self.packed.entries -= 1;
                self.name(path, Why::Lost);
            }
        }
        Ok(())
    }

    /// Writes all of an entry but its content, and gives its header.
    fn append(
        &mut self,
        path: &Path,
        kind: EntryKind,
        found: &Metadata,
        file: Option<&File>,
    ) -> Result<Block, Error> {
        (self.options.step)(path);
        let file = file.filter(|_| self.options.attributes);
        let (attributes, lost) = file.map_or((BTreeMap::new(), 0), attributes);
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
            mark: self.options.mark,
            ..Entry::default()
        };
        let header = tar::write(self.out, &entry)?;
        self.packed.entries += 1;
        if lost > 0 {
            self.name(path, Why::Attributes(lost));
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
    kind(found.file_type(), 0)?;
    let file = open_waiting(at, OFlags::NOFOLLOW)?;
    let found = file.metadata()?;
    Ok((kind(found.file_type(), found.len())?, found, Some(file)))
}

/// What an entry of that type is, if it can be packed.
fn kind(found: FileType, len: u64) -> Result<EntryKind, Why> {
    match found {
        found if found.is_dir() => Ok(EntryKind::Folder),
        found if found.is_file() => Ok(EntryKind::File { len }),
        found if found.is_fifo() => Err(Why::Special("a named pipe")),
        found if found.is_socket() => Err(Why::Special("a socket")),
        _ => Err(Why::Special("a device")),
    }
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
            Err(Errno::WOULDBLOCK) if begin.elapsed() < LONGEST => sleep(Duration::from_millis(20)),
            file => return Ok(file?.into()),
        }
    }
}
