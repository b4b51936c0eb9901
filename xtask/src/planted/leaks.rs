//! Leaks, each in a function of its own name, which whoever reports it prints.

use super::{Row, copy_tree, planted, rows_of};
use crate::files::read_text;
use crate::leaks::{self as program, Build};
use crate::process::{Failure, Tally, output, project_root};
use crate::{constant_time, cpu};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is looked at: by valgrind, or on one tier by the tracer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    ByValgrind,
    ByTracesOn(&'static str),
}

const ALL: [Watched; 3] = [
    Watched::ByValgrind,
    Watched::ByTracesOn("vaes256"),
    Watched::ByTracesOn("avx512"),
];

pub(super) fn rows(names: &[&str]) -> Result<Vec<Row>, Failure> {
    const FILE: &str = "evidence/leaks/planted.toml";
    let mut rows = rows_of(FILE, false)?;
    if let Some(name) = names
        .iter()
        .find(|name| !rows.iter().any(|row| row.name == **name))
    {
        return Err(Failure::new(format!("{FILE} has no {name}")));
    }
    rows.retain(|row| names.is_empty() || names.contains(&row.name.as_str()));
    let named = |row: &&Row| !row.replace.contains(&format!("planted_{},", row.name));
    match rows.iter().find(named) {
        Some(row) => Err(Failure::new(format!(
            "{FILE}: {} plants something else",
            row.name
        ))),
        None => Ok(rows),
    }
}

/// Plants the leaks of these names, or all, and looks for them with every tool.
pub(crate) fn of_names(names: &[&str]) -> Tally {
    tally(names, &ALL)
}

/// Plants all, and looks with one of the tools.
pub(crate) fn watched(by: Watched) -> Tally {
    tally(&[], &[by])
}

fn tally(names: &[&str], tools: &[Watched]) -> Tally {
    Tally::of("planted leaks", |tally| {
        let (leaks, reports) = reported(names, tools)?;
        for (leak, wanted) in leaks {
            let by = reports.iter().filter(|report| report.names(&leak));
            let by: Vec<&str> = by.map(|report| report.by.as_str()).collect();
            println!("{}: reported by {}", leak.name, by.join(", "));
            let mut wanted = wanted.iter();
            let verdict = match wanted.find(|wanted| !by.iter().any(|by| by.starts_with(**wanted)))
            {
                None => Ok(()),
                Some(missed) => Err(Failure::new(format!("not reported by {missed}"))),
            };
            tally.add_check(&format!("planted: {}", leak.name), &verdict);
        }
        Ok(())
    })
}

/// Who should report a leak, of those who are asked: one of a tier the tool that watches it there,
/// one of all tiers each tool. Files take too many instructions to be traced.
fn wanted(leak: &Row, tools: &[Watched]) -> Vec<&'static str> {
    let tier = leak.name.rsplit('_').next().unwrap_or_default();
    let wanted = |tool: &Watched| match (*tool, tier) {
        (Watched::ByValgrind, "portable") => Some("valgrind on portable"),
        (Watched::ByValgrind, "avx2") => Some("valgrind on avx2"),
        (Watched::ByTracesOn("vaes256"), "vaes256") => Some("traces on vaes256"),
        (Watched::ByTracesOn("avx512"), "avx512") => Some("traces on avx512"),
        (_, "portable" | "avx2" | "vaes256" | "avx512") => None,
        (Watched::ByValgrind, _) => Some("valgrind"),
        // The widest: a leak of all tiers is wherever somebody looks.
        (Watched::ByTracesOn("avx512"), _) if !leak.name.starts_with("file_") => Some("traces"),
        _ => None,
    };
    tools.iter().filter_map(wanted).collect()
}

/// What one tool says on one tier.
struct Report {
    by: String,
    said: String,
}

impl Report {
    fn names(&self, leak: &Row) -> bool {
        let function = format!("planted_{}", leak.name);
        // Not the beginning of another's name.
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        self.said.split(&function).skip(1).any(is_end)
    }
}

/// The leaks with who should report each, and every report.
type Reported = (Vec<(Row, Vec<&'static str>)>, Vec<Report>);

fn reported(names: &[&str], tools: &[Watched]) -> Result<Reported, Failure> {
    let copy = project_root().join("target/planted");
    let leaks = rows(names)?.into_iter();
    let leaks = leaks.map(|leak| {
        let wanted = wanted(&leak, tools);
        (leak, wanted)
    });
    let leaks: Vec<_> = leaks.filter(|(_, wanted)| !wanted.is_empty()).collect();
    plant(
        &copy,
        &leaks.iter().map(|(leak, _)| leak).collect::<Vec<_>>(),
    )?;
    let is_wanted = |by: &str| {
        let mut all = leaks.iter().flat_map(|(_, wanted)| wanted);
        all.any(|wanted| by.starts_with(wanted))
    };
    let mut reports = Vec::new();
    if tools.contains(&Watched::ByValgrind) {
        for (tier, build) in constant_time::TIERS {
            if is_wanted(&format!("valgrind on {tier}")) {
                let path = build.program_in(&copy)?;
                let mut valgrind = constant_time::valgrind(&path, tier, &["run"]);
                reports.push(report("valgrind", tier, &mut valgrind)?);
            }
        }
    }
    let here = cpu::required_tiers().unwrap_or_default();
    for tool in tools {
        let Watched::ByTracesOn(tier) = *tool else {
            continue;
        };
        if is_wanted(&format!("traces on {tier}")) && here.split(',').any(|has| has == tier) {
            let path = Build::Marked.program_in(&copy)?;
            let mut traces = program::at(&path, tier);
            reports.push(report("traces", tier, traces.arg("trace"))?);
        }
    }
    Ok((leaks, reports))
}

/// What a tool prints, whatever its exit code.
fn report(tool: &str, tier: &str, command: &mut Command) -> Result<Report, Failure> {
    let by = format!("{tool} on {tier}");
    println!("{by}: {command:?}");
    let output = output(command.stderr(Stdio::piped()));
    let output = output.map_err(|e| Failure::new(e.to_string()))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    Ok(Report { by, said })
}

/// Makes the copy of the tree that has these leaks, and the module with what they do.
fn plant(copy: &Path, leaks: &[&Row]) -> Result<(), Failure> {
    let mut texts = planted(leaks)?;
    let lib = "core/src/lib.rs";
    let text = read_text(&project_root().join(lib))? + "\n#[doc(hidden)]\npub mod planted;\n";
    texts.insert(lib.to_owned(), text);
    let module = read_text(&project_root().join("evidence/leaks/planted.rs"))?;
    texts.insert("core/src/planted.rs".to_owned(), module);
    copy_tree(copy, texts)
}
