//! Changing a file on disk while nobody else does.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Whoever may read a file can lock it, for as long as they like.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The lock of a file: until it is dropped, everybody else who asks for it waits.
///
/// [`change_slots`](crate::change_slots) takes it. Who puts a file in the place of another that it
/// was made of takes it before the other is read, so that two such changes both count. On Windows,
/// where a locked file can be neither read nor replaced, that one has no lock.
#[derive(Debug)]
pub struct FileLock {
    pub(crate) file: File,
}

impl FileLock {
    /// Waits for the lock of the file at `path`, for at most 30 seconds; links are followed.
    ///
    /// The lock only stops programs that ask for it: others may read and write. It ends with its
    /// process.
    ///
    /// # Errors
    /// Errors of opening and locking the file, [`ErrorKind::NotSeekable`] for a pipe and
    /// [`ErrorKind::InvalidInput`] for a device; [`ErrorKind::TimedOut`] if another program still
    /// has the lock.
    pub fn wait_for(path: &Path) -> io::Result<Self> {
        if cfg!(windows) {
            return open(path, false).map(|file| Self { file });
        }
        match Self::to_change(path) {
            // Whether it may be replaced, its folder says.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Self::take(path, false),
            lock => lock,
        }
    }

    /// [`Self::wait_for`] of a file that must be one to write to.
    ///
    /// # Errors
    /// As [`Self::wait_for`].
    pub fn to_change(path: &Path) -> io::Result<Self> {
        Self::take(path, true)
    }

    fn take(path: &Path, to_write: bool) -> io::Result<Self> {
        let since = Instant::now();
        loop {
            match open(path, to_write) {
                Ok(file) if is_locked(&file)? && has_name(&file, path)? => {
                    return Ok(Self { file });
                }
                // Another has the lock, or another file took its name while we waited.
                Ok(_) => {}
                // Somebody has a lease, and was told to end it.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if since.elapsed() > LONGEST_WAIT {
                let message =
                    "another program holds the lock of this file, for more than 30 seconds";
                return Err(io::Error::new(ErrorKind::TimedOut, message));
            }
            sleep(Duration::from_millis(10));
        }
    }
}

/// Opens a file, and no pipe, which is not waited for. What it is, is asked of the open file.
fn open(path: &Path, to_write: bool) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.read(true).write(to_write).open(path)?;
    let found = file.metadata()?;
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()) {
        return Err(ErrorKind::NotSeekable.into());
    }
    let not_a_file = || io::Error::new(ErrorKind::InvalidInput, "not a regular file");
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(file),
        (false, true) => Err(ErrorKind::IsADirectory.into()),
        (false, false) => Err(not_a_file()),
    }
}

/// Locks the file, unless somebody else has.
fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // A file system may have no locks.
        Err(TryLockError::Error(error)) => {
            let message = format!("cannot be locked, and is not changed without that: {error}");
            Err(io::Error::new(error.kind(), message))
        }
    }
}

/// Whether a file still has its name.
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        found => found?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let ours = file.metadata()?;
        Ok((ours.dev(), ours.ino()) == (found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        // There is nothing to tell files by.
        let _ = (file, found);
        Ok(true)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_changed() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for (path, kind) in [
            (&*pipe, ErrorKind::NotSeekable),
            (folder.path(), ErrorKind::IsADirectory),
            (Path::new("/dev/null"), ErrorKind::InvalidInput),
        ] {
            assert_eq!(FileLock::wait_for(path).unwrap_err().kind(), kind);
        }
    }
}
