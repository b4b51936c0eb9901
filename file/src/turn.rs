//! Changing a file on disk while nobody else does.

use crate::atomic_file::is_same;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// After so long a wait, somebody is told of it.
const TOLD_AFTER: Duration = Duration::from_secs(1);
/// Whoever may read a file can lock it, for as long as they like. Those who change it in this
/// time are waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);

/// The turn to change a file: until it is dropped, everybody else who asks for one waits.
///
/// [`change_slots`](crate::change_slots) takes one. Who puts a file in the place of another
/// that it was made of takes one before the other is read: of two such changes side by side
/// both count.
///
/// ```
/// use sivka_file::{AtomicFile, Turn};
/// use std::io::Write;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("names");
/// std::fs::write(&path, "alice\n")?;
///
/// let turn = Turn::wait_for(&path, || eprintln!("somebody else has locked it"))?;
/// let names = std::fs::read_to_string(&path)?;
/// let mut changed = AtomicFile::create(&path, None, true)?;
/// write!(changed, "{names}bob\n")?;
/// changed.commit()?;
/// drop(turn);
/// # assert_eq!(std::fs::read_to_string(&path)?, "alice\nbob\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Turn {
    _held: File,
}

impl Turn {
    /// Waits until nobody else changes the file at `path`, for at most 30 seconds in which it does
    /// not change; links are followed. `on_wait` is called after a second of these.
    ///
    /// Only those wait who ask for a turn: it keeps no other program from reading or writing.
    /// It ends with its process, however that ends. On Unix it is a lock of the file; on
    /// Windows, which replaces no file that is open, it is a file `.NAME.sivka-turn` beside it.
    ///
    /// # Errors
    /// What opening and locking the file gives. [`ErrorKind::TimedOut`] if another program still
    /// holds the lock; [`ErrorKind::Unsupported`] if the file system has no locks;
    /// [`ErrorKind::NotSeekable`] for a pipe and [`ErrorKind::InvalidInput`] for a device.
    pub fn wait_for(path: &Path, on_wait: impl FnOnce()) -> io::Result<Self> {
        let mut wait = Wait::new(on_wait);
        match Self::take(path, true, &mut wait) {
            // Its folder says whether it may be replaced.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Self::take(path, false, &mut wait)
            }
            taken => taken,
        }
        .map(|(_, turn)| turn)
    }

    /// The same of a file that is written to, which is given as well, locked.
    pub(crate) fn wait_to_write(path: &Path, on_wait: impl FnOnce()) -> io::Result<(File, Self)> {
        Self::take(path, true, &mut Wait::new(on_wait))
    }

    fn take(
        path: &Path,
        to_write: bool,
        wait: &mut Wait<impl FnOnce()>,
    ) -> io::Result<(File, Self)> {
        #[cfg(windows)]
        let held = wait_beside(path, wait)?;
        loop {
            match open(path, to_write) {
                // Another file may have taken its name while we waited.
                Ok(file) => {
                    wait.sees(file.metadata()?.modified().ok());
                    if lock(&file)? && has_name(&file, path)? {
                        #[cfg(not(windows))]
                        let held = file.try_clone()?;
                        return Ok((file, Self { _held: held }));
                    }
                }
                // Somebody has a lease, and was told to end it.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            wait.pause()?;
        }
    }
}

/// Waiting for others, not for ever.
struct Wait<F> {
    since: Instant,
    /// When the file was changed last.
    changed: Option<SystemTime>,
    on_wait: Option<F>,
}

impl<F: FnOnce()> Wait<F> {
    fn new(on_wait: F) -> Self {
        Self {
            since: Instant::now(),
            changed: None,
            on_wait: Some(on_wait),
        }
    }

    /// Waits anew if the others get on.
    fn sees(&mut self, changed: Option<SystemTime>) {
        if changed != self.changed {
            self.since = Instant::now();
            self.changed = changed;
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        if self.since.elapsed() > LONGEST_WAIT {
            let message = "another program holds the lock of this file, and has not changed it for 30 seconds";
            return Err(io::Error::new(ErrorKind::TimedOut, message));
        }
        if self.since.elapsed() > TOLD_AFTER
            && let Some(on_wait) = self.on_wait.take()
        {
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

/// Whether a file still has its name. It is never opened by it again.
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        found => is_same(file, &found?),
    }
}

/// Locks the file, unless somebody else has.
fn lock(file: &File) -> io::Result<bool> {
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

fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error()) {
        return true;
    }
    error.kind() == ErrorKind::Unsupported
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
    name.push(".sivka-turn");
    let beside = path.with_file_name(name);
    let mut denied_since = None;
    loop {
        let opened = File::options()
            .write(true)
            .create(true)
            .share_mode(0)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT)
            .open(&beside);
        match opened {
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
                denied_since = None;
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                if denied_since.get_or_insert_with(Instant::now).elapsed() > GOING_AWAY {
                    return Err(error);
                }
            }
            opened => return opened,
        }
        wait.pause()?;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// It waited without end, and without a word.
    #[test]
    fn who_waits_says_so_and_gives_up() {
        let mut told = false;
        let mut wait = Wait::new(|| told = true);
        wait.pause().unwrap();
        assert!(wait.on_wait.is_some());
        wait.since -= TOLD_AFTER;
        wait.pause().unwrap();
        assert!(wait.on_wait.is_none());
        wait.since -= LONGEST_WAIT;
        wait.sees(Some(SystemTime::UNIX_EPOCH));
        wait.pause().unwrap();
        wait.sees(Some(SystemTime::UNIX_EPOCH));
        wait.since -= LONGEST_WAIT;
        let error = wait.pause().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(error.to_string().contains("holds the lock"), "{error}");
        assert!(told);
    }

    #[test]
    fn a_share_without_locks_is_named() {
        let codes = [rustix::io::Errno::NOLCK, rustix::io::Errno::OPNOTSUPP];
        assert!(codes.into_iter().all(|code| has_no_locks(&code.into())));
        assert!(!has_no_locks(&ErrorKind::PermissionDenied.into()));
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
            assert_eq!(Turn::wait_for(path, || {}).unwrap_err().kind(), kind);
        }
    }
}
