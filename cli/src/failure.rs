//! Messages of failures.
//!
//! Every message is one line on standard error: `sivka: `, then lower case, without a full stop. If
//! there is advice, it follows on one `hint: ` line.

use std::fmt;
use std::io;
use std::path::Path;

use sivka_file::Error;

use crate::exit::Exit;
use crate::name::{is_standard, printable, shown};
use crate::zstd;

/// Why a run, or one file of it, failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    message: String,
    hint: Option<String>,
    /// Whether no other file of the run can fare better.
    pub(crate) ends_run: bool,
}

impl Failure {
    /// `message` is shown as [`printable`] text, whoever wrote it.
    pub(crate) fn new(exit: Exit, message: impl AsRef<str>) -> Self {
        Self { exit, message: printable(message.as_ref()), hint: None, ends_run: false }
    }

    /// The failure for an error of the file crate, with `input` or while writing `output`.
    pub(crate) fn file(input: &Path, output: &Path, error: &Error) -> Self {
        let exit = match error {
            Error::Read(error) => return Self::io(input, error),
            Error::Write(error) => return Self::io(output, error),
            Error::NotSivka => Exit::Format,
            Error::UnknownVersion { .. }
            | Error::UnknownSuite { .. }
            | Error::UnknownSlot { .. }
            | Error::UnknownKind { .. } => Exit::Newer,
            Error::NoSlotOpens | Error::EmptyPassphrase => Exit::Key,
            Error::Truncated { .. } => Exit::Truncated,
            Error::HeaderDamaged | Error::PayloadMismatch | Error::Damaged { .. } => Exit::Damaged,
            Error::CostTooHigh { .. }
            | Error::NoMemory { .. }
            | Error::TooLong
            | Error::TooManySlots
            | Error::NoRoom { .. } => Exit::Limit,
            Error::NoSlotLeft
            | Error::NoSuchSlot { .. }
            | Error::BadCost { .. }
            | Error::BadRecipient
            | Error::BadKeyName(_) => Exit::Usage,
            _ => Exit::Internal,
        };
        if matches!(error, Error::NotSivka) && is_empty(input) {
            return Self::new(exit, format!("{}: is empty, not a sivka file", shown(input)));
        }
        let failure = Self::new(exit, format!("{}: {error}", shown(input)));
        match error {
            Error::NotSivka if is_of_age(input) => {
                failure.hint("it is a file of age: `age --decrypt` opens it")
            }
            // Each slot is within the limit, and all of them are not.
            Error::CostTooHigh { asked, limit, .. }
                if asked.memory_kib <= limit.memory_kib && asked.passes <= limit.passes =>
            {
                failure.hint("if you trust the person who sealed it, raise --max-passes")
            }
            Error::CostTooHigh { asked, .. } => failure.hint(format!(
                "if you trust the person who sealed it: --max-memory {} --max-passes {}",
                asked.memory_kib.div_ceil(1024),
                asked.passes
            )),
            Error::NoRoom { .. } => failure.hint(
                "`sivka slot remove` frees space; `sivka seal --spare-slots` reserves some in the next file",
            ),
            Error::Truncated(0) => failure,
            Error::Truncated { .. } | Error::Damaged { .. } | Error::PayloadMismatch
                if !is_standard(input) =>
            {
                failure.hint("`sivka salvage` recovers every part that is intact")
            }
            Error::UnknownVersion { .. }
            | Error::UnknownSuite { .. }
            | Error::UnknownSlot { .. }
            | Error::UnknownKind { .. } => failure.hint("a newer version of sivka may know it"),
            _ => failure,
        }
    }

    /// The failure for an error of a reader or writer, with the file at `path`.
    pub(crate) fn content(path: &Path, error: io::Error) -> Self {
        let error = match error.downcast::<Error>() {
            Ok(error) => return Self::file(path, path, &error),
            Err(error) => error,
        };
        match error.downcast::<zstd::Malformed>() {
            Ok(error) => Self::new(Exit::Malformed, format!("{}: {error}", shown(path))),
            Err(error) => Self::io(path, &error),
        }
    }

