//! Files that appear under their names whole or not at all.

mod body;
#[cfg(target_os = "linux")]
mod unnamed;

use body::Body;
pub(crate) use body::is_same;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, IoSlice, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that has its name only when it is complete.
///
/// Whoever looks at the target sees the old state or the finished file. Where the system
/// has files without a name (`O_TMPFILE`), it is one until it is committed, and nothing
/// of it is left when the process is killed; elsewhere it is written under a temporary
/// name in the folder of its target. Dropping it before [`commit`](Self::commit) removes
/// it.
///
/// ```
/// use sivka_file::AtomicFile;
/// use std::io::Write;
///
/// # let folder = tempfile::tempdir()?;
/// let target = folder.path().join("report.txt");
/// let mut output = AtomicFile::create(&target, None, false)?;
/// output.write_all(b"complete")?;
/// assert!(!target.exists());
/// output.commit()?;
/// assert_eq!(std::fs::read(&target)?, b"complete");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    body: Body,
    target: PathBuf,
    overwrite: bool,
    /// No second try of syncing counts: the system tells of a failure once, and then holds what
    /// it could not write to be clean.
    lost: Option<io::ErrorKind>,
}

impl AtomicFile {
    /// Creates the file without its name, with `permissions` if they are given and those
    /// of any new file otherwise; the umask is taken off both, as `cp` does.
    ///
    /// With `overwrite`, a file at `target` is replaced by [`commit`](Self::commit); if
    /// `target` is a symbolic link, the file that it names is, whether that is there or
    /// not.
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
                if fs::symlink_metadata(target).is_ok() {
                    if !overwrite {
                        return Err(io::ErrorKind::AlreadyExists.into());
                    }
                    place = follow(target)?;
                }
            }
            Err(error) => return Err(error),
        }
        Ok(Self {
            body: Body::create(folder(&place), permissions)?,
            target: place,
            overwrite,
            lost: None,
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
        self.body.file_mut()
    }

    /// What the system says of the file.
    ///
    /// # Errors
    /// What it says instead.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.body.file().metadata()
    }

    /// Where the file is until it is committed, for whoever has to remove it when the
    /// process is ended from outside; `None` if it has no name until then.
    #[must_use]
    pub fn temporary_path(&self) -> Option<&Path> {
        self.body.path()
    }

    /// The file that will appear.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Makes what was written durable, which [`commit`](Self::commit) does otherwise: for
    /// whoever must not be held up by it there.
    ///
    /// # Errors
    /// What the system says. After one, all of this and [`give_name`](Self::give_name) fail.
    pub fn sync(&mut self) -> io::Result<()> {
        if let Some(kind) = self.lost {
            return Err(kind.into());
        }
        let synced = without_refusal(self.body.file().sync_all());
        self.lost = synced.as_ref().err().map(io::Error::kind);
        synced
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if something appeared at the target meanwhile and
    /// it was not to be overwritten, and whatever syncing and renaming give. The file is
    /// gone then. [`io::ErrorKind::Other`] where something else had its temporary name, which
    /// is left alone, or has its name after the renaming. Windows does not tell. If only the
    /// folder could not be synced, the file has its name, which a crash may take away.
    pub fn commit(self) -> io::Result<()> {
        let target = self.target.clone();
        self.give_name()?;
        Self::sync_name(&target)
    }

    /// Gives the file its name, which a crash may still take away until
    /// [`sync_name`](Self::sync_name) was called. What is in it is durable before.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn give_name(mut self) -> io::Result<()> {
        self.sync()?;
        self.body.give_name(&self.target, self.overwrite)
    }

    /// Whether an error of syncing says that the file system, or a sandbox, cannot do it at all:
    /// nothing is lost then that it would keep. A disk that fails says something else.
    #[must_use]
    pub fn cannot_sync(error: &io::Error) -> bool {
        use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
        #[cfg(unix)]
        if error.raw_os_error() == Some(rustix::io::Errno::NOTSUP.raw_os_error()) {
            return true;
        }
        matches!(
            error.kind(),
            InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported
        )
    }

    /// Makes the name of the file at `target` durable. On Linux also in a folder that may be
    /// written and not read: its file system is synced.
    ///
    /// # Errors
    /// What the system says. Where it cannot do it at all, as Windows and some network file
    /// systems, there is none.
    pub fn sync_name(target: &Path) -> io::Result<()> {
        if cfg!(not(unix)) {
            return Ok(());
        }
        let synced = File::open(folder(target)).and_then(|folder| folder.sync_all());
        #[cfg(target_os = "linux")]
        if matches!(&synced, Err(error) if error.kind() == io::ErrorKind::PermissionDenied) {
            let file_system = rustix::fs::syncfs(File::open(target)?);
            return without_refusal(file_system.map_err(io::Error::from));
        }
        without_refusal(synced)
    }

    /// The folder of the target.
    #[must_use]
    pub fn folder(&self) -> &Path {
        folder(&self.target)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn write_vectored(&mut self, bytes: &[IoSlice<'_>]) -> io::Result<usize> {
        self.file().write_vectored(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}

/// What syncing came to, where a file system that cannot do it has not failed.
fn without_refusal(synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if AtomicFile::cannot_sync(&error) => Ok(()),
        synced => synced,
    }
}

/// What a symbolic link names that leads to nothing yet.
fn follow(link: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut place = link.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&place).is_ok_and(|found| found.is_symlink()) {
            return Ok(place);
        }
        place = folder(&place).join(fs::read_link(&place)?);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests;
