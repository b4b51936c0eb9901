//! A run over files, one after another: what failed, what was made, what is shown.

use std::path::{Path, PathBuf};

use crate::batch::{Batch, Done};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;
use crate::output::Output;
use crate::progress::{Progress, size};

/// Does `work`, reports its failure, and returns the exit status of that.
pub(crate) fn once<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Exit> {
    work().map_err(|failure| {
        failure.report();
        failure.exit
    })
}

/// Does `work` on every file, also on those after one that failed.
pub(crate) fn each(
    files: &[PathBuf],
    progress: &Progress,
    mut work: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<(), Exit> {
    let mut run = Run::new(progress);
    for file in files {
        progress.next(&shown(file));
        let outcome = work(file);
        if run.note(outcome).is_none() && run.ends {
            break;
        }
    }
    run.first
}

/// Does `work` on every file, also on those after one that failed; each gives a result
/// that is durable, and has its name, before `after` is told of it. `verb` says on the
/// terminal what was done.
pub(crate) fn each_result(
    files: &[PathBuf],
    progress: Progress,
    verb: &str,
    mut work: impl FnMut(&Path, &Progress) -> Result<(Output, Done), Failure>,
    mut after: impl FnMut(&Done) -> Result<(), Failure>,
) -> Result<(), Exit> {
    let mut run = Run::new(&progress);
    let mut batch = Batch::new();
    let mut total = Total::default();
    let mut made = |run: &mut Run<'_>, done: Result<Done, Failure>| {
        if let Some(done) = run.note(done) {
            let outcome = after(&done);
            run.note(outcome);
            total.add(done);
        }
    };
    for file in files {
        progress.next(&shown(file));
        let outcome = work(file, &progress);
        if let Some((output, done)) = run.note(outcome)
            && let Some(done) = batch.add(output, done)
        {
            made(&mut run, Ok(done));
        }
        if batch.is_full() {
            batch
                .commit()
                .into_iter()
                .for_each(|done| made(&mut run, done));
        }
        if run.ends {
            break;
        }
    }
    batch
        .commit()
        .into_iter()
        .for_each(|done| made(&mut run, done));
    let status = run.first;
    if let Some(line) = total.line(verb) {
        progress.finish(&line);
    }
    status
}

struct Run<'a> {
    progress: &'a Progress,
    /// The status of the first failure.
    first: Result<(), Exit>,
    /// Whether no other file can fare better.
    ends: bool,
}

impl<'a> Run<'a> {
    fn new(progress: &'a Progress) -> Self {
        Self {
            progress,
            first: Ok(()),
            ends: false,
        }
    }

    /// Reports a failure, if it is one.
    fn note<T>(&mut self, outcome: Result<T, Failure>) -> Option<T> {
        outcome
            .map_err(|failure| {
                self.progress.aside(|| failure.report());
                self.first = self.first.and(Err(failure.exit));
                self.ends |= failure.ends_run;
            })
            .ok()
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
