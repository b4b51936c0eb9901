//! Entries of a folder by patterns, as lines of a `.gitignore` are read.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;

/// Patterns for paths below a folder. Of several that fit, the last one counts, and one that
/// begins with `!` takes back what those before it say.
pub(crate) struct Patterns(Gitignore);

impl Patterns {
    /// `lines`, and then those of `files`.
    pub(crate) fn new(lines: &[String], files: &[PathBuf]) -> Result<Self, Failure> {
        // Paths come as they are below the folder, so there is nothing to take off them.
        let mut patterns = GitignoreBuilder::new(".");
        let mut add = |from: Option<&Path>, line: &str| match patterns.add_line(None, line) {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = match error {
                    ignore::Error::Glob { err, .. } => err,
                    error => error.to_string(),
                };
                let file = from.map_or(String::new(), |path| format!("{}: ", shown(path)));
                let message = format!("{file}the pattern '{line}' is malformed: {error}");
                Err(Failure::new(Exit::Usage, message))
            }
        };
        for line in lines {
            add(None, line)?;
        }
        for file in files {
            let text = fs::read_to_string(file).map_err(|error| Failure::io(file, &error))?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            for line in text.lines() {
                add(Some(file), line)?;
            }
        }
        let malformed = |error: ignore::Error| Failure::new(Exit::Usage, error.to_string());
        patterns.build().map(Self).map_err(malformed)
    }

    /// Whether a pattern fits the entry itself at `path`. What is in a folder that fits is
    /// never asked for.
    pub(super) fn fits(&self, path: &Path, is_folder: bool) -> bool {
        self.0.matched(path, is_folder).is_ignore()
    }

    /// Whether a pattern fits the entry at `path`, or a folder that it is in.
    pub(super) fn fits_or_is_within(&self, path: &Path, is_folder: bool) -> bool {
        let found = self.0.matched_path_or_any_parents(path, is_folder);
        found.is_ignore()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(lines: &[&str]) -> Patterns {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Patterns::new(&lines, &[]).expect("well-formed")
    }

    #[test]
    fn patterns_fit_as_those_of_git_do() {
        for (lines, path, is_folder, fits) in [
            (&["*.tmp"][..], "a/b.tmp", false, true),
            (&["/b.tmp"], "a/b.tmp", false, false),
            (&["/b.tmp"], "b.tmp", false, true),
            (&["build/"], "a/build", true, true),
            (&["build/"], "a/build", false, false),
            (&["a/*/c"], "a/b/c", false, true),
            (&["a/*/c"], "a/b/b/c", false, false),
            (&["a/**/c"], "a/b/b/c", false, true),
            (&["*.tmp", "!keep.tmp"], "keep.tmp", false, false),
            (&["!keep.tmp", "*.tmp"], "keep.tmp", false, true),
            (&["# remark", ""], "# remark", false, false),
            (&["./a"], "a", false, false),
            (&[".x"], ".x", false, true),
        ] {
            let found = patterns(lines).fits(Path::new(path), is_folder);
            assert_eq!(found, fits, "{lines:?} and {path}");
        }
    }

    #[test]
    fn a_malformed_pattern_is_named() {
        let failure = Patterns::new(&["a{b".to_owned()], &[]).map(drop);
        let failure = failure.expect_err("a brace without an end");
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message().contains("'a{b'"));
    }
}
