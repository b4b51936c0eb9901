//! Leaks, each in a function of its own name, which the reporting tool prints.

use super::{FILE, Row, copy_tree, planted, rows};
use crate::files::read_text;
use crate::leaks::{self as program, Build};
use crate::process::{Failure, Tally, project_root, said};
use crate::{constant_time, cpu};
use std::collections::BTreeMap;
use std::path::Path;

/// The tool that looks at a program, its tier, and its build.
type Run = (&'static str, &'static str, Build);

const RUNS: [Run; 4] = [
    ("valgrind", "portable", constant_time::TIERS[0].1),
    ("valgrind", "avx2", constant_time::TIERS[1].1),
    ("traces", "vaes256", Build::Marked),
    ("traces", "avx512", Build::Marked),
];

pub(super) fn named(names: &[&str]) -> Result<Vec<Row>, Failure> {
    let mut rows = rows(false)?;
    let is_unknown = |name: &&&str| !rows.iter().any(|row| row.name == **name);
    if let Some(name) = names.iter().find(is_unknown) {
        return Err(Failure::new(format!("{FILE} has no {name}")));
    }
    rows.retain(|row| names.is_empty() || names.contains(&row.name.as_str()));
    let is_other = |row: &&Row| !row.replace.contains(&format!("planted_{},", row.name));
    match rows.iter().find(is_other) {
        Some(row) => Err(Failure::new(format!("{FILE}: {} plants something else", row.name))),
        None => Ok(rows),
    }
}

/// A word in the names of an algorithm's calls, and the beginning of its leaks' names; these leaks
/// are looked for in these calls alone.
const CALLS: [(&str, &str); 6] = [
    ("AES-SIV", "aes_siv"),
    ("BLAKE2b", "blake2b chacha20"),
    ("EAX", "keyset_eax"),
    ("file,", "file"),
    ("GCM-SIV", "aes ctr32 gcm_siv lanes one_block polyval"),
    ("Kuznyechik", "ctr_ acpkm kuznyechik mgm omac pieces"),
];

fn calls_of(leak: &Row) -> &'static str {
    let begins = |names: &str| names.split(' ').any(|name| leak.name.starts_with(name));
    let row = CALLS.iter().find(|(_, names)| begins(names));
    row.map_or("", |(calls, _)| calls)
}

/// Who should report a leak: one of a tier the tool that watches it there; one of all tiers each
/// tool, in one of these runs. Files take too many instructions to be traced.
fn should_report(leak: &Row, (tool, tier, _): &Run) -> bool {
    let of = leak.name.rsplit('_').next().unwrap_or_default();
    match RUNS.iter().any(|(_, tier, _)| of == *tier) {
        true => of == *tier,
        // The widest: a leak of all tiers is wherever somebody looks.
        false => *tool == "valgrind" || (*tier == "avx512" && !leak.name.starts_with("file_")),
    }
}

/// Plants the leaks of these names, or all, and looks for them in a slice of the work, which a tool,
/// a tier and the algorithm of calls choose.
pub(crate) fn watched(slice: fn([&str; 3]) -> bool, names: &[&str]) -> Tally {
    Tally::of("planted leaks", |tally| {
        let is_wanted = |leak: &Row, run: &Run| {
            should_report(leak, run) && slice([run.0, run.1, calls_of(leak)])
        };
        let mut leaks = named(names)?;
        leaks.retain(|leak| RUNS.iter().any(|run| is_wanted(leak, run)));
        let copy = project_root().join("target/planted");
        plant(&copy, &leaks.iter().collect::<Vec<_>>())?;
        let here = cpu::required_tiers().unwrap_or_default();
        // Each leak with a tool that should report it, and whether that does so in any run.
        let mut reported = BTreeMap::new();
        for run @ (tool, tier, build) in &RUNS {
            let has_tier = *tool == "valgrind" || here.split(',').any(|has| has == *tier);
            let mut texts = BTreeMap::new();
            for leak in leaks.iter().filter(|leak| is_wanted(leak, run)) {
                let calls = calls_of(leak);
                if has_tier && !texts.contains_key(calls) {
                    let path = build.program_in(&copy)?;
                    let (_, text) = said(&mut match *tool {
                        "valgrind" => constant_time::valgrind(&path, tier, &["run", calls]),
                        _ => program::at(&path, tier, &["trace", calls]),
                    })?;
                    texts.insert(calls, text);
                }
                let is_named = texts.get(calls).is_some_and(|text| names_it(text, leak));
                *reported.entry((&leak.name, tool)).or_default() |= is_named;
            }
        }
        for ((leak, tool), is_reported) in reported {
            let missed = || Failure::new(format!("{leak} is not reported"));
            let verdict = Some(()).filter(|()| is_reported).ok_or_else(missed);
            tally.add_check(&format!("planted: {leak}, by {tool}"), &verdict);
        }
        Ok(())
    })
}

fn names_it(said: &str, leak: &Row) -> bool {
    let function = format!("planted_{}", leak.name);
    // Not the beginning of another's name.
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    said.split(&function).skip(1).any(is_end)
}

/// Makes the copy of the tree that has these leaks, and the module with their code.
fn plant(copy: &Path, leaks: &[&Row]) -> Result<(), Failure> {
    let mut texts = planted(leaks)?;
    let planted = "\n#[doc(hidden)]\npub mod planted;\n";
    let libs = ["core", "file", "keyset"].map(|folder| format!("{folder}/src/lib.rs"));
    for (lib, more) in libs.into_iter().zip([planted, "", ""]) {
        let there = texts.remove(&lib);
        let text = there.map_or_else(|| read_text(&project_root().join(&lib)), Ok)?;
        // A planted leak takes the `use` of the line that it replaces.
        texts.insert(lib, format!("#![allow(warnings)]\n{text}{more}"));
    }
    let module = read_text(&project_root().join("evidence/leaks/planted.rs"))?;
    texts.insert("core/src/planted.rs".to_owned(), module);
    copy_tree(copy, texts)
}
