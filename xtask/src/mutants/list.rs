//! Which changes there are: those that `cargo-mutants` makes, those of `defects.toml`, and
//! which of the first change nothing, by `listed.toml`.

use super::Change;
use crate::process::{Failure, capture, program, project_root};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use toml::Table;

/// What is not mutated in `core`: it runs on one tier each, and its instructions are its tests.
const KERNELS: [&str; 2] = ["core/src/kernel/**", "core/src/tier/**"];

/// The mutants that `cargo-mutants` makes of the crates in these folders.
pub(super) fn mutants(folders: &[&str]) -> Result<Vec<Change>, Failure> {
    let mut list = program("cargo", &["mutants", "--workspace", "--list", "--json"]);
    list.args(folders.iter().map(|folder| format!("-f={folder}/src/**")));
    list.args(KERNELS.map(|kernels| format!("-e={kernels}")));
    let list: Vec<Value> = serde_json::from_str(&capture(&mut list)?)
        .map_err(|e| Failure::new(format!("cargo mutants: {e}")))?;
    let mut texts = HashMap::new();
    let mut times = HashMap::new();
    let mutant = |made: &Value| {
        let file = made["file"].as_str()?.to_owned();
        if !texts.contains_key(&file) {
            let text = fs::read_to_string(project_root().join(&file)).ok()?;
            texts.insert(file.clone(), text);
        }
        let text = &texts[&file];
        let (span, name) = (&made["span"], made["name"].as_str()?);
        let line = span["start"]["line"].as_u64()? as usize;
        let does = name.splitn(4, ':').nth(3)?.trim();
        let code = text.lines().nth(line - 1)?.trim().to_owned();
        let time: &mut u32 = times.entry(format!("{file}: {does}: {code}")).or_default();
        *time += 1;
        Some(Change {
            name: format!("{file}: {does}: `{code}` {time}"),
            genre: made["genre"].as_str()?.to_owned(),
            range: byte(text, &span["start"])?..byte(text, &span["end"])?,
            replacement: made["replacement"].as_str()?.to_owned(),
            by: String::new(),
            is_constant: made["function"].is_null(),
            file,
            line,
        })
    };
    let mutants: Option<Vec<Change>> = list.iter().map(mutant).collect();
    mutants.ok_or_else(|| Failure::new("what cargo mutants lists is not understood"))
}

/// The byte where a line and column begin, both from 1.
fn byte(text: &str, place: &Value) -> Option<usize> {
    let [line, column] = ["line", "column"].map(|key| place[key].as_u64());
    let lines = text.split_inclusive('\n').take(line? as usize - 1);
    let start: usize = lines.map(str::len).sum();
    let (byte, _) = text[start..].char_indices().nth(column? as usize - 1)?;
    Some(start + byte)
}

/// The rows of a file, with the keys that each must have.
fn rows<const N: usize>(
    file: &str,
    keys: [&str; N],
) -> Result<Vec<(String, [String; N])>, Failure> {
    let unreadable = |why: String| Failure::new(format!("evidence/mutants/{file}: {why}"));
    let text = fs::read_to_string(project_root().join("evidence/mutants").join(file));
    let text = text.map_err(|e| unreadable(e.to_string()))?;
    let table: Table = text.parse().map_err(|e| unreadable(format!("{e}")))?;
    let rows = table.into_iter().map(|(name, row)| {
        let fields = keys.map(|key| row.get(key).and_then(toml::Value::as_str));
        match fields.iter().position(Option::is_none) {
            Some(missing) => Err(unreadable(format!("{name} has no `{}`", keys[missing]))),
            None => Ok((
                name,
                fields.map(|field| field.unwrap_or_default().to_owned()),
            )),
        }
    });
    rows.collect()
}

/// The defects, each in its place.
pub(super) fn defects() -> Result<Vec<Change>, Failure> {
    let rows = rows("defects.toml", ["file", "find", "replace", "test"])?;
    let defects = rows.into_iter().map(|(name, [file, find, replacement, by])| {
        let text = fs::read_to_string(project_root().join(&file));
        let text = text.map_err(|e| Failure::new(format!("{name}: {file}: {e}")))?;
        let places: Vec<usize> = text.match_indices(&find).map(|(at, _)| at).collect();
        let [start] = places[..] else {
            return Err(Failure::new(format!(
                "the planted defect `{name}` has {} places in {file}: evidence/mutants/defects.toml",
                places.len()
            )));
        };
        Ok(Change {
            line: text[..start].lines().count(),
            genre: "Defect".to_owned(),
            range: start..start + find.len(),
            is_constant: false,
            name,
            file,
            replacement,
            by,
        })
    });
    defects.collect()
}

/// Mutants that no test can see: all of the files that begin so, which do this where this code
/// is.
pub(super) struct Listed {
    pub(super) file: String,
    pub(super) does: String,
    pub(super) code: String,
    pub(super) is_found: bool,
}

pub(super) fn listed() -> Result<Vec<Listed>, Failure> {
    let rows = rows("listed.toml", ["file", "does", "code", "why"])?.into_iter();
    let listed = rows.map(|(_, [file, does, code, _])| {
        let is_found = false;
        Listed {
            file,
            does,
            code,
            is_found,
        }
    });
    Ok(listed.collect())
}

impl Listed {
    pub(super) fn is(&self, mutant: &Change) -> bool {
        let rest = mutant.name.strip_prefix(&format!("{}: ", mutant.file));
        let rest = rest.filter(|_| mutant.file.starts_with(&self.file));
        rest.is_some_and(|rest| rest.starts_with(&self.does) && rest.contains(&self.code))
    }
}
