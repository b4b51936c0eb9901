//! What a run says on standard error while it goes on.

#[cfg(unix)]
use std::path::Path;

use crate::failure::note;
#[cfg(unix)]
use crate::name::shown;
use crate::progress::Progress;

/// Says things without disturbing the progress display, from any thread.
#[derive(Clone, Copy)]
pub(crate) struct Console<'a> {
    pub(crate) progress: &'a Progress,
    pub(crate) verbose: bool,
    /// Whether the display is out of the way already: it cannot go there twice.
    is_aside: bool,
}

impl<'a> Console<'a> {
    pub(crate) fn new(progress: &'a Progress, verbose: bool) -> Self {
        Self {
            progress,
            verbose,
            is_aside: false,
        }
    }

    /// Does `work`, which may write to the terminal, with the display out of its way.
    pub(crate) fn aside<R>(self, work: impl FnOnce(Console<'a>) -> R) -> R {
        let aside = Console {
            is_aside: true,
            ..self
        };
        self.progress.aside(|| work(aside))
    }

    pub(crate) fn note(&self, message: &str) {
        match self.is_aside {
            true => note(message),
            false => self.progress.aside(|| note(message)),
        }
    }

    /// Says what only those want to know who asked for more.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.verbose {
            self.note(&message());
        }
    }
}

/// What of a folder was left out: each of the first few is named, and all are counted.
#[cfg(unix)]
#[derive(Default)]
pub(crate) struct LeftOut(u64);

#[cfg(unix)]
impl LeftOut {
    /// A hostile folder may have a million of them.
    const NAMED: u64 = 10;

    pub(crate) fn add(&mut self, console: Console<'_>, path: &Path, why: &str) {
        self.0 += 1;
        if self.0 <= Self::NAMED || console.verbose {
            console.note(&format!("{}: {why}, and left out", shown(path)));
        }
    }

    /// How many there were, after saying how many were not named.
    pub(crate) fn count(&self, console: Console<'_>) -> u64 {
        if self.0 > Self::NAMED && !console.verbose {
            console.note(&format!("{} more were left out", self.0 - Self::NAMED));
        }
        self.0
    }
}
