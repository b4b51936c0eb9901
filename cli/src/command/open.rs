//! Opening files, and checking that they open.

use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sivka_file::{CHUNK_LEN, Error, OpenOptions, SeekReader, Unlock};
use zeroize::Zeroizing;

use super::remove::{may_remove, remove};
use crate::args::{ByteRange, Open, Verify};
use crate::batch::Done;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::output::print;
use crate::progress::{Progress, size};
use crate::refusal::refused;
use crate::run::{each, each_result, once};
use crate::target::Targets;
use crate::terminal::TextOnly;

pub(crate) fn open(args: &Open) -> Result<(), Exit> {
    let files = once(|| input::named(&args.files))?;
    let mut targets = once(|| Targets::new(&args.target, &files))?;
    let mut secrets = None;
    let progress = Progress::start(args.target.is_quiet(&files), || {
        input::total_content_len(&files)
    });
    let work = |path: &Path, progress: &Progress| {
        let input = Input::open_sealed(path)?;
        let mut output = targets.output(path, &input, || opened_name(path))?;
        if args.remove {
            may_remove(path, &output)?;
        }
        let gather = || progress.aside(|| Secrets::for_opening(&args.keys, path));
        let secrets = gathered(&mut secrets, gather)?;
        let mut text = TextOnly::new(&mut output, args.target.force);
        let opened = secrets.try_on(path, progress, |keys| {
            let (options, at) = (args.limit.options(), |bytes| progress.at(bytes));
            match args.range {
                Some(range) => open_range(&input, &mut text, keys, &options, range, at),
                None => sivka_file::open(input.reader(), &mut text, keys, &options, at)
                    .map(|summary| Ok(summary.plaintext_len)),
            }
        })?;
        if let Some(refusal) = text.refusal(path) {
            return Err(refusal);
        }
        let opened =
            opened.map_err(|error| refused(path, output.name(), input.head(), secrets, &error))?;
        let opened_len = opened.map_err(|len| beyond(path, len))?;
        targets.made(output.name(), path);
        let done = Done {
            input: path.to_path_buf(),
            metadata: input.metadata().clone(),
            output: output.name().to_path_buf(),
            content_len: opened_len,
        };
        Ok((output, done))
    };
    each_result(&files, progress, "opened", work, |done| match args.remove {
        true => remove(done),
        false => Ok(()),
    })
}

/// Opens a part of the content, and reads no more than what holds it: the header, the last
/// chunk, which proves the length, and the chunks of the part. Gives the length of the part,
/// or that of a content which has not all of it.
fn open_range(
    input: &Input,
    output: &mut impl Write,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    range: ByteRange,
    mut progress: impl FnMut(u64),
) -> Result<Result<u64, u64>, Error> {
    let mut file = &input.file;
    file.rewind().map_err(Error::Read)?;
    let mut content = SeekReader::new(file, keys, options)?;
    let Some(range) = range.within(content.plaintext_len()) else {
        return Ok(Err(content.plaintext_len()));
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

fn beyond(path: &Path, len: u64) -> Failure {
    let message = format!("{}: the content has {}", shown(path), size(len));
    Failure::new(Exit::Usage, message).hint("--range must lie within it")
}

pub(crate) fn verify(args: &Verify) -> Result<(), Exit> {
    let files = once(|| input::named(&args.files))?;
    let mut secrets = None;
    let progress = Progress::start(args.quiet, || input::total_content_len(&files));
    each(&files, &progress, |path| {
        let input = Input::open_sealed(path)?;
        let gather = || progress.aside(|| Secrets::for_opening(&args.keys, path));
        let secrets = gathered(&mut secrets, gather)?;
        let verified = secrets.try_on(path, &progress, |keys| {
            let at = |bytes| progress.at(bytes);
            sivka_file::verify(input.reader(), keys, &args.limit.options(), at)
        })?;
        let summary =
            verified.map_err(|error| refused(path, path, input.head(), secrets, &error))?;
        let line = format!("{}: intact, {}\n", shown(path), size(summary.plaintext_len));
        progress.aside(|| print(line.as_bytes()))
    })
}

fn opened_name(path: &Path) -> Result<PathBuf, Failure> {
    if path.extension() == Some(OsStr::new(EXTENSION)) {
        return Ok(path.with_extension(""));
    }
    Err(Failure::new(
        Exit::Usage,
        format!("{}: the name does not end with .sivka", shown(path)),
    )
    .hint("name the target with -o"))
}
