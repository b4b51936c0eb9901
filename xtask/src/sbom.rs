//! `cargo xtask sbom`: what each artifact is made of, as CycloneDX.

use crate::files::{read_text, write};
use crate::process::{Failure, capture, cargo, locked, project_root};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use toml::{Table, Value};

/// The crates that ship.
pub(crate) const SHIPPED: [&str; 6] = [
    "sivka",
    "sivka-file",
    "sivka-keyset",
    "sivka-arrow",
    "sivka-ffi",
    "sivka-cli",
];

/// Writes `target/sbom/CRATE.cdx.json` for each of them: the same bytes from the same sources.
pub(crate) fn run() -> Result<(), Failure> {
    let folder = project_root().join("target/sbom");
    for (package, text) in documents()? {
        let path = folder.join(format!("{package}.cdx.json"));
        write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The text for each of them.
pub(crate) fn documents() -> Result<Vec<(&'static str, String)>, Failure> {
    let checksums = checksums()?;
    let document = |package| Ok((package, document(package, &checksums)?));
    SHIPPED.into_iter().map(document).collect()
}

/// The SHA-256 of each package of a registry, by `name version`.
fn checksums() -> Result<BTreeMap<String, String>, Failure> {
    let failed = |why: String| Failure::new(format!("Cargo.lock: {why}"));
    let text = read_text(&project_root().join("Cargo.lock"))?;
    let lock: Table = text.parse().map_err(|e| failed(format!("{e}")))?;
    let packages = lock.get("package").and_then(Value::as_array);
    let packages = packages.ok_or_else(|| failed("no packages".to_owned()))?;
    let entry = |package: &Value| {
        let field = |name: &str| package.get(name)?.as_str().map(str::to_owned);
        let name = format!("{} {}", field("name")?, field("version")?);
        Some((name, field("checksum")?))
    };
    Ok(packages.iter().filter_map(entry).collect())
}

/// What a package is linked with on a target or, with `all`, on any, itself first: name,
/// version, licence.
pub(crate) fn linked(package: &str, target: &str) -> Result<Vec<[String; 3]>, Failure> {
    tree(package, "normal,no-proc-macro", target, &[])
}

/// What `cargo tree` says of a package by these edges: itself, and the others sorted.
pub(crate) fn tree(
    package: &str,
    edges: &str,
    target: &str,
    more: &[&str],
) -> Result<Vec<[String; 3]>, Failure> {
    let mut command = cargo(&["tree", "--package", package, "--prefix", "none"]);
    command
        .args(["--edges", edges, "--target", target])
        .args(more);
    let output = capture(command.args(["--format", "{p}|{l}"]).args(locked()))?;
    let mut packages = Vec::new();
    for line in output.lines() {
        let part = part(line).ok_or_else(|| Failure::new(format!("cargo tree says `{line}`")))?;
        if !packages.contains(&part) {
            packages.push(part);
        }
    }
    if let Some((_, others)) = packages.split_first_mut() {
        others.sort();
    }
    Ok(packages)
}

/// Name, version and licence of `zeroize v1.8.1 (proc-macro)|MIT (*)`.
fn part(line: &str) -> Option<[String; 3]> {
    let (named, licence) = line.split_once('|')?;
    let (name, rest) = named.split_once(" v")?;
    let version = rest.split(' ').next()?;
    Some([name, version, licence.trim_end_matches(" (*)")].map(str::to_owned))
}

fn document(package: &str, checksums: &BTreeMap<String, String>) -> Result<String, Failure> {
    let packages = linked(package, "all")?;
    let Some((itself, others)) = packages.split_first() else {
        return Err(Failure::new(format!("{package} is not in the tree")));
    };
    let component = |kind: &str, [name, version, licence]: &[String; 3]| {
        let purl = format!("pkg:cargo/{name}@{version}");
        let hash = checksums
            .get(&format!("{name} {version}"))
            .map(|sum| format!(r#", "hashes": [{{"alg": "SHA-256", "content": "{sum}"}}]"#));
        format!(
            r#"{{"type": "{kind}", "bom-ref": "{purl}", "name": "{name}", "version": "{version}", "purl": "{purl}", "licenses": [{{"expression": "{licence}"}}]{}}}"#,
            hash.unwrap_or_default()
        )
    };
    let kind = if package == "sivka-cli" {
        "application"
    } else {
        "library"
    };
    let mut text = String::from(
        "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n",
    );
    let _ = writeln!(
        text,
        "  \"metadata\": {{\"component\": {}}},",
        component(kind, itself)
    );
    let parts: Vec<String> = others
        .iter()
        .map(|part| format!("    {}", component("library", part)))
        .collect();
    let _ = write!(
        text,
        "  \"components\": [\n{}\n  ]\n}}\n",
        parts.join(",\n")
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn lines_of_the_tree_give_names() {
        let wanted = ["a", "2.0.1", "MIT OR Apache-2.0"].map(str::to_owned);
        for line in [
            "a v2.0.1 (proc-macro)|MIT OR Apache-2.0",
            "a v2.0.1|MIT OR Apache-2.0 (*)",
        ] {
            assert_eq!(part(line), Some(wanted.clone()));
        }
        assert_eq!(part(""), None);
    }
}
