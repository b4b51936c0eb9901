//! Unpacking a folder, entry by entry, into a place that nobody else can enter.
//!
//! Why nothing leaves that place: every entry is in a folder that this run has made, under a name
//! that was free, and nobody else can put anything there. So no path passes through a symbolic
//! link, whatever the archive says, and a link may lead wherever it does.

mod files;
mod names;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::entries::{Archive, Entries, ReadSeek};
use super::error::{Error, Named, Why};
use super::place::{Begin, End, Place};
use super::restore::{NotRestored, PRIVATE, Property, Restorer};
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
    /// Runs what makes the folder under a temporary name, and returns that. A caller that removes
    /// unfinished folders when it is interrupted holds its lock meanwhile, and notes the name.
    pub begin: &'a dyn Fn(Begin<'_>) -> io::Result<()>,
    /// Runs what gives the folder its name. Such a caller holds its lock meanwhile, and forgets the
    /// temporary name if that succeeds.
    pub end: &'a dyn Fn(End<'_>) -> io::Result<()>,
}

impl Default for Unpack<'_> {
    fn default() -> Self {
        Self {
            select: &|_, _| true,
            attributes: true,
            partial: false,
            begin: &|make| make().map(drop),
            end: &|rename| rename(),
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
    /// Whether the end of a damaged archive is lost: entries may be missing of which nothing is
    /// known.
    pub is_end_lost: bool,
    /// Whether a salvaged archive breaks the rules where it is not damaged: entries may be missing
    /// of which nothing is known.
    pub is_malformed: bool,
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
pub fn unpack(archive: Archive<'_>, into: &Path, options: &Unpack<'_>) -> Result<Unpacked, Error> {
    let is_seekable = archive.is_seekable();
    Unpacker::new(into, options, false, is_seekable)?.run(Entries::new(archive))
}

/// Unpacks what is whole of an archive, of which the parts `lost` are not there: ranges of bytes.
/// Whatever `archive` has in their place is not used. Every entry of which no part is lost comes
/// back. Others are named, if they are known.
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
    let archive = Archive::seekable(archive).map_err(Error::Archive)?;
    Unpacker::new(into, options, true, true)?.run(Entries::with_holes(archive, lost)?)
}

/// A folder that the next entry may be in.
struct Level {
    path: PathBuf,
    /// Its description, if it is not lost.
    entry: Option<Entry>,
    made: Made,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// Nothing in it was selected.
    No,
    Yes,
    Refused,
}

struct Unpacker<'a> {
    place: Place,
    options: &'a Unpack<'a>,
    is_salvage: bool,
    is_seekable: bool,
    levels: Vec<Level>,
    restorer: Restorer,
    unpacked: Unpacked,
    /// What was selected and is not there. A file system may take its name for another one's.
    not_made: HashSet<PathBuf>,
    /// Other names of what has several.
    links: HashMap<PathBuf, Vec<PathBuf>>,
    /// Other names of what is not selected, by that.
    pending: HashMap<PathBuf, Vec<Entry>>,
    /// Damaged files that are there.
    partials: HashSet<PathBuf>,
    /// Complete folders, those within others first, and what they get at the end: with some modes
    /// their content could not be removed, and times change when names are added.
    folders: Vec<(PathBuf, u32, Time)>,
    buffer: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    fn new(
        into: &Path,
        options: &'a Unpack<'a>,
        is_salvage: bool,
        is_seekable: bool,
    ) -> Result<Self, Error> {
        let place = Place::new(into, options.begin)?;
        Ok(Self {
            place,
            options,
            is_salvage,
            is_seekable,
            levels: Vec::new(),
            restorer: Restorer::new(options.attributes),
            unpacked: Unpacked::default(),
            not_made: HashSet::new(),
            links: HashMap::new(),
            pending: HashMap::new(),
            partials: HashSet::new(),
            folders: Vec::new(),
            buffer: vec![0; files::PIECE_LEN],
        })
    }

    fn run(mut self, mut entries: Entries<'_>) -> Result<Unpacked, Error> {
        while let Some(entry) = entries.next_entry()? {
            self.entry(&mut entries, entry)?;
        }
        while let Some(level) = self.levels.pop() {
            self.leave(level)?;
        }
        if !self.pending.is_empty() {
            self.second_pass(&mut entries)?;
        }
        self.unpacked.is_end_lost = entries.is_end_lost();
        self.unpacked.is_malformed = entries.is_malformed();
        for (path, mode, mtime) in &self.folders {
            self.restorer.finish(&self.at(path), *mode, *mtime);
        }
        if let Err(error) = self.place.commit(self.options.end) {
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
        self.not_made.insert(path.to_path_buf());
        self.unpacked.named.push(Named {
            path: path.to_path_buf(),
            why,
        });
    }

    fn selects(&self, path: &Path, is_folder: bool) -> bool {
        path.as_os_str().is_empty() || (self.options.select)(path, is_folder)
    }

    fn entry(&mut self, entries: &mut Entries<'_>, entry: Entry) -> Result<(), Error> {
        if entry.kind == EntryKind::Lost {
            return self.take_back(&entry);
        }
        self.enter(&entry.path)?;
        let (path, is_folder) = (entry.path.clone(), entry.kind == EntryKind::Folder);
        let is_selected = self.selects(&path, is_folder);
        if is_folder {
            let entry = Some(entry);
            self.levels.push(Level {
                path,
                entry,
                made: Made::No,
            });
            return if is_selected {
                self.make_levels().map(drop)
            } else {
                Ok(())
            };
        }
        if !is_selected {
            return Ok(());
        }
        if !self.make_levels()? {
            self.name(&path, Why::Within);
            return Ok(());
        }
        self.make(entries, &entry)
    }

    /// Leaves the folders that `path` is not in. Those that it is in and that are unknown are
    /// lost: only salvage meets them.
    fn enter(&mut self, path: &Path) -> Result<(), Error> {
        let Some(parent) = path.parent() else {
            return Ok(());
        };
        while let Some(level) = self.levels.pop_if(|level| !parent.starts_with(&level.path)) {
            self.leave(level)?;
        }
        let mut missing: Vec<_> = parent
            .ancestors()
            .take_while(|path| !self.is_innermost(path))
            .collect();
        while let Some(path) = missing.pop() {
            self.levels.push(Level {
                path: path.to_path_buf(),
                entry: None,
                made: Made::No,
            });
        }
        Ok(())
    }

    fn is_innermost(&self, path: &Path) -> bool {
        self.levels.last().is_some_and(|level| level.path == *path)
    }

    /// Makes the folders that are open; `false` if the file system refuses one.
    fn make_levels(&mut self) -> Result<bool, Error> {
        for index in 0..self.levels.len() {
            match self.levels[index].made {
                Made::Yes => continue,
                Made::Refused => return Ok(false),
                Made::No => {}
            }
            let path = self.levels[index].path.clone();
            let made = match path.as_os_str().is_empty() {
                true => Ok(()),
                false => {
                    self.claim(&path)?;
                    fs::DirBuilder::new().mode(PRIVATE).create(self.at(&path))
                }
            };
            let is_made = self.accept(&path, made)?.is_some();
            self.levels[index].made = if is_made { Made::Yes } else { Made::Refused };
            if !is_made {
                return Ok(false);
            }
            self.unpacked.entries += 1;
        }
        Ok(true)
    }

    /// Takes what an entry came to. Where the file system refuses this entry, and may take the
    /// next, it is named.
    fn accept<T>(&mut self, path: &Path, made: io::Result<T>) -> Result<Option<T>, Error> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(error) if is_refusal(&error) => {
                self.name(path, Why::Refused(error));
                Ok(None)
            }
            Err(error) => Err(Error::path(path)(error)),
        }
    }

    /// Removes a damaged file that has the name of an entry which is whole.
    fn claim(&mut self, path: &Path) -> Result<(), Error> {
        match self.partials.remove(path) {
            true => fs::remove_file(self.at(path)).map_err(Error::path(path)),
            false => Ok(()),
        }
    }

    fn leave(&mut self, level: Level) -> Result<(), Error> {
        let (Made::Yes, Some(entry)) = (level.made, level.entry) else {
            return Ok(());
        };
        let folder = match File::open(self.at(&level.path)) {
            // It stands as it was made, with what is in it.
            Err(error) if is_out_of_reach(&error) => {
                for property in [Property::Mode, Property::Time] {
                    self.restorer.missing.count(property, true);
                }
                return Ok(());
            }
            opened => opened.map_err(Error::path(&level.path))?,
        };
        self.restore(&folder, &entry);
        let synced = self.place.sync_each(&folder);
        synced.map_err(Error::path(&level.path))?;
        self.folders.push((level.path, entry.mode, entry.mtime));
        Ok(())
    }

    /// Gives a file or folder what `entry` says.
    fn restore(&mut self, file: &File, entry: &Entry) {
        let without_room = self.restorer.restore(file, entry);
        if without_room > 0 {
            self.unpacked.named.push(Named {
                path: entry.path.clone(),
                why: Why::AttributesWithoutRoom(without_room),
            });
        }
    }
}

/// Whether somebody took something away meanwhile, or the right to open it.
fn is_out_of_reach(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
    )
}

/// Whether the file system refuses an entry, and may take the next.
fn is_refusal(error: &io::Error) -> bool {
    const REFUSALS: [Errno; 12] = [
        Errno::EXIST,
        Errno::INVAL,
        Errno::NAMETOOLONG,
        Errno::ILSEQ,
        Errno::PERM,
        Errno::ACCESS,
        Errno::OPNOTSUPP,
        Errno::NOSYS,
        Errno::FBIG,
        Errno::MLINK,
        Errno::XDEV,
        Errno::NOENT,
    ];
    Errno::from_io_error(error).is_some_and(|errno| REFUSALS.contains(&errno))
}