    /// The failure for an error of the operating system, with `path`.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let exit = match error.kind() {
            io::ErrorKind::OutOfMemory => Exit::Limit,
            _ => Exit::Io,
        };
        Self::new(exit, format!("{}: {}", shown(path), reason(error)))
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// This failure, with what came of it all the same.
    pub(crate) fn with(mut self, outcome: &str) -> Self {
        self.message = format!("{}; {outcome}", self.message);
        self
    }

    pub(crate) fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = Some(printable(hint.as_ref()));
        self
    }

    /// This failure, as one that every other file of the run would meet too.
    pub(crate) fn ending_run(mut self) -> Self {
        self.ends_run = true;
        self
    }

    /// Prints the message and the hint on standard error.
    pub(crate) fn report(&self) {
        // One write, so that runs side by side do not mix their lines; and
        // when standard error itself is closed there is nobody left to tell.
        let _ = io::Write::write_all(&mut io::stderr(), self.to_string().as_bytes());
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sivka: {}", self.message)?;
        match &self.hint {
            Some(hint) => writeln!(f, "hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Fails with this message if `path` is standard input or output, which carry content and results.
pub(crate) fn refuse_standard(path: &Path, message: &str) -> Result<(), Failure> {
    if !is_standard(path) {
        return Ok(());
    }
    Err(Failure::new(Exit::Usage, message).hint("a file called - is ./-"))
}

/// Says something that is no failure, on standard error.
pub(crate) fn note(message: &str) {
    let _ = io::Write::write_all(&mut io::stderr(), format!("sivka: {message}\n").as_bytes());
}

/// Whether a file begins as age's do, armored ones too.
fn is_of_age(path: &Path) -> bool {
    let mut begin = [0; 21];
    let is_file = !is_standard(path) && std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let read = |mut file| io::Read::read_exact(&mut file, &mut begin);
    is_file
        && std::fs::File::open(path).and_then(read).is_ok()
        && (begin == *b"age-encryption.org/v1" || begin.starts_with(b"-----BEGIN AGE ENCR"))
}

fn is_empty(path: &Path) -> bool {
    !is_standard(path)
        && std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// The message when too many files are open, in this process or in the whole system.
fn too_many_open(error: &io::Error) -> Option<&'static str> {
    #[cfg(unix)]
    let known = [
        (
            rustix::io::Errno::MFILE.raw_os_error(),
            "too many open files; `ulimit -n` in the shell raises the limit, as to 1024",
        ),
        (
            rustix::io::Errno::NFILE.raw_os_error(),
            "too many open files in the whole system; root may raise its limit with `sysctl`",
        ),
    ];
    #[cfg(not(unix))]
    let known: [(i32, &str); 0] = [];
    let code = error.raw_os_error()?;
    let found = known.into_iter().find(|(number, _)| *number == code);
    found.map(|(_, words)| words)
}

/// The operating system's reason, in lower case and without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::BrokenPipe => return "the reader of the pipe has gone".into(),
        io::ErrorKind::NotFound => return "no such file or directory".into(),
        io::ErrorKind::PermissionDenied => return "permission denied".into(),
        io::ErrorKind::StorageFull => return "no space left on device".into(),
        io::ErrorKind::IsADirectory => return "is a directory".into(),
        io::ErrorKind::NotSeekable => {
            return "is a pipe, of which no part can be read or changed alone".into();
        }
        _ => match too_many_open(error) {
            Some(words) => return words.into(),
            None => error.to_string(),
        },
    };
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "input or output failed".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_are_named_with_what_raises_the_limit() {
        use rustix::io::Errno;
        for (error, hint) in [(Errno::MFILE, "`ulimit"), (Errno::NFILE, "`sysctl`")] {
            let said = reason(&error.into());
            assert!(said.starts_with("too many open files"), "{said}");
            assert!(said.contains(hint), "{said}");
        }
    }
}
