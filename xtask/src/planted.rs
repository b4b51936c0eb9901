//! `cargo xtask planted`: leaks put into a copy of the tree are found, each of them.
//!
//! `evidence/leaks/planted.toml` says where they go. All are put in at once, or those that are named;
//! each is in a function of its own name, and whoever reports it prints that name.

use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, capture, output, program, project_root};
use crate::{constant_time, cpu, traces};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use toml::{Table, Value};

/// A leak: its name, and what is replaced where.
struct Leak {
    name: String,
    file: String,
    find: String,
    replace: String,
}

/// Every leak has a place, and is in what its name says: soon seen, for CI.
pub(crate) fn check() -> Result<(), Failure> {
    let root = project_root();
    for leak in leaks_of(&root, &[])? {
        leak.planted(&leak.original(&root)?)?;
    }
    Ok(())
}

/// The same with every so many-th from one on, or all.
pub(crate) fn of_slice(slice: Option<(usize, usize)>) -> Tally {
    let (first, step) = slice.unwrap_or((0, 1));
    match leaks_of(&project_root(), &[]) {
        Ok(leaks) => {
            let names = leaks
                .iter()
                .skip(first)
                .step_by(step)
                .map(|leak| leak.name.as_str());
            run(&names.collect::<Vec<_>>())
        }
        Err(_) => run(&[]),
    }
}

/// Plants the leaks of these names, or all, in a copy of the tree, and looks for them as CI
/// does.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    match reported(names) {
        Ok((leaks, reports)) => {
            for leak in leaks {
                let by: Vec<&str> = reports.iter().filter_map(|r| r.names(&leak)).collect();
                println!("{}: reported by {}", leak.name, by.join(", "));
                tally.add_check(&format!("planted: {}", leak.name), &leak.verdict(&by));
            }
        }
        Err(failure) => tally.add_check("planted leaks", &Err(failure)),
    }
    tally
}

/// What one tool says on one tier.
struct Report {
    by: String,
    said: String,
}

impl Report {
    /// The tool and the tier, if they name the leak.
    fn names(&self, leak: &Leak) -> Option<&str> {
        let function = format!("planted_{}", leak.name);
        // Not the beginning of another's name.
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let named = self.said.split(&function).skip(1).any(is_end);
        named.then_some(self.by.as_str())
    }
}

/// The leaks, and every report that one of them is to be in.
fn reported(names: &[&str]) -> Result<(Vec<Leak>, Vec<Report>), Failure> {
    let copy = project_root().join("target/planted");
    let leaks = plant(&copy, names)?;
    let is_wanted = |tool: &str, tier: &str| {
        let by = format!("{tool} on {tier}");
        let mut wanted = leaks.iter().flat_map(Leak::wanted);
        wanted.any(|wanted| by.starts_with(&wanted))
    };
    let mut reports = Vec::new();
    let tiers = constant_time::TIERS.iter();
    for (tier, build) in tiers.filter(|(tier, _)| is_wanted("valgrind", tier)) {
        let path = build.program_in(&copy)?;
        let mut valgrind = constant_time::valgrind(&path, tier, &["run"]);
        reports.push(report("valgrind", tier, &path, &mut valgrind)?);
    }
    let path = Build::Marked.program_in(&copy)?;
    let tiers = cpu::required_tiers().unwrap_or_default();
    let watched = |tier: &&str| traces::unknown_to_valgrind(tier) && is_wanted("traces", tier);
    for tier in tiers.split(',').filter(watched) {
        let mut traces = leaks::at(&path, tier);
        reports.push(report("traces", tier, &path, traces.arg("trace"))?);
    }
    Ok((leaks, reports))
}

/// What a tool prints, whatever its exit code. What it said of the same program before is
/// kept, so that a run that was ended goes on where it was.
fn report(tool: &str, tier: &str, path: &str, command: &mut Command) -> Result<Report, Failure> {
    let failed = |e: std::io::Error| Failure::new(e.to_string());
    let by = format!("{tool} on {tier}");
    let file = format!("{path}.{tool}.{tier}");
    let built = fs::metadata(path)
        .and_then(|m| m.modified())
        .map_err(failed)?;
    let kept = fs::metadata(&file).and_then(|m| m.modified());
    let said = if kept.is_ok_and(|kept| kept > built) {
        println!("{by}: {file}");
        fs::read_to_string(&file).map_err(failed)?
    } else {
        println!("{by}: {command:?}");
        let output = output(command.stderr(Stdio::piped())).map_err(failed)?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        fs::write(&file, &said).map_err(failed)?;
        said
    };
    Ok(Report { by, said })
}

