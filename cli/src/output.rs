//! Where a result goes. It appears there whole or not at all.
//!
//! A regular file is an [`AtomicFile`]: the target is the old file or the finished one. The new
//! file has the permissions of the input, minus the umask. So a private file is still private after
//! `seal` and `open`.

use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use sivka_file::AtomicFile;

use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::unfinished;
use crate::name::shown;

/// The name of standard output in messages.
const STANDARD_OUTPUT: &str = "standard output";

/// The destination of one run over one input.
pub(crate) struct Output {
    to: To,
    /// As it was given: a symbolic link's target has another name.
    name: PathBuf,
    /// Whether it is a terminal that gets text only, and what was held back from it.
    guard: Guard,
}

enum To {
    /// Standard output, or a device or named pipe: bytes are gone once written.
    Stream(File),
    /// A file that appears under its name only when it is complete.
    Atomic(Option<AtomicFile>),
}

#[derive(PartialEq)]
enum Guard {
    Off,
    On,
    /// Something was no text.
    Refused,
}

impl Output {
    /// Standard output as a file, without the line buffering that Rust's handle puts between a
    /// program and a pipe. A terminal is shown text only, unless `force`.
    pub(crate) fn standard(force: bool) -> Result<Self, Failure> {
        let name = PathBuf::from(STANDARD_OUTPUT);
        let file = standard_output().map_err(|error| Failure::io(&name, &error))?;
        Ok(Self::stream(file, name, force))
    }

    fn stream(file: File, name: PathBuf, force: bool) -> Self {
        let guard = match file.is_terminal() && !force {
            true => Guard::On,
            false => Guard::Off,
        };
        let to = To::Stream(file);
        Self { to, name, guard }
    }

    /// Prepares to write `target`, with `permissions` if they are given and those of any new
    /// file otherwise.
    ///
    /// Fails now, before any work is done, if the target exists (unless `force`), is a
    /// directory, or lies in a folder that cannot be written.
    pub(crate) fn create(
        target: &Path,
        permissions: Option<Permissions>,
        force: bool,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| failed(target, &error);
        let name = target.to_path_buf();
        match fs::metadata(target) {
            Ok(found) if is_block_device(&found) && !force => {
                let message = format!("{}: is a disk, or a part of one", shown(target));
                Err(Failure::new(Exit::Exists, message).hint("--force writes over what is on it"))
            }
            // Renaming a file over a device or a named pipe would remove it.
            Ok(found) if !found.is_file() && !found.is_dir() => {
                let file = File::options().write(true).open(target).map_err(failed)?;
                Ok(Self::stream(file, name, force))
            }
            _ => unfinished(|unfinished| {
                let file = AtomicFile::create(target, permissions, force).map_err(failed)?;
                unfinished.paths.extend(file.temporary_path().map(Path::to_path_buf));
                Ok(Self { to: To::Atomic(Some(file)), name, guard: Guard::Off })
            }),
        }
    }

    /// Fails if a result would not be made as `target`, because that is there (unless `force`) or
    /// is a folder.
    pub(crate) fn refuse(target: &Path, force: bool) -> Result<(), Failure> {
        let refused = |kind: io::ErrorKind| Err(failed(target, &kind.into()));
        match fs::metadata(target) {
            Ok(found) if found.is_dir() => refused(io::ErrorKind::IsADirectory),
            Ok(found) if found.is_file() && !force => refused(io::ErrorKind::AlreadyExists),
            _ => Ok(()),
        }
    }

    /// The file that is written.
    pub(crate) fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.to {
            To::Stream(file) => Ok(file),
            To::Atomic(Some(file)) => Ok(file.file()),
            To::Atomic(None) => Err(io::Error::other("it has its name already")),
        }
    }

    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.to, To::Stream(_))
    }

    /// Fails if a terminal would be shown sealed bytes.
    pub(crate) fn refuse_terminal(&self) -> Result<(), Failure> {
        match self.guard {
            Guard::Off => Ok(()),
            _ => Err(Failure::new(Exit::Usage, "sealed bytes would garble the terminal")
                .hint("name a file with -o, or print them all the same with --force")),
        }
    }

    /// The name of this output in messages.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// The failure to write the content of `input`: it is no text, or the system refused.
    pub(crate) fn not_written(&self, input: &Path, error: &io::Error) -> Failure {
        if self.guard != Guard::Refused {
            return Failure::io(&self.name, error);
        }
        let what = "the content is no text, and would garble the terminal";
        Failure::new(Exit::Usage, format!("{}: {what}", shown(input)))
            .hint("name a file with -o, or print it all the same with --force")
    }

    /// Makes the complete output durable and gives it its name. Dropping the output instead
    /// leaves no trace of it.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        let To::Atomic(slot) = &mut self.to else {
            // A stream cannot be synced.
            return Ok(());
        };
        let Some(file) = slot.take() else {
            return Ok(());
        };
        let target = struck_off(file, AtomicFile::give_name);
        let target = target.map_err(|error| failed(&self.name, &error))?;
        AtomicFile::sync_name(&target).map_err(|error| name_not_durable(&self.name, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.guard != Guard::Off && !is_text(bytes) {
            self.guard = Guard::Refused;
            return Err(io::Error::other("no text"));
        }
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let To::Atomic(slot) = &mut self.to
            && let Some(file) = slot.take()
        {
            struck_off(file, drop);
        }
    }
}

