//! Results that are made durable, and appear, together.
//!
//! Making one file durable takes as long as making a hundred so. The results of a run
//! wait without their names until there are many, or much of them; then they are synced
//! at once, and get their names.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output::{Unnamed, commit_together};
use crate::placed::Placed;

/// The most files that wait, each of them open, unless the system allows fewer.
const MOST_FILES: usize = 512;
/// The most bytes of plaintext that wait.
const MOST_BYTES: u64 = 64 << 20;

/// What was made of which input.
pub(crate) struct Done {
    pub(crate) input: PathBuf,
    /// What the system said of the input when it was opened.
    pub(crate) metadata: Metadata,
    pub(crate) output: PathBuf,
    /// What has that name, once it has it; of a stream, nothing.
    pub(crate) placed: Option<Placed>,
    /// Bytes of content that were sealed or opened.
    pub(crate) content_len: u64,
    /// Of a folder, what is in it.
    pub(crate) folder: Option<Entries>,
    /// Whether it is a file that ended before its length when it was sealed, or a folder of
    /// which not all attributes could be read.
    pub(crate) is_short: bool,
}

impl Done {
    /// Whether something is missing that was to be sealed or opened.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_short || self.folder.is_some_and(|folder| folder.left_out > 0)
    }
}

/// How much of a folder there is.
#[derive(Clone, Copy, serde::Serialize)]
pub(crate) struct Entries {
    /// Entries, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that were left out, and named.
    pub(crate) left_out: u64,
    /// Whether attributes, owners or bits of modes were not restored, or not sealed.
    #[serde(skip)]
    pub(crate) has_lost: bool,
}

/// What was made of an input: a complete result, which may still wait for its name.
pub(crate) struct Work(pub(crate) Option<Unnamed>, pub(crate) Box<Done>);

/// What came of one input.
pub(crate) enum Outcome {
    /// A result that has its name, or does not have it for a failure.
    Made(Box<Done>, Result<(), Failure>),
    /// No result.
    Failed(PathBuf, Failure),
}

struct Waiting {
    unnamed: Option<Unnamed>,
    outcome: Outcome,
}

/// What came of each input, in their order: results that wait for their names, and what is
/// told after these.
pub(crate) struct WaitingFiles {
    waiting: Vec<Waiting>,
    bytes: u64,
    most_files: usize,
}

impl WaitingFiles {
    pub(crate) fn new() -> Self {
        Self {
            waiting: Vec::new(),
            bytes: 0,
            most_files: most_files(),
        }
    }

    /// Takes what was made of an input. A result that does not wait for a name is where it
    /// belongs.
    pub(crate) fn add(&mut self, Work(unnamed, done): Work) {
        if unnamed.is_some() {
            self.bytes += done.content_len;
        }
        let outcome = Outcome::Made(done, Ok(()));
        self.waiting.push(Waiting { unnamed, outcome });
    }

    /// Takes a failure.
    pub(crate) fn add_failure(&mut self, input: &Path, failure: Failure) {
        self.waiting.push(Waiting {
            unnamed: None,
            outcome: Outcome::Failed(input.to_path_buf(), failure),
        });
    }

    /// Whether it is time to commit: there is much, or nothing that waits for its name.
    pub(crate) fn is_full(&self) -> bool {
        let first = self.waiting.first();
        first.is_none_or(|first| first.unnamed.is_none())
            || self.waiting.len() >= self.most_files
            || self.bytes >= MOST_BYTES
    }

    /// Makes everything durable, gives it its names, and says what came of each input.
    pub(crate) fn commit(&mut self) -> Vec<Outcome> {
        self.bytes = 0;
        let mut files = Vec::new();
        let mut outcomes = Vec::new();
        for Waiting { unnamed, outcome } in self.waiting.drain(..) {
            outcomes.push((unnamed.is_some(), outcome));
            files.extend(unnamed);
        }
        let mut named = commit_together(files).into_iter();
        let mut with_name = |(waited, outcome)| match outcome {
            Outcome::Made(mut done, _) if waited => {
                let named = named.next().expect("one for each file");
                let named = named.map(|placed| done.placed = Some(placed));
                Outcome::Made(done, named)
            }
            outcome => outcome,
        };
        outcomes.into_iter().map(&mut with_name).collect()
    }
}

/// Half of the files that a process may have open.
#[cfg(unix)]
fn most_files() -> usize {
    use rustix::process::{Resource, getrlimit};
    half(getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX))
}

#[cfg(not(unix))]
fn most_files() -> usize {
    MOST_FILES
}

#[cfg(unix)]
fn half(limit: u64) -> usize {
    usize::try_from(limit / 2).map_or(MOST_FILES, |half| half.clamp(1, MOST_FILES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use crate::output::Output;

    #[test]
    fn a_batch_is_full_of_files_or_of_bytes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let is_full = |bytes, most_files| {
            let target = folder.path().join("target");
            let output = Output::create(&target, None, false).expect("a file");
            let mut batch = WaitingFiles::new();
            let done = Done {
                input: target.clone(),
                metadata: folder.path().metadata().expect("a folder"),
                output: target.clone(),
                placed: None,
                content_len: bytes,
                folder: None,
                is_short: false,
            };
            batch.add(Work(output.unnamed(), Box::new(done)));
            batch.most_files = most_files;
            batch.is_full()
        };
        assert!(!is_full(0, 2));
        assert!(!is_full(MOST_BYTES - 1, 2));
        assert!(is_full(MOST_BYTES, 2));
        assert!(is_full(MOST_BYTES + 1, 2));
        assert!(is_full(0, 1));
    }

    #[test]
    fn what_waits_for_nothing_is_told_at_once() {
        let mut batch = WaitingFiles::new();
        batch.add_failure(Path::new("none"), Failure::new(Exit::Io, "gone"));
        assert!(batch.is_full());
        let told = batch.commit();
        assert!(matches!(&told[..], [Outcome::Failed(path, _)] if path == Path::new("none")));
    }

    #[test]
    #[cfg(unix)]
    fn half_of_the_files_that_may_be_open_wait() {
        for (limit, most) in [(0, 1), (3, 1), (4, 2), (100, 50), (u64::MAX, MOST_FILES)] {
            assert_eq!(half(limit), most);
        }
        assert!(most_files() > 1);
    }
}
