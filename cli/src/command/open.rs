//! Opening files, and checking that they open.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sivka_file::{CHUNK_LEN, Error, Header, OpenOptions, SealedFile, SeekReader, Summary, Unlock};
use zeroize::Zeroizing;

use super::inspect::describe;
use super::remove::{Remover, may_remove};
#[cfg(unix)]
use crate::args::Limit;
use crate::args::{ByteRange, Open, Verify};
#[cfg(unix)]
use crate::batch::Entries;
use crate::batch::{Done, Work};
use crate::compression::{self, Decompressing, Form};
use crate::console::Console;
#[cfg(unix)]
use crate::content::{Content, Received, Wanted, receive_part};
use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(unix)]
use crate::folder::{Choice, Patterns};
use crate::input::{self, Input};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::open_failure::open_failure;
use crate::output::{Output, Unnamed};
#[cfg(unix)]
use crate::placed::Placed;
use crate::progress::{Progress, size};
use crate::run::{each, each_result, once};
use crate::target::Targets;
use crate::terminal::TextOnly;

pub(crate) fn open(args: &Open) -> Result<(), Exit> {
    let files = once(|| input::named(&args.files))?;
    if args.list {
        return list(args, &files);
    }
    let mut targets = once(|| Targets::new(&args.target, &files))?;
    let report = args.reporting.report();
    once(|| report.may_share(args.target.is_standard(&files)))?;
    #[cfg(unix)]
    let only = once(|| args.unpacking.patterns())?;
    #[cfg(not(unix))]
    let only = ();
    let mut secrets = None;
    let progress = Progress::start(args.target.is_quiet(&files), || {
        input::total_content_len(&files)
    });
    let work = |path: &Path, progress: &Progress| {
        let input = Input::open_sealed(path)?;
        let permissions = input.permissions();
        if args.remove {
            may_remove(path, targets.is_stream(path, || opened_name(path, args))?)?;
        }
        let output = targets.output(path, permissions, || opened_name(path, args))?;
        let console = args.reporting.console(progress);
        let gather = || {
            console.aside(|console| Secrets::for_opening((&args.keys, &args.limit), path, console))
        };
        let secrets = gathered(&mut secrets, gather)?;
        let name = output.name().to_path_buf();
        secrets.may_be_replaced_by(&name)?;
        #[cfg(unix)]
        if only.is_some() && matches!(output, Output::Stream { .. }) {
            let message = "--only unpacks a folder, and there is none to be made";
            return Err(Failure::new(Exit::Usage, message).hint("name a folder with -o"));
        }
        let as_it_is =
            matches!(output, Output::Stream { .. }) || args.tar || args.raw || args.range.is_some();
        let (opened, content_len) = match as_it_is {
            true => {
                let (output, len) = open_as_it_is(args, path, &input, output, secrets, progress)?;
                (Opened::File(output.unnamed()), len)
            }
            false => open_itself(args, &only, path, &input, output, secrets, console)?,
        };
        targets.made(&name, path);
        let (unnamed, placed, folder) = match opened {
            Opened::File(unnamed) => (unnamed, None, None),
            #[cfg(unix)]
            Opened::Folder(placed, entries) => (None, Some(*placed), Some(entries)),
        };
        let done = Done {
            input: path.to_path_buf(),
            metadata: input.metadata().clone(),
            output: name,
            placed,
            content_len,
            folder,
            is_short: false,
        };
        Ok(Work(unnamed, Box::new(done)))
    };
    let remover = Remover::default();
    each_result(&files, progress, report, "opened", work, |done| {
        match args.remove && !done.folder.is_some_and(|folder| folder.has_lost) {
            true => remover.remove_opened(done).map(|()| true),
            false => Ok(false),
        }
    })
}

/// What a content was opened to.
enum Opened {
    /// A file that waits for its name, or a stream.
    File(Option<Unnamed>),
    /// A folder, which has its name.
    #[cfg(unix)]
    Folder(Box<Placed>, Entries),
}

