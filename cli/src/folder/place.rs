//! A folder that has its name only when it is complete.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Timespec, Timestamps, UTIME_OMIT};
use rustix::io::Errno;
use sivka_file::AtomicFile;

use super::remove::{DESCRIPTORS, note_left, remove_tree};
use super::time::Mtime;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::unfinished;
use crate::name::shown;

/// A new folder beside its target, under a temporary name, that nobody else can enter. It
/// goes away with all that is in it unless it is given its name.
pub(crate) struct Place {
    path: Option<PathBuf>,
    /// The folder itself: by the time it is synced, its mode may forbid to open it.
    folder: File,
    /// Descriptors that are free again when the folder has to be removed, because there were
    /// too few.
    spare: Vec<File>,
    target: PathBuf,
}

impl Place {
    /// Fails if there is anything at `target`: a folder replaces nothing, and is not merged
    /// into another.
    pub(crate) fn create(target: &Path) -> Result<Self, Failure> {
        if target.symlink_metadata().is_ok() {
            return Err(exists(target));
        }
        unfinished(|unfinished| {
            // Made for its owner only, and kept so until it is complete.
            let private = fs::Permissions::from_mode(0o700);
            let made = tempfile::Builder::new()
                .prefix(".sivka-")
                .suffix(".partial")
                .permissions(private.clone())
                .tempdir_in(parent(target))
                .map_err(|error| Failure::io(target, &inner(&error)))?;
            let path = made.keep();
            unfinished.folders.push(path.clone());
            // The umask may have taken away what its owner needs.
            let allowed = fs::set_permissions(&path, private);
            allowed.map_err(|error| Failure::io(target, &error))?;
            let opened = File::open(&path).and_then(|folder| {
                let spare = (0..DESCRIPTORS).map(|_| folder.try_clone());
                Ok((spare.collect::<io::Result<_>>()?, folder))
            });
            let opened = opened.inspect_err(|_| drop(fs::remove_dir(&path)));
            let (spare, folder) = opened.map_err(|error| Failure::io(target, &error))?;
            forget_inherited(&folder);
            Ok(Self {
                path: Some(path),
                folder,
                spare,
                target: target.to_path_buf(),
            })
        })
    }

    /// Where it is until it has its name.
    pub(super) fn path(&self) -> &Path {
        self.path.as_deref().expect("a folder until it is named")
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &File {
        &self.folder
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Makes all that is in it durable, and gives the folder its name.
    pub(crate) fn give_name(mut self) -> Result<(), Failure> {
        let failed = |error: &io::Error| {
            let reason = reason(error);
            Failure::new(
                Exit::Io,
                format!("{}: cannot be written: {reason}", shown(&self.target)),
            )
        };
        sync(&self.folder).map_err(|error| failed(&error))?;
        let named = unfinished(|unfinished| {
            rename(self.path(), &self.target)?;
            unfinished
                .folders
                .retain(|listed| Some(listed) != self.path.as_ref());
            Ok(())
        });
        match named {
            Ok(()) => self.path = None,
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {
                return Err(exists(&self.target));
            }
            Err(error) => return Err(failed(&error.into())),
        }
        // Not every system can sync a folder, and what is in it is safe by now.
        let _ = AtomicFile::sync_folder(parent(&self.target));
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            unfinished(|unfinished| {
                self.spare.clear();
                if let Err(error) = remove_tree(&path) {
                    note_left(&path, &error);
                }
                unfinished.folders.retain(|listed| *listed != path);
            });
        }
    }
}

/// Takes from a folder the access lists that the one around it gave, so that nothing in it
/// inherits them: rights are those that were sealed.
fn forget_inherited(folder: &File) {
    #[cfg(target_os = "linux")]
    for list in ["system.posix_acl_default", "system.posix_acl_access"] {
        // There is none as a rule, and some file systems have none at all.
        let _ = rustix::fs::fremovexattr(folder, list);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = folder;
}

fn exists(target: &Path) -> Failure {
    let message = format!("{}: exists, and a folder replaces nothing", shown(target));
    Failure::new(Exit::Exists, message).hint("name another target with -o")
}

fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// What the system said, without the temporary name that was wrapped around it.
pub(super) fn inner(error: &io::Error) -> io::Error {
    let mut source = error.get_ref().and_then(|inner| inner.source());
    let mut found = None;
    while let Some(next) = source {
        found = next.downcast_ref::<io::Error>().or(found);
        source = next.source();
    }
    match found {
        Some(found) => match found.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(found.kind(), found.to_string()),
        },
        None => io::Error::new(error.kind(), reason(error)),
    }
}

#[cfg(target_os = "linux")]
fn rename(from: &Path, to: &Path) -> Result<(), Errno> {
    use rustix::fs::{CWD, RenameFlags, rename, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Not every file system can promise it. What a folder can replace by a plain one
        // is an empty folder.
        Err(Errno::INVAL | Errno::NOSYS) => rename(from, to),
        renamed => renamed,
    }
}

#[cfg(not(target_os = "linux"))]
fn rename(from: &Path, to: &Path) -> Result<(), Errno> {
    rustix::fs::rename(from, to)
}

/// Makes everything below `folder` durable: on Linux the file system is, at once; elsewhere
/// each file was when it was written.
fn sync(folder: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(folder)?;
    #[cfg(not(target_os = "linux"))]
    let _ = folder.sync_all(); // Not every system can.
    Ok(())
}

/// The times of something that was changed last then.
pub(super) fn changed(mtime: Mtime) -> Timestamps {
    let (seconds, nanos) = mtime.parts();
    Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: Timespec {
            tv_sec: seconds,
            tv_nsec: nanos.into(),
        },
    }
}
