//! Recovering the intact parts of a damaged file or folder.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek};
use std::ops::Range;
use std::path::Path;

use serde::Serialize;
use sivka_file::{Error, Salvage as Found};

use crate::args::Salvage;
use crate::console::{Console, size};
use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(unix)]
use crate::folder;
use crate::input::{Input, total_content_len};
use crate::keys::Secrets;
use crate::name::{is_same_file, is_standard, shown};
use crate::open::{check, unlock};
use crate::output::{Output, print};
use crate::report::{Name, Report};
use crate::run::{Entries, one};
use crate::zstd;

/// The report on a salvaged file.
#[derive(Serialize)]
struct SalvageRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    /// Of a folder, entries that came back and that did not.
    #[serde(flatten)]
    folder: Option<&'a Entries>,
    intact_len: u64,
    lost_len: u64,
    /// The content's length; `null` where the end is missing and nobody knows.
    content_len: Option<u64>,
    /// First byte and the byte after the last one.
    lost: Vec<(u64, u64)>,
    content_is_whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// The result.
struct Recovered {
    /// Of the content as it was before it was compressed.
    found: Found,
    lost: Vec<Range<u64>>,
    folder: Option<Entries>,
    /// Why a part could not be read, if one could not: it may be whole.
    unreadable: Option<io::Error>,
    /// Whether a content breaks rules where it is not damaged.
    is_malformed: bool,
}

pub(crate) fn salvage(args: &Salvage) -> Result<(), Exit> {
    let report = args.reporting.report();
    let verdict = one(Some(&args.file), report, || {
        let recovered = recover(args)?;
        tell(args, &recovered, report)
    })?;
    match verdict {
        None => Ok(()),
        Some(verdict) => {
            // The report as a JSON object is printed.
            verdict.report();
            Err(verdict.exit)
        }
    }
}

fn recover(args: &Salvage) -> Result<Recovered, Failure> {
    let (path, target) = (&args.file, &args.output);
    if is_standard(target) {
        let message = "standard output is for the list of what is lost";
        return Err(Failure::new(Exit::Usage, message).hint("name a file with -o"));
    }
    if is_same_file(path, target) {
        let message = "is the damaged file itself, which nobody has elsewhere";
        let message = format!("{}: {message}", shown(target));
        return Err(Failure::new(Exit::Usage, message).hint("name another file with -o"));
    }
    let input = Input::open(path)?;
    let io_failed = |error| Failure::io(path, &error);
    // Before a passphrase is asked for: a pipe cannot be read by position.
    (&input.file).rewind().map_err(io_failed)?;
    let mut output = Output::create(target, input.permissions(), args.force)?;
    let console = Console::start(args.quiet, args.reporting.verbose, || {
        total_content_len(std::slice::from_ref(path))
    });
    let keys = (&args.keys, &args.limit);
    let mut secrets = console.aside(|| Secrets::for_opening(keys, path, &console))?;
    secrets.may_be_replaced_by(target)?;
    console.next(&shown(path));
    let mut lost = Vec::<Range<u64>>::new();
    let salvaged = secrets.try_on(path, &console, |keys| {
        lost.clear();
        let file = input.source().map_err(Error::Read)?;
        let out = output.file().map_err(Error::Write)?;
        let options = args.limit.options();
        let add = |range| lost.push(range);
        sivka_file::salvage(file, out, keys, &options, add, |bytes| console.at(bytes))
    })?;
    let found = salvaged.map_err(|error| match error {
        Error::Write(error) => Failure::io(target, &error),
        error => secrets.refusal(path, input.header().as_ref(), &error),
    })?;
    let mut recovered = Recovered {
        found,
        lost,
        folder: None,
        unreadable: input.unreadable().map(|(_, error)| error),
        is_malformed: false,
    };
    let kind = recovered.found.kind;
    if kind.is_compressed() {
        output = decompressed(args, &mut recovered, output, &input)?;
    }
    if kind.is_folder() {
        recovered.folder = Some(unpack(args, &recovered, output, &console)?);
    } else {
        output.commit()?;
    }
    if recovered.found.open_error().is_none() {
        // Nothing is lost: so opening judges the content as it is.
        let mut reader = unlock(path, &input, &mut secrets, &args.limit, &console)?;
        let judged = check(path, &mut reader, &Console::new(false));
        match judged {
            Err(failure) if failure.exit == Exit::Malformed => recovered.is_malformed = true,
            judged => drop(judged?),
        }
    }
    Ok(recovered)
}

/// Writes the whole frames of a compressed content to a file.
fn decompressed(
    args: &Salvage,
    recovered: &mut Recovered,
    mut compressed: Output,
    input: &Input,
) -> Result<Output, Failure> {
    let failed = |error| Failure::content(&args.output, error);
    let mut output = Output::create(&args.output, input.permissions(), args.force)?;
    let from = readable(&mut compressed).map_err(failed)?;
    let to = output.file().map_err(failed)?;
    let found = &mut recovered.found;
    let salvaged = zstd::salvage(from, &recovered.lost, found.archive_mark, to);
    let (lost, end, has_end) = salvaged.map_err(failed)?;
    found.lost_len = lost.iter().map(|lost| lost.end - lost.start).sum();
    found.intact_len = end - found.lost_len;
    found.plaintext_len = has_end.then_some(end);
    recovered.lost = lost;
    Ok(output)
}

