//! The progress bar: on a terminal only, silent everywhere else.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::name::printable;

/// The display of one run over one input.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts the display for `name`, whose length is known or is not.
    pub(crate) fn start(name: &str, len: Option<u64>, quiet: bool) -> Self {
        if quiet || !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let template = match len {
            Some(_) => "{msg} {wide_bar} {bytes:>10} of {total_bytes}  {bytes_per_sec}  {eta} left",
            None => "{msg} {spinner} {bytes}  {bytes_per_sec}",
        };
        let bar = match len {
            Some(len) => ProgressBar::new(len),
            None => ProgressBar::new_spinner(),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(
            ProgressStyle::with_template(template).expect("the templates above are valid"),
        );
        bar.set_message(printable(name));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Says that `bytes` of the input are behind us.
    pub(crate) fn at(&self, bytes: u64) {
        self.0.set_position(bytes);
    }

    /// Takes the bar off the screen and leaves `line` in its place.
    pub(crate) fn finish(self, line: &str) {
        let shown = !self.0.is_hidden();
        self.0.finish_and_clear();
        if shown {
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
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