/// Copies what Git knows of the tree, and changes it.
fn plant(copy: &Path, names: &[&str]) -> Result<Vec<Leak>, Failure> {
    let root = project_root();
    let failed = |path: &Path, e: std::io::Error| Failure::new(format!("{}: {e}", path.display()));
    let leaks = leaks_of(&root, names)?;
    let mut planted = BTreeMap::new();
    for leak in &leaks {
        let text = match planted.remove(&leak.file) {
            Some(text) => text,
            None => leak.original(&root)?,
        };
        planted.insert(leak.file.clone(), leak.planted(&text)?);
    }
    let read = |name: &str| {
        let path = root.join(name);
        fs::read_to_string(&path).map_err(|e| failed(&path, e))
    };
    let lib = "core/src/lib.rs".to_owned();
    let text = read(&lib)? + "\n#[doc(hidden)]\npub mod planted;\n";
    planted.insert(lib, text);
    planted.insert(
        "core/src/planted.rs".to_owned(),
        read("evidence/leaks/planted.rs")?,
    );
    for name in capture(&mut program("git", &["ls-files"]))?.lines() {
        let text = fs::read(root.join(name)).map_err(|e| failed(&root.join(name), e))?;
        write_changed(
            &copy.join(name),
            planted.remove(name).map_or(text, String::into_bytes),
        )?;
    }
    for (name, text) in planted {
        write_changed(&copy.join(name), text.into_bytes())?;
    }
    Ok(leaks)
}

/// Writes a file that is to be other than it is. What stays as it is keeps its time, and is
/// not built again.
pub(crate) fn write_changed(path: &Path, text: Vec<u8>) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::new(format!("{}: {e}", path.display()));
    if fs::read(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

/// The leaks of these names, or all if none is given.
fn leaks_of(root: &Path, names: &[&str]) -> Result<Vec<Leak>, Failure> {
    let unreadable = |why: String| Failure::new(format!("evidence/leaks/planted.toml: {why}"));
    let text = fs::read_to_string(root.join("evidence/leaks/planted.toml"));
    let text = text.map_err(|e| unreadable(e.to_string()))?;
    let table: Table = text.parse().map_err(|e| unreadable(format!("{e}")))?;
    if let Some(name) = names.iter().find(|name| !table.contains_key(**name)) {
        return Err(unreadable(format!("it has no {name}")));
    }
    let is_named = |name: &str| names.is_empty() || names.contains(&name);
    let leaks = table.into_iter().filter(|(name, _)| is_named(name));
    let leaks = leaks.map(|(name, leak)| {
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
    /// Who should report it: a leak of one tier the tool that watches that tier, one of all
    /// tiers both tools. Files take too many instructions to be traced.
    fn wanted(&self) -> Vec<String> {
        let tier = self.name.rsplit('_').next().unwrap_or_default();
        match tier {
            "portable" | "avx2" => vec![format!("valgrind on {tier}")],
            "vaes256" | "avx512" => vec![format!("traces on {tier}")],
            _ if self.name.starts_with("file_") => vec!["valgrind".to_owned()],
            _ => vec!["valgrind".to_owned(), "traces".to_owned()],
        }
    }

    /// Whether all have reported it that should.
    fn verdict(&self, by: &[&str]) -> Result<(), Failure> {
        let wanted = self.wanted().into_iter();
        let silent: Vec<String> = wanted
            .filter(|wanted| !by.iter().any(|by| by.starts_with(wanted.as_str())))
            .collect();
        if silent.is_empty() {
            Ok(())
        } else {
            Err(Failure::new(format!(
                "not reported by {}",
                silent.join(", ")
            )))
        }
    }

    /// Its file in the tree at `root`.
    fn original(&self, root: &Path) -> Result<String, Failure> {
        let path = root.join(&self.file);
        let text = fs::read_to_string(&path);
        text.map_err(|e| Failure::new(format!("{}: {e}", path.display())))
    }

    /// The text of the file with this leak.
    fn planted(&self, text: &str) -> Result<String, Failure> {
        match text.matches(&self.find).count() {
            1 => Ok(text.replacen(&self.find, &self.replace, 1)),
            times => Err(Failure::new(format!(
                "the planted leak `{}` has {times} places in {}: evidence/leaks/planted.toml",
                self.name, self.file
            ))),
        }
    }
}
