//! A run over files, one after another: what failed, what was made, what is shown.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::batch::{Done, Entries, Outcome, WaitingFiles, Work};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;
use crate::progress::{Progress, size};
use crate::report::{Name, Report};

/// Does `work`, reports its failure, and returns the exit status of that.
pub(crate) fn once<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Exit> {
    work().map_err(|failure| {
        failure.report();
        failure.exit
    })
}

/// The same for work on one file, whose failure is told as its result would be.
pub(crate) fn one<T>(
    file: Option<&Path>,
    report: Report,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Exit> {
    work().map_err(|failure| {
        report.failure(file, &failure);
        failure.exit
    })
}

/// Does `work` on every file, also on those after one that failed.
pub(crate) fn each(
    files: &[PathBuf],
    progress: &Progress,
    report: Report,
    mut work: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<(), Exit> {
    let mut run = Run::new(progress, report);
    for file in files {
        progress.next(&shown(file));
        let outcome = work(file);
        if run.note(file, outcome).is_none() && run.ends {
            break;
        }
    }
    run.first
}

/// What `seal` and `open` tell of a file.
#[derive(Serialize)]
struct ResultRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    content_len: u64,
    #[serde(flatten)]
    folder: Option<Entries>,
    removed: bool,
}

/// Does `work` on every file, also on those after one that failed; each gives a result
/// that is durable, and has its name, before `after` is told of it and says whether it
/// removed the input. `verb` says on the terminal what was done.
pub(crate) fn each_result(
    files: &[PathBuf],
    progress: Progress,
    report: Report,
    verb: &str,
    mut work: impl FnMut(&Path, &Progress) -> Result<Work, Failure>,
    mut after: impl FnMut(&Done) -> Result<bool, Failure>,
) -> Result<(), Exit> {
    let mut run = Run::new(&progress, report);
    let mut batch = WaitingFiles::new();
    let mut total = Total::default();
    let mut tell = |run: &mut Run<'_>, outcome: Outcome| match outcome {
        Outcome::Failed(input, failure) => run.tell_failure(&input, &failure),
        Outcome::Made(done, named) => {
            if run.note(&done.input, named).is_some() {
                let outcome = run.finish(&done, &mut after);
                run.note(&done.input, outcome);
                total.add(*done);
            }
        }
    };
    for file in files {
        progress.next(&shown(file));
        match work(file, &progress) {
            Ok(work) => batch.add(work),
            Err(failure) => {
                run.report(&failure);
                batch.add_failure(file, failure);
            }
        }
        if batch.is_full() || run.ends {
            for outcome in batch.commit() {
                tell(&mut run, outcome);
            }
        }
        if run.ends {
            break;
        }
    }
    for outcome in batch.commit() {
        tell(&mut run, outcome);
    }
    let status = run.first;
    if let Some(line) = total.line(verb) {
        progress.finish(&line);
    }
    status
}

struct Run<'a> {
    progress: &'a Progress,
    report: Report,
    /// The status of the first failure.
    first: Result<(), Exit>,
    /// Whether no other file can fare better.
    ends: bool,
}

impl<'a> Run<'a> {
    fn new(progress: &'a Progress, report: Report) -> Self {
        Self {
            progress,
            report,
            first: Ok(()),
            ends: false,
        }
    }

    /// Reports a failure, if it is one.
    fn note<T>(&mut self, file: &Path, outcome: Result<T, Failure>) -> Option<T> {
        outcome
            .map_err(|failure| {
                self.report(&failure);
                self.tell_failure(file, &failure);
            })
            .ok()
    }

    /// Says in words what failed, as soon as it did.
    fn report(&mut self, failure: &Failure) {
        self.progress.aside(|| failure.report());
        self.ends |= failure.ends_run;
    }

    /// Tells of a failure that was said in words, when it is its file's turn.
    fn tell_failure(&mut self, file: &Path, failure: &Failure) {
        self.progress
            .aside(|| self.report.failure_object(Some(file), failure));
        self.first = self.first.and(Err(failure.exit));
    }

    /// Does what is left to do when a result has its name, and tells of it.
    fn finish(
        &mut self,
        done: &Done,
        after: impl FnOnce(&Done) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let left_out = done.is_partial();
        // An input that is not all in its result is kept.
        let removed = if left_out { false } else { after(done)? };
        let status = match left_out {
            true => Exit::LeftOut as u8,
            false => 0,
        };
        if left_out {
            self.first = self.first.and(Err(Exit::LeftOut));
        }
        let record = ResultRecord {
            output: Name {
                field: "output",
                path: &done.output,
            },
            content_len: done.content_len,
            folder: done.folder,
            removed,
        };
        self.progress
            .aside(|| self.report.tell_json(&done.input, status, record))
    }
}

/// All that a run has made.
#[derive(Default)]
struct Total {
    files: u64,
    bytes: u64,
    last: Option<PathBuf>,
}

impl Total {
    fn add(&mut self, done: Done) {
        self.files += 1;
        self.bytes += done.content_len;
        self.last = Some(done.output);
    }

    fn line(&self, verb: &str) -> Option<String> {
        let size = size(self.bytes);
        match (self.files, &self.last) {
            (1, Some(name)) => Some(format!("{}: {verb} {size}", shown(name))),
            (_, Some(_)) => Some(format!("{} files: {verb} {size}", self.files)),
            (_, None) => None,
        }
    }
}
