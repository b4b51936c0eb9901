//! Files that appear under their names whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{self, Path, PathBuf};
use tempfile::{PathPersistError, TempPath};
#[cfg(unix)]
use {
    rustix::io::Errno,
    std::os::unix::fs::{OpenOptionsExt, PermissionsExt},
};

/// A file that has its name only when it is complete.
///
/// Where the system has files without a name (`O_TMPFILE`), it is one until it is committed, and
/// nothing of it is left when the process is killed. Elsewhere it has a temporary name in the
/// folder of its target. Dropping it before [`commit`](Self::commit) removes it.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    /// Its temporary name, which goes away when this is dropped. Without one, the file does.
    temporary: Option<TempPath>,
    target: PathBuf,
    overwrite: bool,
}

impl AtomicFile {
    /// Creates the file without its name, with `permissions` or those of any new file, less the
    /// umask. With `overwrite`, [`commit`](Self::commit) replaces a file at `target`, or the one
    /// that a symbolic link there names, whether that is there or not.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is something at `target`, unless `overwrite`;
    /// [`io::ErrorKind::IsADirectory`] and [`io::ErrorKind::NotADirectory`];
    /// [`io::ErrorKind::InvalidInput`] for a device or named pipe, which a renamed file would
    /// remove. Others are those of creating a file beside `target`.
    pub fn create(
        target: &Path,
        permissions: Option<Permissions>,
        overwrite: bool,
    ) -> io::Result<Self> {
        let target = followed(target, overwrite)?;
        let (file, temporary) = match unnamed(folder(&target), permissions.as_ref()) {
            Some(file) => (file, None),
            None => named(folder(&target), permissions)?,
        };
        Ok(Self { file, temporary, target, overwrite })
    }

    /// The permissions that a file made of this input should have: the same ones, without the bits
    /// that let a program run as somebody else. `None` where the input is no regular file.
    #[must_use]
    pub fn permissions_like(input: &Metadata) -> Option<Permissions> {
        #[cfg(unix)]
        if input.is_file() {
            return Some(Permissions::from_mode(input.permissions().mode() & 0o777));
        }
        #[cfg(not(unix))]
        let _ = input;
        None
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where the file is until it is committed; `None` if it has no name until then.
    #[must_use]
    pub fn temporary_path(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if something appeared at the target meanwhile and it was
    /// not to be overwritten, and what syncing and renaming give. The file is gone then. If only
    /// the folder could not be synced, the file has its name, which a crash may take away.
    pub fn commit(self) -> io::Result<()> {
        Self::sync_name(&self.give_name()?)
    }

    /// Makes the file durable and gives it its name, which it returns. A crash may take that away
    /// until [`sync_name`](Self::sync_name) was called.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn give_name(self) -> io::Result<PathBuf> {
        without_refusal(self.file.sync_all())?;
        let target = self.target;
        #[cfg(target_os = "linux")]
        if self.temporary.is_none() {
            match link(&self.file, &target) {
                // No call links over a name: a second one is renamed over it.
                Err(error) if self.overwrite && error.kind() == io::ErrorKind::AlreadyExists => {
                    let ((), second) = temporary(folder(&target), |name| link(&self.file, name))?;
                    second.persist(&target)?;
                }
                linked => linked?,
            }
            return Ok(target);
        }
        match (self.temporary, self.overwrite) {
            (Some(path), true) => path.persist(&target)?,
            (Some(path), false) => path.persist_noclobber(&target).or_else(if_free(&target))?,
            (None, _) => return Err(io::ErrorKind::NotFound.into()),
        }
        Ok(target)
    }

    /// Syncs the name of the file at `target`. On Linux also in a folder that may be written and
    /// not read: its file system is synced.
    ///
    /// # Errors
    /// The system's error. There is none on Windows and some network file systems, which cannot do
    /// it at all.
    pub fn sync_name(target: &Path) -> io::Result<()> {
        if cfg!(not(unix)) {
            return Ok(());
        }
        let synced = File::open(folder(target)).and_then(|folder| folder.sync_all());
        #[cfg(target_os = "linux")]
        if matches!(&synced, Err(error) if error.kind() == io::ErrorKind::PermissionDenied) {
            let target = File::open(target);
            return without_refusal(target.and_then(|target| Ok(rustix::fs::syncfs(target)?)));
        }
        without_refusal(synced)
    }
}

/// Renames a file where the system cannot do that without replacing what may be there: on exFAT.
fn if_free(target: &Path) -> impl Fn(PathPersistError) -> Result<(), PathPersistError> {
    move |refused| match target.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => refused.path.persist(target),
        _ => Err(refused),
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What syncing came to. A file system, or a sandbox, that cannot do it at all has not failed:
/// nothing is lost that it would keep. A disk that fails says something else.
pub(crate) fn without_refusal(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    #[cfg(unix)]
    if matches!(&synced, Err(error) if error.raw_os_error() == Some(Errno::NOTSUP.raw_os_error())) {
        return Ok(());
    }
    match synced.as_ref().map_err(io::Error::kind) {
        Err(InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported) => Ok(()),
        _ => synced,
    }
}

/// The file that `target` means, of which a new one can be made. Symbolic links are followed, as
/// by any other program that writes there.
fn followed(target: &Path, overwrite: bool) -> io::Result<PathBuf> {
    match fs::metadata(target) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) if !overwrite => Err(io::ErrorKind::AlreadyExists.into()),
        Ok(found) if !found.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
        }
        Ok(_) => fs::canonicalize(target),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) if target.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            Err(io::ErrorKind::NotADirectory.into())
        }
        Err(_) => match fs::read_link(target) {
            Ok(_) if !overwrite => Err(io::ErrorKind::AlreadyExists.into()),
            // The system followed it to its end, so there is one.
            Ok(next) => followed(&folder(target).join(next), overwrite),
            Err(_) => Ok(target.to_path_buf()),
        },
    }
}

