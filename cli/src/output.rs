//! Where the result goes, and that it goes there whole or not at all.
//!
//! A regular file is written under a temporary name in the folder of its
//! target, synced, and renamed; whoever looks at the target sees the old state
//! or the finished file. The temporary file is created with the permissions of
//! the input less the umask, as `cp` would give them, so that a file that only
//! its owner could read is so again after `seal` and `open`.

use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure, reason, shown};
use crate::interrupt::unfinished;

/// The destination of one run over one input.
pub(crate) enum Output {
    /// Standard output, or a device or named pipe: bytes are gone once written.
    Stream { file: File, name: PathBuf },
    /// A file that appears under its name only when it is complete.
    Atomic {
        unnamed: Unnamed,
        target: PathBuf,
        force: bool,
    },
}

impl Output {
    /// Standard output as a file, without the line buffering that Rust's handle
    /// puts between a program and a pipe.
    pub(crate) fn standard() -> Result<Self, Failure> {
        let name = PathBuf::from("standard output");
        match standard_output() {
            Ok(file) => Ok(Self::Stream { file, name }),
            Err(error) => Err(Failure::io(&name, &error)),
        }
    }

    /// Prepares to write `target`, with `permissions` if they are given and
    /// those of any new file otherwise.
    ///
    /// Fails now, before any work is done, if the target exists (unless
    /// `force`), is a directory, or lies in a folder that cannot be written.
    pub(crate) fn create(
        target: &Path,
        permissions: Option<Permissions>,
        force: bool,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::io(target, &error);
        let mut place = target.to_path_buf();
        match fs::metadata(target) {
            Ok(found) if found.is_dir() => {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            // Renaming a file over a device or a named pipe would remove it.
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(target).map_err(failed)?;
                return Ok(Self::Stream { file, name: place });
            }
            Ok(_) if !force => return Err(exists(target)),
            // Through a symbolic link the file it names is replaced, as any
            // other program writing to that path would do.
            Ok(_) => place = fs::canonicalize(target).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !force && fs::symlink_metadata(target).is_ok() {
                    return Err(exists(target));
                }
            }
            Err(error) => return Err(failed(error)),
        }
        let unnamed = Unnamed::beside(&place, permissions).map_err(failed)?;
        Ok(Self::Atomic {
            unnamed,
            target: place,
            force,
        })
    }

    /// The file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        match self {
            Self::Stream { file, .. } => file,
            Self::Atomic { unnamed, .. } => unnamed.file(),
        }
    }

    /// Whether a person would see what is written.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stream { file, .. } if file.is_terminal())
    }

    /// What to call this output in a message.
    pub(crate) fn name(&self) -> &Path {
        match self {
            Self::Stream { name, .. } => name,
            Self::Atomic { target, .. } => target,
        }
    }

    /// Makes the complete output durable and gives it its name. Dropping the
    /// output instead leaves no trace of it.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        match self {
            // What a stream's reader does with it is not ours to sync.
            Self::Stream { .. } => Ok(()),
            Self::Atomic {
                unnamed,
                target,
                force,
            } => unnamed
                .name(&target, force)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => exists(&target),
                    _ => Failure::new(
                        Exit::Io,
                        format!("{}: cannot be written: {}", shown(&target), reason(&error)),
                    ),
                }),
        }
    }
}

fn exists(target: &Path) -> Failure {
    Failure::new(Exit::Exists, format!("{}: file exists", shown(target)))
        .hint("name another target with -o, or replace the file with --force")
}

/// A temporary file that a signal removes as surely as a failure does.
pub(crate) struct Unnamed(Option<NamedTempFile>);

impl Unnamed {
    fn beside(target: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sivka-").suffix(".partial");
        #[cfg(unix)]
        builder.permissions(permissions.unwrap_or_else(|| {
            std::os::unix::fs::PermissionsExt::from_mode(0o666) // less the umask
        }));
        #[cfg(not(unix))]
        let _ = permissions;
        unfinished(|unfinished| {
            let file = builder.tempfile_in(folder(target))?;
            unfinished.files.push(file.path().to_path_buf());
            Ok(Self(Some(file)))
        })
    }

    fn file(&mut self) -> &mut File {
        self.0
            .as_mut()
            .expect("a file until it is named")
            .as_file_mut()
    }

    fn name(mut self, target: &Path, force: bool) -> io::Result<()> {
        self.file().sync_all()?;
        let file = self.0.take().expect("a file until it is named");
        let path = file.path().to_path_buf();
        unfinished(|unfinished| {
            // A failed rename drops, and so removes, the file as well.
            let named = if force {
                file.persist(target)
            } else {
                file.persist_noclobber(target)
            };
            unfinished.files.retain(|listed| *listed != path);
            named
        })?;
        // The new name is in the folder's own data. Not every system can sync
        // a folder, and the file itself is safe by now.
        let _ = File::open(folder(target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let path = file.path().to_path_buf();
            unfinished(|unfinished| {
                drop(file);
                unfinished.files.retain(|listed| *listed != path);
            });
        }
    }
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}
