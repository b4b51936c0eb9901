//! What a run says on standard error: notes, and on a terminal a progress display.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::note;
use crate::name::printable;

/// The display of one run over all its inputs, and its notes, which do not disturb it.
pub(crate) struct Console {
    bar: ProgressBar,
    pub(crate) verbose: bool,
    /// The length of all inputs in bytes, if it is known.
    total: Option<u64>,
    /// Bytes of the inputs before this one.
    before: AtomicU64,
    /// Whether nothing can be said of bytes and time: none are done yet, or a key is
    /// being derived.
    waiting: AtomicBool,
    /// Whether the display is off the screen already: it cannot go twice.
    is_aside: AtomicBool,
}

impl Console {
    /// A console without a display.
    pub(crate) fn new(verbose: bool) -> Self {
        Self::with_bar(ProgressBar::hidden(), None, verbose)
    }

    /// One with the display of a run over inputs of `total` bytes, if that is known. It is
    /// asked for only if something is displayed.
    pub(crate) fn start(quiet: bool, verbose: bool, total: impl FnOnce() -> Option<u64>) -> Self {
        if quiet || !io::stderr().is_terminal() {
            return Self::new(verbose);
        }
        let total = total();
        let bar = match total {
            Some(len) => ProgressBar::new(len),
            None => ProgressBar::new_spinner(),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let console = Self::with_bar(bar, total, verbose);
        console.style("{msg} {spinner}");
        console.bar.enable_steady_tick(Duration::from_millis(200));
        console
    }

    fn with_bar(bar: ProgressBar, total: Option<u64>, verbose: bool) -> Self {
        Self {
            bar,
            verbose,
            total,
            before: AtomicU64::new(0),
            waiting: AtomicBool::new(true),
            is_aside: AtomicBool::new(false),
        }
    }

    /// Says which input is next.
    pub(crate) fn next(&self, name: &str) {
        if !self.bar.is_hidden() {
            self.before.store(self.bar.position(), Ordering::Relaxed);
            self.bar.set_message(printable(name));
        }
    }

    /// Says that a key is being derived from a passphrase, until the next bytes are done:
    /// it takes its time, and a bar would claim to know how much.
    pub(crate) fn deriving(&self) {
        if !self.bar.is_hidden() {
            self.waiting.store(true, Ordering::Relaxed);
            self.style("{msg} {spinner} deriving the key from the passphrase");
        }
    }

    /// Says that `bytes` of this input are done.
    pub(crate) fn at(&self, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        if self.waiting.swap(false, Ordering::Relaxed) {
            self.bar.reset_eta();
            self.style(match self.total {
                Some(_) => "{msg} {wide_bar} {percent:>3}% {bytes:>10} of {total_bytes}  {bytes_per_sec}  {eta} left",
                None => "{msg} {spinner} {bytes}  {bytes_per_sec}",
            });
        }
        let before = self.before.load(Ordering::Relaxed);
        self.bar.set_position(before + bytes);
    }

    /// Does `work`, which may write to the terminal, with the display out of its way.
    pub(crate) fn aside<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.is_aside.swap(true, Ordering::Relaxed) {
            return work();
        }
        let done = self.bar.suspend(work);
        self.is_aside.store(false, Ordering::Relaxed);
        done
    }

    pub(crate) fn note(&self, message: &str) {
        self.aside(|| note(message));
    }

    /// Says what only those want to know who asked for more.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.verbose {
            self.note(&message());
        }
    }

    /// Takes the display off the screen and leaves `line` in its place.
    pub(crate) fn finish(self, line: &str) {
        let shown = !self.bar.is_hidden();
        self.bar.finish_and_clear();
        if shown {
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template).expect("the templates here are valid");
        self.bar.set_style(style);
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// `bytes` for people: rounded, and exact.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".into(),
        0..1024 => format!("{bytes} bytes"),
        _ => format!("{} ({bytes} bytes)", indicatif::BinaryBytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_rounded_and_exact() {
        assert_eq!(size(0), "0 bytes");
        assert_eq!(size(1), "1 byte");
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.50 KiB (1536 bytes)");
    }
}
