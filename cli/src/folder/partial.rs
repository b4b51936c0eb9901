//! The folder that is being filled, under a temporary name beside its target.
//!
//! It is known by what is open, and not by its name: whoever may write to the folder around it
//! can put something else there, and a run of root's would remove what is in that.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{
    AtFlags, CWD, Dir, Mode, OFlags, fchmod, fstat, mkdirat, openat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::descent::{PRIVATE, id};
use super::remove::{DESCRIPTORS, open_ours, remove_within};
use crate::failure::{note, reason};
use crate::name::shown;

/// A new folder that nobody else can enter.
pub(crate) struct Partial {
    around: OwnedFd,
    name: OsString,
    path: PathBuf,
    folder: File,
    /// Descriptors that are free again when it has to be removed, because there were too few.
    spare: Mutex<Vec<File>>,
}

impl Partial {
    pub(super) fn create(parent: &Path) -> io::Result<Self> {
        let around = openat(CWD, parent, AROUND, Mode::empty())?;
        // Made for its owner only, and kept so until it is complete.
        let make = |path: &Path| Ok(mkdirat(&around, last(path), PRIVATE)?);
        let mut named = tempfile::Builder::new();
        let made = named.prefix(".sivka-").suffix(".partial");
        let ((), path) = made.make_in(parent, make)?.keep()?;
        let name = last(&path).to_owned();
        let opened = open_new(&around, &name).and_then(|folder| {
            let spare = (0..DESCRIPTORS).map(|_| folder.try_clone());
            Ok((spare.collect::<io::Result<_>>()?, folder))
        });
        let (spare, folder) = opened.inspect_err(|_| {
            // It is empty, whosever it is, or stays.
            match unlinkat(&around, &name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => {
                    let why = reason(&error.into());
                    note(&format!("{}: is left: {why}", shown(&path)));
                }
            }
        })?;
        Ok(Self {
            around,
            name,
            path,
            folder,
            spare: Mutex::new(spare),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &File {
        &self.folder
    }

    /// Gives the folder another name beside its own, if nothing has that.
    ///
    /// # Errors
    /// What the system says, and where something else has the old name before, or the new one
    /// after it.
    pub(super) fn rename(&self, name: &OsStr) -> io::Result<()> {
        self.rename_by(name, || rename(&self.around, &self.name, name))
    }

    fn rename_by(
        &self,
        name: &OsStr,
        rename: impl FnOnce() -> Result<(), Errno>,
    ) -> io::Result<()> {
        if self.is_at(&self.name)? != Some(true) || !self.is_around_in_place() {
            let message = format!("{} was moved or removed meanwhile", shown(&self.path));
            return Err(io::Error::other(message));
        }
        rename()?;
        match self.is_at(name) {
            Ok(Some(false)) => Err(io::Error::other("something else has its name now")),
            // Whoever waits for it may have moved it on. Who cannot look was told that it has
            // its name, and would empty a complete folder.
            _ => Ok(()),
        }
    }

    /// Whether the folder around is still where the path of this one says.
    pub(super) fn is_around_in_place(&self) -> bool {
        let around = self
            .path
            .parent()
            .map(|path| statat(CWD, path, AtFlags::empty()));
        match (around, fstat(&self.around)) {
            (Some(Ok(found)), Ok(around)) => id(&found) == id(&around),
            _ => false,
        }
    }

    /// Whether a name is that of this folder; `None` if it is nobody's.
    fn is_at(&self, name: &OsStr) -> io::Result<Option<bool>> {
        match statat(&self.around, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            found => Ok(Some(id(&found?) == id(&fstat(&self.folder)?))),
        }
    }

    /// Removes the folder with all that is in it, and says what is left.
    pub(crate) fn remove(&self) {
        let spare = self.spare.lock();
        spare.unwrap_or_else(PoisonError::into_inner).clear();
        // What was on its way may still arrive while the folder is being emptied.
        let mut tries = 10;
        let removed = loop {
            match self.try_to_remove() {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty && tries > 0 => {
                    tries -= 1;
                }
                removed => break removed,
            }
        };
        let what = match removed {
            Ok(Left::Nothing) => return,
            Ok(Left::Elsewhere) => "was moved or removed meanwhile".to_owned(),
            Ok(Left::Other) => "is something else by now, and is left alone".to_owned(),
            Err(error) => {
                let reason = reason(&error);
                format!("cannot be removed, and what is left in it stays: {reason}")
            }
        };
        note(&format!("{}: {what}", shown(&self.path)));
    }

    fn try_to_remove(&self) -> io::Result<Left> {
        remove_within(&self.folder)?;
        match self.is_at(&self.name)? {
            None => return Ok(Left::Elsewhere),
            Some(false) => return Ok(Left::Other),
            Some(true) => {}
        }
        // What is put there just now is an empty folder, or stays.
        match unlinkat(&self.around, &self.name, AtFlags::REMOVEDIR) {
            Err(Errno::NOENT) => Ok(Left::Elsewhere),
            removed => Ok(removed.map(|()| Left::Nothing)?),
        }
    }
}

/// What is left of a folder that was to be removed.
enum Left {
    Nothing,
    /// The folder, emptied, under a name that nobody knows.
    Elsewhere,
    /// What is not ours.
    Other,
}

/// The folder around: it need not be readable.
#[cfg(target_os = "linux")]
const AROUND: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const AROUND: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

fn last(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}

/// Opens the folder that was just made, which the umask may have closed to its owner. No call
/// makes a folder and opens it: in between, another one may have got the name.
fn open_new(around: &OwnedFd, name: &OsStr) -> io::Result<File> {
    let folder = open_ours(around, name)?;
    let is_entry = |entry: Result<rustix::fs::DirEntry, Errno>| match entry {
        Ok(entry) => !matches!(entry.file_name().to_bytes(), b"." | b".."),
        Err(_) => true,
    };
    let is_empty = !Dir::read_from(&folder)?.any(is_entry);
    if !is_empty || !is_owned(&folder)? {
        return Err(io::Error::other("something else got its temporary name"));
    }
    // It was made so: no umask keeps it from us, and some file systems set no modes.
    let _ = fchmod(&folder, PRIVATE);
    Ok(File::from(folder))
}

/// Whether a folder belongs to whom things belong that this process makes in it. On some file
/// systems that is somebody else.
fn is_owned(folder: &OwnedFd) -> io::Result<bool> {
    let owner = fstat(folder)?.st_uid;
    if owner == geteuid().as_raw() {
        return Ok(true);
    }
    let probe = ".sivka-owner";
    mkdirat(folder, probe, PRIVATE)?;
    let found = statat(folder, probe, AtFlags::SYMLINK_NOFOLLOW);
    unlinkat(folder, probe, AtFlags::REMOVEDIR)?;
    Ok(found?.st_uid == owner)
}

#[cfg(target_os = "linux")]
fn rename(within: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    use rustix::fs::{RenameFlags, renameat, renameat_with};
    match renameat_with(within, from, within, to, RenameFlags::NOREPLACE) {
        // Not every file system can promise it. What a folder can replace by a plain one
        // is an empty folder.
        Err(Errno::INVAL | Errno::NOSYS) => renameat(within, from, within, to),
        renamed => renamed,
    }
}

#[cfg(not(target_os = "linux"))]
fn rename(within: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    rustix::fs::renameat(within, from, within, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn desk() -> (tempfile::TempDir, Partial) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let partial = Partial::create(folder.path()).expect("made");
        fs::write(partial.path().join("file"), "ours").expect("written");
        (folder, partial)
    }

    /// Between the look at the old name and the renaming.
    #[test]
    fn what_is_exchanged_at_the_last_moment_is_told() {
        let (folder, partial) = desk();
        let moved = folder.path().join("moved");
        let renamed = partial.rename_by(OsStr::new("target"), || {
            fs::rename(partial.path(), &moved).expect("moved");
            fs::create_dir(partial.path()).expect("made");
            fs::write(partial.path().join("file"), "theirs").expect("written");
            rename(&partial.around, &partial.name, OsStr::new("target"))
        });
        let error = renamed.expect_err("not ours");
        assert_eq!(error.to_string(), "something else has its name now");
        partial.remove();
        let theirs = fs::read_to_string(folder.path().join("target/file"));
        assert_eq!(theirs.expect("readable"), "theirs");
        assert_eq!(fs::read_dir(moved).expect("readable").count(), 0);
    }

    /// Between any two steps: the way of the path leads elsewhere.
    #[test]
    fn nothing_is_named_in_a_folder_that_was_moved() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let around = folder.path().join("around");
        fs::create_dir(&around).expect("made");
        let partial = Partial::create(&around).expect("made");
        assert!(partial.is_around_in_place());
        fs::rename(&around, folder.path().join("moved")).expect("moved");
        assert!(!partial.is_around_in_place());
        assert!(partial.rename(OsStr::new("target")).is_err());
        fs::create_dir(&around).expect("made");
        assert!(!partial.is_around_in_place());
        partial.remove();
        let left = fs::read_dir(folder.path().join("moved")).expect("readable");
        assert_eq!(left.count(), 0);
    }

    /// It was emptied under its name.
    #[test]
    fn what_has_its_name_and_cannot_be_looked_at_is_complete() {
        let (folder, partial) = desk();
        let target = folder.path().join("target");
        // No system has such a name: so the look at it fails, and for root too.
        let unseen = "n".repeat(300);
        let renamed = partial.rename_by(OsStr::new(&unseen), || {
            rename(&partial.around, &partial.name, OsStr::new("target"))
        });
        assert!(renamed.is_ok());
        let ours = fs::read_to_string(target.join("file"));
        assert_eq!(ours.expect("readable"), "ours");
    }

    /// Of what got the name before it was opened, nothing is changed.
    #[test]
    fn what_is_not_new_is_not_taken() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let around = OwnedFd::from(File::open(&folder).expect("there"));
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("full/inside")).expect("made");
        symlink("full/inside", path("link")).expect("linked");
        fs::create_dir(path("others")).expect("made");
        let mode = fs::Permissions::from_mode(0o755);
        let mut names = vec!["full", "link"];
        if geteuid().is_root() {
            std::os::unix::fs::chown(path("others"), Some(1), Some(1)).expect("chown");
            names.push("others");
        }
        for name in names {
            fs::set_permissions(path(name), mode.clone()).expect("chmod");
            assert!(open_new(&around, OsStr::new(name)).is_err(), "{name}");
            let found = fs::metadata(path(name)).expect("there");
            assert_eq!(found.permissions().mode() & 0o7777, 0o755, "{name}");
        }
    }
}
