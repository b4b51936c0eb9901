//! A private folder beside the target, that becomes it at the end or is removed.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use tempfile::TempDir;

use super::error::Error;
use super::restore::PRIVATE;
use crate::atomic_file::{AtomicFile, folder, without_refusal};

/// Makes the folder under a temporary name.
pub type Begin<'a> = &'a mut dyn FnMut() -> io::Result<PathBuf>;
/// Gives the folder its name.
pub type End<'a> = &'a mut dyn FnMut() -> io::Result<()>;

pub(super) struct Place {
    target: PathBuf,
    private: TempDir,
    folder: File,
    /// No call syncs all of a file system: each file is synced when it is complete.
    syncs_each: bool,
}

impl Place {
    /// Makes it, and tries what the end needs.
    pub(super) fn new(
        target: &Path,
        begin: &dyn Fn(Begin<'_>) -> io::Result<()>,
    ) -> Result<Self, Error> {
        if target.symlink_metadata().is_ok() {
            return Err(Error::path(target)(ErrorKind::AlreadyExists.into()));
        }
        let parent = folder(target);
        let (private, folder) = make(parent, begin).map_err(Error::path(parent))?;
        Ok(Self {
            target: target.to_path_buf(),
            private,
            folder,
            syncs_each: !has_syncfs(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.private.path()
    }

    /// Gives it its name, durably.
    ///
    /// # Errors
    /// If it has its name when the system refuses to make that durable, it stays.
    pub(super) fn commit(&mut self, end: &dyn Fn(End<'_>) -> io::Result<()>) -> Result<(), Error> {
        self.sync()
            .and_then(|()| end(&mut || rename(self.private.path(), &self.target)))
            .map_err(Error::path(&self.target))?;
        self.private.disable_cleanup(true);
        AtomicFile::sync_name(&self.target).map_err(Error::path(&self.target))
    }

    /// Syncs a file or folder that is complete, if nothing syncs all of them at the end.
    pub(super) fn sync_each(&self, file: &File) -> io::Result<()> {
        match self.syncs_each {
            true => without_refusal(file.sync_all()),
            false => Ok(()),
        }
    }

    fn sync(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if !self.syncs_each {
            return without_refusal(rustix::fs::syncfs(&self.folder).map_err(io::Error::from));
        }
        without_refusal(self.folder.sync_all())
    }
}

fn make(parent: &Path, begin: &dyn Fn(Begin<'_>) -> io::Result<()>) -> io::Result<(TempDir, File)> {
    let mut made = None;
    begin(&mut || {
        let private = tempfile::Builder::new()
            .prefix(".sivka-")
            .suffix(".partial")
            .permissions(fs::Permissions::from_mode(PRIVATE))
            .tempdir_in(parent)?;
        Ok(made.insert(private).path().to_path_buf())
    })?;
    let private = made.ok_or(ErrorKind::Other)?;
    let folder = File::open(private.path())?;
    // It has no lists of the folder around.
    #[cfg(target_os = "linux")]
    for list in ["system.posix_acl_default", "system.posix_acl_access"] {
        let _ = rustix::fs::fremovexattr(&folder, list);
    }
    let [from, to] = ["from", "to"].map(|name| private.path().join(name));
    fs::create_dir(&from)?;
    rename(&from, &to)?;
    fs::remove_dir(&to)?;
    Ok((private, folder))
}

#[cfg(target_os = "linux")]
fn has_syncfs() -> bool {
    use rustix::fs::{Mode, OFlags, open};
    // It cannot sync what is not open for reading, and says so only if it is there.
    let path = open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    path.is_ok_and(|path| rustix::fs::syncfs(path) == Err(Errno::BADF))
}

#[cfg(not(target_os = "linux"))]
fn has_syncfs() -> bool {
    false
}

/// Gives a folder a name that is free.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Not every file system can promise it.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            renamed => return Ok(renamed?),
        }
    }
    // What a folder replaces can only be an empty folder, and somebody made it just now.
    match to.symlink_metadata() {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}