/// Opens the content as the bytes that it is, or a range of them.
fn open_as_it_is(
    args: &Open,
    path: &Path,
    input: &Input,
    mut output: Output,
    secrets: &mut Secrets,
    progress: &Progress,
) -> Result<(Output, u64), Failure> {
    let mut text = TextOnly::new(&mut output, args.target.force);
    let (options, at) = (args.limit.options(), |bytes| progress.at(bytes));
    let (opened, failure) = match args.range {
        Some(range) => {
            let opened = secrets.try_on(path, progress, |keys| {
                open_range(input, &mut text, keys, &options, (range, args.raw), at)
            })?;
            (opened, None)
        }
        None if args.raw => {
            let opened = secrets.try_on(path, progress, |keys| {
                sivka_file::open(input.reader(), &mut text, keys, &options, at)
            })?;
            (opened.map(|opened| Ok(opened.plaintext_len)), None)
        }
        None => {
            let mut content = Decompressing::new(&mut text);
            let opened = secrets.try_on(path, progress, |keys| {
                sivka_file::open(input.reader(), &mut content, keys, &options, at)
            })?;
            let ended = content.end(opened.is_ok());
            let failure = ended.failure(&shown(path));
            let opened = match (opened, ended.error) {
                (Ok(_), Some(error)) => Err(Error::Write(error)),
                (opened, _) => opened.map(|opened| Ok(ended.len.unwrap_or(opened.plaintext_len))),
            };
            (opened, failure)
        }
    };
    if let Some(failure) = text.failure(path).or(failure) {
        return Err(failure);
    }
    let opened =
        opened.map_err(|error| open_failure(path, output.name(), input.head(), secrets, &error))?;
    let len = opened.map_err(|refused| refused.failure(path))?;
    Ok((output, len))
}

/// Opens the content to the file or to the folder that it is. A folder has its name when
/// this returns; a file still waits for it.
#[cfg(unix)]
fn open_itself(
    args: &Open,
    only: &Option<Patterns>,
    path: &Path,
    input: &Input,
    output: Output,
    secrets: &mut Secrets,
    console: Console<'_>,
) -> Result<(Opened, u64), Failure> {
    let choice = Choice {
        sealed: path,
        outside_links: args.outside_links,
        only: only.as_ref(),
        attributes: !args.unpacking.no_xattrs,
        removes_sealed: args.remove,
    };
    let wanted = Wanted::Itself { output, choice };
    let (received, content_len) = receive(&args.limit, path, input, wanted, secrets, console)?;
    Ok(match received {
        Received::File(output) => (Opened::File(output.unnamed()), content_len),
        Received::Folder(mut unpacked, place) => {
            let placed = place.give_name(&mut unpacked, console)?;
            let content_len = match only {
                Some(_) => unpacked.len,
                None => content_len,
            };
            if unpacked.has_lost() && args.remove {
                let what = "is kept: not all of it was restored";
                console.note(&format!("{}: {what}", shown(path)));
            }
            let entries = Entries {
                entries: unpacked.entries,
                left_out: unpacked.left_out,
                has_lost: unpacked.has_lost(),
            };
            (Opened::Folder(Box::new(placed), entries), content_len)
        }
        Received::Listed => (Opened::File(None), content_len),
    })
}

/// Folders are for systems with their permissions and links: elsewhere one is opened to
/// the archive that it is.
#[cfg(not(unix))]
fn open_itself(
    args: &Open,
    (): &(),
    path: &Path,
    input: &Input,
    output: Output,
    secrets: &mut Secrets,
    console: Console<'_>,
) -> Result<(Opened, u64), Failure> {
    let (output, len) = open_as_it_is(args, path, input, output, secrets, console.progress)?;
    Ok((Opened::File(output.unnamed()), len))
}

