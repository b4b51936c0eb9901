//! Names as they stand on the command line, and as they may be shown.

use std::path::Path;

/// The ending of a sealed file's name.
pub(crate) const EXTENSION: &str = "sivka";

/// The name for standard input or output.
pub(crate) const STANDARD: &str = "-";

/// Whether `path` stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// `path` as it may be shown on a terminal. A name is somebody else's text. As [`printable`], it
/// can neither steer the screen nor look like another one.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard(path) {
        return "standard input".into();
    }
    shown_name(path)
}

/// A name in an archive, as it may be shown: one called `-` is that. Bytes that are no UTF-8 are
/// escapes, `\xff`.
pub(crate) fn shown_name(path: &Path) -> String {
    let chunks = path.as_os_str().as_encoded_bytes().utf8_chunks();
    let shown = chunks.map(|chunk| {
        let escaped = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        printable(chunk.valid()) + &escaped.collect::<String>()
    });
    shown.collect()
}

/// `text` with the characters escaped that [steer](steers) what shows it.
pub(crate) fn printable(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match steers(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
        out
    })
}

/// Whether a character is invisible and changes how others are shown: Unicode's controls (Cc),
/// format characters (Cf), and separators of lines and paragraphs (Zl, Zp). Some format characters
/// turn the direction of text. Unassigned characters between them count too, and so do
/// [invisible](is_invisible) ones.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || is_invisible(c)
        || matches!(
            c,
            '\u{ad}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{110bd}'
                | '\u{110cd}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Whether a character is shown as nothing or as a space, though it is neither a space nor a
/// sign that picks a form of the character before it. Two names that differ by it look alike.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
    )
}

/// Whether two paths lead to one file, by links of any kind.
pub(crate) fn is_same_file(path: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let found = [path, other].map(std::fs::metadata);
        matches!(found, [Ok(path), Ok(other)]
            if (path.dev(), path.ino()) == (other.dev(), other.ino()))
    }
    #[cfg(not(unix))]
    {
        let real = [path, other].map(std::fs::canonicalize);
        matches!(real, [Ok(path), Ok(other)] if path == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[2J\u{9b}b\r\n"), "a\\u{1b}[2J\\u{9b}b\\r\\n");
        assert_eq!(printable("naïve Ω"), "naïve Ω");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = std::ffi::OsStr::from_bytes(b"a\xff\xc3\x1b\xcf\x89");
            assert_eq!(shown_name(name.as_ref()), "a\\xff\\xc3\\u{1b}ω");
        }
    }

    /// `invoice\u{202e}fdp.exe` is shown as `invoiceexe.pdf`.
    #[test]
    fn a_name_cannot_look_like_another() {
        assert_eq!(printable("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(printable("a\u{2066}b\u{2069}"), "a\\u{2066}b\\u{2069}");
        assert_eq!(printable("\u{200b}\u{feff}"), "\\u{200b}\\u{feff}");
        assert_eq!(printable("\u{2028}\u{2029}"), "\\u{2028}\\u{2029}");
        assert_eq!(printable("\u{e0021}"), "\\u{e0021}");
        assert_eq!(printable("a\u{3164}\u{34f}"), "a\\u{3164}\\u{34f}");
        let plain = "\u{3042} \u{5d0}\u{5d1} e\u{301} \u{1f600} \u{202f}\u{3000}\u{fe0f}";
        assert_eq!(printable(plain), plain);
    }

    /// Rust prints no such character raw either: none of the ranges reaches too far.
    #[test]
    fn nothing_that_has_a_shape_is_escaped() {
        let steering = || (char::MIN..=char::MAX).filter(|c| steers(*c) && !is_invisible(*c));
        assert!(steering().all(|c| c.escape_debug().count() > 1));
        // Of Unicode 15: 65 controls, 170 format characters, two separators; 41 in between.
        assert_eq!(steering().count(), 65 + 170 + 2 + 41);
    }
}
