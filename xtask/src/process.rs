//! Running other programs, and counting what the tests among them say.

use std::env;
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

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

/// The top of the project.
pub(crate) fn project_root() -> PathBuf {
    // Cargo sets the variable for what it runs; the compiled-in value serves a
    // binary that is started by hand.
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
    command
        .args(arguments)
        .current_dir(project_root())
        .stdin(Stdio::null());
    command
}

/// `--locked` where the lock file must already be right.
pub(crate) fn locked() -> &'static [&'static str] {
    if in_ci() { &["--locked"] } else { &[] }
}

/// The command as one would type it, with the variables that xtask set.
fn as_typed(command: &Command) -> String {
    let shown = |name: &str| name.starts_with("SIVKA_") || name == "RUSTDOCFLAGS";
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let (true, Some(value)) = (shown(&name.to_string_lossy()), value) {
            words.push(format!(
                "{}={:?}",
                name.to_string_lossy(),
                value.to_string_lossy()
            ));
        }
    }
    words.push(command.get_program().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Whether a program can be started at all.
pub(crate) fn exists(name: &str) -> bool {
    let mut probe = Command::new(name);
    probe
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Runs to the end, output shown; an exit code other than 0 is a failure.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    let typed = as_typed(command);
    println!("$ {typed}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::new(format!("`{typed}`: {status}"))),
        Err(e) => Err(Failure::new(format!("`{typed}` did not start: {e}"))),
    }
}

/// Runs to the end and returns what it printed on standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String, Failure> {
    let typed = as_typed(command);
    println!("$ {typed}");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| Failure::new(format!("`{typed}` did not start: {e}")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(Failure::new(format!("`{typed}`: {}", output.status)))
    }
}

/// What one test program said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

/// What a number of test programs said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) suites: Vec<Suite>,
    /// What was left out for want of a tool, a line each.
    pub(crate) not_run: Vec<String>,
}

impl Tally {
    pub(crate) fn passed(&self) -> u64 {
        self.suites.iter().map(|suite| suite.passed).sum()
    }

    pub(crate) fn failed(&self) -> u64 {
        self.suites.iter().map(|suite| suite.failed).sum()
    }

    pub(crate) fn add(&mut self, name: impl Into<String>, passed: u64, failed: u64) {
        self.add_with_ignored(name, passed, failed, 0);
    }

    pub(crate) fn add_with_ignored(
        &mut self,
        name: impl Into<String>,
        passed: u64,
        failed: u64,
        ignored: u64,
    ) {
        self.suites.push(Suite {
            name: name.into(),
            passed,
            failed,
            ignored,
        });
    }

    /// Says what cannot be run here and what it needs; in CI that is a failure.
    pub(crate) fn add_not_run(&mut self, what: &str, needs: &str) {
        println!("NOT RUN: {what}: {needs} is missing");
        self.not_run.push(format!("{what}: {needs} is missing"));
        if in_ci() {
            self.add(format!("{what} (not run)"), 0, 1);
        }
    }

    /// Adds a check that either holds or not.
    pub(crate) fn add_check(&mut self, name: &str, result: &Result<(), Failure>) {
        if let Err(failure) = result {
            println!("FAILED: {failure}");
        }
        self.add(name, u64::from(result.is_ok()), u64::from(result.is_err()));
    }

    pub(crate) fn append(&mut self, prefix: &str, other: Self) {
        self.not_run.extend(other.not_run);
        self.suites
            .extend(other.suites.into_iter().map(|mut suite| {
                suite.name = format!("{prefix}{}", suite.name);
                suite
            }));
    }

    /// One line for each program that ran.
    pub(crate) fn print(&self) {
        for Suite {
            name,
            passed,
            failed,
            ignored,
        } in &self.suites
        {
            let mark = if *failed > 0 { "  <-- FAILED" } else { "" };
            println!("{passed:>6} passed {failed:>4} failed {ignored:>4} ignored  {name}{mark}");
        }
        for line in &self.not_run {
            println!("NOT RUN: {line}");
        }
    }
}