/// Opens the content of the file at `path` to what it is, and gives its length. Of a folder
/// that is not wanted as a whole, only what is wanted is read, where that is possible.
#[cfg(unix)]
fn receive(
    limit: &Limit,
    path: &Path,
    input: &Input,
    wanted: Wanted<'_>,
    secrets: &mut Secrets,
    console: Console<'_>,
) -> Result<(Received, u64), Failure> {
    let target = match &wanted {
        Wanted::Itself { output, .. } => output.name().to_path_buf(),
        Wanted::List(..) => path.to_path_buf(),
    };
    if wanted.is_part() && input.len().is_some() {
        let opened = secrets.try_on(path, console.progress, |keys| {
            let file = input.seekable().map_err(Error::Read)?;
            SeekReader::new(file, keys, &limit.options())
        })?;
        let refused = |error: &Error| open_failure(path, &target, input.head(), secrets, error);
        let mut reader = opened.map_err(|error| refused(&error))?;
        if form(&mut reader).map_err(|error| refused(&error))? == Form::Plain {
            let len = reader.plaintext_len();
            let received = receive_part(reader, path, wanted, console, refused)?;
            return Ok((received, len));
        }
        // All of it is read, and what is not wanted is passed over.
        let after_head = SeekFrom::Start(input.head().len() as u64);
        let sought = (&input.file).seek(after_head);
        sought.map_err(|error| Failure::io(path, &error))?;
    }
    std::thread::scope(|scope| {
        let content = Content::new(scope, path, wanted, console);
        let mut content = Decompressing::new(content);
        let opened = secrets.try_on(path, console.progress, |keys| {
            let at = |bytes| console.progress.at(bytes);
            sivka_file::open(input.reader(), &mut content, keys, &limit.options(), at)
        })?;
        if let Ok(summary) = &opened {
            console.detail(|| opened_with(path, input, summary));
        }
        let ended = content.end(opened.is_ok());
        let failure = ended.failure(&shown(path));
        let opened = match (opened, ended.error) {
            (Ok(_), Some(error)) => Err(Error::Write(error)),
            (opened, _) => opened,
        };
        let received = ended.writer.map(|content| {
            content.finish(opened, |error| {
                open_failure(path, &target, input.head(), secrets, error)
            })
        });
        match (failure, received) {
            (Some(failure), _) => Err(failure),
            (None, Some(received)) => {
                let (received, summary) = received?;
                Ok((received, ended.len.unwrap_or(summary.plaintext_len)))
            }
            (None, None) => Err(Failure::new(Exit::Internal, "the content was lost")),
        }
    })
}

/// Lists what is in sealed folders.
#[cfg(unix)]
fn list(args: &Open, files: &[PathBuf]) -> Result<(), Exit> {
    let report = args.reporting.report();
    let only = once(|| args.unpacking.patterns())?;
    let mut secrets = None;
    let progress = Progress::hidden();
    each(files, &progress, report, |path| {
        let input = Input::open_sealed(path)?;
        let console = args.reporting.console(&progress);
        let gather = || Secrets::for_opening((&args.keys, &args.limit), path, console);
        let secrets = gathered(&mut secrets, gather)?;
        receive(
            &args.limit,
            path,
            &input,
            Wanted::List(report, only.as_ref()),
            secrets,
            console,
        )
        .map(drop)
    })
}

#[cfg(not(unix))]
fn list(_: &Open, _: &[PathBuf]) -> Result<(), Exit> {
    once(|| {
        let message = "folders cannot be listed on this system";
        Err(Failure::new(Exit::Usage, message).hint("--tar gives the archive"))
    })
}

/// What opened a file, for those who want to know.
fn opened_with(path: &Path, input: &Input, summary: &Summary) -> String {
    let slot = Header::parse(input.head())
        .ok()
        .and_then(|header| header.slots().nth(summary.slot))
        .map_or(String::new(), |slot| format!(" ({})", describe(&slot)));
    let Summary { suite, chunks, .. } = summary;
    let of = if *chunks == 1 { "chunk" } else { "chunks" };
    format!(
        "{}: opens with slot {}{slot}; {suite}, {} in {chunks} {of}",
        shown(path),
        summary.slot,
        size(summary.plaintext_len)
    )
}

