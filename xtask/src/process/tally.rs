//! Counts of tests, and times.

use super::time::spent;
use super::{Failure, in_ci};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The counts of one test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramCounts {
    pub(crate) name: String,
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

/// How long a part of the work took.
#[derive(Clone, Debug)]
struct Stage {
    /// With two spaces in front for each part that it is a part of.
    name: String,
    duration: Duration,
    /// CPU time of its programs.
    cpu: Duration,
    holds: bool,
}

/// The counts of several test programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) programs: Vec<ProgramCounts>,
    /// Left-out work, a line each.
    not_run: Vec<String>,
    stages: Vec<Stage>,
}

impl Tally {
    /// Adds the counts of this work; an error is a failure of this name.
    pub(crate) fn of(name: &str, work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Self {
        let mut tally = Self::default();
        if let Err(failure) = work(&mut tally) {
            tally.add_check(name, &Err(failure));
        }
        tally
    }

    pub(crate) fn passed(&self) -> u64 {
        self.programs.iter().map(|program| program.passed).sum()
    }

    pub(crate) fn failed(&self) -> u64 {
        self.programs.iter().map(|program| program.failed).sum()
    }

    pub(crate) fn add(&mut self, name: impl Into<String>, passed: u64, failed: u64) {
        self.programs.push(ProgramCounts { name: name.into(), passed, failed, ignored: 0 });
    }

    /// Whether something could not be run here.
    pub(crate) fn lacks_tools(&self) -> bool {
        self.not_run.iter().any(|line| line.starts_with("NOT RUN"))
    }

    /// Prints missing tools; in CI that is a failure.
    pub(crate) fn add_not_run(&mut self, what: &str, needs: &str) {
        let line = format!("NOT RUN: {what}: {needs} is missing");
        println!("{line}");
        self.not_run.push(line);
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

    /// Prints at the end work that is left out on purpose.
    pub(crate) fn add_left_out(&mut self, what: &str) {
        let line = format!("LEFT OUT: {what}");
        if !self.not_run.contains(&line) {
            self.not_run.push(line);
        }
    }

    /// Does a part of the work, under its name, and notes how long it takes.
    pub(crate) fn stage<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        println!("\n== {name}");
        let (started, before) = (Instant::now(), spent());
        let mut part = Self::default();
        let result = work(&mut part);
        let (duration, cpu) = (started.elapsed(), spent() - before);
        let holds = part.failed() == 0;
        println!("== {name}: {}", seconds(duration));
        self.stages.push(Stage { name: name.to_owned(), duration, cpu, holds });
        part.stages.iter_mut().for_each(|inner| inner.name.insert_str(0, "  "));
        self.append("", part);
        result
    }

    pub(crate) fn append(&mut self, prefix: &str, other: Self) {
        let new = other.not_run.into_iter();
        let new: Vec<String> = new.filter(|line| !self.not_run.contains(line)).collect();
        self.not_run.extend(new);
        self.stages.extend(other.stages);
        self.programs.extend(other.programs.into_iter().map(|mut program| {
            program.name = format!("{prefix}{}", program.name);
            program
        }));
    }

    /// One line for each program that ran, what did not run, and how long each part took.
    pub(crate) fn print(&self) {
        for program in &self.programs {
            let [passed, failed, ignored] = [program.passed, program.failed, program.ignored];
            let mark = if failed > 0 { "  <-- FAILED" } else { "" };
            let name = &program.name;
            println!("{passed:>6} passed {failed:>4} failed {ignored:>4} ignored  {name}{mark}");
        }
        for line in &self.not_run {
            println!("{line}");
        }
        println!("      wall        CPU");
        for stage in &self.stages {
            let mark = if stage.holds { "" } else { "  <-- FAILED" };
            let [wall, cpu] = [stage.duration, stage.cpu].map(seconds);
            println!("{wall:>10} {cpu:>10}  {}{mark}", stage.name);
        }
    }

    /// The times as a table in Markdown.
    pub(crate) fn times(&self) -> String {
        let mut table = "| part | wall | CPU |\n|---|--:|--:|\n".to_owned();
        for stage in &self.stages {
            let name = stage.name.replace("  ", "&emsp;");
            let [wall, cpu] = [stage.duration, stage.cpu].map(seconds);
            let _ = writeln!(table, "| {name} | {wall} | {cpu} |");
        }
        table
    }
}

/// Seconds with one decimal.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
