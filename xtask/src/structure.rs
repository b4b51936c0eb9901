//! `cargo xtask structure`: who may import whom, how long each folder may be, and one
//! version everywhere.

mod circles;
pub(crate) mod lines;
mod manifest;
mod packages;
mod rules;
mod source;
mod versions;

use crate::process::{Failure, project_root};
use source::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of `core` without which a run has judged nothing, as without any crate.
const ROOMS_OF_CORE: [&str; 3] = ["core/src/tier/", "core/src/kernel/", "core/src/mode/"];

/// Judges every source file and manifest of the project.
pub(crate) fn run() -> Result<(), Failure> {
    let root = project_root();
    let mut sources = Vec::new();
    let mut violations = Vec::new();
    for file in files(&root)? {
        let path = file.strip_prefix(&root).unwrap_or(&file);
        let path = path.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).map_err(|e| Failure::new(format!("{path}: {e}")))?;
        match path.strip_suffix("/Cargo.toml") {
            Some(folder) => {
                let found = manifest::check(folder, &text)?.into_iter();
                violations.extend(found.map(|why| format!("{path}: {why}")));
            }
            None => sources.push(Source::parse(&path, &text)?),
        }
    }
    violations.extend(sources.iter().flat_map(rules::check));
    let circles = circles::circles(&sources).into_iter();
    let circles = circles.chain(packages::circles(&root)?);
    violations.extend(circles.map(|circle| format!("a circle: {circle}")));
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

/// Every `.rs` and every crate's `Cargo.toml`, but what is built or hidden.
fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |e| Failure::new(format!("{}: {e}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let skipped = name == "target" || name.starts_with('.');
                folders.extend((!skipped).then_some(path));
            } else if name.ends_with(".rs") || (name == "Cargo.toml" && folder != root) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