/// Reads the lines of libtest and of `cargo test` into a [`Tally`].
#[derive(Default)]
struct Reader {
    tally: Tally,
    package: String,
    running: Option<String>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(what) = trimmed.strip_prefix("Running ") {
            self.start(what);
        } else if let Some(what) = trimmed.strip_prefix("Doc-tests ") {
            self.start(&format!("doc tests of {what}"));
        } else if let Some(result) = line.strip_prefix("test result: ") {
            let count = |label: &str| {
                let mut words = result
                    .split([' ', ';'])
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev();
                words.find(|word| *word == label)?;
                words.next()?.parse::<u64>().ok()
            };
            let counts = (count("passed"), count("failed"), count("ignored"));
            if let (Some(passed), Some(failed), Some(ignored)) = counts {
                let name = self.running.take().unwrap_or_else(|| self.package.clone());
                self.tally.suites.push(Suite {
                    name,
                    passed,
                    failed,
                    ignored,
                });
            }
        }
    }

    /// The program before this one ended without a result: it broke off.
    fn start(&mut self, what: &str) {
        self.break_off();
        // `tests/suite.rs (target/debug/deps/suite-0123456789abcdef)`
        let program = what.rsplit('/').next().unwrap_or_default();
        let program = program.rsplit_once('-').map_or("", |(name, _)| name);
        let what = what.split(" (").next().unwrap_or_default();
        self.running = Some(if what.starts_with("unittests") {
            format!("{program}: {what}")
        } else {
            what.to_owned()
        });
    }

    fn break_off(&mut self) {
        if let Some(name) = self.running.take() {
            self.tally
                .add(format!("{name} (ended without a result)"), 0, 1);
        }
    }
}

/// Runs a program that runs tests, shows its output, and counts.
///
/// A program that fails without having said so in its counts (it did not
/// compile, it crashed) counts as one failure under `name`, and an integration
/// test that ran no test at all as another: a suite that tests nothing must not
/// look like one that passed.
pub(crate) fn run_tests(name: &str, command: &mut Command) -> Tally {
    let mut reader = Reader {
        package: name.to_owned(),
        ..Reader::default()
    };
    let success = run_lines(command, |line| reader.line(line));
    finish(reader, name, success)
}

/// Runs a program and shows its output, which `read` gets as well, line by line; whether
/// its exit code was 0.
pub(crate) fn run_lines(command: &mut Command, mut read: impl FnMut(&str)) -> bool {
    let typed = as_typed(command);
    println!("$ {typed}");
    let status = (|| {
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
        child.wait()
    })();
    match status {
        Ok(status) => status.success(),
        Err(e) => {
            println!("`{typed}` did not run: {e}");
            false
        }
    }
}

fn finish(mut reader: Reader, name: &str, success: bool) -> Tally {
    reader.break_off();
    let mut tally = reader.tally;
    for suite in &mut tally.suites {
        let ran = suite.passed + suite.failed + suite.ignored;
        if suite.name.starts_with("tests/") && ran == 0 {
            suite.name.push_str(" (ran no test)");
            suite.failed = 1;
        }
    }
    if !success && tally.failed() == 0 {
        tally.add(format!("{name} (did not build or broke off)"), 0, 1);
    }
    if tally.suites.is_empty() {
        tally.add(format!("{name} (ran nothing)"), 0, 1);
    }
    tally
}

/// Seconds with one decimal.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, success: bool) -> Vec<(String, u64, u64)> {
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.line(line));
        let suites = finish(reader, "step", success).suites.into_iter();
        suites
            .map(|suite| (suite.name, suite.passed, suite.failed))
            .collect()
    }

    #[test]
    fn results_are_counted_under_their_program() {
        let text = "\
   Compiling sivka v0.1.0
     Running unittests src/lib.rs (target/debug/deps/sivka-0123456789abcdef)
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running tests/suite.rs (target/debug/deps/suite-0123456789abcdef)
test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s
   Doc-tests sivka
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.5s
";
        let wanted = [
            ("sivka: unittests src/lib.rs".to_owned(), 3, 0),
            ("tests/suite.rs".to_owned(), 10, 2),
            ("doc tests of sivka".to_owned(), 4, 0),
        ];
        assert_eq!(read(text, false), wanted);
    }

    #[test]
    fn silence_is_not_success() {
        assert_eq!(read("", true)[0].2, 1);
        assert_eq!(read("error: could not compile", false)[0].2, 1);
        let crashed =
            "     Running tests/suite.rs (target/debug/deps/suite-0123)\nrunning 3 tests\n";
        assert_eq!(read(crashed, false)[0].2, 1);
        let empty = "     Running tests/suite.rs (target/debug/deps/suite-0123)
test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\n";
        assert_eq!(read(empty, true)[0].2, 1);
    }
}
