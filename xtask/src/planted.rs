//! `cargo xtask planted`: defects and leaks put into a copy of the tree are reported, each of
//! them, by the test or the tool that must notice it.
//!
//! `evidence/mutants/defects.toml` and `evidence/leaks/planted.toml` say where they go. All of a
//! kind are in one build.

mod defects;
mod leaks;

pub(crate) use defects::of_slice as defects;
pub(crate) use leaks::{of_names as leaks, watched};

use crate::files::{in_tree, read, read_text, write_if_new};
use crate::process::{Failure, project_root};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// What is put into a file in place of something else.
struct Row {
    name: String,
    file: String,
    find: String,
    replace: String,
    /// The test that must fail, of a defect.
    test: String,
}

/// The files of a tree that are to be other than they are.
type Texts = BTreeMap<String, String>;

/// Everything has its place, and what is put there is Rust: soon seen, for CI.
pub(crate) fn places() -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for rows in [defects::rows()?, leaks::rows(&[])?] {
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
    let planted = by_file.into_iter().map(|(file, rows)| {
        let of = |row: &str, why: String| Failure::new(format!("{row}: {file}: {why}"));
        let original = read_text(&project_root().join(file))?;
        let mut pieces = Vec::new();
        for row in &rows {
            let places: Vec<usize> = original
                .match_indices(&row.find)
                .map(|(at, _)| at)
                .collect();
            let [at] = places[..] else {
                let times = places.len();
                return Err(of(
                    &row.name,
                    format!("what it replaces is there {times} times"),
                ));
            };
            pieces.extend(row.pieces(at));
        }
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let names = names.join(", ");
        let text = put(&original, pieces);
        let text = text.ok_or_else(|| of(&names, "two replace the same".to_owned()))?;
        let is_rust = syn::parse_file(&text);
        is_rust.map_err(|e| of(&names, format!("what is put there is no Rust: {e}")))?;
        Ok((file.to_owned(), text))
    });
    planted.collect()
}

/// A text that comes in at a place, instead of so many bytes. Where several meet, what ends there
/// goes before what begins, and what is outside encloses what is inside.
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
    /// A leak is in the place of what it replaces, at `at`. A defect is beside it, and on if
    /// `SIVKA_DEFECT` has its name: of statements, or of an expression.
    fn pieces(&self, at: usize) -> Vec<Piece> {
        let Self {
            name,
            find,
            replace,
            test,
            ..
        } = self;
        let piece = |at, instead_of, rank, text| Piece {
            at,
            instead_of,
            rank,
            text,
        };
        if test.is_empty() {
            // What is added after something may be within another one's.
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
            false => (
                format!("(match {on} {{ true => {replace}, false => "),
                " })",
            ),
        };
        let len = find.len() as isize;
        vec![
            piece(at, 0, (true, -len), before),
            piece(at + find.len(), 0, (false, len), after.to_owned()),
        ]
    }
}

/// The rows of a file, each with these keys.
fn rows_of(file: &str, has_test: bool) -> Result<Vec<Row>, Failure> {
    let unreadable = |why: String| Failure::new(format!("{file}: {why}"));
    let text = read_text(&project_root().join(file))?;
    let table: Table = text.parse().map_err(|e| unreadable(format!("{e}")))?;
    let rows = table.into_iter().map(|(name, row)| {
        let field = |key: &str| {
            let value = row.get(key).and_then(Value::as_str).map(str::to_owned);
            value.ok_or_else(|| unreadable(format!("{name} has no `{key}`")))
        };
        let (file, find, replace) = (field("file")?, field("find")?, field("replace")?);
        let test = if has_test {
            field("test")?
        } else {
            String::new()
        };
        Ok(Row {
            name,
            file,
            find,
            replace,
            test,
        })
    });
    rows.collect()
}

/// Makes a copy of the tree, in which these texts are other. What stays as it is
/// keeps its time, and is not built again.
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

    fn row(find: &str, replace: &str) -> Row {
        let [name, file, test] = ["d", "f.rs", "t"].map(str::to_owned);
        Row {
            name,
            file,
            find: find.to_owned(),
            replace: replace.to_owned(),
            test,
        }
    }

    #[test]
    fn a_defect_is_beside_what_it_replaces() {
        let text = "fn f() { g(a[i]); }";
        let [statement, expression] = [row("g(a[i]);", ""), row("a[i]", "a[0]")];
        let pieces = statement
            .pieces(9)
            .into_iter()
            .chain(expression.pieces(11))
            .collect();
        let text = put(text, pieces).unwrap();
        assert!(text.starts_with("fn f() { if { static ON"), "{text}");
        assert!(
            text.contains("*ON } {  } else { g((match { static ON"),
            "{text}"
        );
        assert!(
            text.ends_with("{ true => a[0], false => a[i] })); } }"),
            "{text}"
        );
        assert!(syn::parse_file(&text).is_ok());
        let leak = Row {
            test: String::new(),
            ..row("a[i]", "b")
        };
        assert_eq!(put("f(a[i])", leak.pieces(2)).unwrap(), "f(b)");
    }
}
