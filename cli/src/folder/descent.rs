//! Going down into folders and up again by descriptors: paths may be longer than the system
//! takes, and folders lie in more folders than a process may have open.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, Stat, fstat, openat};
use rustix::io::Errno;

/// A folder itself, and none that a symbolic link names.
pub(super) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Where Linux has what this process has open, by its numbers.
pub(super) const NUMBERS: &str = "/proc/self/fd";

/// For its owner only.
pub(super) const PRIVATE: Mode = Mode::RWXU;

/// So many of the innermost folders stay open, beside the outermost.
const MOST_OPEN: usize = 16;

/// Folders that lie in each other, the outermost first, with `T` for each.
pub(super) struct Descent<T> {
    steps: Vec<Step<T>>,
    /// From the outermost to the innermost.
    path: PathBuf,
    most_open: usize,
}

struct Step<T> {
    id: (u64, u64),
    folder: Option<OwnedFd>,
    more: T,
}

/// The folder that is worked on.
pub(super) struct Innermost<'a, T> {
    pub(super) folder: &'a OwnedFd,
    /// Below the outermost.
    pub(super) path: &'a Path,
    pub(super) more: &'a mut T,
}

impl<T> Descent<T> {
    pub(super) fn new() -> Self {
        Self {
            steps: Vec::new(),
            path: PathBuf::new(),
            most_open: MOST_OPEN,
        }
    }

    /// One that keeps only the innermost folder open, beside the outermost.
    pub(super) fn with_few_open() -> Self {
        Self {
            most_open: 1,
            ..Self::new()
        }
    }

    /// How many folders there are.
    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// From the outermost to the innermost.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Goes down into `folder`, which has this name in the innermost; that of the outermost
    /// does not matter.
    pub(super) fn enter(&mut self, name: &OsStr, folder: OwnedFd, more: T) -> io::Result<()> {
        let id = id(&fstat(&folder)?);
        if self.depth() > 0 {
            self.path.push(name);
        }
        self.steps.push(Step {
            id,
            folder: Some(folder),
            more,
        });
        if let Some(outer @ 1..) = self.depth().checked_sub(self.most_open + 1) {
            self.steps[outer].folder = None;
        }
        Ok(())
    }

    /// Goes up, and gives what there was with the folder that is left.
    pub(super) fn leave(&mut self) -> Option<T> {
        let Step {
            folder: left, more, ..
        } = self.steps.pop()?;
        self.path.pop();
        // From below it is one step up, and from the outermost folder as many as there are.
        if let (Some(left), Some(step)) = (left, self.steps.last_mut())
            && step.folder.is_none()
            && let Ok(folder) = open_entry(&left, OsStr::new(".."), FOLDER)
            && fstat(&folder).is_ok_and(|found| id(&found) == step.id)
        {
            step.folder = Some(folder);
        }
        Some(more)
    }

    pub(super) fn innermost(&mut self) -> io::Result<Option<Innermost<'_, T>>> {
        if self.steps.last().is_some_and(|step| step.folder.is_none()) {
            self.open_again()?;
        }
        Ok(self.steps.last_mut().and_then(|step| {
            Some(Innermost {
                folder: step.folder.as_ref()?,
                path: &self.path,
                more: &mut step.more,
            })
        }))
    }

    /// Opens the innermost folders, from the outermost on.
    fn open_again(&mut self) -> io::Result<()> {
        let (depth, most_open) = (self.depth(), self.most_open);
        let Some((Some(outermost), steps)) = self
            .steps
            .split_first_mut()
            .map(|(first, steps)| (&first.folder, steps))
        else {
            return Ok(());
        };
        let mut at = outermost.try_clone()?;
        for (outer, (step, name)) in (1..).zip(steps.iter_mut().zip(&self.path)) {
            let folder = open_entry(&at, name, FOLDER)?;
            if id(&fstat(&folder)?) != step.id {
                return Err(io::Error::other("changed while it was read"));
            }
            if outer + most_open >= depth {
                step.folder = Some(folder.try_clone()?);
            }
            at = folder;
        }
        Ok(())
    }
}

/// Opens an entry of a folder. A program that has a lease on it is waited for, as a reader is that
/// may wait: it gives the lease back, or loses it after 45 seconds.
pub(super) fn open_entry(within: impl AsFd, name: &OsStr, flags: OFlags) -> io::Result<OwnedFd> {
    const MOST_TRIES: usize = 3000;
    let mut tries = 0;
    loop {
        match openat(&within, name, flags, Mode::empty()) {
            Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) if tries < MOST_TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => return Ok(opened?),
        }
    }
}

/// What a file or folder is known by, whatever its name.
pub(super) fn id(found: &Stat) -> (u64, u64) {
    // The number of a device has fewer bits on macOS.
    #[allow(clippy::unnecessary_cast)]
    (found.st_dev as u64, found.st_ino)
}
