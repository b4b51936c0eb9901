//! Circles: files of a crate that import each other, directly or over others.
//!
//! A path leads to the file that defines what it names: what another one hands on by `use` is
//! followed. What a file takes of a module that it is a part of is no import, and neither is
//! `mod child;`.

use super::source::{Name, Source};
use std::collections::{BTreeMap, BTreeSet};

/// What begins a definition.
const DEFINITIONS: [&str; 9] = [
    "const",
    "enum",
    "fn",
    "macro_rules",
    "static",
    "struct",
    "trait",
    "type",
    "union",
];

/// How often what is handed on may be handed on again.
const MOST_HANDS: usize = 8;

/// Each circle once, the shortest through its first file: `a.rs -> b.rs (B) -> a.rs (A)`.
pub(crate) fn circles(sources: &[Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources {
        if let Some((folder, inner)) = source.path.split_once("/src/")
            && !inner.ends_with("tests.rs")
        {
            crates.entry(folder).or_default().push(source);
        }
    }
    let crates = crates.into_values().map(House::new);
    crates.flat_map(|house| house.circles()).collect()
}

/// The files of a crate.
struct House<'s> {
    files: Vec<File<'s>>,
    /// By their modules.
    modules: BTreeMap<Vec<String>, usize>,
}

struct File<'s> {
    source: &'s Source,
    defined: BTreeSet<&'s str>,
    /// The paths that it names, without what is there for its tests alone; and what it calls
    /// each, which is the last word, or what comes after `as`.
    paths: Vec<(Vec<&'s str>, &'s str)>,
}

/// The files that a file imports, and one name that it takes from each.
pub(super) type Imports = BTreeMap<usize, String>;

impl<'s> House<'s> {
    fn new(sources: Vec<&'s Source>) -> Self {
        let modules = sources.iter().enumerate();
        let modules = modules.map(|(i, source)| (source.module.clone(), i));
        let modules = modules.collect();
        let files = sources.into_iter().map(File::new).collect();
        Self { files, modules }
    }

    fn circles(&self) -> Vec<String> {
        let imports: Vec<Imports> = (0..self.files.len()).map(|i| self.imports(i)).collect();
        described(&imports, |file| self.files[file].source.path.clone())
    }

    fn imports(&self, from: usize) -> Imports {
        let mut imports = Imports::new();
        for (path, _) in &self.files[from].paths {
            if let Some((to, name)) = self.home(from, path, MOST_HANDS)
                && !self.is_part_of(from, to)
            {
                imports.entry(to).or_insert(name);
            }
        }
        imports
    }

    /// Whether a file is another one's, or a module somewhere within it.
    fn is_part_of(&self, file: usize, whole: usize) -> bool {
        let [part, whole] = [file, whole].map(|file| &self.files[file].source.module);
        part.starts_with(whole)
    }

    /// The file that defines what a path in another one leads to, and its name.
    fn home(&self, from: usize, path: &[&str], hands: usize) -> Option<(usize, String)> {
        let whole = self.within_crate(from, path, MOST_HANDS)?;
        let at = (0..=whole.len()).rev().find_map(|end| {
            let file = self.modules.get(&whole[..end])?;
            Some((*file, whole.get(end)))
        });
        let (file, name) = at?;
        // The path ends at the module itself, which only lets its own names be named.
        let name = name?;
        let of = &self.files[file];
        if !of.defined.contains(name.as_str()) && hands > 0 {
            let handed = of.paths.iter().filter(|(_, called)| called == name);
            for (path, _) in handed {
                if let Some(home) = self.home(file, path, hands - 1) {
                    return Some(home);
                }
            }
        }
        Some((file, name.clone()))
    }

