//! Changing a file on disk while nobody else does.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// After so long a wait, somebody is told of it.
const TOLD_AFTER: Duration = Duration::from_secs(1);
/// Whoever may read a file can lock it, for as long as they like.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);

/// The lock of a file: until it is dropped, everybody else who asks for it waits.
///
/// [`change_slots`](crate::change_slots) takes it. Who puts a file in the place of another
/// that it was made of takes it before the other is read: of two such changes side by side
/// both count.
///
/// ```
/// use sivka_file::{AtomicFile, FileLock};
/// use std::io::Write;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("names");
/// std::fs::write(&path, "alice\n")?;
///
/// let lock = FileLock::wait_for(&path, || eprintln!("somebody else has locked it"))?;
/// let names = std::fs::read_to_string(&path)?;
/// let mut changed = AtomicFile::create(&path, None, true)?;
/// write!(changed, "{names}bob\n")?;
/// changed.commit()?;
/// drop(lock);
/// # assert_eq!(std::fs::read_to_string(&path)?, "alice\nbob\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FileLock {
    #[cfg(windows)]
    _beside: File,
    file: File,
}

impl FileLock {
    /// Waits until nobody else has the lock of the file at `path`, for at most 30 seconds; links
    /// are followed. `on_wait` is called after a second.
    ///
    /// Only those wait who ask for the lock: it keeps no other program from reading or writing.
    /// It ends with its process, however that ends. On Windows, which replaces no file that is
    /// open, it is a file `.NAME.sivka-lock` beside it.
    ///
    /// # Errors
    /// What opening and locking the file gives, [`ErrorKind::NotSeekable`] for a pipe and
    /// [`ErrorKind::InvalidInput`] for a device; [`ErrorKind::TimedOut`] if another program still
    /// has the lock; [`ErrorKind::Unsupported`] if the file system has no locks.
    pub fn wait_for(path: &Path, on_wait: impl FnOnce()) -> io::Result<Self> {
        let opened = open(path, true).map(drop).map_err(|error| error.kind());
        // Whether it may be replaced, its folder says.
        Self::take(path, opened != Err(ErrorKind::PermissionDenied), on_wait)
    }

    /// The lock of a file, which can be written to if it is asked for.
    pub(crate) fn take(path: &Path, to_write: bool, on_wait: impl FnOnce()) -> io::Result<Self> {
        let mut wait = Wait::new(on_wait);
        #[cfg(windows)]
        let beside = wait_beside(path, &mut wait)?;
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
            wait.pause()?;
        }
    }

    /// The file itself.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }
}

/// Waiting for others, not for ever.
struct Wait<F> {
    since: Instant,
    on_wait: Option<F>,
}

impl<F: FnOnce()> Wait<F> {
    fn new(on_wait: F) -> Self {
        Self {
            since: Instant::now(),
            on_wait: Some(on_wait),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        let waited = self.since.elapsed();
        if waited > LONGEST_WAIT {
            let message = "another program holds the lock of this file, for more than 30 seconds";
            return Err(io::Error::new(ErrorKind::TimedOut, message));
        }
        if let Some(on_wait) = self.on_wait.take_if(|_| waited > TOLD_AFTER) {
            on_wait();
        }
        sleep(PAUSE);
        Ok(())
    }
}

/// Opens the file at `path` to read and to write it; links are followed. What it is, is asked of
/// the open file.
///
/// # Errors
/// What opening it gives; [`ErrorKind::NotSeekable`] for a pipe, which is not waited for, and
/// [`ErrorKind::InvalidInput`] for a device.
pub fn open_to_change(path: &Path) -> io::Result<File> {
    open(path, true)
}

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
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(file),
        (false, true) => Err(ErrorKind::IsADirectory.into()),
        (false, false) => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "not a regular file",
        )),
    }
}

/// Locks the file, unless somebody else has.
fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Err(io::Error::new(
            ErrorKind::Unsupported,
            "cannot be locked, and is not changed without that: its file system has no locks",
        )),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A lock of a file that is open needs no permission: who refuses it has none.
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let errno = Errno::from_io_error(error);
        if matches!(errno, Some(Errno::NOLCK | Errno::PERM | Errno::INVAL)) {
            return true;
        }
    }
    error.kind() == ErrorKind::Unsupported
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
fn wait_beside(path: &Path, wait: &mut Wait<impl FnOnce()>) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    /// For so long a file that is going away may say that it must not be opened.
    const GOING_AWAY: Duration = Duration::from_secs(2);
    let path = fs::canonicalize(path)?;
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or(ErrorKind::IsADirectory)?);
    name.push(".sivka-lock");
    let mut options = File::options();
    options.write(true).create(true).share_mode(0);
    options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT);
    let mut held_at = Instant::now();
    loop {
        match options.open(path.with_file_name(&name)) {
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
                held_at = Instant::now();
            }
            Err(error)
                if error.kind() == ErrorKind::PermissionDenied
                    && held_at.elapsed() < GOING_AWAY => {}
            opened => return opened,
        }
        wait.pause()?;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn who_waits_says_so_and_gives_up() {
        let mut told = false;
        let mut wait = Wait::new(|| told = true);
        wait.pause().unwrap();
        assert!(wait.on_wait.is_some());
        wait.since -= TOLD_AFTER;
        wait.pause().unwrap();
        wait.since -= LONGEST_WAIT;
        let error = wait.pause().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(told);
    }

    #[test]
    fn a_share_without_locks_is_named() {
        use rustix::io::Errno;
        for errno in [
            Errno::NOLCK,
            Errno::OPNOTSUPP,
            Errno::NOSYS,
            Errno::PERM,
            Errno::INVAL,
        ] {
            assert!(has_no_locks(&errno.into()), "{errno}");
        }
        assert!(!has_no_locks(&Errno::IO.into()));
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
            assert_eq!(FileLock::wait_for(path, || {}).unwrap_err().kind(), kind);
        }
    }
}
