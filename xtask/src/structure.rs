//! `cargo xtask structure`: who may import whom, how long each folder may be, and one
//! version everywhere.

pub(crate) mod lines;
pub(crate) mod manifest;
mod rules;
mod source;
mod versions;

use crate::files::{in_tree, read_text};
use crate::process::{Failure, project_root};
use source::Source;

/// Folders of `core` without which a run has judged nothing, as without any crate.
const ROOMS_OF_CORE: [&str; 3] = ["core/src/tier/", "core/src/kernel/", "core/src/mode/"];

/// Judges every source file and manifest of the project.
pub(crate) fn run() -> Result<(), Failure> {
    let root = project_root();
    let mut sources = Vec::new();
    let mut violations = Vec::new();
    let is_judged = |name: &String| name.ends_with(".rs") || name.ends_with("/Cargo.toml");
    for path in in_tree()?.into_iter().filter(is_judged) {
        let text = read_text(&root.join(&path))?;
        match path.strip_suffix("/Cargo.toml") {
            Some(folder) => {
                let found = manifest::check(folder, &text)?.into_iter();
                violations.extend(found.map(|why| format!("{path}: {why}")));
            }
            None => sources.push(Source::parse(&path, &text)?),
        }
    }
    violations.extend(sources.iter().flat_map(rules::check));
    violations.extend(lines::check()?);
    violations.extend(versions::check()?);
    for violation in &violations {
        println!("{violation}");
    }
    let names = sources.iter().map(|source| source.names.len());
    println!(
        "structure: {} files with {} names; violations: {}",
        sources.len(),
        names.sum::<usize>(),
        violations.len()
    );
    let crates = manifest::CRATES.map(|(folder, _)| format!("{folder}/"));
    for room in ROOMS_OF_CORE.map(str::to_owned).iter().chain(&crates) {
        if !sources.iter().any(|source| source.path.starts_with(room)) {
            return Err(Failure::new(format!(
                "nothing was found to check in {room}"
            )));
        }
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(
            "the import rules of ARCHITECTURE.md, the limits of lines.toml or the version are broken",
        ))
    }
}
