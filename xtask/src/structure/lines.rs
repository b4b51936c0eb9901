//! How many lines of code each folder may have: `lines.toml` says it.

use crate::files::{in_tree, read, read_text};
use crate::process::{Failure, project_root};
use toml::Table;

const KINDS: [&str; 11] = [
    "rs", "c", "h", "java", "cs", "py", "pyi", "go", "scala", "sql", "sh",
];

const LIST: &str = "lines.toml";

/// A row of `lines.toml`: folders that are counted together, what they may have, and what they
/// have.
struct Row {
    folders: String,
    allowed: usize,
    found: usize,
}

/// What is above its limit; says how far the others are below.
pub(super) fn check() -> Result<Vec<String>, Failure> {
    let mut violations = Vec::new();
    for Row {
        folders,
        allowed,
        found,
    } in rows()?
    {
        match allowed.checked_sub(found) {
            Some(below) => println!("{folders}: {found} lines of code, {below} below its limit"),
            None => violations.push(format!(
                "{folders}: {found} lines of code; {LIST} allows {allowed}"
            )),
        }
    }
    Ok(violations)
}

/// `cargo xtask lines`: the rows of `lines.toml` with what there is.
pub(crate) fn print() -> Result<(), Failure> {
    for Row { folders, found, .. } in rows()? {
        println!("\"{folders}\" = {found}");
    }
    Ok(())
}

fn rows() -> Result<Vec<Row>, Failure> {
    let failed = |why: String| Failure::new(format!("{LIST}: {why}"));
    let text = read_text(&project_root().join(LIST))?;
    let table: Table = text.parse().map_err(|e| failed(format!("{e}")))?;
    let row = |(folders, allowed): (String, toml::Value)| match allowed.as_integer() {
        Some(allowed) => Ok(Row {
            folders,
            allowed: allowed as usize,
            found: 0,
        }),
        None => Err(failed(format!("{folders} has no number"))),
    };
    let mut rows = table.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    for name in &in_tree()? {
        let is_code = name
            .rsplit_once('.')
            .is_some_and(|(_, kind)| KINDS.contains(&kind));
        if !is_code {
            continue;
        }
        let row = rows.iter_mut().find(|row| is_in(name, &row.folders));
        let row = row.ok_or_else(|| failed(format!("{name} is in none of its folders")))?;
        row.found += read(&project_root().join(name))?
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
    }
    Ok(rows)
}

/// Whether a file is in one of these folders.
fn is_in(name: &str, folders: &str) -> bool {
    let within = |folder: &str| {
        name.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    folders.split(", ").any(within)
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn files_are_in_folders() {
        assert!(is_in("docs/a.py", "vectors, docs"));
        assert!(is_in("bindings/go/a.go", "bindings/go"));
        assert!(!is_in("core2/a.rs", "core"));
    }
}
