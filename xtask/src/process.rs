//! Running other programs, and counting their tests.

mod reader;
mod tally;
mod time;

pub(crate) use tally::{Tally, seconds};
pub(crate) use time::{beside, status};

use reader::Reader;
use std::env;
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// Why a command of xtask did not succeed, in one line for a person.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The one build of all crates that is tested. A test program of it must ask for the same features,
/// or Cargo would build another `core`.
pub(crate) const WORKSPACE: [&str; 3] = ["--workspace", "--features", "sivka/aead,sivka/cipher"];

/// The folders of the crates that ship.
pub(crate) const SHIPPED: [&str; 6] = ["core", "file", "keyset", "arrow", "ffi", "cli"];

/// The name of the crate in a folder.
pub(crate) fn package(folder: &str) -> String {
    match folder.rsplit('/').next().unwrap_or_default() {
        "core" => "sivka".to_owned(),
        "xtask" => "xtask".to_owned(),
        "blob" => "sivka-go-blob".to_owned(),
        name => format!("sivka-{name}"),
    }
}

/// The top of the project.
pub(crate) fn project_root() -> PathBuf {
    // Cargo sets the variable for programs that it runs; the compiled-in value serves a binary that
    // is started by hand.
    let xtask = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map(PathBuf::from).unwrap_or_default()
}

/// Whether this is a run where nothing may be missing.
pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// `cargo` with these arguments, in the top folder, its output free of colour.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = program("cargo", arguments);
    command.env("CARGO_TERM_COLOR", "never");
    command
}

/// A program with these arguments, in the top folder and with no input.
pub(crate) fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(project_root()).stdin(Stdio::null());
    command
}

/// `--locked` where the lock file must already be right.
pub(crate) fn locked() -> &'static [&'static str] {
    if in_ci() { &["--locked"] } else { &[] }
}

/// Whether there is a program.
pub(crate) fn exists(name: &str) -> bool {
    let found = program("sh", &["-c", &format!("command -v {name}")]).output();
    found.is_ok_and(|found| found.status.success())
}

/// Runs to the end, output shown; an exit code other than 0 is a failure.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    println!("$ {command:?}");
    let ended = status(command).map(|status| (status, Vec::new()));
    succeeded(command, ended).map(drop)
}

/// Runs to the end and returns the standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String, Failure> {
    println!("$ {command:?}");
    let ended = time::output(command);
    Ok(String::from_utf8_lossy(&succeeded(command, ended)?).into_owned())
}

fn succeeded(
    command: &Command,
    ended: io::Result<(ExitStatus, Vec<u8>)>,
) -> Result<Vec<u8>, Failure> {
    match ended {
        Ok((status, printed)) if status.success() => Ok(printed),
        Ok((status, _)) => Err(Failure::new(format!("`{command:?}`: {status}"))),
        Err(e) => Err(Failure::new(format!("`{command:?}` did not start: {e}"))),
    }
}

/// Cargo's output files, as Cargo reports them.
pub(crate) fn artifacts(build: &mut Command) -> Result<Vec<serde_json::Value>, Failure> {
    let messages = capture(build.args(["--message-format", "json"]))?;
    let messages = messages.lines().map(serde_json::from_str);
    messages.collect::<Result<_, _>>().map_err(|e| Failure::new(format!("Cargo says: {e}")))
}

/// Runs a control to its end: it must fail, and print the wanted text.
pub(crate) fn fails_saying(
    command: &mut Command,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let (status, said) = said(command)?;
    if status.success() || !is_wanted(&said) {
        return Err(Failure::new(format!("what is planted goes unnoticed: `{command:?}`")));
    }
    println!("it finds what is planted, as it has to");
    Ok(())
}

/// How a program ended, and its output.
pub(crate) fn said(command: &mut Command) -> Result<(ExitStatus, String), Failure> {
    let mut said = String::new();
    let status = run_lines(command, |line| said.extend([line, "\n"]))?;
    Ok((status, said))
}

/// Runs a program that runs tests, shows its output, and counts.
pub(crate) fn run_tests(name: &str, command: &mut Command) -> Tally {
    let mut reader = Reader::new(name);
    let ended = run_lines(command, |line| reader.line(line));
    if let Err(failure) = &ended {
        println!("{failure}");
    }
    reader.finish(ended.is_ok_and(|status| status.success()))
}

/// Runs a program and shows its output, which `read` gets as well, line by line.
pub(crate) fn run_lines(
    command: &mut Command,
    mut read: impl FnMut(&str),
) -> Result<ExitStatus, Failure> {
    println!("$ {command:?}");
    let ended = (|| {
        // One pipe for both streams: Cargo names each program on the one, the
        // program answers on the other, and the order must survive.
        let (output, input) = io::pipe()?;
        command.stdout(input.try_clone()?).stderr(input);
        let mut child = command.spawn()?;
        command.stdout(Stdio::null()).stderr(Stdio::null());
        for line in BufReader::new(output).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            read(&line);
        }
        time::wait(&mut child)
    })();
    ended.map_err(|e| Failure::new(format!("`{command:?}` did not run: {e}")))
}
