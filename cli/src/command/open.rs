//! Opening files, and checking that they open.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{each, once};
use crate::args::{Open, Verify};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::output::print;
use crate::progress::{Progress, size};
use crate::refusal::refused;
use crate::target::Targets;

pub(crate) fn open(args: &Open) -> Result<(), Exit> {
    let mut targets = once(|| Targets::new(&args.target, &args.files))?;
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open_sealed(path)?;
        let mut output = targets.output(path, &input, || opened_name(path))?;
        let secrets = gathered(&mut secrets, || Secrets::for_opening(&args.keys))?;
        let progress = Progress::start(&shown(path), input.plaintext_len(), args.target.quiet);
        let summary = sivka_file::open(
            input.reader(),
            output.file(),
            &secrets.unlocks(),
            &args.limit.options(),
            |bytes| progress.at(bytes),
        )
        .map_err(|error| refused(path, output.name(), input.head(), secrets, &error))?;
        let line = format!(
            "{}: opened {}",
            shown(output.name()),
            size(summary.plaintext_len)
        );
        let target = output.name().to_path_buf();
        output.commit()?;
        targets.made(&target, path);
        progress.finish(&line);
        Ok(())
    })
}

pub(crate) fn verify(args: &Verify) -> Result<(), Exit> {
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open_sealed(path)?;
        let secrets = gathered(&mut secrets, || Secrets::for_opening(&args.keys))?;
        let progress = Progress::start(&shown(path), input.plaintext_len(), args.quiet);
        let summary = sivka_file::verify(
            input.reader(),
            &secrets.unlocks(),
            &args.limit.options(),
            |bytes| progress.at(bytes),
        )
        .map_err(|error| refused(path, path, input.head(), secrets, &error))?;
        drop(progress);
        print(format!("{}: intact, {}\n", shown(path), size(summary.plaintext_len)).as_bytes())
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
