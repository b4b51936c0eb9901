//! Changing a file on disk while nobody else does.

use super::journal::{self, Place};
#[cfg(not(windows))]
use crate::atomic_file::is_same;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

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
/// let turn = Turn::wait_for(&path)?;
/// let names = std::fs::read_to_string(&path)?;
/// let mut changed = AtomicFile::create(&path, None, true)?;
/// write!(changed.file(), "{names}bob\n")?;
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
    /// Waits until nobody else changes the file at `path`; links are followed. Slots whose
    /// change a crash has interrupted are then finished.
    ///
    /// Only those wait who ask for a turn: it keeps no other program from reading or writing.
    /// It ends with its process, however that ends. On Unix it is a lock of the file; on
    /// Windows, which replaces no file that is open, it is a file `.NAME.sivka-turn` beside it.
    ///
    /// # Errors
    /// What opening and locking the file gives, and finishing the change of its slots.
    pub fn wait_for(path: &Path) -> io::Result<Self> {
        let place = Place::of(path)?;
        let (mut file, turn) = match Self::take(&place, true) {
            // Its folder says whether it may be replaced.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Self::take(&place, false)?,
            taken => taken?,
        };
        journal::finish(&mut file, &place)?;
        Ok(turn)
    }

    /// Gives the file as well, locked.
    #[cfg(not(windows))]
    pub(super) fn take(place: &Place, to_write: bool) -> io::Result<(File, Self)> {
        loop {
            let file = open(place.file(), to_write)?;
            file.lock()?;
            // Another file may have taken its name while we waited.
            if is_same(&file, &std::fs::metadata(place.file())?)? {
                let held = file.try_clone()?;
                return Ok((file, Self { _held: held }));
            }
        }
    }

    /// Gives the file as well, locked.
    #[cfg(windows)]
    pub(super) fn take(place: &Place, to_write: bool) -> io::Result<(File, Self)> {
        let held = wait_beside(place.file())?;
        let file = open(place.file(), to_write)?;
        file.lock()?;
        Ok((file, Self { _held: held }))
    }
}

fn open(path: &Path, to_write: bool) -> io::Result<File> {
    File::options().read(true).write(to_write).open(path)
}

/// A file beside `path` that only one process has at a time, and that goes away with it.
#[cfg(windows)]
fn wait_beside(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    use std::time::{Duration, Instant};
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    /// For so long a file that is going away may say that it must not be opened.
    const GOING_AWAY: Duration = Duration::from_secs(2);
    let beside = journal::beside(path, ".sivka-turn")?;
    let mut denied_since = None;
    loop {
        let opened = File::options()
            .write(true)
            .create(true)
            .share_mode(0)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
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
        std::thread::sleep(Duration::from_millis(10));
    }
}
