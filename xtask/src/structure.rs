//! `cargo xtask structure`: who may import whom, how long each folder may be, one version
//! everywhere, and what reads each block of the pages.

pub(crate) mod lines;
pub(crate) mod manifest;
mod pages;
mod rules;
mod versions;

use crate::files::{in_tree, read_text};
use crate::process::{Failure, project_root};
use std::collections::BTreeMap;

/// Judges every source file and manifest of the project.
pub(crate) fn run() -> Result<(), Failure> {
    let (mut judged, mut violations) = (BTreeMap::new(), Vec::new());
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
        judged.insert(path, text);
    }
    let orphans = judged.keys().filter(|path| is_orphan(path, &judged));
    violations.extend(orphans.map(|path| format!("{path}: no target compiles it")));
    violations.extend(lines::check()?);
    violations.extend(versions::check()?);
    violations.extend(pages::check()?);
    // Without these a run has judged nothing.
    let rooms = ["core/src/tier", "core/src/kernel", "core/src/mode"];
    let folders = manifest::CRATES.map(|(folder, _)| folder);
    for room in folders.iter().chain(&rooms) {
        let is_in = |path: &String| path.starts_with(&format!("{room}/"));
        if !judged.keys().any(is_in) {
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
            "the import rules of ARCHITECTURE.md, the limits of lines.toml, the version or the pages are broken",
        )),
    }
}

/// Whether Cargo finds no such root and no other file names it: its tests would not run.
fn is_orphan(path: &str, texts: &BTreeMap<String, String>) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or_default();
    let name = file.trim_end_matches(".rs");
    let is_root = ["lib", "main", "build", "Cargo.toml"].contains(&name)
        || ["/tests", "/examples"].iter().any(|end| folder.ends_with(end));
    let parents = [".rs", "/main.rs", "/lib.rs"].map(|end| format!("{folder}{end}"));
    let [declared, by_path] = [format!("mod {name};"), format!("/{name}.rs\"")];
    let names = |(file, text): (&String, &String)| {
        text.contains(&by_path) || parents.contains(file) && text.contains(&declared)
    };
    !is_root && !texts.iter().any(names)
}

#[test]
fn a_file_that_no_target_compiles_is_found() {
    let rows = [["a/src/lib.rs", "mod f;"], ["a/tests/b.rs", "mod c; #[path = \"d/e.rs\"]"]];
    let texts = rows.map(|row| row.map(str::to_owned).into()).into();
    let files = "a/tests/f.rs a/src/f.rs a/tests/b/c.rs a/tests/d/e.rs a/src/g.rs a/tests/b/f.rs";
    let orphans = files.split(' ').filter(|path| is_orphan(path, &texts));
    assert_eq!(orphans.collect::<Vec<_>>(), ["a/src/g.rs", "a/tests/b/f.rs"]);
}
