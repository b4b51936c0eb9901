//! `cargo xtask dependencies`: the table of `docs/dependencies.md`.

use crate::process::{Failure, capture, cargo, locked, project_root};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

/// The crates that ship.
const SHIPPED: [&str; 6] = [
    "sivka",
    "sivka-file",
    "sivka-keyset",
    "sivka-arrow",
    "sivka-ffi",
    "sivka-cli",
];

/// Where the table stands, and between which lines.
const PAGE: &str = "docs/dependencies.md";
const BEGIN: &str = "<!-- cargo xtask dependencies: begin -->\n";
const END: &str = "<!-- cargo xtask dependencies: end -->";

/// Writes the table.
pub(crate) fn write() -> Result<(), Failure> {
    let path = project_root().join(PAGE);
    let (now, then) = both()?;
    if now != then {
        fs::write(path, now).map_err(|e| Failure::new(format!("{PAGE}: {e}")))?;
        println!("{PAGE}: the table was brought up to date");
    }
    Ok(())
}

/// Compares the table with what Cargo says.
pub(crate) fn check() -> Result<(), Failure> {
    let (now, then) = both()?;
    if now == then {
        Ok(())
    } else {
        Err(Failure::new(
            "docs/dependencies.md is out of date: cargo xtask dependencies",
        ))
    }
}

/// The page with a new table, and as it is.
fn both() -> Result<(String, String), Failure> {
    let page = fs::read_to_string(project_root().join(PAGE));
    let page = page.map_err(|e| Failure::new(format!("{PAGE}: {e}")))?;
    let new = replace_table(&page, &table()?)
        .ok_or_else(|| Failure::new("the page has no place for the table"))?;
    Ok((new, page))
}

fn replace_table(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
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
        let page = format!("a\n{BEGIN}old\n{END}\nb\n");
        let new = replace_table(&page, "new\n");
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
