//! Messages of a run on standard error: notes, and on a terminal a progress bar.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::failure::note;
use crate::name::printable;

/// The display of one run over all its inputs, and its notes, which do not disturb it.
pub(crate) struct Console {
    /// None where nothing is displayed.
    display: Option<Mutex<Display>>,
    pub(crate) verbose: bool,
    /// Whether the display is off the screen: it does not come back before the work is done.
    is_aside: AtomicBool,
}

impl Console {
    /// A console without a display.
    pub(crate) fn new(verbose: bool) -> Self {
        Self { display: None, verbose, is_aside: AtomicBool::new(false) }
    }

    /// One with the display of a run over inputs of `total` bytes, if that is known. It is
    /// asked for only if something is displayed.
    pub(crate) fn start(quiet: bool, verbose: bool, total: impl FnOnce() -> Option<u64>) -> Self {
        let mut console = Self::new(verbose);
        if !quiet && io::stderr().is_terminal() {
            console.display = Some(Mutex::new(Display { total: total(), ..Display::default() }));
        }
        console
    }

    fn display(&self) -> Option<MutexGuard<'_, Display>> {
        let display = self.display.as_ref()?;
        Some(display.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Says which input is next.
    pub(crate) fn next(&self, name: &str) {
        if let Some(mut display) = self.display() {
            display.before = display.done;
            display.name = printable(name);
        }
    }

    /// Says that a key is being derived from a passphrase, until the next bytes are done:
    /// it takes its time, and nobody can foresee how much.
    pub(crate) fn deriving(&self) {
        if let Some(mut display) = self.display() {
            display.since = None;
            if !self.is_aside.load(Ordering::Relaxed) {
                display.draw("deriving the key from the passphrase");
            }
        }
    }

    /// Says that `bytes` of this input are done.
    pub(crate) fn at(&self, bytes: u64) {
        if let Some(mut display) = self.display() {
            display.done = display.before.saturating_add(bytes);
            let now = Instant::now();
            let is_due = |drawn| now.duration_since(drawn) >= Duration::from_millis(100);
            if display.drawn.is_none_or(is_due) && !self.is_aside.load(Ordering::Relaxed) {
                display.drawn = Some(now);
                let progress = display.progress(now);
                display.draw(&progress);
            }
        }
    }

    /// Does `work`, which may write to the terminal, with the display out of its way.
    pub(crate) fn aside<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.is_aside.swap(true, Ordering::Relaxed) {
            return work();
        }
        self.clear();
        let done = work();
        self.is_aside.store(false, Ordering::Relaxed);
        done
    }

    fn clear(&self) {
        if let Some(mut display) = self.display() {
            display.clear();
        }
    }

    pub(crate) fn note(&self, message: &str) {
        self.aside(|| note(message));
    }

    /// Prints `message` if --verbose was given.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.verbose {
            self.note(&message());
        }
    }

    /// Replaces the display by `line`.
    pub(crate) fn finish(self, line: &str) {
        self.clear();
        if self.display.is_some() {
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.clear();
    }
}

/// One line on the screen.
#[derive(Default)]
struct Display {
    name: String,
    /// The length of all inputs in bytes, if it is known.
    total: Option<u64>,
    /// Bytes of the inputs before this one.
    before: u64,
    done: u64,
    /// When bytes began to be done, and how many there were then. None while nothing can be
    /// said of time: none are done yet, or a key is being derived.
    since: Option<(Instant, u64)>,
    drawn: Option<Instant>,
    /// Columns that are written.
    columns: usize,
}

impl Display {
    fn progress(&mut self, now: Instant) -> String {
        let (start, before) = *self.since.get_or_insert((now, self.done));
        let seconds = now.duration_since(start).as_secs_f64();
        let rate = (self.done - before) as f64 / seconds.max(0.1);
        let done = Binary(self.done as f64);
        let Some(total) = self.total else {
            return format!("{done}  {}/s", Binary(rate));
        };
        let percent = u128::from(self.done.min(total)) * 100 / u128::from(total.max(1));
        let rest = total.saturating_sub(self.done) as f64 / rate.max(1.0);
        let total = Binary(total as f64);
        let (minutes, seconds) = (rest as u64 / 60, rest as u64 % 60);
        format!("{percent:>3}%  {done} of {total}  {}/s  {minutes}:{seconds:02} left", Binary(rate))
    }

    /// Writes the name, shortened if necessary, and `what` over the line that was there.
    fn draw(&mut self, what: &str) {
        let room = columns().saturating_sub(what.len() + 3);
        // Outside of ASCII a character takes one column or two.
        let width = |c: char| if c.is_ascii() { 1 } else { 2 };
        let mut name_columns = 0;
        let fits = |c: &char| {
            name_columns += width(*c);
            name_columns <= room
        };
        let name: String = self.name.chars().take_while(fits).collect();
        let written = name.chars().map(width).sum::<usize>() + 2 + what.len();
        let rest = self.columns.saturating_sub(written);
        self.columns = written;
        let _ = write!(io::stderr(), "\r{name}  {what}{:rest$}", "");
    }

    fn clear(&mut self) {
        if self.columns > 0 {
            let _ = write!(io::stderr(), "\r{:1$}\r", "", self.columns);
            self.columns = 0;
        }
    }
}

/// The columns of the terminal.
fn columns() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stderr())
        && size.ws_col > 0
    {
        return usize::from(size.ws_col);
    }
    80
}

/// Bytes in units of 1,024.
struct Binary(f64);

impl std::fmt::Display for Binary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mut number, mut unit) = (self.0, "B");
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            if number >= 1024.0 {
                (number, unit) = (number / 1024.0, larger);
            }
        }
        write!(f, "{number:.2} {unit}")
    }
}

/// `bytes` for people: rounded, and exact.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".into(),
        0..1024 => format!("{bytes} bytes"),
        _ => format!("{} ({bytes} bytes)", Binary(bytes as f64)),
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
