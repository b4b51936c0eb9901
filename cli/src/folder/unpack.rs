//! Unpacking a folder, entry by entry, into a place that nobody else can enter.
//!
//! Why nothing leaves that place: the parent of every entry is a folder that this run has
//! made, under a name that was free, and holds open; and nobody else can put anything there.
//! So no path passes through a symbolic link, whatever the archive says. A name is a path of
//! plain names (`entry`). A hard link leads to a file of this run. A symbolic link that leads
//! outside is made only by request, a device never.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, fstat, futimens, linkat, mkdirat, openat, readlinkat, statat,
    symlinkat, unlinkat, utimensat,
};
use tar::Entry;

use super::descent::{Descent, FOLDER, NUMBERS, PRIVATE};
use super::entry::{Described, Kind, leads_outside, refuse};
use super::patterns::{Patterns, nothing_fits};
use super::place::{Place, inner};
use super::reader::{Source, each_entry, malformed};
use super::restore::Restorer;
use super::unpacked::Unpacked;
use super::way::{Filled, OnTheWay};
use crate::console::{Console, LeftOut};
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::{is_stopped, unfinished};
use crate::name::{shown, shown_name};

/// What of an archive is unpacked.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// What the archive was sealed to, as it was named.
    pub(crate) sealed: &'a Path,
    /// Symbolic links that lead outside as well.
    pub(crate) outside_links: bool,
    /// Nothing but what these fit, what is in folders that they fit, and the folders on the
    /// way there.
    pub(crate) only: Option<&'a Patterns>,
    /// Extended attributes and access control lists as well.
    pub(crate) attributes: bool,
    /// Whether what is sealed is removed afterwards, if nothing is missing.
    pub(crate) removes_sealed: bool,
}

/// Unpacks the archive in `reader`, which ends where all of it was authenticated, into
/// `place`. Nothing has its name when this returns.
pub(crate) fn unpack(
    reader: impl Source,
    place: &Place,
    choice: Choice<'_>,
    console: Console<'_>,
) -> Result<Unpacked, Failure> {
    let mut unpacker = Unpacker {
        place,
        choice,
        console,
        under_way: Descent::new(),
        on_the_way: OnTheWay::default(),
        restorer: Restorer::new(choice.attributes, choice.removes_sealed),
        has_numbers: cfg!(target_os = "linux") && Path::new(NUMBERS).exists(),
        entries: 0,
        len: 0,
        last_file: LastFile::None,
        void: None,
        left_out: LeftOut::first_few(),
        refused: None,
        same_names: BTreeSet::new(),
    };
    each_entry(reader, place.target(), |entry, described| {
        unpacker.entry(entry, &described)
    })?;
    if choice.only.is_some() && unpacker.entries == 1 && unpacker.left_out.is_none() {
        return Err(nothing_fits(choice.sealed));
    }
    unpacker.note_void();
    while unpacker.under_way.depth() > 1 {
        unpacker.leave_folder()?;
    }
    Ok(Unpacked {
        entries: unpacker.entries,
        left_out: unpacker.left_out.count(console, place.target()),
        len: unpacker.len,
        restorer: unpacker.restorer,
        root: unpacker.under_way.leave(),
    })
}

/// What the entry before was.
enum LastFile {
    /// No file.
    None,
    NotMade,
    Made(PathBuf, u64),
}

struct Unpacker<'a> {
    place: &'a Place,
    choice: Choice<'a>,
    console: Console<'a>,
    /// The folder that entries are made in, below those that it is in.
    under_way: Descent<Filled>,
    on_the_way: OnTheWay,
    restorer: Restorer,
    /// Whether what is open has a path by its number.
    has_numbers: bool,
    entries: u64,
    len: u64,
    last_file: LastFile,
    /// A file that was taken back, unless it comes again.
    void: Option<PathBuf>,
    left_out: LeftOut,
    /// The last folder that the file system did not take: what is in it is left out.
    refused: Option<PathBuf>,
    /// What has a name that the file system takes for another one: no hard link leads there.
    same_names: BTreeSet<PathBuf>,
}