pub(crate) fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes something under a temporary name in `folder`. The name is not one of `tempfile`'s, which
/// asks for memory of the thread: the process ends where the system refuses it.
fn temporary<T>(
    folder: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(T, TempPath)> {
    let folder = path::absolute(folder)?;
    for _ in 0..100 {
        let path = folder.join(format!(".sivka-{:016x}.partial", getrandom::u64()?));
        match make(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, TempPath::try_from_path(path)?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A file under a temporary name in `folder`.
fn named(folder: &Path, permissions: Option<Permissions>) -> io::Result<(File, Option<TempPath>)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    options.mode(permissions.map_or(0o666, |permissions| permissions.mode()));
    #[cfg(not(unix))]
    let _ = permissions;
    let (file, path) = temporary(folder, |path| options.open(path))?;
    Ok((file, Some(path)))
}

/// A file in no folder, on the file system of `folder`: the system removes it when the process
/// ends, however that is. `None` where there is no such thing, or no way to give it a name later:
/// that is tried with an empty one.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, permissions: Option<&Permissions>) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let mode = Mode::from_raw_mode(permissions.map_or(0o666, Permissions::mode));
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let new = || openat(CWD, folder, flags, mode).map(File::from).ok();
    let (file, probe) = (new()?, new()?);
    // Its name is gone at once.
    let linked = temporary(folder, |name| link(&probe, name));
    linked.is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: Option<&Permissions>) -> Option<File> {
    None
}

/// Gives a file without a name one, unless there is one like it.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    // Linking by descriptor alone is for the privileged; by /proc it is for everybody.
    let by_number = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, by_number, CWD, name, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use io::ErrorKind::{AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound};
    use std::os::unix::fs::symlink;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    /// A file of each kind that this system has.
    fn files(target: &Path, overwrite: bool) -> [AtomicFile; 2] {
        let (file, temporary) = named(folder(target), None).unwrap();
        let named = AtomicFile { file, temporary, target: target.to_path_buf(), overwrite };
        [AtomicFile::create(target, None, overwrite).unwrap(), named]
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let dropped = files(&target, false);
        // Linux needs no temporary name: nothing is left of a process that is killed.
        let listed = if cfg!(target_os = "linux") { 1 } else { 2 };
        assert_eq!(entries(folder.path()), listed);
        drop(dropped);
        assert_eq!(entries(folder.path()), 0);
        let late = files(&target, false);
        for is_free in [true, false] {
            let path = named(folder.path(), None).unwrap().1.unwrap();
            let refused = PathPersistError { error: InvalidInput.into(), path };
            assert_eq!(if_free(&target)(refused).is_ok(), is_free);
        }
        fs::write(&target, b"old").unwrap();
        for file in late {
            assert_eq!(file.commit().unwrap_err().kind(), AlreadyExists);
            assert_eq!(fs::read(&target).unwrap(), b"old");
        }
        for (mut file, text) in files(&target, true).into_iter().zip([b"one", b"two"]) {
            file.write_all(text).unwrap();
            file.commit().unwrap();
            assert_eq!(fs::read(&target).unwrap(), text);
        }
        assert_eq!(entries(folder.path()), 1);
    }

    /// No error names the temporary file, of which nobody has heard.
    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        symlink("nowhere", folder.path().join("link")).unwrap();
        for (name, overwrite, kind) in [
            ("", true, IsADirectory),
            ("new/", true, NotADirectory),
            ("no/file", true, NotFound),
            ("file", false, AlreadyExists),
            ("link", false, AlreadyExists),
            ("/dev/null", true, InvalidInput),
        ] {
            let path = folder.path().join(name);
            let error = AtomicFile::create(&path, None, overwrite).unwrap_err();
            assert_eq!(error.kind(), kind, "{name}");
            assert!(!error.to_string().contains("partial"), "{error}");
        }
    }

    #[test]
    fn permissions_are_those_of_the_input_and_links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        fs::write(path("input"), b"secret").unwrap();
        fs::set_permissions(path("input"), Permissions::from_mode(0o4600)).unwrap();
        for (link, to) in [("link", "middle"), ("middle", "target"), ("circle", "circle")] {
            symlink(to, path(link)).unwrap();
        }
        assert!(AtomicFile::create(&path("circle"), None, true).is_err());
        // First nothing is there, then a file.
        for _ in 0..2 {
            let permissions = AtomicFile::permissions_like(&fs::metadata(path("input")).unwrap());
            let file = AtomicFile::create(&path("link"), permissions, true).unwrap();
            file.commit().unwrap();
            let made = fs::symlink_metadata(path("target")).unwrap();
            assert_eq!((made.permissions().mode() & 0o7777, made.len()), (0o600, 0));
        }
        assert_eq!(entries(folder.path()), 5);
    }
}
