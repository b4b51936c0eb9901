//! Sealing files, one after another.

use std::path::{Path, PathBuf};

use sivka_file::SealOptions;

use super::{each, once};
use crate::args::Seal;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, shown};
use crate::progress::{Progress, size};
use crate::target::Targets;

pub(crate) fn seal(args: &Seal) -> Result<(), Exit> {
    let mut targets = once(|| Targets::new(&args.target, &args.files))?;
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open(path).map_err(|failure| match path.is_dir() {
            true => failure.hint("pack it first: tar -c FOLDER | sivka seal - -o FOLDER.tar.sivka"),
            false => failure,
        })?;
        let mut output = targets.output(path, &input, || Ok(sealed_name(path)))?;
        if output.is_terminal() && !args.target.force {
            return Err(
                Failure::new(Exit::Usage, "sealed bytes would garble the terminal")
                    .hint("name a file with -o, or print them all the same with --force"),
            );
        }
        let secrets = gathered(&mut secrets, || Secrets::for_sealing(&args.keys))?;
        let progress = Progress::start(&shown(path), input.len(), args.target.quiet);
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
        let line = format!(
            "{}: sealed {}",
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

fn sealed_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}
