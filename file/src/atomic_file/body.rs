//! The bytes of a file that has no name of its own yet.

#[cfg(target_os = "linux")]
use super::unnamed;
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};

/// What is in the temporary names of unfinished files.
const PREFIX: &str = ".sivka-";
const SUFFIX: &str = ".partial";

/// A file that goes away when it is dropped.
#[derive(Debug)]
pub(super) enum Body {
    /// In no folder: the system removes it when the process ends, however that is.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(Named),
}

/// A file under a temporary name. Whoever may write to its folder may put something else there:
/// that is left alone.
#[derive(Debug)]
pub(super) struct Named {
    file: File,
    path: Option<TempPath>,
}

impl Drop for Named {
    fn drop(&mut self) {
        if let Some(mut path) = self.path.take() {
            path.disable_cleanup(!matches!(is_at(&self.file, &path), Ok(Some(true))));
        }
    }
}

impl Body {
    /// Creates an empty file on the file system of `folder`.
    pub(super) fn create(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(folder, permissions.as_ref()) {
            return Ok(Self::Unnamed(file));
        }
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            // Less the umask, in both cases.
            options.mode(permissions.map_or(0o666, |permissions| permissions.mode()));
        }
        #[cfg(not(unix))]
        let _ = permissions;
        // Where `tempfile` makes the file itself, it keeps of an error only the kind.
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .make_in(folder, |name| options.open(name));
        made.map(Self::named).map_err(|error| of_system(&error))
    }

    pub(super) fn named(made: NamedTempFile) -> Self {
        let (file, path) = made.into_parts();
        let path = Some(path);
        Self::Named(Named { file, path })
    }

    pub(super) fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(named) => &named.file,
        }
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file,
            Self::Named(named) => &mut named.file,
        }
    }

    /// The temporary name, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Unnamed(_) => None,
            Self::Named(named) => named.path.as_deref(),
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
                    rename(linked.into_temp_path(), &file, target, true)
                }
                linked => linked,
            },
            Self::Named(mut named) => match named.path.take() {
                Some(path) => rename(path, &named.file, target, overwrite),
                None => Err(io::ErrorKind::NotFound.into()),
            },
        }
    }
}

/// Gives a file its name in place of the temporary one. A failure removes it.
fn rename(mut path: TempPath, file: &File, target: &Path, overwrite: bool) -> io::Result<()> {
    match is_at(file, &path) {
        Ok(Some(true)) => {}
        Err(error) => {
            path.disable_cleanup(true);
            let what = format!("{} is left, which cannot be looked at", path.display());
            return Err(io::Error::new(error.kind(), format!("{what}: {error}")));
        }
        Ok(_) => {
            path.disable_cleanup(true);
            return Err(io::Error::other("something else has its temporary name"));
        }
    }
    match overwrite {
        true => path.persist(target)?,
        false => path.persist_noclobber(target)?,
    }
    match is_at(file, target) {
        Ok(Some(false)) => Err(io::Error::other("something else has its name now")),
        // Whoever waits for it may have moved it on.
        _ => Ok(()),
    }
}

/// Whether `path` itself, no link, is a name of an open file; `None` if it is nobody's.
fn is_at(file: &File, path: &Path) -> io::Result<Option<bool>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => is_same(file, &found?).map(Some),
    }
}

/// Whether what was found is an open file.
#[cfg(unix)]
pub(crate) fn is_same(file: &File, found: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    Ok((ours.dev(), ours.ino()) == (found.dev(), found.ino()))
}

#[cfg(not(unix))]
pub(crate) fn is_same(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true) // There is nothing to tell files by.
}

/// What the system said, without the temporary name that was put to it: whoever reads the
/// error has never heard of that.
fn of_system(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}
