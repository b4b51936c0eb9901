//! Carries out a command, file by file.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use sivka_file::{Argon2Cost, Error, Header, KeyFile, OpenOptions, SealOptions, SlotInfo};

use crate::args::{Cli, Command, Keygen, Limit, Open, Salvage, Seal, Target, Verify};
use crate::failure::{Exit, Failure, printable, reason, shown};
use crate::input::{Input, is_standard};
use crate::inspect::inspect;
use crate::keys::{Secrets, write_key_file};
use crate::output::Output;
use crate::progress::{Progress, size};
use crate::slot::slot;

/// The ending of a sealed file's name.
const EXTENSION: &str = "sivka";

/// Carries out `command`, reports every failure, and returns the exit status
/// of the first one.
pub(crate) fn command(command: Command) -> Result<(), Exit> {
    match command {
        Command::Keygen(args) => once(|| keygen(&args)),
        Command::Seal(args) => seal(&args),
        Command::Open(args) => open(&args),
        Command::Verify(args) => verify(&args),
        Command::Inspect(args) => each(&args.files, |path| print(inspect(path)?.as_bytes())),
        Command::Salvage(args) => once(|| salvage(&args)),
        Command::Slot(command) => once(|| slot(&command)),
        Command::Completions(args) => once(|| {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "sivka", &mut script);
            print(&script)
        }),
        Command::Man(args) => once(|| print(&manual(args.command.as_deref())?)),
    }
}

fn once(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Exit> {
    work().map_err(|failure| {
        failure.report();
        failure.exit
    })
}

/// Does `work` on every file, also on those after one that failed.
fn each(files: &[PathBuf], mut work: impl FnMut(&Path) -> Result<(), Failure>) -> Result<(), Exit> {
    let mut first = Ok(());
    for file in files {
        let Err(failure) = work(file) else { continue };
        failure.report();
        first = first.and(Err(failure.exit));
        if failure.ends_run {
            break;
        }
    }
    first
}

fn keygen(args: &Keygen) -> Result<(), Failure> {
    let stem = || {
        args.output
            .as_deref()
            .and_then(Path::file_stem)
            .and_then(OsStr::to_str)
    };
    let name = args.name.as_deref().or_else(stem).unwrap_or("unnamed");
    let key = KeyFile::generate(name).map_err(|error| match error {
        Error::BadKeyName(_) => Failure::new(Exit::Usage, error.to_string()),
        _ => Failure::new(Exit::Internal, error.to_string()),
    })?;
    match &args.output {
        Some(path) if !is_standard(path) => write_key_file(path, &key, args.force),
        _ => print(key.to_text().as_bytes()),
    }
}

fn seal(args: &Seal) -> Result<(), Exit> {
    once(|| args.target.check(&args.files))?;
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open(path).map_err(|failure| match path.is_dir() {
            true => failure.hint("pack it first: tar -c FOLDER | sivka seal - -o FOLDER.tar.sivka"),
            false => failure,
        })?;
        let mut output = args.target.output(path, &input, || Ok(sealed_name(path)))?;
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
        output.commit()?;
        progress.finish(&line);
        Ok(())
    })
}

fn open(args: &Open) -> Result<(), Exit> {
    once(|| args.target.check(&args.files))?;
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open(path)?;
        let mut output = args.target.output(path, &input, || opened_name(path))?;
        let secrets = gathered(&mut secrets, || Secrets::for_opening(&args.keys))?;
        let progress = Progress::start(&shown(path), input.plaintext_len(), args.target.quiet);
        let summary = sivka_file::open(
            &input.file,
            output.file(),
            &secrets.unlocks(),
            &args.limit.options(),
            |bytes| progress.at(bytes),
        )
        .map_err(|error| refused(path, output.name(), secrets, &error))?;
        let line = format!(
            "{}: opened {}",
            shown(output.name()),
            size(summary.plaintext_len)
        );
        output.commit()?;
        progress.finish(&line);
        Ok(())
    })
}

fn verify(args: &Verify) -> Result<(), Exit> {
    let mut secrets = None;
    each(&args.files, |path| {
        let input = Input::open(path)?;
        let secrets = gathered(&mut secrets, || Secrets::for_opening(&args.keys))?;
        let progress = Progress::start(&shown(path), input.plaintext_len(), args.quiet);
        let summary = sivka_file::verify(
            &input.file,
            &secrets.unlocks(),
            &args.limit.options(),
            |bytes| progress.at(bytes),
        )
        .map_err(|error| refused(path, path, secrets, &error))?;
        drop(progress);
        print(format!("{}: intact, {}\n", shown(path), size(summary.plaintext_len)).as_bytes())
    })
}

