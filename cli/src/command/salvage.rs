//! Recovering what is intact of a damaged file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use serde::Serialize;
use sivka_file::SealedFile;

use crate::args::Salvage;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, total_content_len};
use crate::keys::Secrets;
use crate::name::{is_same_file, is_standard, shown};
use crate::open_failure::salvage_failure;
use crate::output::{Output, print};
use crate::progress::{Progress, size};
use crate::report::{Name, Report};
use crate::run::one;

/// A file, and why a part of it could not be read, if one could not.
struct Readable<'a> {
    file: SealedFile<&'a File>,
    failed: &'a mut Option<io::Error>,
}

impl Readable<'_> {
    /// Keeps in mind what the system says.
    fn note<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &done
            && error.kind() != io::ErrorKind::Interrupted
            && let Some(code) = error.raw_os_error()
        {
            *self.failed = Some(io::Error::from_raw_os_error(code));
        }
        done
    }
}

impl Read for Readable<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes);
        self.note(read)
    }
}

impl Seek for Readable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.file.seek(to);
        self.note(at)
    }
}

/// What is told of a file that was recovered from.
#[derive(Serialize)]
struct SalvageRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    intact_len: u64,
    lost_len: u64,
    /// The content's length; `null` where the end is missing and nobody knows.
    content_len: Option<u64>,
    /// First byte and the byte after the last one.
    lost: &'a [(u64, u64)],
    content_is_whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

pub(crate) fn salvage(args: &Salvage) -> Result<(), Exit> {
    let report = args.reporting.report();
    let Some(verdict) = one(Some(&args.file), report, || recover(args, report))? else {
        return Ok(());
    };
    // What there is to tell as an object was told.
    verdict.report();
    Err(verdict.exit)
}

/// Recovers what there is, and gives what is wrong with the file.
fn recover(args: &Salvage, report: Report) -> Result<Option<Failure>, Failure> {
    let path = &args.file;
    if is_standard(&args.output) {
        return Err(Failure::new(
            Exit::Usage,
            "standard output is for the list of what is lost",
        )
        .hint("name a file with -o"));
    }
    if is_same_file(path, &args.output) {
        let message = "is the damaged file itself, which nobody has elsewhere";
        let message = format!("{}: {message}", shown(&args.output));
        return Err(Failure::new(Exit::Usage, message).hint("name another file with -o"));
    }
    let input = Input::open_sealed(path)?;
    // Before a passphrase is asked for: a pipe cannot be read by position.
    (&input.file)
        .rewind()
        .map_err(|error| Failure::io(path, &error))?;
    let mut output = Output::create(&args.output, input.permissions(), args.force)?;
    let progress = Progress::start(args.quiet, || total_content_len(std::slice::from_ref(path)));
    let console = args.reporting.console(&progress);
    let mut secrets =
        console.aside(|console| Secrets::for_opening((&args.keys, &args.limit), path, console))?;
    secrets.may_be_replaced_by(&args.output)?;
    progress.next(&shown(path));
    let (mut losses, mut unreadable) = (Vec::new(), None);
    let salvaged = secrets.try_on(path, &progress, |keys| {
        let file = Readable {
            file: input.seekable().map_err(sivka_file::Error::Read)?,
            failed: &mut unreadable,
        };
        sivka_file::salvage(
            file,
            output.file(),
            keys,
            &args.limit.options(),
            |lost| losses.push((lost.start, lost.end)),
            |bytes| progress.at(bytes),
        )
    })?;
    let found = salvaged
        .map_err(|error| salvage_failure(path, output.name(), input.head(), &secrets, &error))?;
    drop(progress);
    output.commit()?;
    let verdict = found
        .open_error()
        .map(|error| verdict(args, &found, &error, unreadable.as_ref()));
    let record = SalvageRecord {
        output: Name {
            field: "output",
            path: &args.output,
        },
        intact_len: found.intact_len,
        lost_len: found.lost_len,
        content_len: found.plaintext_len,
        lost: &losses,
        content_is_whole: found.content_is_whole(),
        error: verdict.as_ref().map(Failure::message),
    };
    match report.is_json() {
        true => report.tell_json(path, verdict.as_ref().map_or(0, |it| it.exit as u8), record)?,
        false => print(words(&found, &losses).as_bytes())?,
    }
    Ok(verdict)
}

