//! How many lines of code each folder may have: `lines.toml` says it.

use crate::files::{in_tree, read, read_text};
use crate::process::{Failure, project_root};
use std::collections::BTreeMap;

const KINDS: &str = "rs c h java cs py pyi go scala sql sh";
const LIST: &str = "lines.toml";

/// Folders above their limit; prints how far the others are below.
pub(super) fn check() -> Result<Vec<String>, Failure> {
    let mut violations = Vec::new();
    for (folders, [allowed, found]) in rows()? {
        match allowed.checked_sub(found) {
            Some(below) => println!("{folders}: {found} lines of code, {below} below its limit"),
            None => violations
                .push(format!("{folders}: {found} lines of code; {LIST} allows {allowed}")),
        }
    }
    Ok(violations)
}

/// `cargo xtask lines`: the rows of `lines.toml` with what there is.
pub(crate) fn print() -> Result<(), Failure> {
    for (folders, [_, found]) in rows()? {
        println!("\"{folders}\" = {found}");
    }
    Ok(())
}

/// Folders that are counted together, their limit, and their count.
fn rows() -> Result<BTreeMap<String, [usize; 2]>, Failure> {
    let failed = |why: String| Failure::new(format!("{LIST}: {why}"));
    let text = read_text(&project_root().join(LIST))?;
    let allowed: BTreeMap<String, usize> =
        toml::from_str(&text).map_err(|e| failed(format!("{e}")))?;
    let rows = allowed.into_iter();
    let mut rows: BTreeMap<_, _> = rows.map(|(folders, most)| (folders, [most, 0])).collect();
    for name in &in_tree()? {
        let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
        if KINDS.split(' ').any(|one| one == kind) {
            let is_in = |folder: &str| name.starts_with(&format!("{folder}/"));
            let row = rows.iter_mut().find(|(all, _)| all.split(", ").any(is_in));
            let nowhere = || failed(format!("{name} is in none of its folders"));
            let (_, row) = row.ok_or_else(nowhere)?;
            let bytes = read(&project_root().join(name))?;
            row[1] += bytes.iter().filter(|byte| **byte == b'\n').count();
        }
    }
    Ok(rows)
}
