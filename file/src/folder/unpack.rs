//! Unpacking a folder, entry by entry, into a place that nobody else can enter.
//!
//! Why nothing leaves that place: every entry is in a folder that this run has made, under a name
//! that was free, and nobody else can put anything there. So no path passes through a symbolic
//! link, whatever the archive says, and a link may lead wherever it does.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{
    DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink,
};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::entries::{Entries, Names};
use super::error::{Error, Named, Why};
use super::place::{Naming, Place};
use super::restore::{NotRestored, PRIVATE};
use super::tar::{Entry, EntryKind, Time, is_zero};

/// Bytes that are written at once, or not at all if they are zeros.
const PIECE_LEN: usize = 64 << 10;

/// The most bytes of attributes of the folders that an entry is in. More are not restored.
const MAX_OPEN_LEN: usize = 64 << 20;

fn attributes_len(entry: &Entry) -> usize {
    entry.attributes.iter().map(|(name, value)| name.len() + value.len()).sum()
}

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
    /// Entries that were not made, or that may lack something.
    pub named: Vec<Named>,
    /// What they have not of what the archive says.
    pub not_restored: NotRestored,
}

/// Unpacks an archive into the folder `into`, which must not be there. It has its name when all of
/// the archive was read; on failure there is nothing. An entry that the file system refuses, or
/// that is damaged, is named and left out.
///
/// If only some entries are selected, and `archive` is seekable, the archive is read a second time.
/// Then another name of an entry that is not selected comes with its content.
///
/// # Errors
/// Those of [`Entries::next_entry`], and [`Error::Path`] if the target is there or a file cannot be
/// written.
pub fn unpack(
    mut archive: Entries<'_>,
    into: &Path,
    options: &Unpack<'_>,
) -> Result<Unpacked, Error> {
    let mut unpacker = Unpacker {
        place: Place::new(into, options.hold)?,
        options,
        levels: Vec::new(),
        unpacked: Unpacked::default(),
        made: Names::default(),
        pending: HashMap::new(),
        folders: Vec::new(),
        buffer: Vec::with_capacity(PIECE_LEN),
    };
    while let Some(entry) = archive.next_entry()? {
        unpacker.entry(&mut archive, entry)?;
    }
    unpacker.second_pass(&mut archive)?;
    unpacker.finish()
}

/// A folder that the next entry may be in.
struct Level {
    path: PathBuf,
    /// Its description, if it is not lost.
    entry: Option<Entry>,
    /// `None` until something in it is selected; `false` if it is refused.
    is_made: Option<bool>,
}

struct Unpacker<'a> {
    place: Place,
    options: &'a Unpack<'a>,
    levels: Vec<Level>,
    unpacked: Unpacked,
    /// Files and links that are there under their own names, and whether their content is counted:
    /// a file system may take the name of one for another's.
    made: Names,
    /// Entries that get the content of another one, by its name, when the archive is read again: by
    /// then all names of whole files are taken.
    pending: HashMap<PathBuf, Vec<Entry>>,
    /// Complete folders, those within others first, and what they get at the end: with some modes
    /// their content could not be removed, and times change when names are added.
    folders: Vec<(PathBuf, u32, Time)>,
    buffer: Vec<u8>,
}

