//! `cargo xtask planted`: leaks put into a copy of the tree are found, each of them.
//!
//! `leaks/planted.toml` says where they go. All are put in at once; each stands in a function
//! of its own name, and whoever reports it prints that name.

use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, capture, program, project_root};
use crate::{constant_time, cpu};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// A leak: its name, and what is replaced where.
struct Leak {
    name: String,
    file: String,
    find: String,
    replace: String,
}

/// Every leak has a place, and stands in what its name says: soon seen, for CI.
pub(crate) fn check() -> Result<(), Failure> {
    let root = project_root();
    for leak in leaks_of(&root)? {
        leak.planted(&root)?;
    }
    Ok(())
}

/// Plants all leaks in a copy of the tree, and looks for them by valgrind and by traces.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    match reported() {
        Ok(findings) => {
            for (name, by) in findings {
                println!("{name}: reported by {}", by.join(", "));
                let found = !by.is_empty();
                let found = found
                    .then_some(())
                    .ok_or_else(|| Failure::new("nobody reports it"));
                tally.add_check(&format!("planted: {name}"), &found);
            }
        }
        Err(failure) => tally.add_check("planted leaks", &Err(failure)),
    }
    tally
}

/// Each leak's name with those who report it.
fn reported() -> Result<Vec<(String, Vec<String>)>, Failure> {
    let copy = project_root().join("target/planted");
    let leaks = plant(&copy)?;
    let mut reports = Vec::new();
    for (tier, build) in constant_time::TIERS {
        let path = build.program_in(&copy)?;
        let mut valgrind = constant_time::valgrind(&path, tier, "run");
        reports.push((format!("valgrind on {tier}"), all_output(&mut valgrind)?));
    }
    let path = Build::Marked.program_in(&copy)?;
    let tiers = cpu::required_tiers().unwrap_or_default();
    for tier in tiers.split(',').filter(|tier| *tier != "portable") {
        let mut traces = leaks::at(&path, tier);
        let report = all_output(traces.arg("trace"))?;
        reports.push((format!("traces on {tier}"), report));
    }
    let by = |leak: Leak| {
        let function = format!("planted_{}", leak.name);
        // Not the beginning of another's name.
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let named = |report: &str| report.split(&function).skip(1).any(is_end);
        let by = reports.iter().filter(|(_, report)| named(report));
        (leak.name, by.map(|(name, _)| name.clone()).collect())
    };
    Ok(leaks.into_iter().map(by).collect())
}

/// What a program prints, whatever its exit code.
fn all_output(command: &mut std::process::Command) -> Result<String, Failure> {
    let output = command.output().map_err(|e| Failure::new(e.to_string()))?;
    let streams = [output.stdout, output.stderr].concat();
    Ok(String::from_utf8_lossy(&streams).into_owned())
}

/// Copies what Git knows of the tree, and changes it.
fn plant(copy: &Path) -> Result<Vec<Leak>, Failure> {
    let root = project_root();
    let failed = |path: &Path, e: std::io::Error| Failure::new(format!("{}: {e}", path.display()));
    for name in capture(&mut program("git", &["ls-files"]))?.lines() {
        let (from, to) = (root.join(name), copy.join(name));
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
        }
        let text = fs::read(&from).map_err(|e| failed(&from, e))?;
        // What stays as it is keeps its time, and is not built again.
        if fs::read(&to).ok() != Some(text) {
            fs::copy(&from, &to).map_err(|e| failed(&to, e))?;
        }
    }
    let leaks = leaks_of(&root)?;
    let write = |name: &str, text: String| {
        let path = copy.join(name);
        fs::write(&path, text).map_err(|e| failed(&path, e))
    };
    for leak in &leaks {
        let text = leak.planted(copy)?;
        write(&leak.file, text)?;
    }
    let read = |path: &Path| fs::read_to_string(path).map_err(|e| failed(path, e));
    let lib = read(&root.join("core/src/lib.rs"))?;
    write(
        "core/src/lib.rs",
        lib + "\n#[doc(hidden)]\npub mod planted;\n",
    )?;
    write("core/src/planted.rs", read(&root.join("leaks/planted.rs"))?)?;
    Ok(leaks)
}

fn leaks_of(root: &Path) -> Result<Vec<Leak>, Failure> {
    let unreadable = |why: String| Failure::new(format!("leaks/planted.toml: {why}"));
    let text = fs::read_to_string(root.join("leaks/planted.toml"));
    let text = text.map_err(|e| unreadable(e.to_string()))?;
    let table: Table = text.parse().map_err(|e| unreadable(format!("{e}")))?;
    let leaks = table.into_iter().map(|(name, leak)| {
        let field = |key: &str| {
            let value = leak.get(key).and_then(Value::as_str).map(str::to_owned);
            value.ok_or_else(|| unreadable(format!("{name} has no `{key}`")))
        };
        let (file, find, replace) = (field("file")?, field("find")?, field("replace")?);
        if !replace.contains(&format!("planted_{name},")) {
            return Err(unreadable(format!("{name} plants something else")));
        }
        Ok(Leak {
            name,
            file,
            find,
            replace,
        })
    });
    leaks.collect()
}

impl Leak {
    /// The file in the tree at `root` with this leak.
    fn planted(&self, root: &Path) -> Result<String, Failure> {
        let path = root.join(&self.file);
        let text = fs::read_to_string(&path);
        let text = text.map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
        match text.matches(&self.find).count() {
            1 => Ok(text.replacen(&self.find, &self.replace, 1)),
            times => Err(Failure::new(format!(
                "the planted leak `{}` has {times} places in {}: leaks/planted.toml",
                self.name, self.file
            ))),
        }
    }
}
