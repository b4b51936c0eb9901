//! `cargo xtask structure`: who may import whom, how long each folder may be, and one
//! version everywhere.

pub(crate) mod lines;
pub(crate) mod manifest;
mod rules;
mod versions;

use crate::files::{in_tree, read_text};
use crate::process::{Failure, project_root};

/// Judges every source file and manifest of the project.
pub(crate) fn run() -> Result<(), Failure> {
    let (mut judged, mut violations) = (Vec::new(), Vec::new());
    for path in in_tree()? {
        let is_manifest = path.ends_with("/Cargo.toml");
        if !is_manifest && !path.ends_with(".rs") {
            continue;
        }
        let text = read_text(&project_root().join(&path))?;
        violations.extend(match is_manifest {
            true => manifest::check(&path, &text)?,
            false => rules::check(&path, &text),
        });
        judged.push(path);
    }
    violations.extend(lines::check()?);
    violations.extend(versions::check()?);
    // Without these a run has judged nothing.
    let rooms = ["core/src/tier", "core/src/kernel", "core/src/mode"];
    let folders = manifest::CRATES.map(|(folder, _)| folder);
    for room in folders.iter().chain(&rooms) {
        let is_in = |path: &String| path.starts_with(&format!("{room}/"));
        if !judged.iter().any(is_in) {
            violations.push(format!("nothing was found to check in {room}"));
        }
    }
    for violation in &violations {
        println!("{violation}");
    }
    let [files, found] = [judged.len(), violations.len()];
    println!("structure: {files} files; violations: {found}");
    match violations.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(
            "the import rules of ARCHITECTURE.md, the limits of lines.toml or the version are broken",
        )),
    }
}
