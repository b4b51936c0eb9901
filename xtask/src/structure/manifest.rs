//! The rules of ARCHITECTURE.md about the `Cargo.toml` of each crate: which crates of ours it may
//! depend on, and that no private feature is on in a release. Clippy checks the metadata of
//! published crates.

use crate::process::{Failure, SHIPPED};
use toml::{Table, Value};

/// Which crates of ours each crate may depend on, in its own build.
pub(crate) const CRATES: [(&str, &str); 14] = [
    ("core", ""),
    ("file", "sivka"),
    ("keyset", "sivka"),
    ("arrow", "sivka"),
    ("ffi", "sivka sivka-file sivka-keyset"),
    ("cli", "sivka sivka-file sivka-keyset"),
    ("bindings/go/blob", "sivka"),
    ("bindings/python", "sivka sivka-file sivka-keyset"),
    ("evidence/oracle", ""),
    ("xtask", ""),
    ("evidence/leaks", "sivka sivka-ffi sivka-file sivka-keyset sivka-oracle"),
    ("evidence/judge", "sivka sivka-oracle"),
    ("evidence/bench", "sivka sivka-ffi sivka-file sivka-oracle"),
    ("evidence/fuzz", "sivka sivka-file sivka-ffi sivka-keyset sivka-judge sivka-oracle"),
];

/// Everything that is wrong with the manifest of a crate.
pub(super) fn check(path: &str, text: &str) -> Result<Vec<String>, Failure> {
    let folder = path.trim_end_matches("/Cargo.toml");
    let unreadable = |e| Failure::new(format!("{path}: {e}"));
    let manifest: Table = text.parse().map_err(unreadable)?;
    let found = match CRATES.iter().find(|(name, _)| *name == folder) {
        Some((_, allowed)) => complaints(folder, &manifest, allowed),
        None => vec!["a new crate: say in the import rules what it may import".to_owned()],
    };
    Ok(found.into_iter().map(|why| format!("{path}: {why}")).collect())
}

fn complaints(folder: &str, manifest: &Table, allowed: &str) -> Vec<String> {
    let ships = SHIPPED.contains(&folder);
    let mut found = Vec::new();
    for (kind, name, value) in dependencies(manifest) {
        // Tests may depend on any of ours, but the oracle's: it judges the others.
        let for_tests = kind == "dev-dependencies";
        if !allowed.split(' ').any(|one| one == name) && (!for_tests || folder == "evidence/oracle")
        {
            found.push(format!("it may not depend on `{name}`"));
        }
        if ships && !for_tests && has_private(value.get("features")) {
            found.push(format!("it turns on a private feature of `{name}`"));
        }
    }
    let value = |table: &str, key: &str| manifest.get(table)?.get(key);
    if has_private(value("features", "default")) {
        found.push("a private feature is on by default".to_owned());
    }
    if !ships && value("package", "publish") != Some(&Value::Boolean(false)) {
        found.push("`publish = false` is missing".to_owned());
    }
    if value("package", "version").is_some_and(Value::is_str) {
        found.push("the workspace's version is not inherited".to_owned());
    }
    if value("lints", "workspace") != Some(&Value::Boolean(true)) {
        found.push("the workspace's lints are not inherited".to_owned());
    }
    found
}

/// The dependencies on crates of ours, for every target: the table of each, its name and its entry.
fn dependencies(manifest: &Table) -> Vec<(&str, &str, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values);
    let tables = tables.filter_map(Value::as_table);
    let mut found = Vec::new();
    for table in tables.chain([manifest]) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let listed = table.get(kind).and_then(Value::as_table);
            for (key, value) in listed.into_iter().flatten() {
                let name = value.get("package").and_then(Value::as_str).unwrap_or(key);
                if name == "sivka" || name.starts_with("sivka-") {
                    found.push((kind, name, value));
                }
            }
        }
    }
    found
}

fn has_private(features: Option<&Value>) -> bool {
    let list = features.and_then(Value::as_array).into_iter().flatten();
    let is_private = |name: &str| name.starts_with("__") || name.contains("/__");
    list.filter_map(Value::as_str).any(is_private)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line is `crate | line of its manifest | words of the one complaint`, which are
    /// missing where there shall be none.
    #[test]
    fn each_rule_finds_what_breaks_it() {
        let cases = r#"
            evidence/oracle | dev-dependencies.sivka.workspace = true | not depend on `sivka`
            core | dependencies.x = { package = "sivka-file", version = "1" } | on `sivka-file`
            xtask | build-dependencies.sivka = "1" | may not depend on `sivka`
            file | target.'cfg(unix)'.dependencies.sivka-ffi = "1" | not depend on `sivka-ffi`
            cli | dependencies.sivka.features = ["__force_tier"] | turns on a private feature
            cli | features.default = ["sivka/__force_tier"] | private feature is on by default
            evidence/bench | package.publish = true | `publish = false` is missing
            core | lints.workspace = false | lints are not inherited
            shiny | package.name = "shiny" | a new crate
            file | dependencies.sivka.workspace = true
            file | dev-dependencies.sivka-oracle.workspace = true"#;
        for case in cases.trim().lines().map(str::trim) {
            let parts: Vec<&str> = case.split(" | ").collect();
            let mut text = parts[1].to_owned();
            for (key, value) in [("package.publish", "false"), ("lints.workspace", "true")] {
                // The defaults of a test case are correct.
                if !text.starts_with(key) {
                    text += &format!("\n{key} = {value}");
                }
            }
            let found = check(&format!("{}/Cargo.toml", parts[0]), &text).unwrap();
            match parts.get(2) {
                Some(words) => assert!(found.len() == 1 && found[0].contains(words), "{case}"),
                None => assert!(found.is_empty(), "{case}: {found:?}"),
            }
        }
    }
}
