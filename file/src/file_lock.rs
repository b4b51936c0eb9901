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
/// was made of takes it before the other is read, so that two such changes both count.
#[derive(Debug)]
pub struct FileLock {
    #[cfg(windows)]
    _beside: File,
    pub(crate) file: File,
}

impl FileLock {
    /// Waits for the lock of the file at `path`, for at most 30 seconds; links are followed.
    ///
    /// The lock only stops programs that ask for it: others may read and write. It ends with its
    /// process. On Windows, where an open file cannot be replaced, it is a file `.NAME.sivka-lock`
    /// beside it.
    ///
    /// # Errors
    /// Errors of opening and locking the file, [`ErrorKind::NotSeekable`] for a pipe and
    /// [`ErrorKind::InvalidInput`] for a device; [`ErrorKind::TimedOut`] if another program still
    /// has the lock.
    pub fn wait_for(path: &Path) -> io::Result<Self> {
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
        #[cfg(windows)]
        let beside = wait_beside(path, since)?;
        loop {
            match open(path, to_write) {
                Ok(file) if is_locked(&file)? && has_name(&file, path)? => {
                    return Ok(Self {
                        #[cfg(windows)]
                        _beside: beside,
                        file,
                    });
                }
                // Another has the lock, or another file took its name while we waited.
                Ok(_) => {}
                // Somebody has a lease, and was told to end it.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            pause(since)?;
        }
    }
}

/// Waits for others a little longer, and not for ever.
fn pause(since: Instant) -> io::Result<()> {
    if since.elapsed() > LONGEST_WAIT {
        let message = "another program holds the lock of this file, for more than 30 seconds";
        return Err(io::Error::new(ErrorKind::TimedOut, message));
    }
    sleep(Duration::from_millis(10));
    Ok(())
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

/// A file beside the one at `path` that only one process has at a time, and that goes away with
/// it. Where a link has its name, the link is opened, and not what it leads to.
#[cfg(windows)]
fn wait_beside(path: &Path, since: Instant) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    const ERROR_ACCESS_DENIED: i32 = 5;
    let path = fs::canonicalize(path)?;
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or(ErrorKind::IsADirectory)?);
    name.push(".sivka-lock");
    let mut options = File::options();
    options.write(true).create(true).share_mode(0);
    options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT);
    loop {
        match options.open(path.with_file_name(&name)) {
            // Access is denied to one that is going away.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(ERROR_SHARING_VIOLATION | ERROR_ACCESS_DENIED)
                ) => {}
            opened => return opened,
        }
        pause(since)?;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn who_waits_gives_up() {
        pause(Instant::now()).unwrap();
        let long_ago = Instant::now().checked_sub(2 * LONGEST_WAIT).unwrap();
        assert_eq!(pause(long_ago).unwrap_err().kind(), ErrorKind::TimedOut);
    }

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
