//! Entries of a folder by patterns, as lines of a `.gitignore` are read.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::exit::Exit;
use crate::failure::{Failure, refuse_standard};
use crate::name::shown;

/// Why nothing is made or told of a folder called `name`.
pub(super) fn nothing_fits(name: &Path) -> Failure {
    let message = format!("{}: nothing in it fits --only", shown(name));
    Failure::new(Exit::Usage, message).hint("--list without --only names what is in it")
}

/// Patterns for paths below a folder. Of several that fit, the last one counts, and one that
/// begins with `!` takes back what those before it say.
pub(crate) struct Patterns {
    patterns: Gitignore,
    /// The folder that was asked about last. Entries come in its order, and each folder on the
    /// way is looked at once: there may be thousands in each other.
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    path: PathBuf,
    /// Of each folder on the path, from the outermost on: whether it fits or is in one that does.
    fits: Vec<bool>,
}

impl Patterns {
    /// Those of `files`, and then `lines`, which so have the last word.
    pub(crate) fn new(lines: &[OsString], files: &[PathBuf]) -> Result<Self, Failure> {
        // Paths come as they are below the folder, so there is nothing to take off them.
        let mut patterns = GitignoreBuilder::new(".");
        let mut add = |from: Option<&Path>, line: &OsStr| {
            let text = line.to_str().ok_or_else(|| "not UTF-8".to_owned());
            let added = text.and_then(as_glob).and_then(|glob| {
                let added = patterns.add_line(None, &glob);
                added.map(drop).map_err(|error| match error {
                    ignore::Error::Glob { err, .. } => err,
                    error => error.to_string(),
                })
            });
            added.map_err(|error| malformed(from, line, &error))
        };
        for file in files {
            refuse_standard(
                file,
                "patterns are read from files, not from standard input",
            )?;
            let bytes = fs::read(file).map_err(|error| Failure::io(file, &error))?;
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            for line in bytes.split(|byte| *byte == b'\n') {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                add(Some(file), OsStr::from_bytes(line))?;
            }
        }
        for line in lines {
            add(None, line)?;
        }
        let unfit = |error: ignore::Error| Failure::new(Exit::Usage, error.to_string());
        let known = Mutex::default();
        let patterns = patterns.build().map_err(unfit)?;
        Ok(Self { patterns, known })
    }

    /// Whether a pattern fits the entry itself at `path`. What is in a folder that fits is
    /// never asked for.
    pub(super) fn fits(&self, path: &Path, is_folder: bool) -> bool {
        self.own(path, is_folder).unwrap_or_default()
    }

    /// What the patterns say of the entry itself, if they say anything.
    fn own(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let found = self.patterns.matched(path, is_folder);
        (!found.is_none()).then(|| found.is_ignore())
    }

    /// Whether a pattern fits the entry at `path`, or a folder that it is in: not the folder
    /// itself, which everything is in.
    pub(super) fn fits_or_is_within(&self, path: &Path, is_folder: bool) -> bool {
        let Some(folder) = path.parent() else {
            return false;
        };
        let is_within = self.folder_fits(folder);
        self.own(path, is_folder).unwrap_or(is_within)
    }

    fn folder_fits(&self, folder: &Path) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        while !folder.starts_with(&known.path) {
            known.path.pop();
            known.fits.pop();
        }
        for name in folder.iter().skip(known.fits.len()) {
            known.path.push(name);
            let outer = known.fits.last().copied().unwrap_or_default();
            let own = self.own(&known.path, true);
            known.fits.push(own.unwrap_or(outer));
        }
        known.fits.last().copied().unwrap_or_default()
    }
}

/// Why a line, perhaps of a file, is no pattern.
fn malformed(from: Option<&Path>, line: &OsStr, why: &str) -> Failure {
    let file = from.map_or(String::new(), |path| format!("{}: ", shown(path)));
    let pattern = line.to_string_lossy();
    let message = format!("{file}the pattern '{pattern}' is malformed: {why}");
    let failure = Failure::new(Exit::Usage, message);
    match line.to_str() {
        Some(_) => failure,
        None => failure.hint("`?` fits any one byte of a name"),
    }
}