/// A file that was written, from its beginning. It has no name by which it could be opened.
fn readable(output: &mut Output) -> io::Result<&File> {
    let file = output.file()?;
    file.rewind()?;
    Ok(file)
}

/// Unpacks the whole entries of an archive.
#[cfg(unix)]
fn unpack(
    args: &Salvage,
    recovered: &Recovered,
    mut archive: Output,
    console: &Console,
) -> Result<Entries, Failure> {
    let wanted = folder::Wanted {
        path: &args.file,
        target: &args.output,
        only: None,
        attributes: true,
        partial: args.partial,
        owners_matter: false,
    };
    let mut file = readable(&mut archive).map_err(|error| Failure::io(&args.output, &error))?;
    let lost = Some((&recovered.lost[..], recovered.found.archive_mark));
    folder::unpack((&mut file, true), lost, &wanted, console).map(|(_, entries, _)| entries)
}

#[cfg(not(unix))]
fn unpack(args: &Salvage, _: &Recovered, _: Output, _: &Console) -> Result<Entries, Failure> {
    let message = "folders cannot be unpacked on this system";
    Err(Failure::new(Exit::Usage, format!("{}: {message}", shown(&args.file))))
}

/// Reports the lost parts, and returns the error of the file.
fn tell(args: &Salvage, recovered: &Recovered, report: Report) -> Result<Option<Failure>, Failure> {
    let found = &recovered.found;
    let error = found.open_error();
    let malformed = || {
        let message = "what is in the file is malformed, so parts may be missing";
        Failure::new(Exit::Malformed, format!("{}: {message}", shown(&args.file)))
    };
    let verdict = error
        .map(|error| verdict(&args.file, &args.output, recovered, error))
        .or_else(|| recovered.is_malformed.then(malformed));
    let record = SalvageRecord {
        output: Name("output", &args.output),
        folder: recovered.folder.as_ref(),
        intact_len: found.intact_len,
        lost_len: found.lost_len,
        content_len: found.plaintext_len,
        lost: recovered.lost.iter().map(|lost| (lost.start, lost.end)).collect(),
        content_is_whole: found.content_is_whole() && !recovered.is_malformed,
        error: verdict.as_ref().map(Failure::message),
    };
    let status = verdict.as_ref().map_or(0, |verdict| verdict.exit as u8);
    match (report.is_json(), &recovered.folder) {
        (true, _) => report.tell_json(&args.file, status, record)?,
        (false, Some(Entries { entries, left_out, .. })) => {
            print(
                format!("{entries} entries recovered, {left_out} known to be lost\n").as_bytes(),
            )?;
            if !found.content_is_whole() {
                print(b"entries whose headers are lost have no names, and are not counted\n")?;
            }
            if found.plaintext_len.is_none() {
                print(b"files that could not be read when sealed may have zeros\n")?;
            }
        }
        (false, None) => print(lines(recovered).as_bytes())?,
    }
    Ok(verdict)
}

/// A line for each part that is lost.
fn lines(recovered: &Recovered) -> String {
    let mut lines = String::new();
    for lost in &recovered.lost {
        let _ = writeln!(lines, "lost: bytes {} to {}", lost.start, lost.end - 1);
    }
    let found = &recovered.found;
    if found.plaintext_len.is_none() {
        let end = found.intact_len + found.lost_len;
        let _ = writeln!(lines, "lost: everything from byte {end} on, if there was more");
    }
    lines
}

/// The error, as `verify` reports it and with its exit status, and what it means for the output.
/// Unreadable parts may be whole.
fn verdict(path: &Path, output: &Path, recovered: &Recovered, error: &Error) -> Failure {
    let found = &recovered.found;
    let intact = size(found.intact_len);
    let outcome = match (found.content_is_whole(), found.plaintext_len) {
        (true, _) => format!("all of the content was recovered, {intact}"),
        (false, Some(_)) => format!("{intact} intact, {} lost", size(found.lost_len)),
        (false, None) if found.lost_len == 0 => {
            format!("{intact} intact; how much is lost is not known")
        }
        (false, None) => format!("{intact} intact, at least {} lost", size(found.lost_len)),
    };
    let failure = match &recovered.unreadable {
        Some(error) => Failure::io(path, error),
        None => Failure::file(path, output, error),
    };
    let output = shown(output);
    failure.with(&outcome).hint(match (found.content_is_whole(), found.kind.is_folder()) {
        (true, _) => format!("{output} is what was sealed: seal it again"),
        (false, true) => format!("{output} has every entry that is whole"),
        (false, false) => format!("{output} is not what was sealed"),
    })
}
