//! Whether a record is as old as the code that it measured.
//!
//! A commit would not tell: it may be gone, and most commits change no kernel. So a record has
//! a digest of the sources that decide its figures, without their comments and layout.

use crate::files::{listed, read_text};
use crate::process::{Failure, project_root};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The word in a record before the digest.
pub(super) const WORD: &str = "kernels";

/// The digest of these files, and of the Rust files in these folders, as they are now.
pub(super) fn digest(sources: &[&str]) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    for source in sources {
        for path in rust_files(&project_root().join(source))? {
            let text = read_text(&path)?;
            code(&text).for_each(|line| hash.update(format!("{line}\n")));
        }
    }
    let mut text = String::new();
    for byte in &hash.finalize()[..8] {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// A file, or all that a folder has. Unit tests decide no figure.
fn rust_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.extension().is_some_and(|extension| extension == "rs") {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for member in listed(path)? {
        if member.is_dir()
            || (member.extension().is_some_and(|e| e == "rs") && !member.ends_with("tests.rs"))
        {
            found.append(&mut rust_files(&member)?);
        }
    }
    Ok(found)
}

/// The lines that are more than a comment.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_layout_do_not_age_a_record() {
        let before = "/// Adds.\nfn add() {\n    1\n}\n";
        let after = "/// Adds one.\n\nfn add() {\n  1\n}\n// The end.\n";
        let changed = "fn add() {\n    2\n}\n";
        assert!(code(before).eq(code(after)));
        assert!(!code(before).eq(code(changed)));
    }

    #[test]
    fn every_table_names_sources_that_are_there() {
        for run in &super::super::RUNS {
            assert_eq!(digest(run.sources).unwrap().len(), 16, "{}", run.label);
        }
        assert!(digest(&["core/src/nothing"]).is_err());
    }
}