/// Opens a part of the content, and reads no more than what holds it: the header, the last
/// chunk, which proves the length, the first chunk, and those of the part. Gives the length of
/// the part.
fn open_range(
    input: &Input,
    output: &mut impl Write,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    (range, raw): (ByteRange, bool),
    mut progress: impl FnMut(u64),
) -> Result<Result<u64, NoRange>, Error> {
    let file = input.seekable().map_err(Error::Read)?;
    let mut content = SeekReader::new(file, keys, options)?;
    if !raw && form(&mut content)? != Form::Plain {
        return Ok(Err(NoRange::Compressed));
    }
    let Some(range) = range.within(content.plaintext_len()) else {
        return Ok(Err(NoRange::Beyond(content.plaintext_len())));
    };
    content
        .seek(SeekFrom::Start(range.start))
        .map_err(Error::Read)?;
    let mut buffer = Zeroizing::new([0; CHUNK_LEN]);
    let mut left = range.end - range.start;
    while left > 0 {
        let wanted = left.min(CHUNK_LEN as u64) as usize;
        content
            .read_exact(&mut buffer[..wanted])
            .map_err(from_format)?;
        output.write_all(&buffer[..wanted]).map_err(Error::Write)?;
        left -= wanted as u64;
        progress(range.end - range.start - left);
    }
    Ok(Ok(range.end - range.start))
}

/// The format's own error, which a reader wraps in one of input.
fn from_format(error: io::Error) -> Error {
    error.downcast().unwrap_or_else(Error::Read)
}

/// What the content begins with.
fn form(content: &mut SeekReader<SealedFile<&File>>) -> Result<Form, Error> {
    let mut head = Zeroizing::new(Vec::with_capacity(compression::MARK_LEN));
    let mut first = content.take(compression::MARK_LEN as u64);
    first.read_to_end(&mut head).map_err(from_format)?;
    content.rewind().map_err(Error::Read)?;
    Ok(Form::of(&head))
}

/// Why there is no such part of a content.
enum NoRange {
    /// It has so many bytes.
    Beyond(u64),
    Compressed,
}

impl NoRange {
    fn failure(&self, path: &Path) -> Failure {
        let path = shown(path);
        match self {
            Self::Beyond(len) => {
                let message = format!("{path}: the content has {}", size(*len));
                Failure::new(Exit::Usage, message).hint("--range must lie within it")
            }
            Self::Compressed => {
                let message = format!("{path}: is compressed, and no part can be read alone");
                Failure::new(Exit::Usage, message)
                    .hint("open all of it; or --raw for a part of what is compressed")
            }
        }
    }
}

#[derive(Serialize)]
struct VerifyRecord {
    content_len: u64,
    suite: &'static str,
    slot: usize,
}

pub(crate) fn verify(args: &Verify) -> Result<(), Exit> {
    let files = once(|| input::named(&args.files))?;
    let report = args.reporting.report();
    let mut secrets = None;
    let progress = Progress::start(args.quiet, || input::total_content_len(&files));
    each(&files, &progress, report, |path| {
        let input = Input::open_sealed(path)?;
        let console = args.reporting.console(&progress);
        let gather = || {
            console.aside(|console| Secrets::for_opening((&args.keys, &args.limit), path, console))
        };
        let secrets = gathered(&mut secrets, gather)?;
        let verified = secrets.try_on(path, &progress, |keys| {
            let at = |bytes| progress.at(bytes);
            sivka_file::verify(input.reader(), keys, &args.limit.options(), at)
        })?;
        let summary =
            verified.map_err(|error| open_failure(path, path, input.head(), secrets, &error))?;
        console.detail(|| opened_with(path, &input, &summary));
        let record = VerifyRecord {
            content_len: summary.plaintext_len,
            suite: summary.suite.name(),
            slot: summary.slot,
        };
        let words = || format!("{}: intact, {}\n", shown(path), size(summary.plaintext_len));
        progress.aside(|| match args.quiet {
            true => report.tell_json(path, 0, record),
            false => report.tell(Some(path), record, words),
        })
    })
}

/// The name without `.sivka`; of a folder as an archive, with that ending. A part goes under
/// no name that says it is the whole.
fn opened_name(path: &Path, args: &Open) -> Result<PathBuf, Failure> {
    let why = if args.range.is_some() {
        "a part of it has no name of its own"
    } else if path.extension() == Some(OsStr::new(EXTENSION)) {
        return Ok(path.with_extension(if args.tar { "tar" } else { "" }));
    } else {
        "the name does not end with .sivka"
    };
    let message = format!("{}: {why}", shown(path));
    let hint = match &args.target.output {
        Some(folder) => format!(
            "name the file too, as in -o {}",
            shown(&folder.join("NAME"))
        ),
        None => "name the target with -o".to_owned(),
    };
    Err(Failure::new(Exit::Usage, message).hint(hint))
}
