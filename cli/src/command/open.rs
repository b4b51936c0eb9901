//! Opening files, and checking that they open.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::args::{Open, Verify};
use crate::batch::Done;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, total_content_len};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::output::print;
use crate::progress::{Progress, size};
use crate::refusal::refused;
use crate::run::{each, each_result, once};
use crate::target::Targets;

pub(crate) fn open(args: &Open) -> Result<(), Exit> {
    let mut targets = once(|| Targets::new(&args.target, &args.files))?;
    let mut secrets = None;
    let progress = Progress::start(args.target.quiet, || total_content_len(&args.files));
    let work = |path: &Path, progress: &Progress| {
        let input = Input::open_sealed(path)?;
        let mut output = targets.output(path, &input, || opened_name(path))?;
        let gather = || progress.aside(|| Secrets::for_opening(&args.keys, path));
        let secrets = gathered(&mut secrets, gather)?;
        let opened = secrets.try_on(path, progress, |keys| {
            let at = |bytes| progress.at(bytes);
            sivka_file::open(
                input.reader(),
                output.file(),
                keys,
                &args.limit.options(),
                at,
            )
        })?;
        let summary =
            opened.map_err(|error| refused(path, output.name(), input.head(), secrets, &error))?;
        targets.made(output.name(), path);
        let done = Done::new(output.name(), summary);
        Ok((output, done))
    };
    each_result(&args.files, progress, "opened", work, |_| Ok(()))
}

pub(crate) fn verify(args: &Verify) -> Result<(), Exit> {
    let mut secrets = None;
    let progress = Progress::start(args.quiet, || total_content_len(&args.files));
    each(&args.files, &progress, |path| {
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
