//! A private folder beside the target, that becomes it at the end or is removed.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use tempfile::TempDir;

use super::error::Error;
use super::restore::PRIVATE;
use crate::atomic_file::{AtomicFile, folder, without_refusal};

/// Makes the folder under a temporary name, which it gives, or gives it its own name.
pub type Naming<'a> = &'a mut dyn FnMut() -> io::Result<Option<PathBuf>>;
type Hold<'a> = &'a dyn Fn(Naming<'_>) -> io::Result<()>;

pub(super) struct Place {
    target: PathBuf,
    private: TempDir,
    /// The same, opened: it may get a mode with which it cannot be.
    folder: File,
}

impl Place {
    pub(super) fn new(target: &Path, hold: Hold<'_>) -> Result<Self, Error> {
        if target.symlink_metadata().is_ok() {
            return Err(Error::path(target)(ErrorKind::AlreadyExists.into()));
        }
        let parent = folder(target);
        let mut private = None;
        let made = hold(&mut || {
            let made = tempfile::Builder::new()
                .prefix(".sivka-")
                .suffix(".partial")
                .permissions(Permissions::from_mode(PRIVATE))
                .tempdir_in(parent)?;
            Ok(Some(private.insert(made).path().to_path_buf()))
        });
        let private = made.and_then(|()| private.ok_or(ErrorKind::Other.into()));
        let private = private.map_err(Error::path(parent))?;
        // It has no lists of the folder around.
        for list in ["system.posix_acl_default", "system.posix_acl_access"] {
            let _ = xattr::remove(private.path(), list);
        }
        Ok(Self {
            folder: File::open(private.path()).map_err(Error::path(parent))?,
            target: target.to_path_buf(),
            private,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.private.path()
    }

    /// Gives it its name, and then what `end` gives the folder of that name, durably.
    ///
    /// # Errors
    /// If it has its name when the system refuses to make that durable, it stays.
    pub(super) fn commit(&mut self, hold: Hold, end: &mut dyn FnMut(&Path)) -> Result<(), Error> {
        without_refusal(self.sync())
            .and_then(|()| hold(&mut || self.rename().map(|()| end(&self.target)).map(|()| None)))
            .map_err(Error::path(&self.target))?;
        self.private.disable_cleanup(true);
        without_refusal(self.folder.sync_all())
            .and_then(|()| AtomicFile::sync_name(&self.target))
            .map_err(Error::path(&self.target))
    }

    /// What a folder replaces can only be an empty folder, and somebody made it just now.
    fn rename(&self) -> io::Result<()> {
        match self.target.symlink_metadata() {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(self.private.path(), &self.target),
        }
    }

    /// Makes everything in it durable.
    fn sync(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        match rustix::fs::syncfs(&self.folder) {
            Err(Errno::NOSYS) => {}
            synced => return Ok(synced?),
        }
        rustix::fs::sync();
        self.folder.sync_all()
    }
}
