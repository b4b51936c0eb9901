//! Opening files, listing folders, and checking that files open.

use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use serde::Serialize;
#[cfg(unix)]
use sivka_file::folder::ReadSeek;
use sivka_file::{Error, Kind, Reader};

use crate::args::{KeyArgs, Limit, List, Open, Verify};
use crate::console::{Console, size};
use crate::copy::{CopyError, copy, copy_ahead};
use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(unix)]
use crate::folder;
use crate::input::{Input, Source, named, total_content_len};
use crate::inspect::describe;
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::output::Output;
use crate::patterns::Patterns;
use crate::run::{Done, each, each_result, for_all, once};
#[cfg(unix)]
use crate::target::is_stream;
use crate::target::{Targets, remove_input};
use crate::zstd;

trait Content: Read + Seek + Send {}
impl<T: Read + Seek + Send> Content for T {}

/// The content as it was before it was compressed.
fn content<'a>(
    path: &Path,
    kind: Kind,
    reader: impl Content + 'a,
) -> Result<Box<dyn Content + 'a>, Failure> {
    let failed = |error| Failure::content(path, error);
    Ok(match kind.is_compressed() {
        true => Box::new(zstd::Reader::new(reader).map_err(failed)?),
        false => Box::new(reader),
    })
}

pub(crate) fn open(args: &Open) -> Result<(), Exit> {
    let files = once(|| named(&args.files))?;
    let report = args.reporting.report();
    let only = for_all(&files, report, || patterns(&args.only.only))?;
    if args.list {
        return list_files(&files, only.as_ref(), (&args.keys, &args.limit), &args.reporting);
    }
    let mut targets = for_all(&files, report, || Targets::new(&args.target, [&files, &[]]))?;
    once(|| report.may_share(args.target.is_standard(&files)))?;
    let quiet = args.target.is_quiet(&files);
    let console = Console::start(quiet, args.reporting.verbose, || total_content_len(&files));
    let mut secrets = None;
    each_result(&files, console, report, "opened", |path, console| {
        let done = open_one(args, only.as_ref(), path, &targets, &mut secrets, console)?;
        targets.made(&done.output, path);
        Ok(done)
    })
}

fn patterns(only: &[std::ffi::OsString]) -> Result<Option<Patterns>, Failure> {
    let patterns = || Patterns::new(only, &[], None);
    (!only.is_empty()).then(patterns).transpose()
}

fn open_one(
    args: &Open,
    only: Option<&Patterns>,
    path: &Path,
    targets: &Targets<'_>,
    secrets: &mut Option<Secrets>,
    console: &Console,
) -> Result<Done, Failure> {
    let input = Input::open(path)?;
    let beside = || opened_name(path, args);
    let target = targets.target(path, args.remove, beside)?;
    if args.range.is_some() && !input.is_seekable() {
        return Err(Failure::io(path, &io::ErrorKind::NotSeekable.into()));
    }
    let secrets = gather(secrets, (&args.keys, &args.limit), path, console)?;
    if let Some(target) = &target {
        secrets.may_be_replaced_by(target)?;
    }
    let reader = unlock(path, &input, secrets, &args.limit, console)?;
    let kind = reader.kind();
    let is_folder = kind.is_folder();
    if only.is_some() && !is_folder {
        return Err(no_folder(path));
    }
    if args.range.is_some() && is_folder {
        let message = format!("{}: is a folder, and --range is for files", shown(path));
        return Err(Failure::new(Exit::Usage, message));
    }
    let mut content = content(path, kind, reader)?;
    #[cfg(unix)]
    if is_folder && !is_stream(target.as_deref()) {
        targets.refuse_folder()?;
        let to = (path, target.unwrap_or_default());
        return unpack(args, only, to, (&mut content, &input), console);
    }
    let mut output = targets.output(target.as_deref(), input.permissions())?;
    let (content_len, is_partial) = match only {
        #[cfg(unix)]
        Some(only) => {
            folder::one_file((&mut content, input.is_seekable()), path, only, &mut output, console)?
        }
        #[cfg(unix)]
        None if is_folder => folder::pass(&mut content, path, &mut output, console)?,
        _ => {
            let content = (&mut content as &mut dyn Content, input.is_seekable());
            (write(args, path, content, &mut output, console)?, false)
        }
    };
    let name = output.name().to_path_buf();
    output.commit()?;
    if args.remove {
        remove_input(path, &input.metadata)?;
    }
    Ok(Done { output: name, content_len, folder: None, is_partial, removed: args.remove })
}

