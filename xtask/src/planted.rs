//! `cargo xtask planted`: defects and leaks put into a copy of the tree are reported, each of
//! them, by the test or the tool that must notice it.
//!
//! `evidence/planted.toml` says where they go. All of a kind are in one build.

mod defects;
mod leaks;

pub(crate) use defects::of_slice as defects;
pub(crate) use leaks::watched;

use crate::files::{in_tree, read, read_text, write_if_new};
use crate::process::{Failure, project_root};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A replacement in a file.
#[derive(Deserialize)]
struct Row {
    #[serde(skip)]
    name: String,
    file: String,
    find: String,
    replace: String,
    /// The test that must fail, of a defect.
    #[serde(default)]
    test: String,
}

/// The files of a tree that are to be other than they are.
type Texts = BTreeMap<String, String>;

/// Every row's text is in its file, and the replacement is Rust: a quick check for CI.
pub(crate) fn places() -> Result<(), Failure> {
    let mut wrong = Vec::new();
    let sources = in_tree()?.into_iter().filter(|name| name.ends_with(".rs"));
    let sources = sources.map(|name| read_text(&project_root().join(name)));
    let sources = sources.collect::<Result<String, _>>()?;
    for rows in [rows(true)?, leaks::named(&[])?] {
        for row in &rows {
            let test = row.test.rsplit([':', ' ']).next().unwrap_or_default();
            let has_test = test.is_empty() || sources.contains(&format!("fn {test}("));
            if !has_test || row.find == row.replace {
                let why = format!("{}: no such test, or it changes nothing", row.name);
                wrong.push(Failure::new(why));
            }
        }
        // One after the other: a row that is wrong hides none. And then all together.
        wrong.extend(rows.iter().filter_map(|row| planted(&[row]).err()));
        if wrong.is_empty() {
            wrong.extend(planted(&rows.iter().collect::<Vec<_>>()).err());
        }
    }
    for failure in &wrong {
        println!("{failure}");
    }
    match wrong.len() {
        0 => Ok(()),
        rows => Err(Failure::new(format!("{rows} rows do not fit the sources"))),
    }
}

/// The texts of the files with all of this in them.
fn planted(rows: &[&Row]) -> Result<Texts, Failure> {
    let mut by_file: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_file.entry(&row.file).or_default().push(row);
    }
    let mut texts = Texts::new();
    for (file, rows) in by_file {
        let of = |row: &str, why: &str| Failure::new(format!("{row}: {file}: {why}"));
        let original = read_text(&project_root().join(file))?;
        let mut pieces = Vec::new();
        for row in &rows {
            let mut places = original.match_indices(&row.find);
            match (places.next(), places.next()) {
                (Some((at, _)), None) => pieces.extend(row.pieces(at)),
                (None, _) => return Err(of(&row.name, "what it replaces is not there")),
                _ => return Err(of(&row.name, "what it replaces is there more than once")),
            }
        }
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let names = names.join(", ");
        let text = put(&original, pieces).ok_or_else(|| of(&names, "two replace the same"))?;
        let is_rust = syn::parse_file(&text);
        is_rust.map_err(|e| of(&names, &format!("what is put there is no Rust: {e}")))?;
        texts.insert(file.to_owned(), text);
    }
    Ok(texts)
}

/// A text that replaces so many bytes at a place. If several meet, one that ends there goes before
/// one that begins, and outer ones enclose inner ones.
#[derive(Clone)]
struct Piece {
    at: usize,
    instead_of: usize,
    rank: (bool, isize),
    text: String,
}

/// Fails where two replace the same.
fn put(original: &str, mut pieces: Vec<Piece>) -> Option<String> {
    pieces.sort_by_key(|piece| (piece.at, piece.rank));
    let (mut text, mut at) = (String::new(), 0);
    for piece in pieces {
        text += original.get(at..piece.at)?;
        text += &piece.text;
        at = piece.at + piece.instead_of;
    }
    Some(text + original.get(at..)?)
}