/// A line for each part that is lost.
fn words(found: &sivka_file::Salvage, losses: &[(u64, u64)]) -> String {
    let mut lines = String::new();
    for (start, end) in losses {
        let _ = writeln!(lines, "lost: bytes {start} to {}", end - 1);
    }
    if found.plaintext_len.is_none() {
        let end = found.intact_len + found.lost_len;
        let _ = writeln!(
            lines,
            "lost: everything from byte {end} on, if there was more"
        );
    }
    lines
}

/// What is wrong, as `verify` says it and with its exit status, and what that means for
/// the output. What could not be read may be whole.
fn verdict(
    args: &Salvage,
    found: &sivka_file::Salvage,
    error: &sivka_file::Error,
    unreadable: Option<&io::Error>,
) -> Failure {
    let (path, output) = (&args.file, &args.output);
    let recovered = size(found.intact_len);
    let outcome = match (found.content_is_whole(), found.plaintext_len) {
        (true, _) => format!("all of the content was recovered, {recovered}"),
        (false, Some(_)) => format!("{recovered} recovered, {} lost", size(found.lost_len)),
        (false, None) if found.lost_len == 0 => {
            format!("{recovered} recovered; how much is lost is not known")
        }
        (false, None) => format!(
            "{recovered} recovered, at least {} lost",
            size(found.lost_len)
        ),
    };
    let failure = match unreadable {
        Some(error) => Failure::io(path, error),
        None => Failure::file(path, output, error),
    };
    let failure = failure.with(&outcome);
    if found.content_is_whole() {
        return failure.hint(format!(
            "{} is what was sealed: seal it again",
            shown(output)
        ));
    }
    failure.hint(format!("{} is not what was sealed", shown(output)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Unlock};

    /// What is read of a file, and why it could not be.
    fn read(file: &File) -> (bool, Option<io::Error>) {
        let mut failed = None;
        let mut readable = Readable {
            file: SealedFile::with_head(file, &[]).expect("a file"),
            failed: &mut failed,
        };
        readable.rewind().expect("a file");
        (readable.read_exact(&mut [0; 8]).is_ok(), failed)
    }

    #[test]
    fn what_the_system_says_is_kept_and_an_end_is_no_failure() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        // The system lets nobody read it so.
        let (is_read, failed) = read(&File::create(&path).expect("made"));
        assert!(!is_read && failed.is_some());
        let (is_read, failed) = read(&File::open(&path).expect("opened"));
        assert!(!is_read && failed.is_none());
    }

    /// It was called damaged.
    #[test]
    fn what_could_not_be_read_is_not_called_damaged() {
        let cli = Cli::try_parse_from(["sivka", "salvage", "x.sivka", "-o", "y"]);
        let Ok(Cli {
            command: Command::Salvage(args),
        }) = cli
        else {
            panic!("it is an order");
        };
        let key = KeyFile::generate("key").expect("a key");
        let mut sealed = Vec::new();
        let (locks, options) = ([Lock::KeyFile(&key)], SealOptions::default());
        sivka_file::seal(&b"text"[..], &mut sealed, &locks, &options, |_| {}).expect("sealed");
        *sealed.last_mut().expect("bytes") ^= 1;
        let found = sivka_file::salvage(
            io::Cursor::new(sealed),
            io::sink(),
            &[Unlock::KeyFile(&key)],
            &OpenOptions::default(),
            |_| {},
            |_| {},
        );
        let found = found.expect("a key opens it");
        let error = found.open_error().expect("it is damaged");
        let damaged = verdict(&args, &found, &error, None);
        assert_eq!(damaged.exit as u8, 9);
        let unreadable = io::Error::other("bad sector");
        let unreadable = verdict(&args, &found, &error, Some(&unreadable));
        assert_eq!(unreadable.exit as u8, 3);
        let said = unreadable.message();
        assert!(said.starts_with("x.sivka: bad sector; "), "{said}");
    }
}
