//! `cargo xtask dependencies`: the table of `docs/dependencies.md`, and in the pages that say how
//! to install how much that downloads.

use crate::files;
use crate::process::{Failure, project_root};
use crate::sbom::{self, SHIPPED};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Where the table is, and between which lines.
const PAGE: &str = "docs/dependencies.md";
const BEGIN: &str = "<!-- cargo xtask dependencies: begin -->\n";
const END: &str = "<!-- cargo xtask dependencies: end -->";

/// Pages that say how many crates a build downloads, and of which crate.
const DOWNLOADS: [(&str, &str); 4] = [
    ("bindings/java/README.md", "sivka-ffi"),
    ("bindings/python/README.md", "sivka-ffi"),
    ("cli/README.md", "sivka-cli"),
    ("ffi/README.md", "sivka-ffi"),
];

/// Writes what has changed.
pub(crate) fn write() -> Result<(), Failure> {
    for (page, now) in out_of_date()? {
        files::write(&project_root().join(page), now)?;
        println!("{page} was brought up to date");
    }
    Ok(())
}

/// Compares the pages with what Cargo says.
pub(crate) fn check() -> Result<(), Failure> {
    match out_of_date()?.first() {
        None => Ok(()),
        Some((page, _)) => Err(Failure::new(format!(
            "{page} is out of date: cargo xtask dependencies"
        ))),
    }
}

/// The pages that say something else than Cargo, as they should be.
fn out_of_date() -> Result<Vec<(&'static str, String)>, Failure> {
    let no_place = |page: &str| Failure::new(format!("{page} has no place for it"));
    let read = |page: &str| files::read_text(&project_root().join(page));
    let page = read(PAGE)?;
    let table = replace_table(&page, &table()?).ok_or_else(|| no_place(PAGE))?;
    let mut pages = vec![(PAGE, page, table)];
    for (page, package) in DOWNLOADS {
        let (text, crates) = (read(page)?, downloaded(package)?);
        let new = replace_count(&text, crates).ok_or_else(|| no_place(page))?;
        pages.push((page, text, new));
    }
    let changed = pages.into_iter().filter(|(_, then, now)| then != now);
    Ok(changed.map(|(page, _, now)| (page, now)).collect())
}

/// How many crates of others a build of this one needs.
fn downloaded(package: &str) -> Result<usize, Failure> {
    let needed = tree(package, "normal,build", &[])?;
    let others = needed.iter().filter(|name| !name.starts_with("sivka"));
    Ok(others.count())
}

/// The text with this number in `downloads 1 crates`.
fn replace_count(text: &str, crates: usize) -> Option<String> {
    const BEFORE: &str = "downloads ";
    let ends = text.match_indices(BEFORE).map(|(at, _)| at + BEFORE.len());
    let places = ends.filter_map(|start| {
        let digits = text[start..].find(|c: char| !c.is_ascii_digit())?;
        let end = start + digits;
        text[end..].starts_with(" crates").then_some(start..end)
    });
    let place = places.last()?;
    Some(format!(
        "{}{crates}{}",
        &text[..place.start],
        &text[place.end..]
    ))
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

    #[test]
    fn only_the_number_of_crates_is_replaced() {
        let page = "downloads 62 MB, and downloads 34 crates (6 MB).";
        let new = "downloads 62 MB, and downloads 48 crates (6 MB).";
        assert_eq!(replace_count(page, 48).as_deref(), Some(new));
        assert_eq!(replace_count("downloads much", 48), None);
    }
}
