//! Sealing files, one after another.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use sivka_file::{Error, Header, SealOptions};

use super::remove::{may_remove, verify_and_remove};
use crate::args::Seal;
use crate::batch::Done;
use crate::exit::Exit;
use crate::failure::{Failure, note};
use crate::input::{self, Input};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::output::Output;
use crate::progress::Progress;
use crate::run::{each_result, once};
use crate::target::Targets;

pub(crate) fn seal(args: &Seal) -> Result<(), Exit> {
    let files = once(|| not_sealed_yet(input::named(&args.files)?))?;
    let mut targets = once(|| Targets::new(&args.target, &files))?;
    // Those who remove need them as well as those who seal.
    let secrets = RefCell::new(None);
    let progress = Progress::start(args.target.is_quiet(&files), || input::total_len(&files));
    let work = |path: &Path, progress: &Progress| {
        let input = Input::open(path).map_err(|failure| match path.is_dir() {
            true => failure.hint("pack it first: tar -c FOLDER | sivka seal - -o FOLDER.tar.sivka"),
            false => failure,
        })?;
        let mut output = targets.output(path, &input, || Ok(sealed_name(path)))?;
        refuse_terminal(&output, args)?;
        if args.remove {
            may_remove(path, &output)?;
        }
        let gather = || progress.aside(|| Secrets::for_sealing(&args.keys));
        let mut secrets = secrets.borrow_mut();
        let secrets = gathered(&mut secrets, gather)?;
        secrets.stretch(progress)?;
        let summary = sivka_file::seal(
            &input.file,
            output.file(),
            &secrets.locks(),
            &SealOptions {
                suite: args.suite,
                ..SealOptions::default()
            },
            |bytes| progress.at(bytes),
        )
        .map_err(|error| Failure::file(path, output.name(), &error))?;
        targets.made(output.name(), path);
        let done = Done {
            input: path.to_path_buf(),
            metadata: input.metadata().clone(),
            output: output.name().to_path_buf(),
            content_len: summary.plaintext_len,
        };
        Ok((output, done))
    };
    each_result(&files, progress, "sealed", work, |done| {
        match &*secrets.borrow() {
            Some(secrets) if args.remove => verify_and_remove(done, &secrets.unlocks()),
            _ => Ok(()),
        }
    })
}

/// Of several files, those that are not sealed already: a pattern like `*` also finds what
/// an earlier run has made. A single one is sealed once more, as it was asked for.
fn not_sealed_yet(files: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if files.len() == 1 {
        return Ok(files);
    }
    let (sealed, files) = files
        .into_iter()
        .partition::<Vec<_>, _>(|path| is_sealed(path));
    for path in &sealed {
        note(&format!("{}: is sealed already, and left out", shown(path)));
    }
    Ok(files)
}

/// Whether the name and the first bytes both say so.
fn is_sealed(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
        && File::open(path)
            .is_ok_and(|file| !matches!(Header::read(file), Err(Error::NotSivka | Error::Read(_))))
}

fn refuse_terminal(output: &Output, args: &Seal) -> Result<(), Failure> {
    if output.is_terminal() && !args.target.force {
        return Err(
            Failure::new(Exit::Usage, "sealed bytes would garble the terminal")
                .hint("name a file with -o, or print them all the same with --force"),
        );
    }
    Ok(())
}

fn sealed_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}
