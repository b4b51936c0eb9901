//! Results that are made durable, and appear, together.
//!
//! Making one file durable takes as long as making a hundred so. The results of a run
//! wait without their names until there are many, or much of them; then they are synced
//! at once, and get their names.

use std::fs::Metadata;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::output::{Unnamed, commit_together};

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
    /// Bytes of content that were sealed or opened.
    pub(crate) content_len: u64,
    /// Of a folder, what is in it.
    pub(crate) folder: Option<Entries>,
}

/// How much of a folder there is.
#[derive(Clone, Copy, serde::Serialize)]
pub(crate) struct Entries {
    /// Entries, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that were left out, and named.
    pub(crate) left_out: u64,
}

/// Results that wait for their names.
pub(crate) struct WaitingFiles {
    waiting: Vec<(Unnamed, Done)>,
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

    /// Takes a complete result. One that does not wait for a name is where it belongs, and
    /// is given back.
    pub(crate) fn add(&mut self, unnamed: Option<Unnamed>, done: Done) -> Option<Done> {
        match unnamed {
            None => Some(done),
            Some(unnamed) => {
                self.bytes += done.content_len;
                self.waiting.push((unnamed, done));
                None
            }
        }
    }

    /// Whether it is time to commit.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= self.most_files || self.bytes >= MOST_BYTES
    }

    /// Makes everything durable, gives it its names, and says of each whether it is there.
    pub(crate) fn commit(&mut self) -> Vec<(Done, Result<(), Failure>)> {
        self.bytes = 0;
        let (files, done): (Vec<_>, Vec<_>) = self.waiting.drain(..).unzip();
        done.into_iter().zip(commit_together(files)).collect()
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

    #[test]
    fn a_batch_is_full_of_files_or_of_bytes() {
        let is_full = |bytes, most_files| {
            let waiting = Vec::new();
            let batch = WaitingFiles {
                waiting,
                bytes,
                most_files,
            };
            batch.is_full()
        };
        assert!(!is_full(0, 1));
        assert!(!is_full(MOST_BYTES - 1, 1));
        assert!(is_full(MOST_BYTES, 1));
        assert!(is_full(MOST_BYTES + 1, 1));
        assert!(is_full(0, 0));
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
