//! The bytes of a file that has no name of its own yet.

#[cfg(target_os = "linux")]
use super::unnamed;
use std::fs::{File, Permissions};
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

/// What is in the temporary names of unfinished files.
const PREFIX: &str = ".sivka-";
const SUFFIX: &str = ".partial";

/// A file that goes away when it is dropped.
#[derive(Debug)]
pub(super) enum Body {
    /// In no folder: the system removes it when the process ends, however that is.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// Under a temporary name.
    Named(NamedTempFile),
}

impl Body {
    /// Creates an empty file on the file system of `folder`.
    pub(super) fn create(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(folder, permissions.as_ref()) {
            return Ok(Self::Unnamed(file));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(permissions.unwrap_or_else(|| {
            std::os::unix::fs::PermissionsExt::from_mode(0o666) // less the umask
        }));
        #[cfg(not(unix))]
        let _ = permissions;
        let made = builder.tempfile_in(folder);
        made.map(Self::Named).map_err(|error| of_system(&error))
    }

    pub(super) fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file_mut(),
        }
    }

    /// The temporary name, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(_) => None,
            Self::Named(file) => Some(file.path()),
        }
    }

    /// Makes the file appear at `target`.
    pub(super) fn give_name(self, target: &Path, overwrite: bool) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => match unnamed::link(&file, target) {
                // No call links over a name: a second one is renamed over it.
                Err(error) if overwrite && error.kind() == io::ErrorKind::AlreadyExists => {
                    let linked = tempfile::Builder::new()
                        .prefix(PREFIX)
                        .suffix(SUFFIX)
                        .make_in(super::folder(target), |name| unnamed::link(&file, name))
                        .map_err(|error| of_system(&error))?;
                    linked.persist(target).map(drop)?;
                    Ok(())
                }
                linked => linked,
            },
            // A failed rename drops, and so removes, the file as well.
            Self::Named(file) if overwrite => Ok(file.persist(target).map(drop)?),
            Self::Named(file) => Ok(file.persist_noclobber(target).map(drop)?),
        }
    }
}

/// What the system said, without the temporary name that was put to it: whoever reads the
/// error has never heard of that. `tempfile` keeps the kind alone where it puts a name.
fn of_system(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}
