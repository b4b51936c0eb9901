//! Circles in the packages of other languages: files that name each other's types.
//!
//! What a name means is not looked up. A word with a capital is the type of that name, unless
//! it comes after a dot or is the name of a constant. The subtypes of a sealed type (`permits`)
//! are no import. The list of native functions belongs to whoever calls them.

use super::circles::{Imports, described};
use crate::process::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A folder, how its files end, and the list of native functions in it.
const PACKAGES: [(&str, &str, &str); 5] = [
    ("bindings/java/sivka/src/main/java", ".java", "Native"),
    ("bindings/dotnet/Sivka", ".cs", "NativeMethods"),
    ("bindings/python/src/sivka", ".py", ""),
    ("bindings/python/src/native", ".h", ""),
    ("integrations/spark/src/main/java", ".java", ""),
];

/// Each circle of each package once.
pub(crate) fn circles(root: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for (folder, ending, natives) in PACKAGES {
        let mut files = BTreeMap::new();
        read(&root.join(folder), ending, &mut files)?;
        if files.len() < 2 {
            return Err(Failure::new(format!("{folder} has no files to check")));
        }
        files.remove(natives);
        found.extend(circles_of(folder, ending, &files));
    }
    Ok(found)
}

/// The texts by the names of their files, as far as the first dot: parts of a type are one.
fn read(folder: &Path, ending: &str, files: &mut BTreeMap<String, String>) -> Result<(), Failure> {
    let failed = |e| Failure::new(format!("{}: {e}", folder.display()));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            read(&path, ending, files)?;
        } else if name.ends_with(ending) {
            let stem = name.split('.').next().unwrap_or_default().to_owned();
            let text = fs::read_to_string(&path).map_err(failed)?;
            files.entry(stem).or_default().push_str(&text);
        }
    }
    Ok(())
}

fn circles_of(folder: &str, ending: &str, files: &BTreeMap<String, String>) -> Vec<String> {
    let names: Vec<&String> = files.keys().collect();
    let sources: Vec<Vec<&str>> = files.values().map(|text| tokens(text, ending)).collect();
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, tokens) in sources.iter().enumerate() {
        homes.insert(names[i], i);
        homes.extend(declared(tokens, ending).map(|name| (name, i)));
    }
    let imports = sources.iter().enumerate().map(|(i, tokens)| {
        let used = used(tokens, ending).into_iter();
        let homes = used.filter_map(|name| Some((*homes.get(name)?, name.to_owned())));
        homes.filter(|(home, _)| *home != i).collect()
    });
    let imports: Vec<Imports> = imports.collect();
    described(&imports, |file| format!("{folder}/{}", names[file]))
}

/// Words, and signs one by one, without comments, strings and the members of enums.
fn tokens<'t>(text: &'t str, ending: &str) -> Vec<&'t str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    const QUOTES: [&str; 3] = ["\"\"\"", "\"", "'"];
    let line = if ending == ".py" { "#" } else { "//" };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if rest.starts_with(line) {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(quote) = QUOTES.iter().find(|quote| rest.starts_with(**quote)) {
            let len = end_of_string(rest, quote);
            if ending == ".h" && tokens.last() == Some(&"include") {
                tokens.push(&rest[1..len - 1]);
            }
            len
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(&rest[..len]);
            len
        } else {
            let len = first.len_utf8();
            if !first.is_whitespace() {
                tokens.push(&rest[..len]);
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

fn end_of_string(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(quote) {
            return at + quote.len();
        }
        if rest.starts_with('\\') {
            at += 1;
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    text.len()
}

/// The types that a file of C# declares besides that of its name.
fn declared<'t>(tokens: &[&'t str], ending: &str) -> impl Iterator<Item = &'t str> {
    const WORDS: [&str; 5] = ["class", "enum", "interface", "record", "struct"];
    let pairs = tokens.windows(2).filter(|pair| WORDS.contains(&pair[0]));
    let names: Vec<&str> = pairs.map(|pair| pair[1]).collect();
    names.into_iter().filter(move |_| ending == ".cs")
}

/// The names of types, modules or headers that a file uses.
fn used<'t>(tokens: &[&'t str], ending: &str) -> BTreeSet<&'t str> {
    match ending {
        ".h" => {
            let included = tokens.windows(2).filter(|pair| pair[0] == "include");
            included
                .map(|pair| pair[1].trim_end_matches(".h"))
                .collect()
        }
        ".py" => {
            let from = tokens
                .windows(4)
                .filter(|words| words[0] == "from" && words[1] == ".");
            from.map(|words| {
                if words[2] == "import" {
                    words[3]
                } else {
                    words[2]
                }
            })
            .collect()
        }
        _ => types(tokens),
    }
}

fn types<'t>(tokens: &[&'t str]) -> BTreeSet<&'t str> {
    const BUILT_IN: [&str; 6] = ["byte", "int", "long", "nuint", "string", "uint"];
    let mut used = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        let until = |sign: &str| tokens[at..].iter().position(|token| *token == sign);
        match tokens[at] {
            // Up to the type's own members.
            "permits" | "import" | "using" | "package" | "namespace" => {
                let end = [until("{"), until(";"), until("(")]
                    .into_iter()
                    .flatten()
                    .min();
                at += end.unwrap_or(1).max(1);
                continue;
            }
            "enum" => {
                at += until("}").unwrap_or(1).max(1);
                continue;
            }
            token if token.starts_with(char::is_uppercase) => {
                let before = at.checked_sub(1).map_or("", |before| tokens[before]);
                if before != "." && !BUILT_IN.contains(&before) {
                    used.insert(token);
                }
            }
            _ => {}
        }
        at += 1;
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ending: &str, files: &[(&str, &str)]) -> Vec<String> {
        let files = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        circles_of("p", ending, &files.collect())
    }

    #[test]
    fn files_that_name_each_others_types_are_a_circle() {
        let java = [
            ("A", "class A { B b; }"),
            ("B", "/* A */ class B { String s = \"A\"; C c; }"),
            ("C", "class C { void f() { new A(); } }"),
        ];
        assert_eq!(
            found(".java", &java),
            ["p/A -> p/B (B) -> p/C (C) -> p/A (A)"]
        );
        let cs = [
            ("A", "class A { B2 b; }"),
            ("B", "enum B1 { A, C } class B2 { const int A = 1; C.A c; }"),
            ("C", "class C : A { }"),
        ];
        assert_eq!(found(".cs", &cs), ["p/A -> p/B (B2) -> p/C (C) -> p/A (A)"]);
        let python = [("a", "from .b import B"), ("b", "from . import a")];
        assert_eq!(found(".py", &python), ["p/a -> p/b (b) -> p/a (a)"]);
        let c = [("a", "#include \"b.h\""), ("b", "#include \"a.h\"")];
        assert_eq!(found(".h", &c), ["p/a -> p/b (b) -> p/a (a)"]);
    }

    #[test]
    fn what_is_no_import_makes_no_circle() {
        let java = [
            ("A", "sealed interface A permits B { }"),
            ("B", "import x.C; class B implements A { int i = x.C; }"),
            ("C", "// B\nclass C { B b; }"),
        ];
        assert!(found(".java", &java).is_empty());
    }
}
