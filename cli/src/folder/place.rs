//! A folder that has its name only when it is complete.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sivka_file::AtomicFile;

use super::partial::Partial;
use super::unpacked::Unpacked;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::{Unfinished, unfinished};
use crate::name::shown;
use crate::output::name_not_durable;
use crate::placed::Placed;

/// A new folder beside its target, under a temporary name, that nobody else can enter. It
/// goes away with all that is in it unless it is given its name.
pub(crate) struct Place {
    partial: Arc<Partial>,
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
            let partial = Partial::create(parent(target));
            let partial = partial.map_err(|error| Failure::io(target, &inner(&error)))?;
            forget_inherited(partial.folder());
            let partial = Arc::new(partial);
            unfinished.folders.push(Arc::clone(&partial));
            Ok(Self {
                partial,
                target: target.to_path_buf(),
            })
        })
    }

    /// Where it is until it has its name.
    pub(super) fn path(&self) -> &Path {
        self.partial.path()
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &File {
        self.partial.folder()
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Makes all that is in it durable, gives the folder its name, and then the rights that it
    /// is to have: until then nobody else enters it. Says what is there then.
    pub(crate) fn give_name(
        self,
        unpacked: &mut Unpacked,
        console: Console<'_>,
    ) -> Result<Placed, Failure> {
        let failed =
            |error: &io::Error| self.failure(&format!("cannot be written: {}", reason(error)));
        sync(self.folder()).map_err(|error| failed(&error))?;
        let named = unfinished(|unfinished| {
            let name = self.target.file_name().unwrap_or_default();
            self.partial.rename(name)?;
            self.strike_off(unfinished);
            Ok(())
        });
        named.map_err(|error: io::Error| match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory => {
                exists(&self.target)
            }
            _ => failed(&error),
        })?;
        if !self.partial.is_around_in_place() {
            let what = "is not there: what it is in was moved while it was written";
            return Err(self.failure(what));
        }
        unpacked.finish(self.folder());
        unpacked.note_lost(console, &self.target);
        let synced = self.sync_name();
        synced.map_err(|error| name_not_durable(&self.target, &error))?;
        let placed = self.folder().metadata().map(Placed::of);
        placed.map_err(|error| Failure::io(&self.target, &error))
    }

    fn failure(&self, what: &str) -> Failure {
        Failure::new(Exit::Io, format!("{}: {what}", shown(&self.target)))
    }

    /// Makes the name durable, and what the folder has got after it.
    fn sync_name(&self) -> io::Result<()> {
        let finished = AtomicFile::sync_open_folder(self.folder());
        match finished.and_then(|()| AtomicFile::sync_folder(parent(&self.target))) {
            // The folder around may be one that may be written and not read.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => sync(self.folder()),
            synced => synced,
        }
    }

    /// Takes it off the list of what is unfinished, and says whether it was there.
    fn strike_off(&self, unfinished: &mut Unfinished) -> bool {
        let before = unfinished.folders.len();
        let is_other = |listed: &Arc<Partial>| !Arc::ptr_eq(listed, &self.partial);
        unfinished.folders.retain(is_other);
        unfinished.folders.len() < before
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        unfinished(|unfinished| {
            if self.strike_off(unfinished) {
                self.partial.remove();
            }
        });
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
    if let Some(code) = error.raw_os_error() {
        return io::Error::from_raw_os_error(code);
    }
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

/// Makes everything below `folder` durable: on Linux the file system is, at once; elsewhere
/// each file was when it was written.
fn sync(folder: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rustix::fs::syncfs(folder).map_err(io::Error::from) {
        // A sandbox may not have that call: then all file systems are.
        Err(error) if AtomicFile::cannot_sync(&error) => rustix::fs::sync(),
        synced => synced?,
    }
    #[cfg(not(target_os = "linux"))]
    let _ = folder.sync_all(); // Not every system can.
    Ok(())
}