/// Finishes a file with `end`, and strikes it off the list.
fn struck_off<R>(file: AtomicFile, end: impl FnOnce(AtomicFile) -> R) -> R {
    let path = file.temporary_path().map(Path::to_path_buf);
    unfinished(|unfinished| {
        let ended = end(file);
        unfinished.paths.retain(|listed| Some(listed) != path.as_ref());
        ended
    })
}

fn failed(target: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::new(Exit::Exists, format!("{}: file exists", shown(target)))
                .hint("name another target with -o, or replace the file with --force")
        }
        io::ErrorKind::NotADirectory if names_folder(target) => no_folder(target),
        io::ErrorKind::IsADirectory => {
            let message = format!("{}: {}", shown(target), reason(error));
            Failure::new(Exit::Exists, message)
                .hint("nothing replaces a folder: name another target with -o")
        }
        _ => Failure::io(target, error),
    }
}

/// The result is there, and a crash may take its name away.
pub(crate) fn name_not_durable(target: &Path, error: &io::Error) -> Failure {
    let what = "is there, and a crash may take it away: its folder cannot be synced";
    let message = format!("{}: {what}: {}", shown(target), reason(error));
    Failure::new(Exit::Io, message)
}

/// Whether `target` is written as a folder is.
pub(crate) fn names_folder(target: &Path) -> bool {
    target.as_os_str().as_encoded_bytes().ends_with(b"/")
}

pub(crate) fn no_folder(target: &Path) -> Failure {
    let message = format!("{}: there is no such folder", shown(target));
    Failure::new(Exit::Io, message).hint("make it first, with mkdir")
}

/// Writes `bytes`, which nobody has elsewhere, to standard output.
pub(crate) fn print_secret(bytes: &[u8]) -> Result<(), Failure> {
    match standard_output() {
        Ok(file) if is_closed(&file) => {
            Err(Failure::new(Exit::Io, format!("{STANDARD_OUTPUT}: is closed"))
                .hint("name a file with -o; to throw the result away, -o /dev/null"))
        }
        _ => print(bytes),
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

/// Whether this process was started with a standard stream closed. Before any of our code ran, the
/// runtime opened /dev/null there, to read and write, as few other programs do.
#[cfg(target_os = "linux")]
pub(crate) fn is_closed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: io::Result<fs::Metadata>| found.ok().map(|found| found.rdev());
    let flags = rustix::fs::fcntl_getfl(file);
    flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::RDWR))
        && number(file.metadata()) == number(fs::metadata("/dev/null"))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_closed(_: &File) -> bool {
    false // Writing to it fails, or cannot be told from writing to the null device.
}

/// Whether it is a disk: writing to it destroys its file systems.
fn is_block_device(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type());
    #[cfg(not(unix))]
    {
        let _ = found;
        false
    }
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

/// Whether a terminal shows `bytes` as they are: the only control characters end lines and pages,
/// and set tabs. The encoding is not checked.
fn is_text(bytes: &[u8]) -> bool {
    let is_layout = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    let is_control = |byte: u8| byte < 0x20 || byte == 0x7f;
    let mut bytes = bytes.iter();
    bytes.all(|&byte| is_layout(byte) || !is_control(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_no_control_characters_but_layout() {
        for byte in 0..=255 {
            let is_layout = [9, 10, 12, 13].contains(&byte);
            let expected = is_layout || (byte >= 32 && byte != 127);
            assert_eq!(is_text(&[b'a', byte]), expected, "{byte:#x}");
        }
    }
}
