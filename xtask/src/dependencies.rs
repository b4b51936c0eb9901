//! `cargo xtask dependencies`: the table of `docs/dependencies.md`.

use crate::files;
use crate::process::{Failure, project_root};
use crate::sbom::{self, SHIPPED};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Where the table is, and between which lines.
const PAGE: &str = "docs/dependencies.md";
const BEGIN: &str = "<!-- cargo xtask dependencies: begin -->\n";
const END: &str = "<!-- cargo xtask dependencies: end -->";

/// Writes the table.
pub(crate) fn write() -> Result<(), Failure> {
    let path = project_root().join(PAGE);
    let (now, then) = both()?;
    if now != then {
        files::write(&path, now)?;
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
    let page = files::read_text(&project_root().join(PAGE))?;
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
    let tree = sbom::tree(package, edges, "x86_64-unknown-linux-gnu", more)?;
    let others = tree.into_iter().skip(1);
    Ok(others
        .map(|[name, version, _]| format!("{name} {version}"))
        .collect())
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
}