/// Unpacks a folder to `target`.
#[cfg(unix)]
fn unpack(
    args: &Open,
    only: Option<&Patterns>,
    (path, target): (&Path, PathBuf),
    (content, input): (&mut dyn ReadSeek, &Input),
    console: &Console,
) -> Result<Done, Failure> {
    let wanted = folder::Wanted {
        path,
        target: &target,
        only,
        attributes: !args.no_xattrs,
        partial: false,
        owners_matter: args.remove,
    };
    let content = (content, input.is_seekable());
    let (unpacked, entries, is_whole) = folder::unpack(content, None, &wanted, console)?;
    let removed = args.remove && is_whole;
    if removed {
        remove_input(path, &input.metadata)?;
    } else if args.remove {
        let what = "is kept: not all of it was restored";
        console.note(&format!("{}: {what}", shown(path)));
    }
    Ok(Done {
        output: target,
        content_len: unpacked.len,
        is_partial: !entries.named.is_empty(),
        folder: Some(entries),
        removed,
    })
}

/// Writes the content, or the part of it that is wanted, as it is.
fn write(
    args: &Open,
    path: &Path,
    (content, is_file): (&mut dyn Content, bool),
    output: &mut Output,
    console: &Console,
) -> Result<u64, Failure> {
    let failed = |error| Failure::content(path, error);
    let mut part: Box<dyn Read + Send> = match args.range {
        None => Box::new(content),
        Some(range) => {
            let len = content.seek(SeekFrom::End(0)).map_err(failed)?;
            let Some(range) = range.within(len) else {
                let message = format!("{}: the content has {}", shown(path), size(len));
                return Err(Failure::new(Exit::Usage, message).hint("--range must lie within it"));
            };
            content.seek(SeekFrom::Start(range.start)).map_err(failed)?;
            Box::new(content.take(range.end - range.start))
        }
    };
    copy_ahead((&mut part, is_file), output, console).map_err(|error| match error {
        CopyError::Read(error) => failed(error),
        CopyError::Write(error) => output.not_written(path, &error),
    })
}

fn gather<'a>(
    secrets: &'a mut Option<Secrets>,
    keys: (&KeyArgs, &Limit),
    path: &Path,
    console: &Console,
) -> Result<&'a mut Secrets, Failure> {
    gathered(secrets, || console.aside(|| Secrets::for_opening(keys, path, console)))
}

/// Opens the header of a file, and returns an error in it that does not matter yet.
pub(crate) fn unlock<'a>(
    path: &Path,
    input: &'a Input,
    secrets: &mut Secrets,
    limit: &Limit,
    console: &Console,
) -> Result<Reader<Source<'a>>, Failure> {
    let opened = secrets.try_on(path, console, |keys| {
        let source = input.source().map_err(Error::Read)?;
        Reader::new(source, keys, &limit.options())
    })?;
    let unreadable = input.unreadable();
    let in_header = |reader: &Reader<_>, at| at < reader.header().len() as u64;
    let reader = match (opened, unreadable) {
        (Ok(reader), None) => reader,
        (Ok(reader), Some((at, _))) if in_header(&reader, at) => reader,
        (_, Some((_, error))) => return Err(Failure::io(path, &error)),
        (Err(error), None) => {
            return Err(secrets.refusal(path, input.header().as_ref(), &error));
        }
    };
    input.header_len.store(reader.header().len(), Relaxed);
    if !reader.header().copies_agree() {
        let what = "a copy of its header is damaged or older; any change by `sivka slot` mends it";
        console.note(&format!("{}: {what}", shown(path)));
    }
    console.detail(|| opened_with(path, &reader));
    Ok(reader)
}

/// The key that opened a file, for --verbose.
fn opened_with(path: &Path, reader: &Reader<Source<'_>>) -> String {
    let slot = reader.slot();
    let found = reader.header().slots().nth(slot);
    let what = found.map_or(String::new(), |slot| format!(" ({})", describe(&slot)));
    format!("{}: opens with slot {slot}{what}; {}", shown(path), reader.header().suite())
}

