//! What a failed run says, and the exit status it says it with.
//!
//! The rules of every message: one line on standard error, `sivka: ` in front,
//! lower case, no full stop; what to do about it, where that is known, on one
//! `hint: ` line below.

use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use clap_mangen::roff::{Roff, bold, roman};
use sivka_file::Error;

use crate::input::is_standard;

/// The exit status of a run, by whose fault the failure is.
///
/// The numbers are an interface: scripts depend on them, so none changes its
/// meaning and none is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// A defect of this program or of the machine it runs on.
    Internal = 1,
    /// The command line cannot be carried out as it was given.
    Usage = 2,
    /// Reading or writing failed.
    Io = 3,
    /// The target is there already.
    Exists = 4,
    /// No key that was given fits.
    Key = 5,
    /// The input was not made by this program.
    Format = 6,
    /// The input asks for what this version does not know.
    Newer = 7,
    /// The input ends too early.
    Truncated = 8,
    /// The input is not what was sealed.
    Damaged = 9,
    /// More memory, work or length is needed than there is or may be.
    Limit = 10,
}

impl Exit {
    const SEVERAL: &'static str = "With several files, one that fails does not keep the others, and the status is that of \
         the first failure.";

    const ALL: [(u8, &'static str); 12] = [
        (0, "everything was done"),
        (1, "internal error, or this machine failed a self-check"),
        (2, "the command line is wrong"),
        (
            3,
            "reading or writing failed: no such file, a directory, no permission, full disk, closed pipe",
        ),
        (4, "the target exists and --force was not given"),
        (
            5,
            "no key or passphrase given opens the file, or the key file is not one",
        ),
        (6, "the input is empty or is not a Sivka file"),
        (
            7,
            "the file needs a newer version: unknown version, suite or kind of slot",
        ),
        (8, "the file is truncated: its end is missing"),
        (
            9,
            "the file is damaged: changed, reordered, extended, or cut inside a chunk",
        ),
        (
            10,
            "a limit: of memory, of the work that a passphrase may cost, or of the format",
        ),
        (130, "interrupted (128 + the number of the signal)"),
    ];

    /// The table of exit statuses, as `--help` ends with it.
    pub(crate) fn table() -> String {
        let mut table = String::from("Exit status:\n");
        for (status, meaning) in Self::ALL {
            let _ = writeln!(table, "  {status:>3}  {meaning}");
        }
        table + Self::SEVERAL
    }

    /// The same for the manual page.
    pub(crate) fn roff() -> Roff {
        let mut page = Roff::new();
        page.control("SH", ["EXIT STATUS"]);
        for (status, meaning) in Self::ALL {
            page.control("TP", []);
            page.text([bold(status.to_string())]);
            page.text([roman(meaning)]);
        }
        page.control("PP", []);
        page.text([roman(Self::SEVERAL)]);
        page
    }
}

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
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            hint: None,
            ends_run: false,
        }
    }

    /// What the file crate found wrong with `input`, or while writing `output`.
    pub(crate) fn file(input: &Path, output: &Path, error: &Error) -> Self {
        let exit = match error {
            Error::Read(error) => return Self::io(input, error),
            Error::Write(error) => return Self::io(output, error),
            Error::NotSivka => Exit::Format,
            Error::UnknownVersion { .. }
            | Error::UnknownSuite { .. }
            | Error::UnknownSlot { .. } => Exit::Newer,
            Error::NoSlotOpens | Error::EmptyPassphrase => Exit::Key,
            Error::Truncated { .. } => Exit::Truncated,
            Error::HeaderDamaged
            | Error::PayloadMismatch
            | Error::Damaged { .. }
            | Error::DamagedEnd { .. } => Exit::Damaged,
            Error::CostTooHigh { .. } | Error::NoMemory { .. } | Error::TooLong => Exit::Limit,
            Error::TooManySlots
            | Error::NoSlotLeft
            | Error::NoSuchSlot { .. }
            | Error::BadCost { .. }
            | Error::BadKeyName(_) => Exit::Usage,
            _ => Exit::Internal,
        };
        if matches!(error, Error::NotSivka) && is_empty(input) {
            return Self::new(
                exit,
                format!("{}: is empty, not a sivka file", shown(input)),
            );
        }
        let failure = Self::new(exit, format!("{}: {error}", shown(input)));
        match error {
            Error::CostTooHigh { asked, .. } => failure.hint(format!(
                "if you trust whoever sealed it: --max-memory {} --max-passes {}",
                asked.memory_kib.div_ceil(1024),
                asked.passes
            )),
            Error::Truncated { chunks: 0 } => failure,
            Error::Truncated { .. } | Error::Damaged { .. } | Error::DamagedEnd { .. }
                if !is_standard(input) =>
            {
                failure.hint("`sivka salvage` recovers every part that is intact")
            }
            Error::UnknownVersion { .. }
            | Error::UnknownSuite { .. }
            | Error::UnknownSlot { .. } => failure.hint("a newer version of sivka may know it"),
            _ => failure,
        }
    }

    /// A failure to do with `path` what the operating system was asked to do.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::new(Exit::Io, format!("{}: {}", shown(path), reason(error)))
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
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

fn is_empty(path: &Path) -> bool {
    !is_standard(path)
        && std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// `path` as it may be shown on a terminal: a name is somebody else's text,
/// and its control characters are escaped so that it cannot steer the screen.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard(path) {
        return "standard input".into();
    }
    printable(&path.to_string_lossy())
}

/// `text` with its control characters escaped.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .fold(String::with_capacity(text.len()), |mut out, c| {
            if c.is_control() {
                out.extend(c.escape_default());
            } else {
                out.push(c);
            }
            out
        })
}

/// The operating system's reason, in lower case and without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::BrokenPipe => return "the reader of the pipe has gone".into(),
        io::ErrorKind::NotFound => return "no such file or directory".into(),
        io::ErrorKind::PermissionDenied => return "permission denied".into(),
        io::ErrorKind::StorageFull => return "no space left on device".into(),
        io::ErrorKind::IsADirectory => return "is a directory".into(),
        _ => error.to_string(),
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

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = include_str!("../README.md");
        for (status, meaning) in Exit::ALL {
            let row = format!("| {status} | {meaning} |");
            assert!(readme.contains(&row), "{row}");
        }
        assert_eq!(
            readme.lines().filter(|line| line.starts_with("| ")).count(),
            Exit::ALL.len() + 1
        );
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\x1b[2J\u{9b}b\r\n"),
            "a\\u{1b}[2J\\u{9b}b\\r\\n"
        );
        assert_eq!(printable("naïve Ω"), "naïve Ω");
    }
}
