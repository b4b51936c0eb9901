//! Keeping what is no text off a terminal.

use std::io::{self, Write};
use std::path::Path;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;
use crate::output::Output;

/// A writer that passes text on, and refuses what would garble or steer a terminal.
pub(crate) struct TextOnly<'a> {
    output: &'a mut Output,
    /// Whether the output is a terminal that nobody said to write to all the same.
    guards: bool,
    refused: bool,
}

impl<'a> TextOnly<'a> {
    pub(crate) fn new(output: &'a mut Output, force: bool) -> Self {
        Self {
            guards: output.is_terminal() && !force,
            output,
            refused: false,
        }
    }

    /// Why the content of the file at `path` was not shown, if it was not.
    pub(crate) fn failure(&self, path: &Path) -> Option<Failure> {
        let message = format!(
            "{}: the content is no text, and would garble the terminal",
            shown(path)
        );
        self.refused.then(|| {
            Failure::new(Exit::Usage, message)
                .hint("name a file with -o, or print it all the same with --force")
        })
    }
}

impl Write for TextOnly<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.guards && !is_text(bytes) {
            self.refused = true;
            return Err(io::Error::other("no text"));
        }
        self.output.file().write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[io::IoSlice<'_>]) -> io::Result<usize> {
        if self.guards {
            let first = pieces.iter().find(|piece| !piece.is_empty());
            return self.write(first.map_or(&[], |piece| piece));
        }
        self.output.file().write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.file().flush()
    }
}

/// Whether a terminal shows `bytes` as they are: no control character but those that
/// end lines and pages and set tabs. Encodings are the terminal's business.
fn is_text(bytes: &[u8]) -> bool {
    let is_layout = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    let is_control = |byte: u8| byte < 0x20 || byte == 0x7f;
    bytes
        .iter()
        .all(|&byte| is_layout(byte) || !is_control(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_no_control_characters_but_layout() {
        for byte in 0..=255 {
            let is_layout = [9, 10, 12, 13].contains(&byte);
            let expected = is_layout || (byte >= 32 && byte != 127);
            assert_eq!(is_text(&[b'a', byte]), expected, "{byte:#x}");
        }
    }
}
