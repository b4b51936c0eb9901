//! A file that appears under its name whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that has its name only when it is complete.
///
/// It is written under a temporary name in the folder of its target, synced, and renamed:
/// whoever looks at the target sees the old state or the finished file. Dropping it
/// before [`commit`](Self::commit) removes it.
///
/// ```
/// use sivka_file::AtomicFile;
/// use std::io::Write;
///
/// # let folder = tempfile::tempdir()?;
/// let target = folder.path().join("report.txt");
/// let mut output = AtomicFile::create(&target, None, false)?;
/// output.file().write_all(b"complete")?;
/// assert!(!target.exists());
/// output.commit()?;
/// assert_eq!(std::fs::read(&target)?, b"complete");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    file: NamedTempFile,
    target: PathBuf,
    overwrite: bool,
}

impl AtomicFile {
    /// Creates the temporary file, with `permissions` if they are given and those of any
    /// new file otherwise; the umask is taken off both, as `cp` does.
    ///
    /// With `overwrite`, a file at `target` is replaced by [`commit`](Self::commit); if
    /// `target` is a symbolic link, the file that it names is.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is something at `target`, unless
    /// `overwrite`; [`io::ErrorKind::IsADirectory`] and [`io::ErrorKind::NotADirectory`];
    /// [`io::ErrorKind::InvalidInput`] for a device or named pipe, which renaming a file
    /// over it would remove; and whatever creating a file beside `target` gives.
    pub fn create(
        target: &Path,
        permissions: Option<Permissions>,
        overwrite: bool,
    ) -> io::Result<Self> {
        let mut place = target.to_path_buf();
        match fs::metadata(target) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) if !overwrite => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(found) if !found.is_file() => {
                let message = "not a regular file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            // Through a symbolic link the file it names is replaced, as any
            // other program writing to that path would do.
            Ok(_) => place = fs::canonicalize(target)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if target.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    return Err(io::ErrorKind::NotADirectory.into());
                }
                if !overwrite && fs::symlink_metadata(target).is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
            }
            Err(error) => return Err(error),
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sivka-").suffix(".partial");
        #[cfg(unix)]
        builder.permissions(permissions.unwrap_or_else(|| {
            std::os::unix::fs::PermissionsExt::from_mode(0o666) // less the umask
        }));
        #[cfg(not(unix))]
        let _ = permissions;
        Ok(Self {
            file: builder.tempfile_in(folder(&place))?,
            target: place,
            overwrite,
        })
    }

    /// The permissions that a file made of this input should have, so that what only its
    /// owner could read is so again: the same ones, without the bits that let a program
    /// run as somebody else. `None` where the input is no regular file.
    #[must_use]
    pub fn permissions_like(input: &Metadata) -> Option<Permissions> {
        #[cfg(unix)]
        if input.is_file() {
            use std::os::unix::fs::PermissionsExt;
            return Some(Permissions::from_mode(input.permissions().mode() & 0o777));
        }
        #[cfg(not(unix))]
        let _ = input;
        None
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Where the file is until it is committed, for whoever has to remove it when the
    /// process is ended from outside.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// The file that will appear.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Makes what was written durable, which [`commit`](Self::commit) does as well: for
    /// whoever must not be held up by it there.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_file().sync_all()
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if something appeared at the target meanwhile and
    /// it was not to be overwritten, and whatever syncing and renaming give. The
    /// temporary file is removed then.
    pub fn commit(self) -> io::Result<()> {
        self.sync()?;
        // A failed rename drops, and so removes, the file as well.
        if self.overwrite {
            self.file.persist(&self.target)?;
        } else {
            self.file.persist_noclobber(&self.target)?;
        }
        // The new name is in the folder's own data. Not every system can sync
        // a folder, and the file itself is safe by now.
        let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn kind<T>(result: io::Result<T>) -> Option<io::ErrorKind> {
        result.err().map(|error| error.kind())
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_that_is_not_committed_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let mut output = AtomicFile::create(&target, None, false).unwrap();
        output.file().write_all(b"half").unwrap();
        assert_eq!(entries(folder.path()), 1);
        drop(output);
        assert_eq!(entries(folder.path()), 0);
    }

    #[test]
    fn nothing_is_replaced_unless_it_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let late = AtomicFile::create(&target, None, false).unwrap();
        fs::write(&target, b"old").unwrap();
        let exists = Some(io::ErrorKind::AlreadyExists);
        assert_eq!(kind(AtomicFile::create(&target, None, false)), exists);
        // What appeared after `create` is not replaced either.
        assert_eq!(kind(late.commit()), exists);
        assert_eq!(fs::read(&target).unwrap(), b"old");
        let mut output = AtomicFile::create(&target, None, true).unwrap();
        output.file().write_all(b"new").unwrap();
        output.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let create = |path: &Path| kind(AtomicFile::create(path, None, true));
        assert_eq!(create(folder.path()), Some(io::ErrorKind::IsADirectory));
        assert_eq!(
            create(&folder.path().join("new/")),
            Some(io::ErrorKind::NotADirectory)
        );
        assert_eq!(
            create(&folder.path().join("no/file")),
            Some(io::ErrorKind::NotFound)
        );
        #[cfg(unix)]
        assert_eq!(
            create(Path::new("/dev/null")),
            Some(io::ErrorKind::InvalidInput)
        );
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_the_input_and_links_are_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, b"secret").unwrap();
        fs::set_permissions(&target, Permissions::from_mode(0o4600)).unwrap();
        symlink(&target, &link).unwrap();
        let permissions = AtomicFile::permissions_like(&fs::metadata(&target).unwrap());
        AtomicFile::create(&link, permissions, true)
            .unwrap()
            .commit()
            .unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let made = fs::metadata(&target).unwrap();
        assert_eq!((made.permissions().mode() & 0o7777, made.len()), (0o600, 0));
    }
}