impl Unpacker<'_> {
    fn entry<R: Read>(
        &mut self,
        entry: &mut Entry<'_, R>,
        described: &Described,
    ) -> Result<(), Failure> {
        if is_stopped() {
            // What has been made is being removed. Nobody hears of this.
            return Err(Failure::new(Exit::Io, "stopped"));
        }
        if matches!(described.kind, Kind::Void) {
            return self.take_back();
        }
        self.last_file = LastFile::None;
        if self.void.as_ref() == Some(&described.path) {
            self.void = None;
        }
        self.note_void();
        if !self.is_chosen(described)? {
            return Ok(());
        }
        let refused = self.refused.as_deref();
        if refused.is_some_and(|folder| described.path.starts_with(folder)) {
            self.leave_out(described, "is in a folder that is left out");
            return Ok(());
        }
        self.make(entry, described)
    }

    /// Whether an entry is wanted: then the folders on the way to it are made. A folder that
    /// is not may yet be on the way to one that is.
    fn is_chosen(&mut self, described: &Described) -> Result<bool, Failure> {
        let (path, is_folder) = (&described.path, matches!(described.kind, Kind::Folder));
        let only = self.choice.only.filter(|_| !path.as_os_str().is_empty());
        let chosen = only.is_none_or(|only| only.fits_or_is_within(path, is_folder));
        if let Some(parent) = path.parent().filter(|_| only.is_some()) {
            self.on_the_way.go_up(parent);
        }
        match (&described.kind, chosen) {
            (Kind::Folder, false) => self.on_the_way.enter(path, described.filled()),
            (Kind::File, false) => self.last_file = LastFile::NotMade,
            (_, false) => {}
            (_, true) => {
                for folder in self.on_the_way.take() {
                    self.enter(&folder)?;
                    let made = self.folder(&folder);
                    let shown_path = self.place.target().join(&folder.path);
                    if !self.is_made(made, &folder, &shown_path)? {
                        break;
                    }
                    self.entries += 1;
                }
            }
        }
        Ok(chosen)
    }

    fn make<R: Read>(
        &mut self,
        entry: &mut Entry<'_, R>,
        described: &Described,
    ) -> Result<(), Failure> {
        let shown_path = self.place.target().join(&described.path);
        self.enter(described)?;
        let made = match &described.kind {
            Kind::Folder => self.folder(described),
            Kind::File => self.file(entry, described),
            Kind::SymbolicLink(target) => {
                if leads_outside(&described.path, target) && !self.choice.outside_links {
                    let why = format!("is a symbolic link to {}, outside", shown_name(target));
                    self.left_out.add(self.console, &shown_path, &why);
                    return Ok(());
                }
                self.symbolic_link(target, described)
            }
            Kind::Special(what) => {
                self.left_out.add(self.console, &shown_path, what);
                return Ok(());
            }
            Kind::HardLink(first) => match self.hard_link(first, described) {
                // There is a file before it: `each_entry` has looked. Its content is not here.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    let first = shown_name(first);
                    let why = match self.choice.only {
                        Some(_) => {
                            format!("is another name of {first}, which --only does not make")
                        }
                        None => format!("is another name of {first}, which is left out"),
                    };
                    self.leave_out(described, &why);
                    return Ok(());
                }
                made => made,
            },
            Kind::Void => Ok(()),
        };
        if !self.is_made(made, described, &shown_path)? {
            return Ok(());
        }
        if matches!(described.kind, Kind::File) {
            self.last_file = LastFile::Made(described.path.clone(), described.len);
            self.len += described.len;
        }
        self.entries += 1;
        self.console
            .detail(|| format!("unpacking {}", shown(&shown_path)));
        Ok(())
    }

    /// Removes the file that was made last: not all of it was read when it was sealed.
    fn take_back(&mut self) -> Result<(), Failure> {
        let (path, len) = match std::mem::replace(&mut self.last_file, LastFile::None) {
            LastFile::Made(path, len) => (path, len),
            LastFile::NotMade => return Ok(()),
            LastFile::None => return Err(self.refuse("a mark that takes back no file")),
        };
        let name = path.file_name().unwrap_or_default();
        let removed = self.under_way.innermost().and_then(|innermost| {
            let removed = innermost.map(|folder| unlinkat(folder.folder, name, AtFlags::empty()));
            Ok(removed.unwrap_or(Ok(()))?)
        });
        removed.map_err(|error| Failure::io(&self.place.target().join(&path), &error))?;
        self.entries -= 1;
        self.len -= len;
        self.void = Some(path);
        Ok(())
    }

    /// Names the file that was taken back.
    fn note_void(&mut self) {
        if let Some(path) = self.void.take() {
            let path = self.place.target().join(path);
            let why = "could not be read as a whole when it was sealed";
            self.left_out.add(self.console, &path, why);
        }
    }

    /// Makes sure that the folder of an entry is the one under way: `pack` writes a folder
    /// before what is in it, and nothing of another one between.
    fn enter(&mut self, described: &Described) -> Result<(), Failure> {
        let is_root = described.path.as_os_str().is_empty();
        if is_root != (self.under_way.depth() == 0) {
            return Err(self.refuse("the folder itself at another place than first"));
        }
        let Some(parent) = described.path.parent() else {
            return Ok(());
        };
        while self.under_way.path() != parent {
            if self.under_way.depth() == 1 {
                return Err(self.refuse(&format!(
                    "{} before its folder",
                    shown_name(&described.path)
                )));
            }
            self.leave_folder()?;
        }
        Ok(())
    }

    fn leave_folder(&mut self) -> Result<(), Failure> {
        let restorer = &mut self.restorer;
        let finished = self.under_way.innermost().map(|innermost| {
            let Some(folder) = innermost else {
                return;
            };
            let Filled { rights, mtime } = folder.more;
            // None are taken away while what there is is removed after a signal.
            unfinished(|_| restorer.restore(folder.folder, PRIVATE, rights));
            let set = futimens(folder.folder, &mtime.timestamps());
            restorer.time(*mtime, set, || Ok(fstat(folder.folder)?));
        });
        let path = || self.place.target().join(self.under_way.path());
        finished.map_err(|error| Failure::io(&path(), &error))?;
        self.under_way.leave();
        Ok(())
    }

    /// The folder under way, in which an entry is made, and the entry's name.
    fn parent<'a>(&mut self, described: &'a Described) -> io::Result<(&OwnedFd, &'a OsStr)> {
        match (self.under_way.innermost()?, described.path.file_name()) {
            (Some(innermost), Some(name)) => Ok((innermost.folder, name)),
            _ => Err(refuse("an entry without a name")),
        }
    }

    fn folder(&mut self, described: &Described) -> io::Result<()> {
        let name = described.path.file_name().unwrap_or_default();
        let folder = if described.path.as_os_str().is_empty() {
            self.place.folder().try_clone()?.into()
        } else {
            let (parent, name) = self.parent(described)?;
            mkdirat(parent, name, PRIVATE)?;
            openat(parent, name, FOLDER, Mode::empty())?
        };
        self.under_way.enter(name, folder, described.filled())
    }

    /// Makes a file with its holes, its mode and its time.
    fn file<R: Read>(&mut self, entry: &mut Entry<'_, R>, described: &Described) -> io::Result<()> {
        entry.set_preserve_permissions(false);
        entry.set_preserve_mtime(false);
        // `tar` knows files by their paths only, which are short where that is possible.
        let path = if self.has_numbers {
            let (parent, name) = self.parent(described)?;
            PathBuf::from(format!("{NUMBERS}/{}", parent.as_raw_fd())).join(name)
        } else {
            self.place.path().join(&described.path)
        };
        let file = match entry.unpack(path) {
            Ok(tar::Unpacked::File(file)) => file,
            // All of it is there, and its file system sets no modes.
            Err(error) if error.to_string().starts_with("failed to set permissions") => {
                let (parent, name) = self.parent(described)?;
                let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                File::from(openat(parent, name, flags, Mode::empty())?)
            }
            unpacked => return unpacked.map(drop),
        };
        let now = Mode::from_raw_mode(fstat(&file)?.st_mode & 0o777);
        self.restorer.restore(&file, now, &described.rights);
        // A time that clocks of files cannot say is left to be that of now.
        let set = futimens(&file, &described.mtime.timestamps());
        self.restorer
            .time(described.mtime, set, || Ok(fstat(&file)?));
        #[cfg(not(target_os = "linux"))]
        AtomicFile::sync_open_folder(&file)?;
        Ok(())
    }

    fn symbolic_link(&mut self, target: &Path, described: &Described) -> io::Result<()> {
        let (parent, name) = self.parent(described)?;
        symlinkat(target, parent, name)?;
        let times = described.mtime.timestamps();
        let set = utimensat(parent, name, &times, AtFlags::SYMLINK_NOFOLLOW);
        let parent = &parent.try_clone()?;
        let found = || Ok(statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?);
        self.restorer.time(described.mtime, set, found);
        self.restorer.link(parent, name, &described.rights);
        Ok(())
    }

    /// Another name for a file of this run: no component on the way to it is a link.
    fn hard_link(&mut self, first: &Path, described: &Described) -> io::Result<()> {
        let before = self.same_names.range(..=first.to_path_buf()).next_back();
        if before.is_some_and(|other| first.starts_with(other)) {
            return Err(ErrorKind::NotFound.into());
        }
        let mut within: OwnedFd = self.place.folder().try_clone()?.into();
        let mut parts = first.iter().peekable();
        while let Some(part) = parts.next() {
            let found = statat(&within, part, AtFlags::SYMLINK_NOFOLLOW)?;
            match (FileType::from_raw_mode(found.st_mode), parts.peek()) {
                (FileType::Directory, Some(_)) => {
                    within = openat(&within, part, WAY, Mode::empty())?;
                }
                (FileType::Symlink, None) => {
                    // It says the same, and may lead elsewhere from here.
                    let target = readlinkat(&within, part, Vec::new())?;
                    let target = Path::new(OsStr::from_bytes(target.as_bytes()));
                    if leads_outside(&described.path, target) {
                        break;
                    }
                    let (parent, name) = self.parent(described)?;
                    return Ok(linkat(&within, part, parent, name, AtFlags::empty())?);
                }
                (FileType::RegularFile, None) => {
                    let (parent, name) = self.parent(described)?;
                    return Ok(linkat(&within, part, parent, name, AtFlags::empty())?);
                }
                _ => break,
            }
        }
        Err(refuse("a hard link to what is no file"))
    }

    fn leave_out(&mut self, described: &Described, why: &str) {
        match described.kind {
            Kind::File => self.last_file = LastFile::NotMade,
            Kind::Folder => self.refused = Some(described.path.clone()),
            _ => {}
        }
        let path = self.place.target().join(&described.path);
        self.left_out.add(self.console, &path, why);
    }

    /// Whether an entry was made. One that the file system does not take is left out.
    fn is_made(
        &mut self,
        made: io::Result<()>,
        described: &Described,
        shown_path: &Path,
    ) -> Result<bool, Failure> {
        let Err(error) = made else {
            return Ok(true);
        };
        let said = inner(&error);
        if !is_of_entry(&said) {
            return Err(self.failed(shown_path, &said));
        }
        if said.kind() == ErrorKind::AlreadyExists {
            // The order of names is judged before: what has this one has another to us.
            self.same_names.insert(described.path.clone());
            let why = "has a name that the file system takes for another one's";
            self.leave_out(described, why);
            return Ok(false);
        }
        // A part of a file may be there.
        if matches!(described.kind, Kind::File)
            && let Ok((parent, name)) = self.parent(described)
        {
            let _ = unlinkat(parent, name, AtFlags::empty());
        }
        self.leave_out(described, &format!("cannot be made: {}", reason(&said)));
        Ok(false)
    }

    /// Says what went wrong with an entry, by whose fault it is.
    fn failed(&self, shown_path: &Path, error: &io::Error) -> Failure {
        match error.kind() {
            // The last two are the words of `tar`.
            ErrorKind::InvalidData | ErrorKind::Other | ErrorKind::UnexpectedEof => {
                malformed(self.place.target(), error)
            }
            _ => Failure::io(shown_path, error),
        }
    }

    fn refuse(&self, what: &str) -> Failure {
        malformed(self.place.target(), &refuse(what))
    }
}

/// Whether a system refuses one entry, as one of this kind or name, and may take others.
fn is_of_entry(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let of_entry = [
        Errno::ACCESS,
        Errno::EXIST,
        Errno::ILSEQ,
        Errno::INVAL,
        Errno::MLINK,
        Errno::NAMETOOLONG,
        Errno::NOSYS,
        Errno::NOTSUP,
        Errno::OPNOTSUPP,
        Errno::PERM,
    ];
    let code = error.raw_os_error();
    of_entry
        .iter()
        .any(|known| code == Some(known.raw_os_error()))
}

/// A folder on the way to a file, also one that may be passed through and not be read.
#[cfg(target_os = "linux")]
const WAY: OFlags = FOLDER.union(OFlags::PATH);
#[cfg(not(target_os = "linux"))]
const WAY: OFlags = FOLDER;
