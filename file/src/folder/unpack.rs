//! Unpacking a folder, entry by entry, into a place that nobody else can enter.
//!
//! Why nothing leaves that place: every entry is in a folder that this run has made, under a name
//! that was free, and nobody else can put anything there. So no path passes through a symbolic
//! link, whatever the archive says, and a link may lead wherever it does.

mod files;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::entries::{Entries, Names, ReadSeek};
use super::error::{Error, Named, Why};
use super::place::{Naming, Place};
use super::restore::{NotRestored, PRIVATE, Restorer};
use super::tar::{Entry, EntryKind, Time};

/// What of an archive is unpacked, and who hears of it.
#[non_exhaustive]
pub struct Unpack<'a> {
    /// Whether an entry is unpacked: its path below the folder, and whether it is a folder. The
    /// folders that it is in are, too.
    pub select: &'a dyn Fn(&Path, bool) -> bool,
    /// Extended attributes and access lists as well, but no labels of the system's.
    pub attributes: bool,
    /// Damaged files as well, with zeros for what is lost: `NAME.damaged`.
    pub partial: bool,
    /// Runs what makes the folder under a temporary name and gives that, and what gives the folder
    /// its own name. A caller that removes unfinished folders when it is interrupted holds its lock
    /// meanwhile, and notes the temporary name, or forgets it.
    pub hold: &'a dyn Fn(Naming<'_>) -> io::Result<()>,
}

impl Default for Unpack<'_> {
    fn default() -> Self {
        Self {
            select: &|_, _| true,
            attributes: true,
            partial: false,
            hold: &|naming| naming().map(drop),
        }
    }
}

/// What became of an archive.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Unpacked {
    /// Entries that were made, the folder itself included, damaged files not.
    pub entries: u64,
    /// Bytes of their content.
    pub len: u64,
    /// Entries that were not made.
    pub named: Vec<Named>,
    /// What they have not of what the archive says.
    pub not_restored: NotRestored,
}

/// Unpacks an archive into the folder `into`, which must not be there. It has its name when all of
/// the archive was read; on failure there is nothing. An entry that the file system refuses is
/// named and left out.
///
/// If only some entries are selected, and `archive` is seekable, then another name of an entry that
/// is not selected comes with its content: the archive is read a second time.
///
/// # Errors
/// Those of [`Entries::next_entry`], and [`Error::Path`] if the target is there or a file cannot be
/// written.
pub fn unpack(archive: Entries<'_>, into: &Path, options: &Unpack<'_>) -> Result<Unpacked, Error> {
    Unpacker::new(into, options, false)?.run(archive)
}

/// Unpacks what is whole of an archive, of which the parts `lost` are not there: ranges of bytes.
/// In their place `archive` has zeros, as both other salvages write them. Every entry of which no
/// part is lost comes back. Others are named, if they are known. What is malformed is passed over.
///
/// An entry whose records of attributes and times are lost, and nothing else, comes back without
/// them.
///
/// # Errors
/// As [`unpack`], but never [`Error::Malformed`].
pub fn salvage(
    archive: &mut dyn ReadSeek,
    lost: &[Range<u64>],
    into: &Path,
    options: &Unpack<'_>,
) -> Result<Unpacked, Error> {
    Unpacker::new(into, options, true)?.run(Entries::with_holes(archive, lost)?)
}

/// A folder that the next entry may be in.
struct Level {
    path: PathBuf,
    /// Its description, if it is not lost.
    entry: Option<Entry>,
    /// `None` until something in it is selected; `false` if it is refused.
    is_made: Option<bool>,
}

impl Level {
    fn new(path: &Path, entry: Option<Entry>) -> Self {
        Self {
            path: path.to_path_buf(),
            entry,
            is_made: None,
        }
    }
}

