//! `cargo xtask dependencies`: the dependency table of the README.

use crate::process::{Failure, capture, cargo, locked, project_root};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

/// The crates that ship.
const SHIPPED: [&str; 4] = ["sivka", "sivka-file", "sivka-ffi", "sivka-cli"];

/// The table stands between these lines.
const BEGIN: &str = "<!-- cargo xtask dependencies: begin -->\n";
const END: &str = "<!-- cargo xtask dependencies: end -->";

/// Writes the table into the README.
pub(crate) fn write() -> Result<(), Failure> {
    let path = project_root().join("README.md");
    let (now, then) = both()?;
    if now != then {
        fs::write(path, now).map_err(|e| Failure::new(format!("README.md: {e}")))?;
        println!("README.md: the dependency table was brought up to date");
    }
    Ok(())
}

/// Compares the table in the README with what Cargo says.
pub(crate) fn check() -> Result<(), Failure> {
    let (now, then) = both()?;
    if now == then {
        Ok(())
    } else {
        Err(Failure::new(
            "the README's dependency table is out of date: cargo xtask dependencies",
        ))
    }
}

/// The README with a new table, and as it is.
fn both() -> Result<(String, String), Failure> {
    let readme = fs::read_to_string(project_root().join("README.md"));
    let readme = readme.map_err(|e| Failure::new(format!("README.md: {e}")))?;
    let new = replace_table(&readme, &table()?)
        .ok_or_else(|| Failure::new("README.md has no place for the dependency table"))?;
    Ok((new, readme))
}

fn replace_table(readme: &str, table: &str) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{table}{END}{after}"))
}

fn table() -> Result<String, Failure> {
    let mut table = String::from(
        "| crate | it names | it is linked with | only at build time |\n|---|---|---|---|\n",
    );
    for package in SHIPPED {
        let direct = tree(package, "normal", &["--depth", "1"])?;
        let linked = tree(package, "normal,no-proc-macro", &[])?;
        let built: BTreeSet<_> = tree(package, "normal,build", &[])?
            .difference(&linked)
            .cloned()
            .collect();
        let indirect: BTreeSet<_> = linked.difference(&direct).cloned().collect();
        let _ = writeln!(
            table,
            "| `{package}` | {} | {} crates, which adds: {} | {} |",
            listed(&direct),
            linked.len(),
            listed(&indirect),
            listed(&built),
        );
    }
    Ok(table)
}

/// The crates of `package`'s tree but itself, on one target, so that the table does
/// not depend on where it was made.
fn tree(package: &str, edges: &str, more: &[&str]) -> Result<BTreeSet<String>, Failure> {
    let mut command = cargo(&[
        "tree",
        "--package",
        package,
        "--edges",
        edges,
        "--prefix",
        "none",
    ]);
    command.args(["--target", "x86_64-unknown-linux-gnu", "--format", "{p}"]);
    let output = capture(command.args(more).args(locked()))?;
    Ok(output
        .lines()
        .filter_map(name_and_version)
        .filter(|name| !is(name, package))
        .collect())
}

/// `zeroize v1.8.1 (*)` is `zeroize 1.8.1`.
fn name_and_version(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let version = words.next()?.strip_prefix('v')?;
    Some(format!("{name} {version}"))
}

fn is(name_and_version: &str, package: &str) -> bool {
    name_and_version.split(' ').next() == Some(package)
}

fn listed(crates: &BTreeSet<String>) -> String {
    if crates.is_empty() {
        return "–".to_owned();
    }
    crates
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_is_replaced() {
        let readme = format!("a\n{BEGIN}old\n{END}\nb\n");
        let new = replace_table(&readme, "new\n");
        assert_eq!(new, Some(format!("a\n{BEGIN}new\n{END}\nb\n")));
        assert_eq!(replace_table("no place", "new"), None);
    }

    #[test]
    fn lines_of_the_tree_give_names() {
        assert_eq!(
            name_and_version("zeroize v1.8.1 (*)").as_deref(),
            Some("zeroize 1.8.1")
        );
        assert_eq!(
            name_and_version("thiserror-impl v2.0.1 (proc-macro)").as_deref(),
            Some("thiserror-impl 2.0.1")
        );
        assert_eq!(name_and_version(""), None);
    }
}
