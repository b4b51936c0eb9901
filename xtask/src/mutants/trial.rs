//! Single tests of the programs, run with one change on.

use super::build::{Program, copy, with_environment};
use super::side_by_side;
use crate::process::{Failure, program, status};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What takes longer than this while it is watched is not among the quick tests.
const QUICK: Duration = Duration::from_secs(120);

/// Checkers of memory map more than a trial may have, and run what the native test runs.
const LEFT_OUT: [&str; 2] = ["address_sanitizer", "valgrind"];

/// The test that is cut into parts, each one of the files of a folder of the crate.
const OF_PARTS: (&str, &str) = ("cli: transcripts", "tests/cmd");

/// A test, or a part of one, and what it reaches.
pub(super) struct Test<'a> {
    program: &'a Program,
    name: String,
    part: Option<String>,
    pub(super) time: Duration,
    pub(super) places: HashSet<u32>,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ended {
    Passed,
    Failed,
    /// It did not end by itself.
    Stopped,
}

impl Test<'_> {
    /// Its program's name, and its own: `core: batch: every_mix_of_lengths`.
    pub(super) fn full_name(&self) -> String {
        let name = format!("{}: {}", self.program.name, self.name);
        self.part
            .iter()
            .fold(name, |name, part| format!("{name}, {part}"))
    }

    /// Runs it with the change that `switch` turns on, or none for 0, for ten times as long
    /// as it usually takes.
    pub(super) fn run(&self, switch: u32, usual: Duration) -> Ended {
        self.started(&switch.to_string(), 10 * usual + Duration::from_secs(5))
    }

    /// Runs it alone. Its time and memory are limited: a loop without end, or one that
    /// allocates, is stopped.
    fn started(&self, switch: &str, time: Duration) -> Ended {
        let seconds = time.as_secs();
        let limits = format!(
            "ulimit -v 6000000; ulimit -f 160000000; ulimit -c 0; ulimit -t {}; \
             exec timeout -s KILL {seconds} \"$0\" \"$@\"",
            2 * seconds
        );
        let mut command = Command::new("sh");
        command
            .args(["-c", &limits])
            .arg(&self.program.path)
            .args(["--exact", &self.name]);
        with_environment(&mut command)
            .current_dir(&self.program.folder)
            .env("CARGO_MANIFEST_DIR", &self.program.folder)
            .env("SIVKA_MUTANT", switch)
            .env("RUST_BACKTRACE", "0")
            .envs(self.part.as_ref().map(|part| ("SIVKA_MUTANT_PART", part)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match status(&mut command).map(|status| status.code()) {
            Ok(Some(0)) => Ended::Passed,
            // By a signal, SIGKILL or SIGXCPU.
            Ok(None | Some(124 | 137 | 152)) => Ended::Stopped,
            _ => Ended::Failed,
        }
    }

    /// Runs it watched: its time in milliseconds and the places that it reached, or why it is
    /// left out.
    fn watched(&self, number: usize) -> Result<String, Failure> {
        let folder = copy().join(format!("reached/{number}"));
        let mut ended = (Ended::Passed, Duration::ZERO);
        // Some compile programs in C the first time.
        for _ in 0..2 {
            let _ = fs::remove_dir_all(&folder);
            // Some run the command as another user.
            let made = program("mkdir", &["-p", "-m", "777"]).arg(&folder).status();
            made.map_err(|e| Failure::new(e.to_string()))?;
            let start = Instant::now();
            ended = (
                self.started(&folder.to_string_lossy(), QUICK),
                start.elapsed(),
            );
            if ended.1 < QUICK / 20 {
                break;
            }
        }
        let reached = fs::read_dir(&folder).map_err(|e| Failure::new(e.to_string()))?;
        let reached = reached
            .flatten()
            .map(|place| place.file_name().into_string());
        let reached: Vec<String> = reached.filter_map(Result::ok).collect();
        let _ = fs::remove_dir_all(&folder);
        Ok(match ended {
            (Ended::Passed, time) => format!("{} {}", time.as_millis(), reached.join(" ")),
            (Ended::Failed, _) => "it fails".to_owned(),
            (Ended::Stopped, _) => "it is not quick".to_owned(),
        })
    }
}

/// All quick tests, the shortest first, with the places that each reaches. What is known of a
/// program that is as it was is not found out again.
pub(super) fn watched(programs: &[Program]) -> Result<Vec<Test<'_>>, Failure> {
    let known = copy().join("watched");
    let before = fs::read_to_string(&known).unwrap_or_default();
    let before: HashMap<&str, &str> = before
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let all = all(programs)?;
    let found = side_by_side(all.into_iter().enumerate(), |(number, mut test)| {
        let identity = format!("{} of {:?}", test.full_name(), test.program.built);
        let found = match before.get(&*identity) {
            Some(found) => (*found).to_owned(),
            None => test.watched(number)?,
        };
        let mut words = found.split_whitespace().map_while(|word| word.parse().ok());
        let time = words
            .next()
            .map(|time: u32| Duration::from_millis(time.into()));
        test.time = time.unwrap_or_default();
        test.places = words.collect();
        if time.is_none() {
            println!("left out: {}: {found}", test.full_name());
        }
        Ok((time.map(|_| test), format!("{identity}\t{found}\n")))
    })?;
    let (tests, lines): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    fs::write(&known, lines.concat()).map_err(|e| Failure::new(e.to_string()))?;
    let mut tests: Vec<Test> = tests.into_iter().flatten().collect();
    tests.sort_by_key(|test| test.time);
    let sum: Duration = tests.iter().map(|test| test.time).sum();
    println!(
        "{} tests of {} programs, {sum:.1?} in all",
        tests.len(),
        programs.len()
    );
    Ok(tests)
}

/// The tests of the programs, and parts of tests, but for those that are ignored.
pub(super) fn all(programs: &[Program]) -> Result<Vec<Test<'_>>, Failure> {
    let mut tests = Vec::new();
    for program in programs {
        let ignored = listed(program, &["--ignored"])?;
        for name in listed(program, &[])? {
            if ignored.contains(&name) || LEFT_OUT.iter().any(|word| name.contains(word)) {
                continue;
            }
            let mut parts = vec![None];
            if program.name == OF_PARTS.0 {
                let files = fs::read_dir(program.folder.join(OF_PARTS.1));
                let files = files.map_err(|e| Failure::new(e.to_string()))?.flatten();
                let names = files.map(|file| Some(file.file_name().to_string_lossy().into_owned()));
                parts = names.collect();
            }
            tests.extend(parts.into_iter().map(|part| Test {
                program,
                name: name.clone(),
                part,
                time: Duration::ZERO,
                places: HashSet::new(),
            }));
        }
    }
    Ok(tests)
}

/// The names of the tests in a program.
fn listed(program: &Program, arguments: &[&str]) -> Result<Vec<String>, Failure> {
    let mut command = Command::new(&program.path);
    command
        .args(["--list", "--format", "terse"])
        .args(arguments);
    let output = command.current_dir(&program.folder).output();
    let output = output.map_err(|e| Failure::new(format!("{}: {e}", program.name)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}