impl Unpacker<'_> {
    fn finish(mut self) -> Result<Unpacked, Error> {
        let missing = &mut self.unpacked.not_restored;
        for (path, mode, mtime) in &self.folders {
            missing.finish(&self.place.path().join(path), *mode, *mtime);
        }
        let mut end = |at: &Path| {
            if let Some(root) = self.levels.pop().and_then(|level| level.entry) {
                missing.restore(at, &root, self.options.attributes);
                missing.finish(at, root.mode, root.mtime);
            }
        };
        if let Err(error) = self.place.commit(self.options.hold, &mut end) {
            // What is around comes first, so that what is in it can be reached and removed.
            for (path, ..) in self.folders.iter().rev() {
                let _ = fs::set_permissions(self.at(path), Permissions::from_mode(PRIVATE));
            }
            return Err(error);
        }
        Ok(self.unpacked)
    }

    fn at(&self, path: &Path) -> PathBuf {
        self.place.path().join(path)
    }

    fn restore(&mut self, entry: &Entry) {
        if entry.may_lack_records {
            self.name(&entry.path, Why::Records);
        }
        let at = self.at(&entry.path);
        let missing = &mut self.unpacked.not_restored;
        missing.restore(&at, entry, self.options.attributes);
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
        self.enter(entry.path.parent());
        if is_folder {
            let (path, mut entry) = (entry.path.clone(), entry.clone());
            let open = self.levels.iter().filter_map(|level| level.entry.as_ref());
            if open.chain([&entry]).map(attributes_len).sum::<usize>() > MAX_OPEN_LEN {
                self.unpacked.not_restored.attributes += entry.attributes.len() as u64;
                entry.attributes.clear();
            }
            self.levels.push(Level { path, entry: Some(entry), is_made: None });
        }
        let is_refused = is_selected && !self.make_levels()?;
        match &entry.kind {
            _ if !is_selected || is_folder => {}
            _ if is_refused => self.name(&entry.path, Why::Within),
            EntryKind::HardLink { first } if self.made.get(first).is_some() => {
                self.hard_link(first, &entry)?;
            }
            EntryKind::HardLink { first }
                if entries.is_seekable() && !self.selects(first, false) =>
            {
                self.pending.entry(first.clone()).or_default().push(entry);
            }
            _ => self.give(entries, &entry)?,
        }
        Ok(())
    }

    /// Leaves the folders that are not `parent` or around it. Those that are and that are unknown
    /// are lost: only salvage meets them.
    fn enter(&mut self, parent: Option<&Path>) {
        let is_left = |level: &mut Level| parent.is_none_or(|it| !it.starts_with(&level.path));
        while let Some(level) = self.levels.pop_if(is_left) {
            if let (Some(true), Some(entry)) = (level.is_made, level.entry) {
                self.restore(&entry);
                self.folders.push((level.path, entry.mode, entry.mtime));
            }
        }
        let innermost = self.levels.last().map(|level| level.path.clone());
        let around = parent.into_iter().flat_map(Path::ancestors);
        let missing = around.take_while(|path| Some(*path) != innermost.as_deref());
        for path in missing.collect::<Vec<_>>().into_iter().rev() {
            self.levels.push(Level { path: path.to_path_buf(), entry: None, is_made: None });
        }
    }

    /// Makes the folders that are open; `false` if the file system refuses one.
    fn make_levels(&mut self) -> Result<bool, Error> {
        for index in 0..self.levels.len() {
            if self.levels[index].is_made.is_none() {
                let path = self.levels[index].path.clone();
                let made = match index {
                    0 => Ok(()),
                    _ => DirBuilder::new().mode(PRIVATE).create(self.at(&path)),
                };
                let is_made = self.accept(&path, made)?;
                self.levels[index].is_made = Some(is_made);
                self.unpacked.entries += u64::from(is_made);
            }
            if self.levels[index].is_made == Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes what an entry came to. Where the file system refuses this entry, and may take the
    /// next, it is named.
    fn accept(&mut self, path: &Path, made: io::Result<()>) -> Result<bool, Error> {
        use Errno as E;
        /// The next entry would fare no better.
        const FAILURES: [E; 6] = [E::IO, E::NOSPC, E::DQUOT, E::ROFS, E::MFILE, E::NFILE];
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

    /// Makes a file or symbolic link of what `entries` is at.
    fn give(&mut self, entries: &mut Entries<'_>, entry: &Entry) -> Result<(), Error> {
        let at = self.at(&entry.path);
        let (made, len) = match &entry.kind {
            EntryKind::HardLink { first } => {
                self.name(&entry.path, Why::OtherName(first.clone()));
                return Ok(());
            }
            _ if entries.is_damaged(&entry.span) => {
                self.name(&entry.path, Why::Damaged);
                if self.options.partial && matches!(entry.kind, EntryKind::File { .. }) {
                    let name = entry.path.file_name().unwrap_or_default().as_bytes();
                    // Names have at most 255 bytes. It gives who runs it no rights of others.
                    let name = [&name[..name.len().min(247)], b".damaged"].concat();
                    let path = entry.path.with_file_name(OsStr::from_bytes(&name));
                    let mut partial = Entry { path, mode: entry.mode & 0o777, ..entry.clone() };
                    partial.attributes.retain(|name, _| name != "security.capability");
                    self.pending.insert(entry.path.clone(), vec![partial]);
                }
                return Ok(());
            }
            EntryKind::File { len } => (self.file(entries, &at, *len, false)?, *len),
            EntryKind::SymbolicLink { target } => (symlink(target, &at), 0),
            EntryKind::Folder | EntryKind::Lost => return Ok(()),
        };
        if self.accept(&entry.path, made)? {
            self.restore(entry);
            self.made.insert(&entry.path, true);
            self.unpacked.entries += 1;
            self.unpacked.len += len;
        }
        Ok(())
    }

    /// Makes a file with its content of `len` bytes, and leaves holes for zeros. One that is not
    /// complete is removed; if the archive is damaged, zeros follow its end. The inner error is
    /// that of the file system.
    fn file(
        &mut self,
        entries: &mut Entries<'_>,
        at: &Path,
        len: u64,
        is_damaged: bool,
    ) -> Result<io::Result<()>, Error> {
        let mut new = OpenOptions::new();
        let file = match new.write(true).create_new(true).mode(0o600).open(at) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error)),
        };
        let (mut written, mut position, mut end) = (Ok(()), 0, 0);
        while written.is_ok() {
            self.buffer.clear();
            let mut piece = entries.by_ref().take(PIECE_LEN as u64);
            match piece.read_to_end(&mut self.buffer) {
                Err(error) if is_damaged && error.kind() == io::ErrorKind::InvalidData => {}
                read => drop(read?),
            }
            if self.buffer.is_empty() {
                // Not every file system can do it, and most files are as long already.
                written = if end == len { Ok(()) } else { file.set_len(len) };
                break;
            }
            if !is_zero(&self.buffer) {
                written = file.write_all_at(&self.buffer, position);
                end = position + self.buffer.len() as u64;
            }
            position += self.buffer.len() as u64;
        }
        if written.is_err() {
            fs::remove_file(at).map_err(Error::path(at))?;
        }
        Ok(written)
    }

    /// Makes another name of `first`, which is there.
    fn hard_link(&mut self, first: &Path, entry: &Entry) -> Result<(), Error> {
        let linked = fs::hard_link(self.at(first), self.at(&entry.path));
        if self.accept(&entry.path, linked)? {
            self.made.insert(&entry.path, false);
            self.unpacked.entries += 1;
        }
        Ok(())
    }

    /// Removes what was no copy of what there was.
    fn take_back(&mut self, path: &Path) -> Result<(), Error> {
        for other in self.pending.remove(path).unwrap_or_default() {
            self.name(&other.path, Why::Lost);
        }
        if let Some(is_counted) = self.made.remove(path) {
            let at = self.at(path);
            let found = at.symlink_metadata().map_err(Error::path(path))?;
            fs::remove_file(at).map_err(Error::path(path))?;
            self.unpacked.entries -= 1;
            let len = if is_counted { found.size() } else { 0 };
            self.unpacked.len = self.unpacked.len.saturating_sub(len);
            self.name(path, Why::Lost);
        }
        Ok(())
    }

    /// Leaves all folders but the first, and makes what gets the content of another entry.
    fn second_pass(&mut self, entries: &mut Entries<'_>) -> Result<(), Error> {
        self.enter(Some(Path::new("")));
        if !self.pending.is_empty() {
            entries.rewind()?;
        }
        // The rest was read before.
        while !self.pending.is_empty()
            && let Some(mut found) = entries.next_entry()?
        {
            let others = self.pending.remove(&found.path).unwrap_or_default();
            for (index, other) in others.into_iter().enumerate() {
                if let EntryKind::File { len } = other.kind {
                    let made = self.file(entries, &self.at(&other.path), len, true)?;
                    match self.accept(&other.path, made)? {
                        true => self.restore(&other),
                        // The damaged entry is named.
                        false => drop(self.unpacked.named.pop()),
                    }
                } else if index == 0 || self.made.get(&found.path).is_none() {
                    found.path = other.path;
                    self.give(entries, &found)?;
                } else {
                    self.hard_link(&found.path, &other)?;
                }
            }
        }
        Ok(())
    }
}
