//! Names as they stand on the command line, and as they may be shown.

use std::path::Path;

/// The ending of a sealed file's name.
pub(crate) const EXTENSION: &str = "sivka";

/// What stands for standard input or output.
pub(crate) const STANDARD: &str = "-";

/// Whether `path` stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// `path` as it may be shown on a terminal: a name is somebody else's text,
/// and its control characters are escaped so that it cannot steer the screen.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard(path) {
        return "standard input".into();
    }
    printable(&path.to_string_lossy())
}

/// A name in an archive, as it may be shown: one called `-` is that.
#[cfg(unix)]
pub(crate) fn shown_name(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// `text` with its control characters escaped.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .fold(String::with_capacity(text.len()), |mut out, c| {
            if c.is_control() {
                out.extend(c.escape_default());
            } else {
                out.push(c);
            }
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\x1b[2J\u{9b}b\r\n"),
            "a\\u{1b}[2J\\u{9b}b\\r\\n"
        );
        assert_eq!(printable("naïve Ω"), "naïve Ω");
    }
}