impl Row {
    /// A leak replaces the text at `at`. A defect stands beside it, and is on if `SIVKA_DEFECT` has
    /// its name; both may be statements, or an expression.
    fn pieces(&self, at: usize) -> Vec<Piece> {
        let (name, find, replace) = (&self.name, &self.find, &self.replace);
        let piece = |at, instead_of, rank, text| Piece { at, instead_of, rank, text };
        if self.test.is_empty() {
            // An addition after something may be within another one's.
            return vec![match replace.strip_prefix(find.as_str()) {
                Some(added) => piece(at + find.len(), 0, (true, 0), added.to_owned()),
                None => piece(at, find.len(), (true, 0), replace.clone()),
            }];
        }
        let on = format!(
            "{{ static ON: ::std::sync::LazyLock<bool> = ::std::sync::LazyLock::new(|| \
             ::std::env::var_os(\"SIVKA_DEFECT\").is_some_and(|name| name == \"{name}\")); *ON }}"
        );
        let (before, after) = match find.trim_end().ends_with([';', '}']) {
            true => (format!("if {on} {{ {replace} }} else {{ "), " }"),
            false => (format!("(match {on} {{ true => {replace}, false => "), " })"),
        };
        let len = find.len() as isize;
        vec![
            piece(at, 0, (true, -len), before),
            piece(at + find.len(), 0, (false, len), after.to_owned()),
        ]
    }
}

const FILE: &str = "evidence/planted.toml";

/// The defects, or the leaks.
fn rows(are_defects: bool) -> Result<Vec<Row>, Failure> {
    let text = read_text(&project_root().join(FILE))?;
    let rows: Result<BTreeMap<String, Row>, _> = toml::from_str(&text);
    let rows = rows.map_err(|e| Failure::new(format!("{FILE}: {e}")))?;
    let mut rows = Vec::from_iter(rows.into_iter().map(|(name, row)| Row { name, ..row }));
    rows.retain(|row| row.test.is_empty() != are_defects);
    Ok(rows)
}

/// Makes a copy of the tree with these replacements. Unchanged files keep their time, and are not
/// built again.
fn copy_tree(copy: &Path, mut texts: Texts) -> Result<(), Failure> {
    let root = project_root();
    for name in in_tree()? {
        let bytes = match texts.remove(&name) {
            Some(text) => text.into_bytes(),
            None => read(&root.join(&name))?,
        };
        write_if_new(&copy.join(&name), bytes)?;
        // Some are executed by tests.
        let mode = fs::metadata(root.join(&name)).map(|file| file.permissions());
        mode.and_then(|mode| fs::set_permissions(copy.join(&name), mode))
            .map_err(|e| Failure::new(format!("{name}: {e}")))?;
    }
    let mut added = texts.into_iter();
    added.try_for_each(|(name, text)| write_if_new(&copy.join(name), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_is_beside_what_it_replaces() {
        let row = |find: &str, replace: &str, test: &str| {
            let row =
                format!("file = 'f.rs'\nfind = '{find}'\nreplace = '{replace}'\ntest = '{test}'");
            toml::from_str::<Row>(&row).unwrap()
        };
        let (statement, expression) = (row("g(a[i]);", "", "t"), row("a[i]", "a[0]", "t"));
        let pieces = [statement.pieces(9), expression.pieces(11)].concat();
        let text = put("fn f() { g(a[i]); }", pieces).unwrap();
        let begin = "fn f() { if { static ON";
        let middle = "*ON } {  } else { g((match { static ON";
        let end = "{ true => a[0], false => a[i] })); } }";
        assert!(text.starts_with(begin) && text.ends_with(end), "{text}");
        assert!(text.contains(middle), "{text}");
        assert!(syn::parse_file(&text).is_ok());
        let leak = put("f(a[i])", row("a[i]", "b", "").pieces(2));
        assert_eq!(leak.unwrap(), "f(b)");
    }
}
