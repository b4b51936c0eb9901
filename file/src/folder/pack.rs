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
use walkdir::WalkDir;

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
    let first = packer.walk()?;
    let is_lost = |named: &&Named| matches!(named.why, Why::Lost);
    let lost = packer.packed.named.iter().filter(is_lost);
    let lost = lost.map(|named| named.path.as_path());
    tar::write_end(packer.out, &first, lost).map_err(Error::Archive)?;
    Ok(packer.packed)
}

/// Why an entry is not packed.
enum Trouble {
    /// It cannot be read. Those after it may be.
    Entry(Why),
    /// Nothing can be packed any more.
    Run(Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Entry(Why::Unreadable(error))
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Run(error)
    }
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
    /// Packs the folder itself, whose header comes back, and all that is in it.
    fn walk(&mut self) -> Result<[u8; BLOCK_LEN], Error> {
        let failed = || Error::path(self.root);
        let folder = open_folder(self.root, OFlags::empty()).map_err(failed())?;
        let found = folder.metadata().map_err(failed())?;
        let first = self.append(Path::new(""), EntryKind::Folder, &found, Some(&folder))?;
        let mut walk = WalkDir::new(self.root)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter();
        while let Some(found) = walk.next() {
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    let path = error.path().unwrap_or(self.root).to_path_buf();
                    let is_root = error.depth() == 0;
                    let error = error
                        .into_io_error()
                        .unwrap_or_else(|| ErrorKind::Other.into());
                    if is_root {
                        return Err(Error::Path { path, error });
                    }
                    self.name(self.below(&path), Why::Unreadable(error));
                    continue;
                }
            };
            let (path, kind) = (self.below(found.path()), found.file_type());
            if !(self.options.select)(&path, kind.is_dir()) {
                if kind.is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            match self.entry(&path, found.path(), kind) {
                Ok(()) => {}
                Err(Trouble::Run(error)) => return Err(error),
                Err(Trouble::Entry(why)) => {
                    if kind.is_dir() {
                        walk.skip_current_dir();
                    }
                    self.name(path, why);
                }
            }
        }
        Ok(first)
    }

    fn below(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root).unwrap_or(path).to_path_buf()
    }

    fn name(&mut self, path: PathBuf, why: Why) {
        self.packed.named.push(Named { path, why });
    }

    /// Packs one entry; of a folder, what is in it is still to come.
    fn entry(&mut self, path: &Path, at: &Path, kind: fs::FileType) -> Result<(), Trouble> {
        if kind.is_dir() {
            let folder = open_folder(at, OFlags::NOFOLLOW)?;
            let found = folder.metadata()?;
            self.append(path, EntryKind::Folder, &found, Some(&folder))?;
        } else if kind.is_symlink() {
            let found = at.symlink_metadata()?;
            let target = fs::read_link(at)?;
            let kind = self.first_name(path, &found);
            self.append(
                path,
                kind.unwrap_or(EntryKind::SymbolicLink { target }),
                &found,
                None,
            )?;
        } else if kind.is_file() {
            self.file(path, &open_file(at)?)?;
        } else {
            return Err(special(kind));
        }
        Ok(())
    }

    /// The link to the first name of what has several, if this is another one.
    fn first_name(&mut self, path: &Path, found: &Metadata) -> Option<EntryKind> {
        if found.nlink() < 2 {
            return None;
        }
        let first = self.linked.entry((found.dev(), found.ino()));
        let first = first.or_insert_with(|| path.to_path_buf()).clone();
        (first != path).then_some(EntryKind::HardLink { first })
    }

    fn file(&mut self, path: &Path, file: &File) -> Result<(), Trouble> {
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(special(found.file_type()));
        }
        let len = found.len();
        if len == 0 && file.read_at(&mut [0], 0)? > 0 && file.metadata()?.len() == 0 {
            // As those of /proc: nobody knows where it ends.
            return Err(io::Error::other("it says that it is empty, and is not").into());
        }
        if let Some(kind) = self.first_name(path, &found) {
            self.append(path, kind, &found, None)?;
            return Ok(());
        }
        self.append(path, EntryKind::File { len }, &found, Some(file))?;
        let is_whole = self.content(file, len).map_err(Error::Archive)?;
        let now = file.metadata();
        let of = |found: &Metadata| (found.len(), found.mtime(), found.mtime_nsec());
        match now {
            Ok(now) if is_whole && of(&now) == of(&found) => {}
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

fn special(kind: fs::FileType) -> Trouble {
    Trouble::Entry(Why::Special(match kind {
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "no file any more",
    }))
}

fn open_folder(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::io::retry_on_intr(|| open(path, flags, Mode::empty()))?.into())
}

/// Opens a file, and waits for nobody who took its place: neither for the other end of a pipe nor
/// for a device. Whoever has a lease on the file gives it back, or loses it after a time that the
/// system knows (45 seconds, if nobody changed it).
fn open_file(path: &Path) -> io::Result<File> {
    const LONGEST: Duration = Duration::from_secs(60);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
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