struct Unpacker<'a> {
    place: Place,
    options: &'a Unpack<'a>,
    is_salvage: bool,
    levels: Vec<Level>,
    restorer: Restorer,
    unpacked: Unpacked,
    /// Files and links that are there under their own names: a file system may take the name of
    /// one for another's.
    made: Names,
    /// Other names of what has several.
    links: HashMap<PathBuf, Vec<PathBuf>>,
    /// Entries that get the content of another one, by its name, when the archive is read again.
    pending: HashMap<PathBuf, Vec<Entry>>,
    /// Complete folders, those within others first, and what they get at the end: with some modes
    /// their content could not be removed, and times change when names are added.
    folders: Vec<(PathBuf, u32, Time)>,
    buffer: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    fn new(into: &Path, options: &'a Unpack<'a>, is_salvage: bool) -> Result<Self, Error> {
        Ok(Self {
            place: Place::new(into, options.hold)?,
            options,
            is_salvage,
            levels: Vec::new(),
            restorer: Restorer::new(options.attributes),
            unpacked: Unpacked::default(),
            made: Names::default(),
            links: HashMap::new(),
            pending: HashMap::new(),
            folders: Vec::new(),
            buffer: vec![0; files::PIECE_LEN],
        })
    }

    fn run(mut self, mut entries: Entries<'_>) -> Result<Unpacked, Error> {
        while let Some(entry) = entries.next_entry()? {
            self.entry(&mut entries, entry)?;
        }
        while let Some(level) = self.levels.pop() {
            self.leave(level);
        }
        self.second_pass(&mut entries)?;
        for (path, mode, mtime) in &self.folders {
            self.restorer.finish(&self.at(path), *mode, *mtime);
        }
        if let Err(error) = self.place.commit(self.options.hold) {
            // What is around comes first, so that what is in it can be reached and removed.
            for (path, ..) in self.folders.iter().rev() {
                let mode = fs::Permissions::from_mode(PRIVATE);
                let _ = fs::set_permissions(self.at(path), mode);
            }
            return Err(error);
        }
        self.unpacked.not_restored = self.restorer.missing;
        Ok(self.unpacked)
    }

    fn at(&self, path: &Path) -> PathBuf {
        // Joining an empty path would end it with a slash.
        match path.as_os_str().is_empty() {
            true => self.place.path().to_path_buf(),
            false => self.place.path().join(path),
        }
    }

    fn name(&mut self, path: &Path, why: Why) {
        let path = path.to_path_buf();
        self.unpacked.named.push(Named { path, why });
    }

    fn selects(&self, path: &Path, is_folder: bool) -> bool {
        path.as_os_str().is_empty() || (self.options.select)(path, is_folder)
    }

    fn entry(&mut self, entries: &mut Entries<'_>, entry: Entry) -> Result<(), Error> {
        if entry.kind == EntryKind::Lost {
            return self.take_back(&entry.path);
        }
        let is_folder = entry.kind == EntryKind::Folder;
        let is_selected = self.selects(&entry.path, is_folder);
        self.enter(&entry.path);
        if is_folder {
            let path = entry.path.clone();
            self.levels.push(Level::new(&path, Some(entry)));
            if is_selected {
                self.make_levels()?;
            }
        } else if is_selected {
            match self.make_levels()? {
                true => self.make(entries, &entry)?,
                false => self.name(&entry.path, Why::Within),
            }
        }
        Ok(())
    }

    /// Leaves the folders that `path` is not in. Those that it is in and that are unknown are
    /// lost: only salvage meets them.
    fn enter(&mut self, path: &Path) {
        let Some(parent) = path.parent() else { return };
        while let Some(level) = self.levels.pop_if(|level| !parent.starts_with(&level.path)) {
            self.leave(level);
        }
        let innermost = self.levels.last().map(|level| level.path.clone());
        let is_missing = |path: &&Path| Some(*path) != innermost.as_deref();
        let missing: Vec<_> = parent.ancestors().take_while(is_missing).collect();
        let missing = missing.into_iter().rev().map(|path| Level::new(path, None));
        self.levels.extend(missing);
    }

    /// Makes the folders that are open; `false` if the file system refuses one.
    fn make_levels(&mut self) -> Result<bool, Error> {
        for index in 0..self.levels.len() {
            let level = &self.levels[index];
            let is_made = match level.is_made {
                Some(is_made) => is_made,
                None => {
                    let path = level.path.clone();
                    let at = self.at(&path);
                    let made = match path.as_os_str().is_empty() {
                        true => Ok(()),
                        false => fs::DirBuilder::new().mode(PRIVATE).create(at),
                    };
                    let is_made = self.accept(&path, made)?;
                    self.unpacked.entries += u64::from(is_made);
                    is_made
                }
            };
            self.levels[index].is_made = Some(is_made);
            if !is_made {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes what an entry came to. Where the file system refuses this entry, and may take the
    /// next, it is named.
    fn accept(&mut self, path: &Path, made: io::Result<()>) -> Result<bool, Error> {
        /// The next entry would fare no better.
        const FAILURES: [Errno; 6] = [
            Errno::IO,
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::ROFS,
            Errno::MFILE,
            Errno::NFILE,
        ];
        match made {
            Ok(()) => Ok(true),
            Err(error)
                if Errno::from_io_error(&error).is_some_and(|it| !FAILURES.contains(&it)) =>
            {
                self.name(path, Why::Refused(error));
                Ok(false)
            }
            Err(error) => Err(Error::path(path)(error)),
        }
    }

    fn leave(&mut self, level: Level) {
        if let (Some(true), Some(entry)) = (level.is_made, level.entry) {
            self.restore(&entry);
            self.folders.push((level.path, entry.mode, entry.mtime));
        }
    }

    /// Gives what is there what `entry` says.
    fn restore(&mut self, entry: &Entry) {
        let at = self.at(&entry.path);
        match self.restorer.restore(&at, entry) {
            0 => {}
            lost => self.name(&entry.path, Why::Attributes(lost)),
        }
    }
}
