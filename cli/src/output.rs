//! Where the result goes, and that it goes there whole or not at all.
//!
//! A regular file is an [`AtomicFile`]: whoever looks at the target sees the old
//! state or the finished file. It is created with the permissions of the input
//! less the umask, so that a file that only its owner could read is so again
//! after `seal` and `open`.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use sivka_file::AtomicFile;

use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::{Named, note_left, unfinished};
use crate::name::shown;
use crate::placed::Placed;

/// The destination of one run over one input.
pub(crate) enum Output {
    /// Standard output, or a device or named pipe: bytes are gone once written.
    Stream { file: File, name: PathBuf },
    /// A file that appears under its name only when it is complete.
    Atomic(Unnamed),
}

impl Output {
    /// Standard output as a file, without the line buffering that Rust's handle
    /// puts between a program and a pipe.
    pub(crate) fn standard() -> Result<Self, Failure> {
        let name = PathBuf::from(STANDARD_OUTPUT);
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
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(target),
            io::ErrorKind::NotADirectory if names_folder(target) => no_folder(target),
            io::ErrorKind::IsADirectory => Failure::new(
                Exit::Exists,
                format!("{}: {}", shown(target), reason(&error)),
            )
            .hint("nothing replaces a folder: name another target with -o"),
            _ => Failure::io(target, &error),
        };
        match fs::metadata(target) {
            Ok(found) if is_block_device(&found) && !force => Err(Failure::new(
                Exit::Exists,
                format!("{}: is a disk, or a part of one", shown(target)),
            )
            .hint("--force writes over what is on it")),
            // Renaming a file over a device or a named pipe would remove it.
            Ok(found) if !found.is_file() && !found.is_dir() => {
                let file = File::options().write(true).open(target).map_err(failed)?;
                // A link to a file may have its name by now: what is open is judged.
                let opened = file.metadata().map_err(failed)?;
                if opened.is_file() || is_block_device(&opened) && !force {
                    let message = "changed meanwhile, and nothing was written";
                    return Err(failed(io::Error::other(message)));
                }
                let name = target.to_path_buf();
                Ok(Self::Stream { file, name })
            }
            _ => Unnamed::create(target, permissions, force)
                .map(Self::Atomic)
                .map_err(failed),
        }
    }

    /// The file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        match self {
            Self::Stream { file, .. } => file,
            Self::Atomic(unnamed) => unnamed.file().file(),
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
            Self::Atomic(unnamed) => unnamed.target(),
        }
    }

    /// The complete output, if it still waits for its name.
    pub(crate) fn unnamed(self) -> Option<Unnamed> {
        match self {
            Self::Stream { .. } => None,
            Self::Atomic(unnamed) => Some(unnamed),
        }
    }

    /// Makes the complete output durable, and then gives it its name if `check` finds nothing
    /// against it.
    pub(crate) fn commit_if(
        mut self,
        check: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Self::Atomic(unnamed) = &mut self {
            // It remembers a failure, and gets no name.
            let _ = unnamed.file().sync();
        }
        check()?;
        self.commit()
    }

    /// Makes the complete output durable and gives it its name. Dropping the
    /// output instead leaves no trace of it.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        match self {
            // What a stream's reader does with it is not ours to sync.
            Self::Stream { .. } => Ok(()),
            Self::Atomic(unnamed) => {
                let named = commit_together(vec![unnamed]).pop();
                named.map_or(Ok(()), |named| named.map(drop))
            }
        }
    }
}

/// Makes complete files durable, all of them before any gets its name, and then the names.
/// Says of each what is there, or why nothing is.
pub(crate) fn commit_together(files: Vec<Unnamed>) -> Vec<Result<Placed, Failure>> {
    commit_by(AtomicFile::sync_name, files)
}

/// The same with what makes a name durable.
fn commit_by(
    sync_name: impl Fn(&Path) -> io::Result<()>,
    mut files: Vec<Unnamed>,
) -> Vec<Result<Placed, Failure>> {
    // Ahead, so that a signal has to wait for the naming only. What could not be synced
    // remembers that, and gets no name.
    let _ = AtomicFile::sync_together(&mut files.iter_mut().map(Unnamed::file).collect::<Vec<_>>());
    let places: Vec<_> = files.iter().map(Unnamed::place).collect();
    let mut named: Vec<_> = files.into_iter().map(Unnamed::give_name).collect();
    // All files of a folder share what its sync came to.
    let mut synced = BTreeMap::new();
    for ((folder, path, target), named) in places.iter().zip(&mut named) {
        if named.is_ok() {
            let failed = synced
                .entry(folder)
                .or_insert_with(|| sync_name(path).err());
            if let Some(error) = failed {
                *named = Err(name_not_durable(target, error));
            }
        }
    }
    named
}

/// The result is there, and a crash may take its name away.
pub(crate) fn name_not_durable(target: &Path, error: &io::Error) -> Failure {
    let what = "is there, and a crash may take it away: its folder cannot be synced";
    Failure::new(
        Exit::Io,
        format!("{}: {what}: {}", shown(target), reason(error)),
    )
}

