//! The fenced blocks of the pages: something reads each, and what their commands name is there.

use crate::files::{in_tree, read_text};
use crate::process::{Failure, project_root};
use std::collections::{BTreeMap, BTreeSet};

const LIST: &str = "xtask/pages.toml";
/// Languages of blocks that are compared with what there is.
const COMPARED: [&str; 3] = ["console", "sh", "xml"];

/// Blocks that nothing reads, and commands that name what is not there.
pub(super) fn check() -> Result<Vec<String>, Failure> {
    let read = |path: &str| read_text(&project_root().join(path));
    let readers: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(&read(LIST)?).map_err(|e| Failure::new(format!("{LIST}: {e}")))?;
    let files: BTreeSet<String> = in_tree()?.into_iter().collect();
    let mut texts = read("xtask/languages.toml")? + &read("bindings/java/sivka/pom.xml")?;
    for manifest in files.iter().filter(|path| path.ends_with("Cargo.toml")) {
        texts += &read(manifest)?;
    }
    let mut violations = Vec::new();
    for page in files.iter().filter(|path| path.ends_with(".md")) {
        let (text, rows) = (read(page)?, readers.get(page));
        for said in text.split("cargo xtask ").skip(1) {
            let end = said.find(|c: char| !c.is_ascii_lowercase());
            let word = &said[..end.unwrap_or(said.len())];
            if !crate::USAGE.contains(&format!("\n  {word} ")) {
                violations.push(format!("{page}: there is no `cargo xtask {word}`"));
            }
        }
        for block in text.split("\n```").skip(1).step_by(2) {
            let (language, code) = block.split_once('\n').unwrap_or_default();
            let reader = rows.and_then(|row| row.get(language)).map(String::as_str);
            let name = page.rsplit('/').next().unwrap_or_default();
            let is_read = match reader {
                Some("names") => COMPARED.contains(&language),
                Some(path) => files.contains(path) && read(path)?.contains(name),
                None => language == "text",
            };
            if !is_read {
                violations.push(format!("{page}: {LIST} names no reader of `{language}`"));
            }
            let lines = code.lines().filter(|_| COMPARED.contains(&language));
            let unknown = lines.filter(|line| !is_known(line, &files, &texts));
            violations.extend(unknown.map(|line| format!("{page}: not there: {line}")));
        }
    }
    Ok(violations)
}

/// Whether there are the packages, features and paths that a command names; CI calls Maven and
/// .NET's `pack` alike, and the package for Java has the elements of XML.
fn is_known(line: &str, files: &BTreeSet<String>, texts: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim();
    let is_whole = line.starts_with('<') || line.starts_with("dotnet pack ");
    if let Some(text) = line.strip_prefix("mvn ").or(is_whole.then_some(line)) {
        return texts.contains(text);
    }
    let words: Vec<&str> = line.split([' ', '(', ')']).collect();
    words.windows(2).all(|pair| match pair {
        ["-p", name] => texts.contains(&format!("\nname = \"{name}\"\n")),
        ["--features", name] => texts.contains(&format!("\n{name} = [")),
        ["cd" | "-C" | "--path" | "python3", path] if !path.starts_with(['/', 'S']) => {
            let is_it = |file: &String| file == path || file.starts_with(&format!("{path}/"));
            files.iter().any(is_it)
        }
        _ => true,
    })
}