    /// A path into the crate, from its root.
    fn within_crate(&self, from: usize, path: &[&str], hands: usize) -> Option<Vec<String>> {
        let owned = |path: &[&str]| {
            path.iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        if path[0] == "crate" {
            return Some(owned(&path[1..]));
        }
        let mut whole = self.files[from].source.module.clone();
        whole.push(path[0].to_owned());
        if self.modules.contains_key(&whole) {
            whole.extend(owned(&path[1..]));
            return Some(whole);
        }
        // The first word may be what a `use` has brought in.
        let used = &mut self.files[from].paths.iter();
        let (brought, _) =
            used.find(|(used, called)| used.len() > 1 && *called == path[0] && used[0] != path[0])?;
        let mut whole = self.within_crate(from, brought, hands.checked_sub(1)?)?;
        whole.extend(owned(&path[1..]));
        Some(whole)
    }
}

impl<'s> File<'s> {
    fn new(source: &'s Source) -> Self {
        let names: Vec<&Name> = source.names.iter().filter(|name| !name.tests).collect();
        let defined = names.windows(2).filter_map(|pair| {
            let [word, name] = [pair[0], pair[1]].map(|name| name.text.as_str());
            DEFINITIONS.contains(&word).then_some(name)
        });
        let paths = names.iter().filter(|name| name.text.contains("::"));
        let paths = paths.map(|name| {
            let path: Vec<&str> = name.text.split("::").collect();
            let called = name.alias.as_deref().unwrap_or(path[path.len() - 1]);
            (path, called)
        });
        Self {
            source,
            defined: defined.collect(),
            paths: paths.collect(),
        }
    }
}

/// Each circle once, in words, with the paths of its files.
pub(super) fn described(imports: &[Imports], path: impl Fn(usize) -> String) -> Vec<String> {
    let (mut seen, mut found) = (BTreeSet::<usize>::new(), Vec::new());
    for start in 0..imports.len() {
        let way =
            shortest(start, imports).filter(|way| !way.iter().any(|file| seen.contains(file)));
        let Some(way) = way else { continue };
        seen.extend(&way);
        let ends = way.iter().zip(way.iter().cycle().skip(1));
        found.push(ends.fold(path(way[0]), |text, (from, to)| {
            format!("{text} -> {} ({})", path(*to), imports[*from][to])
        }));
    }
    found
}

/// The shortest way from a file back to itself.
fn shortest(start: usize, imports: &[Imports]) -> Option<Vec<usize>> {
    let mut seen = BTreeSet::from([start]);
    let mut ways = vec![vec![start]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for &next in imports[way[way.len() - 1]].keys() {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push([&way[..], &[next]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources = files
            .iter()
            .map(|(path, text)| Source::parse(path, text).unwrap());
        circles(&Vec::from_iter(sources))
    }

    #[test]
    fn a_circle_is_named_with_what_ties_it() {
        let circles = found(&[
            ("core/src/lib.rs", "mod a; mod b; mod c;"),
            ("core/src/a.rs", "use crate::b::B; struct A;"),
            ("core/src/b.rs", "use super::c; struct B; fn f() { c::C }"),
            ("core/src/c.rs", "struct C(crate::a::A);"),
        ]);
        let wanted = "core/src/a.rs -> core/src/b.rs (B) -> core/src/c.rs (C) -> core/src/a.rs (A)";
        assert_eq!(circles, [wanted]);
    }

    #[test]
    fn another_name_is_followed() {
        let files = [
            ("file/src/lib.rs", "mod a; mod b; mod c;"),
            (
                "file/src/a.rs",
                "use crate::b as other; fn f() { other::B }",
            ),
            (
                "file/src/b.rs",
                "use crate::c::{C as D, self as e}; struct B(D, e::E);",
            ),
            ("file/src/c.rs", "use crate::a::f as g; struct C; struct E;"),
        ];
        let wanted = "file/src/a.rs -> file/src/b.rs (B) -> file/src/c.rs (C) -> file/src/a.rs (f)";
        assert_eq!(found(&files), [wanted]);
    }

    #[test]
    fn what_is_handed_on_is_its_makers() {
        // `b` takes `A` from the root, which has it from `a`, which takes something of `b`'s.
        let circles = found(&[
            ("core/src/lib.rs", "mod a; mod b; pub use a::A;"),
            ("core/src/a.rs", "use crate::b::B; pub struct A;"),
            ("core/src/b.rs", "use crate::A; pub struct B;"),
        ]);
        let wanted = "core/src/a.rs -> core/src/b.rs (B) -> core/src/a.rs (A)";
        assert_eq!(circles, [wanted]);
    }

    #[test]
    fn a_child_is_a_part_of_its_parent() {
        let mut files = vec![
            ("file/src/lib.rs", "mod a; mod b;"),
            ("file/src/a.rs", "mod child; use child::C; struct A;"),
            ("file/src/a/child.rs", "use super::A; struct C;"),
            ("file/src/b.rs", "use crate::a::A; struct B;"),
        ];
        assert_eq!(found(&files), [""; 0]);
        files[2].1 = "use super::A; use crate::b::B; struct C;";
        let wanted =
            "file/src/a.rs -> file/src/a/child.rs (C) -> file/src/b.rs (B) -> file/src/a.rs (A)";
        assert_eq!(found(&files), [wanted]);
    }

    #[test]
    fn tests_crates_and_modules_alone_are_no_circle() {
        let circles = found(&[
            ("core/src/lib.rs", "mod a; mod b;"),
            ("core/src/a.rs", "use crate::b::B; struct A;"),
            ("core/src/b.rs", "struct B; mod tests { use crate::a::A; }"),
            ("file/src/lib.rs", "mod a;"),
            ("file/src/a.rs", "use sivka::a::A; use std::fmt; mod child;"),
            ("file/src/a/child.rs", "use super::*; struct C;"),
        ]);
        assert_eq!(circles, [""; 0]);
    }
}