/// Whether `target` is written as a folder is.
pub(crate) fn names_folder(target: &Path) -> bool {
    target.as_os_str().as_encoded_bytes().ends_with(b"/")
}

pub(crate) fn no_folder(target: &Path) -> Failure {
    Failure::new(
        Exit::Io,
        format!("{}: there is no such folder", shown(target)),
    )
    .hint("make it first, with mkdir")
}

fn exists(target: &Path) -> Failure {
    Failure::new(Exit::Exists, format!("{}: file exists", shown(target)))
        .hint("name another target with -o, or replace the file with --force")
}

/// A file without its name that a signal removes as surely as a failure does.
pub(crate) struct Unnamed {
    file: Option<AtomicFile>,
    /// As it was given: what a symbolic link leads to has another name.
    target: PathBuf,
}

impl Unnamed {
    fn create(target: &Path, permissions: Option<Permissions>, force: bool) -> io::Result<Self> {
        unfinished(|unfinished| {
            let mut file = AtomicFile::create(target, permissions, force)?;
            unfinished.files.extend(Named::of(&mut file));
            Ok(Self {
                file: Some(file),
                target: target.to_path_buf(),
            })
        })
    }

    fn file(&mut self) -> &mut AtomicFile {
        self.file.as_mut().expect("a file until it is named")
    }

    fn target(&self) -> &Path {
        &self.target
    }

    /// The folder and the path that it will have, and the target as it was given.
    fn place(&self) -> (PathBuf, PathBuf, PathBuf) {
        let file = self.file.as_ref().expect("a file until it is named");
        let (folder, path) = (file.folder(), file.target());
        (
            folder.to_path_buf(),
            path.to_path_buf(),
            self.target.clone(),
        )
    }

    fn give_name(mut self) -> Result<Placed, Failure> {
        let file = self.file.take().expect("a file until it is named");
        strike_off(file, Placed::give_name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(&self.target),
            _ => Failure::new(
                Exit::Io,
                format!(
                    "{}: cannot be written: {}",
                    shown(&self.target),
                    reason(&error)
                ),
            ),
        })
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            strike_off(file, drop);
        }
    }
}

/// Ends the life of an unfinished file with `end`, and with it its place on the list.
fn strike_off<R>(file: AtomicFile, end: impl FnOnce(AtomicFile) -> R) -> R {
    let path = file.temporary_path().map(Path::to_path_buf);
    unfinished(|unfinished| {
        let ended = end(file);
        if let Some(path) = path {
            note_left(&path);
            unfinished.files.retain(|listed| listed.path() != path);
        }
        ended
    })
}

/// What standard output is called in a message.
const STANDARD_OUTPUT: &str = "standard output";

/// Whether this process was started with a standard stream closed. The runtime has put
/// /dev/null in its place before any of our code ran, and opened it to read and write as
/// well: a shell that sends output there, or takes input from there, opens it for that only.
/// Whoever sends results there by a descriptor of both kinds is told the same, and can name the device with -o.
#[cfg(target_os = "linux")]
pub(crate) fn is_closed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let is_null = || {
        let null = fs::metadata("/dev/null").ok()?;
        Some(file.metadata().ok()?.rdev() == null.rdev())
    };
    let flags = rustix::fs::fcntl_getfl(file);
    flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::RDWR)) && is_null() == Some(true)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_closed(_: &File) -> bool {
    false // Writing to it fails, or cannot be told from writing to the null device.
}

fn closed() -> Failure {
    Failure::new(Exit::Io, format!("{STANDARD_OUTPUT}: is closed"))
        .hint("name a file with -o; to throw the result away, -o /dev/null")
}

/// Writes `bytes`, which nobody has elsewhere, to standard output.
pub(crate) fn print_secret(bytes: &[u8]) -> Result<(), Failure> {
    match standard_output() {
        Ok(file) if is_closed(&file) => Err(closed()),
        _ => print(bytes),
    }
}

/// Whether it is a disk: what is written to it, file systems lose.
fn is_block_device(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type())
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        false
    }
}

/// Writes `bytes` to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::io(Path::new(STANDARD_OUTPUT), &error))
}

/// Standard output as a file.
#[cfg(unix)]
pub(crate) fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
pub(crate) fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    // It was passed over, and what the result was made of was removed.
    #[test]
    fn a_folder_that_cannot_be_synced_fails_what_is_in_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = ["one", "two"].map(|name| {
            let made = Unnamed::create(&folder.path().join(name), None, false);
            made.expect("a file")
        });
        let failing = |_: &Path| Err(io::Error::other("no disk"));
        let named = commit_by(failing, files.into());
        assert_eq!(named.len(), 2);
        for failure in named {
            let failure = failure.map(drop).expect_err("not durable");
            assert_eq!(failure.exit as u8, 3);
            let said = failure.message();
            assert!(said.ends_with("cannot be synced: no disk"), "{said}");
        }
    }
}