pub(crate) fn list(args: &List) -> Result<(), Exit> {
    let files = once(|| named(&args.files))?;
    let only = for_all(&files, args.reporting.report(), || patterns(&args.only.only))?;
    list_files(&files, only.as_ref(), (&args.keys, &args.limit), &args.reporting)
}

/// Lists the entries of sealed folders.
fn list_files(
    files: &[PathBuf],
    only: Option<&Patterns>,
    keys: (&KeyArgs, &Limit),
    reporting: &crate::args::Reporting,
) -> Result<(), Exit> {
    let (report, console) = (reporting.report(), Console::new(reporting.verbose));
    let mut secrets = None;
    each(files, &console, report, |path| {
        let input = Input::open(path)?;
        let secrets = gather(&mut secrets, keys, path, &console)?;
        let reader = unlock(path, &input, secrets, keys.1, &console)?;
        if !reader.kind().is_folder() {
            return Err(no_folder(path));
        }
        let mut content = content(path, reader.kind(), reader)?;
        #[cfg(unix)]
        return folder::list((&mut content, input.is_seekable()), path, only, report, &console);
        #[cfg(not(unix))]
        {
            let _ = (&mut content, only);
            let message = "folders cannot be listed on this system";
            Err(Failure::new(Exit::Usage, message).hint("-o - gives the archive"))
        }
    })
}

fn no_folder(path: &Path) -> Failure {
    let message = "the content is a file and not a folder";
    Failure::new(Exit::Usage, format!("{}: {message}", shown(path)))
}

#[derive(Serialize)]
struct VerifyRecord {
    content_len: u64,
    suite: &'static str,
    slot: usize,
}

pub(crate) fn verify(args: &Verify) -> Result<(), Exit> {
    let files = once(|| named(&args.files))?;
    let report = args.reporting.report();
    let mut secrets = None;
    let verbose = args.reporting.verbose;
    let console = Console::start(args.quiet, verbose, || total_content_len(&files));
    each(&files, &console, report, |path| {
        let input = Input::open(path)?;
        let secrets = gather(&mut secrets, (&args.keys, &args.limit), path, &console)?;
        let mut reader = unlock(path, &input, secrets, &args.limit, &console)?;
        let content_len = check(path, &mut reader, &console)?;
        let record = VerifyRecord {
            content_len,
            suite: reader.header().suite().name(),
            slot: reader.slot(),
        };
        let words = || format!("{}: intact, {}\n", shown(path), size(content_len));
        console.aside(|| match args.quiet {
            true => report.tell_json(path, 0, record),
            false => report.tell(Some(path), record, words),
        })
    })
}

/// Reads all of a content as `open` does. Gives its length as it is in the file.
pub(crate) fn check(
    path: &Path,
    reader: &mut Reader<Source<'_>>,
    console: &Console,
) -> Result<u64, Failure> {
    let kind = reader.kind();
    let failed = |error| Failure::content(path, error);
    let mut content = content(path, kind, &mut *reader)?;
    #[cfg(unix)]
    if kind.is_folder() {
        folder::judge(&mut content, path, console)?;
    }
    // After a folder there is nothing left.
    match copy(&mut content, &mut io::sink(), console) {
        Ok(_) => {}
        Err(CopyError::Read(error) | CopyError::Write(error)) => return Err(failed(error)),
    }
    drop(content);
    reader.stream_position().map_err(failed)
}

/// The name without `.sivka`. A part goes under no name that says it is the whole.
fn opened_name(path: &Path, args: &Open) -> Result<PathBuf, Failure> {
    let why = if args.range.is_some() {
        "a part of it has no name of its own"
    } else if path.extension() == Some(OsStr::new(EXTENSION)) {
        return Ok(path.with_extension(""));
    } else {
        "the name does not end with .sivka"
    };
    let message = format!("{}: {why}", shown(path));
    let hint = match &args.target.output {
        Some(folder) => {
            let example = shown(&folder.join("NAME"));
            format!("name the file too, as in -o {example}")
        }
        None => "name the target with -o".to_owned(),
    };
    Err(Failure::new(Exit::Usage, message).hint(hint))
}
