//! `cargo xtask structure`: who may import whom, checked from the sources.

mod manifest;
mod rules;
mod source;

use crate::process::{Failure, project_root};
use manifest::Manifest;
use rules::Report;
use source::Source;
use std::fs;
use std::path::Path;

/// The folders that hold our Rust sources.
const ROOMS: [&str; 8] = [
    "core", "file", "ffi", "cli", "oracle", "bench", "fuzz", "xtask",
];

/// Rooms without which a run has judged nothing.
const MUST_HOLD_SOURCES: [&str; 8] = [
    "core/src/tier/",
    "core/src/kernel/",
    "core/src/mode/",
    "file/src/",
    "ffi/src/",
    "cli/src/",
    "oracle/src/",
    "bench/src/",
];

/// Judges every source file and manifest of the project.
pub(crate) fn run() -> Result<(), Failure> {
    let root = project_root();
    let mut sources = Vec::new();
    let mut manifests = Vec::new();
    for room in ROOMS {
        let folder = root.join(room);
        if folder.is_dir() {
            read_folder(&root, &folder, &mut sources, &mut manifests)?;
        }
    }
    let mut report = Report::default();
    for source in &sources {
        rules::check_source(source, &mut report);
    }
    for manifest in &manifests {
        rules::check_manifest(manifest, &mut report);
    }
    for violation in &report.violations {
        println!(
            "{}:{}: {}",
            violation.path, violation.line, violation.message
        );
    }
    println!(
        "structure: {} files, {} manifests, {} imports inside core; violations: {}",
        sources.len(),
        manifests.len(),
        report.paths_judged,
        report.violations.len()
    );
    for room in MUST_HOLD_SOURCES {
        if !sources.iter().any(|source| source.path.starts_with(room)) {
            return Err(Failure::new(format!(
                "nothing was found to check in {room}"
            )));
        }
    }
    if report.violations.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(
            "the import rules of ARCHITECTURE.md are broken",
        ))
    }
}

fn read_folder(
    root: &Path,
    folder: &Path,
    sources: &mut Vec<Source>,
    manifests: &mut Vec<Manifest>,
) -> Result<(), Failure> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|e| Failure::new(format!("{}: {e}", path.display())))
    };
    let entries =
        fs::read_dir(folder).map_err(|e| Failure::new(format!("{}: {e}", folder.display())))?;
    let mut paths: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let relative = relative.to_string_lossy().replace('\\', "/");
        if path.is_dir() && name != "target" {
            read_folder(root, &path, sources, manifests)?;
        } else if name == "Cargo.toml" {
            manifests.push(Manifest::parse(&relative, &read(&path)?));
        } else if name.ends_with(".rs") {
            sources.push(Source::parse(&relative, &read(&path)?));
        }
    }
    Ok(())
}
