//! Results that have their names, and whether a file is the one that it was.

use std::fs::{self, File, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use sivka_file::AtomicFile;

/// A result that has its name.
pub(crate) struct Placed {
    result: Metadata,
    /// The file that lost its name to the result and has others, before that and after it.
    #[cfg(unix)]
    replaced: Option<(Metadata, Metadata)>,
}

impl Placed {
    /// A result of which the system says this.
    #[cfg(unix)]
    pub(crate) fn of(result: Metadata) -> Self {
        Self {
            result,
            #[cfg(unix)]
            replaced: None,
        }
    }

    /// Gives a complete file its name.
    pub(crate) fn give_name(file: AtomicFile) -> io::Result<Self> {
        let target = file.target().to_path_buf();
        let made = file.metadata()?;
        #[cfg(unix)]
        let other = OtherName::of(&target);
        file.give_name()?;
        // Some systems know the time of the last change only when the file is closed.
        let named = fs::symlink_metadata(&target).ok();
        let named = named.filter(|named| is_same_inode(&made, named) && named.len() == made.len());
        Ok(Self {
            result: named.unwrap_or(made),
            #[cfg(unix)]
            replaced: other.and_then(OtherName::removed),
        })
    }

    /// Whether this is the result, and nobody has written to it. A folder may be in use by now.
    pub(crate) fn is(&self, found: &Metadata) -> bool {
        match self.result.is_dir() {
            true => found.is_dir() && is_same_inode(&self.result, found),
            false => found.is_file() && is_same_but_status(&self.result, found),
        }
    }

    #[cfg(unix)]
    pub(crate) fn replaced(&self) -> Option<&(Metadata, Metadata)> {
        self.replaced.as_ref()
    }
}

/// A name that a file has beside others.
#[cfg(unix)]
struct OtherName {
    file: File,
    before: Metadata,
}

#[cfg(unix)]
impl OtherName {
    fn of(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        if !found.is_file() || found.nlink() == 1 {
            return None;
        }
        let file = open_at_once(path).ok()?;
        let before = file.metadata().ok()?;
        Some(Self { file, before })
    }

    /// What the file was and is, if it has lost this name and nothing else.
    fn removed(self) -> Option<(Metadata, Metadata)> {
        let (before, after) = (self.before, self.file.metadata().ok()?);
        let is_all = before.nlink() == after.nlink() + 1 && is_same_but_status(&before, &after);
        is_all.then_some((before, after))
    }
}

/// Opens a file to read it. A named pipe that has its name now is not waited for; who has a lease
/// on the file is.
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options.read(true);
    let opened = || options.open(path);
    let is_leased = |error: &io::Error| error.kind() == io::ErrorKind::WouldBlock;
    for _ in 0..MOST_TRIES {
        match opened() {
            Err(error) if is_leased(&error) => std::thread::sleep(Duration::from_millis(20)),
            opened => return opened,
        }
    }
    opened()
}

/// Linux takes a lease away after 45 seconds.
const MOST_TRIES: usize = 3000;

/// Device and inode.
#[cfg(unix)]
pub(crate) type Inode = (u64, u64);

#[cfg(unix)]
pub(crate) fn id(found: &Metadata) -> Inode {
    (found.dev(), found.ino())
}

/// Seconds and nanoseconds of the last change of the status.
#[cfg(unix)]
pub(crate) type StatusTime = (i64, i64);

/// Whoever writes to a file can put its other times back, and not that of its status.
#[cfg(unix)]
pub(crate) fn status_of(found: &Metadata) -> StatusTime {
    (found.ctime(), found.ctime_nsec())
}

/// Whether a file is the one that it was, and nobody has changed it.
pub(crate) fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    if status_of(before) != status_of(now) {
        return false;
    }
    is_same_but_status(before, now)
}

pub(crate) fn is_same_but_status(before: &Metadata, now: &Metadata) -> bool {
    is_same_inode(before, now)
        && before.len() == now.len()
        && before.modified().ok() == now.modified().ok()
}

/// Whether a file or folder is the one that it was, where there is something to tell by.
fn is_same_inode(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        id(before) == id(now)
    }
    #[cfg(not(unix))]
    {
        before.is_dir() == now.is_dir()
    }
}
