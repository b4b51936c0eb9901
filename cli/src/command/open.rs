//! Opening files, and checking that they open.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::args::{Open, Verify};
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
        let gather = || progress.aside(|| Secrets::for_opening(&args.keys, path));
        let secrets = gathered(&mut secrets, gather)?;
        let mut text = TextOnly::new(&mut output, args.target.force);
        let opened = secrets.try_on(path, progress, |keys| {
            let at = |bytes| progress.at(bytes);
            sivka_file::open(input.reader(), &mut text, keys, &args.limit.options(), at)
        })?;
        if let Some(refusal) = text.refusal(path) {
            return Err(refusal);
        }
        let summary =
            opened.map_err(|error| refused(path, output.name(), input.head(), secrets, &error))?;
        targets.made(output.name(), path);
        let done = Done::new(output.name(), summary);
        Ok((output, done))
    };
    each_result(&files, progress, "opened", work, |_| Ok(()))
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