fn salvage(args: &Salvage) -> Result<(), Failure> {
    let path = &args.file;
    if is_standard(&args.output) {
        return Err(Failure::new(
            Exit::Usage,
            "standard output is for the list of what is lost",
        )
        .hint("name a file with -o"));
    }
    let input = Input::open(path)?;
    let mut output = Output::create(&args.output, input.permissions(), args.force)?;
    let secrets = Secrets::for_opening(&args.keys)?;
    let progress = Progress::start(&shown(path), input.plaintext_len(), args.quiet);
    let mut losses = String::new();
    let found = sivka_file::salvage(
        &input.file,
        output.file(),
        &secrets.unlocks(),
        &args.limit.options(),
        |lost| {
            let _ = writeln!(losses, "lost: bytes {} to {}", lost.start, lost.end - 1);
        },
        |bytes| progress.at(bytes),
    )
    .map_err(|error| refused(path, output.name(), &secrets, &error))?;
    drop(progress);
    output.commit()?;
    if found.end_is_missing {
        let end = found.intact_len + found.lost_len;
        let _ = writeln!(
            losses,
            "lost: everything from byte {end} on, if there was more"
        );
    }
    print(losses.as_bytes())?;
    if found.is_whole() {
        return Ok(());
    }
    let message = format!(
        "{}: damaged: {} recovered, {} lost",
        shown(path),
        size(found.intact_len),
        size(found.lost_len)
    );
    Err(Failure::new(Exit::Damaged, message)
        .hint(format!("{} is not what was sealed", shown(&args.output))))
}

/// The secrets of the run, gathered when the first file needs them: nobody is
/// asked for a passphrase, and no key is made, for a file that is not there.
fn gathered(
    secrets: &mut Option<Secrets>,
    gather: impl FnOnce() -> Result<Secrets, Failure>,
) -> Result<&Secrets, Failure> {
    let found = match secrets.take() {
        Some(found) => found,
        None => gather().map_err(Failure::ending_run)?,
    };
    Ok(secrets.insert(found))
}

/// Why `input` did not open; if no key fits, with a look at what would.
pub(crate) fn refused(input: &Path, output: &Path, secrets: &Secrets, error: &Error) -> Failure {
    let failure = Failure::file(input, output, error);
    if !matches!(error, Error::NoSlotOpens) || is_standard(input) {
        return failure;
    }
    let header = File::open(input).map(Header::read);
    let Ok(Ok(header)) = header else {
        return failure;
    };
    let takes_passphrase = header
        .slots()
        .any(|slot| matches!(slot, SlotInfo::Passphrase { .. }));
    let key_ids = header.slots().filter_map(|slot| match slot {
        SlotInfo::KeyFile { id } => Some(id.to_string()),
        _ => None,
    });
    let key_ids = key_ids.collect::<Vec<_>>().join(" or ");
    match (
        takes_passphrase && !secrets.has_passphrase(),
        key_ids.is_empty(),
    ) {
        (true, true) => failure.hint("it says it opens with a passphrase: try --passphrase"),
        (true, false) => failure.hint(format!(
            "it says it opens with a passphrase, or with the key file of id {key_ids}"
        )),
        (false, false) => failure.hint(format!(
            "it says it opens with the key file of id {key_ids}"
        )),
        (false, true) => failure,
    }
}

fn sealed_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
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

impl Target {
    /// Fails if one target was named for several files.
    fn check(&self, files: &[PathBuf]) -> Result<(), Failure> {
        match &self.output {
            Some(output) if files.len() > 1 && !output.is_dir() => Err(Failure::new(
                Exit::Usage,
                format!("{} files cannot be written to one output", files.len()),
            )
            .hint("name a folder with -o, or leave it out")),
            _ => Ok(()),
        }
    }

    /// The output for the input at `path`, which is `beside()` unless the
    /// command line says otherwise.
    fn output(
        &self,
        path: &Path,
        input: &Input,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Output, Failure> {
        let target = match &self.output {
            Some(output) if is_standard(output) => return Output::standard(),
            Some(output) if output.is_dir() && !is_standard(path) => {
                let name = beside()?;
                output.join(name.file_name().unwrap_or_default())
            }
            Some(output) => output.clone(),
            None if is_standard(path) => return Output::standard(),
            None => beside()?,
        };
        Output::create(&target, input.permissions(), self.force)
    }
}

impl Limit {
    pub(crate) fn options(&self) -> OpenOptions {
        OpenOptions {
            max_cost: Argon2Cost {
                memory_kib: self.max_memory.saturating_mul(1024),
                passes: self.max_passes,
                ..Argon2Cost::DEFAULT_LIMIT
            },
            ..OpenOptions::default()
        }
    }
}

/// The manual page of the program, or of one command.
fn manual(command: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut program = Cli::command();
    // Building gives each command its full name, `sivka-seal`.
    program.build();
    let described = match command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::new(
                Exit::Usage,
                format!("no command is called {}", printable(name)),
            )
            .hint("`sivka --help` lists what is possible")
        })?,
    };
    render(&clap_mangen::Man::new(described))
        .map_err(|error| Failure::new(Exit::Internal, reason(&error)))
}

/// The page in the usual order, with the exit statuses under their usual title.
fn render(manual: &clap_mangen::Man) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    manual.render_synopsis_section(&mut page)?;
    manual.render_description_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    manual.render_subcommands_section(&mut page)?;
    Exit::roff().to_writer(&mut page)?;
    Ok(page)
}

/// Writes `bytes` to standard output.
fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::io(Path::new("standard output"), &error))
}
