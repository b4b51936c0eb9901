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

/// What of a folder was left out: named, and counted.
#[cfg(unix)]
pub(crate) struct LeftOut {
    count: u64,
    /// So many of the first are named.
    named: u64,
}

#[cfg(unix)]
impl LeftOut {
    /// A hostile folder may have a million of them.
    const NAMED: u64 = 10;

    /// For an archive of somebody: the first few are named.
    pub(crate) fn first_few() -> Self {
        Self {
            count: 0,
            named: Self::NAMED,
        }
    }

    /// For a folder of the one who asks.
    pub(crate) fn all() -> Self {
        Self {
            count: 0,
            named: u64::MAX,
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn add(&mut self, console: Console<'_>, path: &Path, why: &str) {
        self.count += 1;
        if self.count <= self.named || console.verbose {
            console.note(&format!("{}: {why}, and left out", shown(path)));
        }
    }

    /// How many there were, after saying so of the folder at `root`.
    pub(crate) fn count(&self, console: Console<'_>, root: &Path) -> u64 {
        let (root, not_named) = (shown(root), self.count.saturating_sub(self.named));
        match self.count {
            0 => {}
            1 => console.note(&format!("{root}: 1 entry was left out")),
            n if not_named == 0 || console.verbose => {
                console.note(&format!("{root}: {n} entries were left out"));
            }
            n => {
                let not_named = format!("{not_named} of them are not named");
                console.note(&format!("{root}: {n} entries were left out; {not_named}"));
            }
        }
        self.count
    }
}