/// A line of a `.gitignore` as `ignore` takes it. To git braces are characters like others; to
/// `ignore` they are alternatives. Between brackets, to git a backslash makes the next
/// character plain, and `ignore` has nothing for that.
fn as_glob(line: &str) -> Result<String, String> {
    if line.starts_with('#') {
        return Ok(line.to_owned());
    }
    check(line)?;
    let (mut glob, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(['\\', '{', '}', '[']) {
        let (before, special) = rest.split_at(at);
        glob.push_str(before);
        let end = match special.as_bytes()[0] {
            b'[' => brackets_len(special).ok_or("a bracket that is not closed")?,
            b'\\' => 1 + special[1..].chars().next().map_or(0, char::len_utf8),
            _ => {
                glob.push('\\');
                1
            }
        };
        let (taken, after) = special.split_at(end);
        if let Some(between) = taken.strip_prefix('[') {
            if between.contains('\\') {
                return Err("a backslash between brackets".to_owned());
            }
            if between.contains("[:") {
                return Err("a class of characters between brackets, as [:alpha:]".to_owned());
            }
        }
        glob.push_str(taken);
        rest = after;
    }
    Ok(glob + rest)
}

/// Refuses what fits nothing to git, or what `ignore` reads in another way.
fn check(line: &str) -> Result<(), String> {
    let path = line.trim_end_matches(' ').trim_end_matches('/');
    let backslashes = path.len() - path.trim_end_matches('\\').len();
    let why = if backslashes % 2 == 1 && path.len() < line.trim_end_matches(' ').len() {
        "a backslash before a slash at its end"
    } else if line.contains("//") {
        "two slashes that follow each other"
    } else if line.contains("***") {
        "three stars that follow each other"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// The length of what begins with a bracket, up to the one that ends it, if there is one: not
/// the first character, also after `!` or `^`.
fn brackets_len(text: &str) -> Option<usize> {
    let inside = &text[1..];
    let inside = inside.strip_prefix(['!', '^']).unwrap_or(inside);
    let first = text.len() - inside.len() + inside.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(']')?;
    Some(first + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(lines: &[&str]) -> Patterns {
        let lines: Vec<OsString> = lines.iter().map(OsString::from).collect();
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
            (&["# remark [of // kinds]", "# [", ""], "# [", false, false),
            (&["./a"], "a", false, false),
            (&[".x"], ".x", false, true),
            // What `ignore` takes for alternatives.
            (&["/{a,b}"], "a", false, false),
            (&["/{a,b}"], "{a,b}", false, true),
            (&["{{x.y}}/"], "{{x.y}}", true, true),
            (&["*.{tmp,c}"], "a.c", false, false),
            (&["[{]a,b}"], "{a,b}", false, true),
            (&["\\{a"], "{a", false, true),
            (&["{"], "{", false, true),
            (&["[]{]"], "{", false, true),
            (&["[!]{]"], "a", false, true),
            (&["[!]{]"], "{", false, false),
            (&["[!!]{a,b}"], "xa", false, false),
            (&["[!!]{a,b}"], "x{a,b}", false, true),
            (&["[!!]{a,b}"], "!{a,b}", false, false),
            (&["[^^]"], "a", false, true),
            (&["[^^]"], "^", false, false),
            (&["build\\/x"], "build/x", false, true),
        ] {
            let found = patterns(lines).fits(Path::new(path), is_folder);
            assert_eq!(found, fits, "{lines:?} and {path}");
        }
    }

    /// `*/` fitted the folder itself, and so everything in it.
    #[test]
    fn the_folder_itself_fits_nothing() {
        for pattern in ["*/", "**/", "/*/", "**", "*", "!x"] {
            let patterns = patterns(&[pattern]);
            assert!(
                !patterns.fits_or_is_within(Path::new(""), true),
                "{pattern}"
            );
            let is_within = patterns.fits_or_is_within(Path::new("a/b"), false);
            assert_eq!(is_within, pattern != "!x", "{pattern}");
            let fits = patterns.fits_or_is_within(Path::new("b"), false);
            assert_eq!(fits, pattern.ends_with('*'), "{pattern}");
        }
    }

    #[test]
    fn a_malformed_pattern_is_named() {
        for pattern in [
            "[a\\-c]",
            "[\\]a]",
            "build\\/",
            "**//",
            "a//b",
            "[",
            "[]",
            "[!]",
            "***/x",
            "[[:foo:]]",
            "[a[:alpha:]]",
        ] {
            let failure = Patterns::new(&[pattern.into()], &[]).map(drop);
            let failure = failure.expect_err(pattern);
            assert_eq!(failure.exit, Exit::Usage);
            assert!(failure.message().contains(&format!("'{pattern}'")));
        }
    }

    /// Each entry looked at every folder that it was in.
    #[test]
    fn each_folder_is_looked_at_once() {
        let patterns = patterns(&["a/**/a/**/b", "!a/a/keep"]);
        let mut path = PathBuf::from("a");
        for _ in 0..2000 {
            path.push("a");
            assert!(!patterns.fits_or_is_within(&path, true));
        }
        assert!(patterns.fits_or_is_within(&path.join("b"), true));
        assert!(patterns.fits_or_is_within(&path.join("b/c"), false));
        assert!(!patterns.fits_or_is_within(&path.join("c"), false));
        assert!(!patterns.fits_or_is_within(Path::new("a/a/keep/x"), false));
        assert!(patterns.fits_or_is_within(Path::new("a/a/b/x"), false));
    }

    #[test]
    fn the_command_line_has_the_last_word() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        fs::write(&file, "d\ne\n").expect("written");
        let patterns = Patterns::new(&["!d".into()], &[file.path().to_path_buf()]);
        let patterns = patterns.expect("well-formed");
        assert!(!patterns.fits(Path::new("d"), false));
        assert!(patterns.fits(Path::new("e"), false));
    }
}
